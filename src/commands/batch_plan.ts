/**
 * From the text of a batch to commands that are known and whose arguments are good, before the first
 * of them runs.
 */
import { AppError } from "../errors.ts";
import { byteLength } from "./arg_values.ts";
import type { Command } from "./command.ts";
import { isId } from "./limits.ts";
import { quote } from "./quote.ts";
import { validate } from "./validate.ts";

/** Most entries of a batch. */
export const MAX_BATCH_ENTRIES = 64;
/** Longest text of a batch, in bytes of UTF-8. */
export const MAX_BATCH_BYTES = 1_048_576;

/** The commands that there are; the catalogue's own functions, which a batch cannot import. */
export interface Commands {
  load(name: string): Promise<readonly Command[]>;
  usesDesktop(name: string): boolean;
}

/** One entry as written. */
export interface BatchEntry {
  command: string;
  args?: Record<string, unknown>;
  session?: string;
}

/** An entry whose command is known and whose arguments are good. */
export interface PlannedEntry {
  entry: BatchEntry;
  command: Command;
  /** It never looks at the desktop. */
  offline: boolean;
}

/** `$2.match.ref_id`: a part of the answer of the second entry. */
const REFERENCE = /^\$([1-9][0-9]{0,2})((?:\.[A-Za-z_][A-Za-z0-9_]*|\.[0-9]{1,4})+)$/;
/** What stands for a reference while nothing has run yet. */
const PLACEHOLDER = "@s0000:e1";
const NESTED: ReadonlySet<string> = new Set(["batch"]);

/** The entries of a batch, their shape checked. Throws `INVALID_ARGS`. */
export function parseBatch(given: string): BatchEntry[] {
  const text = given === "-" ? readStandardInput() : given;
  if (byteLength(text) > MAX_BATCH_BYTES) throw tooLong();
  let list: unknown;
  try {
    list = JSON.parse(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new AppError("INVALID_ARGS", `The batch is no JSON: ${quote(reason)}`, {
      suggestion: 'Pass a list such as [{"command":"list-apps"}].',
    });
  }
  if (!Array.isArray(list) || list.length === 0 || list.length > MAX_BATCH_ENTRIES) {
    throw new AppError(
      "INVALID_ARGS",
      `A batch is a list of 1 to ${MAX_BATCH_ENTRIES} commands`,
      { suggestion: 'Pass a list such as [{"command":"list-apps"}].' },
    );
  }
  return list.map(entryOf);
}

/** Standard input, as far as a batch may be long. Throws `INVALID_ARGS` beyond that. */
function readStandardInput(): string {
  const parts: Uint8Array[] = [];
  const buffer = new Uint8Array(65_536);
  let total = 0;
  while (true) {
    const count = Deno.stdin.readSync(buffer);
    if (count === null) break;
    total += count;
    if (total > MAX_BATCH_BYTES) throw tooLong();
    parts.push(buffer.slice(0, count));
  }
  const bytes = new Uint8Array(total);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return new TextDecoder().decode(bytes);
}

function tooLong(): AppError {
  return new AppError("INVALID_ARGS", `A batch is at most ${MAX_BATCH_BYTES} bytes long`, {
    suggestion: "Send it in several batches.",
  });
}

function entryOf(item: unknown, index: number): BatchEntry {
  const record = typeof item === "object" && item !== null && !Array.isArray(item)
    ? item as Record<string, unknown>
    : undefined;
  if (record === undefined || typeof record["command"] !== "string") {
    throw bad(index, undefined, 'An entry is an object with "command"');
  }
  const { command, args = {}, session, ...rest } = record;
  const name = String(command);
  const [extra] = Object.keys(rest);
  if (extra !== undefined) throw bad(index, name, `Unknown key '${quote(extra)}' of an entry`);
  if (args !== null && (typeof args !== "object" || Array.isArray(args))) {
    throw bad(index, name, '"args" is an object');
  }
  if (session !== undefined && (typeof session !== "string" || !isId(session))) {
    throw bad(index, name, '"session" is the id of a session');
  }
  return {
    command: name,
    args: (args ?? {}) as Record<string, unknown>,
    ...(session === undefined ? {} : { session: session as string }),
  };
}

function bad(index: number, command: string | undefined, message: string): AppError {
  return new AppError("INVALID_ARGS", `Entry ${index + 1}: ${message}`, {
    suggestion: "Correct the entry; nothing of the batch was run.",
    details: { batch_index: index, ...(command === undefined ? {} : { batch_command: command }) },
  });
}

/**
 * The commands of a batch with their arguments checked; what refers to an earlier entry is checked as
 * if it were a ref. Throws `INVALID_ARGS` that names the entry.
 */
export async function planBatch(
  entries: readonly BatchEntry[],
  commands: Commands,
): Promise<PlannedEntry[]> {
  const plan: PlannedEntry[] = [];
  for (const [index, entry] of entries.entries()) {
    plan.push(await planEntry(entry, index, commands));
  }
  return plan;
}

async function planEntry(
  entry: BatchEntry,
  index: number,
  { load, usesDesktop }: Commands,
): Promise<PlannedEntry> {
  const { command: name, args = {} } = entry;
  if (NESTED.has(name)) throw bad(index, name, "A batch cannot hold a batch");
  const commands = await load(name);
  const command = commands.find(({ action }) => action === undefined || action === args["action"]);
  if (command === undefined) {
    const message = commands.length === 0
      ? `Unknown command '${quote(name)}'`
      : `${name} needs "action": ${commands.map(({ action }) => action).join(", ")}`;
    throw bad(index, name, message);
  }
  for (const reference of referencesIn(args)) {
    if (Number(REFERENCE.exec(reference)?.[1]) > index) {
      throw bad(index, name, `'${quote(reference)}' refers to no earlier entry`);
    }
  }
  try {
    await validate(command, replace(args, () => PLACEHOLDER) as Record<string, unknown>);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const failure = bad(index, name, error.message);
    const { message } = error;
    failure.details = { ...failure.details, cause_details: { ...error.details, message } };
    throw failure;
  }
  return { entry, command, offline: !usesDesktop(name) };
}

function referencesIn(value: unknown): string[] {
  const found: string[] = [];
  replace(value, (reference) => {
    found.push(reference);
    return reference;
  });
  return found;
}

/** The value with every reference in it exchanged. */
function replace(value: unknown, by: (reference: string) => unknown): unknown {
  if (typeof value === "string") return REFERENCE.test(value) ? by(value) : value;
  if (Array.isArray(value)) return value.map((item) => replace(item, by));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, replace(item, by)]));
}

/**
 * The arguments of an entry with its references filled in from what earlier entries answered;
 * `undefined` when one of these has no such part.
 */
export function fillReferences(
  { entry }: PlannedEntry,
  answers: readonly unknown[],
): Record<string, unknown> | undefined {
  let resolved = true;
  const filled = replace(entry.args ?? {}, (reference) => {
    const [, number, path] = REFERENCE.exec(reference)!;
    let part = answers[Number(number) - 1];
    for (const key of path!.slice(1).split(".")) {
      part = typeof part === "object" && part !== null && Object.hasOwn(part, key)
        ? (part as Record<string, unknown>)[key]
        : undefined;
    }
    if (part === undefined || part === null) resolved = false;
    return part;
  });
  return resolved ? filled as Record<string, unknown> : undefined;
}
