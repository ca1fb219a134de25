/** `batch`: several commands in one process, one after the other. */
import { CONTRACT_VERSION } from "../contract.ts";
import type { Deadline } from "../deadline.ts";
import { AppError, asAppError, type Delivery, disposition, errorBody } from "../errors.ts";
import { flag, timeout, timeoutArg } from "./arg_values.ts";
import {
  type Commands,
  fillReferences,
  MAX_BATCH_BYTES,
  MAX_BATCH_ENTRIES,
  parseBatch,
  planBatch,
  type PlannedEntry,
} from "./batch_plan.ts";
import { type Args, describe, PRIVILEGES, type Zod } from "./command.ts";
import { type Context, EntryContext } from "./context.ts";
import { runCommand } from "./run.ts";
import type { Baseline, EventKind } from "./wait_events.ts";

/** Default of `--timeout-ms`, in milliseconds. */
const BATCH_MS = 60_000;
/** Longest output of all entries together, in bytes of UTF-8, and what of it the frame needs. */
const MAX_OUTPUT_BYTES = 4 * 1_048_576;
const FRAME_BYTES = 8_192;
/** Reading what there is before an event, in milliseconds. */
const BASELINE_MS = 5_000;

const schema = (z: Zod) =>
  z.strictObject({
    json: z.optional(z.string()),
    file: z.optional(z.string()),
    stop_on_error: flag(z),
    timeout_ms: timeout(z, BATCH_MS),
  }).check(
    z.refine(({ json, file }) => (json === undefined) !== (file === undefined), {
      error: "batch takes either JSON or --file",
    }),
  );

/** The command, over the commands that its entries may name. */
export const batchOver = (commands: Commands) =>
  describe({
    group: "Several commands",
    summary: "Run several commands in one process, one after the other",
    about:
      'JSON is a list of {"command": NAME, "args": {…}, "session": ID}; the names of arguments ' +
      'are those of the flags with _ for -, a ref is "ref_id". "-" reads the list from standard ' +
      'input. "$1.match.ref_id" in an argument stands for that part of the first entry\'s answer. ' +
      "All entries are checked before the first one runs.",
    args: {
      json: {
        kind: "string",
        value: "JSON",
        optional: true,
        dash: true,
        text: true,
        help: "The list of commands, or - for standard input",
      },
      file: { kind: "string", flag: "file", value: "PATH", help: "A file that holds the list" },
      stop_on_error: {
        kind: "boolean",
        flag: "stop-on-error",
        help: "Start no more entries after one that failed",
      },
      timeout_ms: timeoutArg(BATCH_MS, "Time for all entries together"),
    },
    schema,
    example: `'[{"command":"list-apps"},{"command":"list-windows"}]'`,
    privileges: PRIVILEGES,
    permission: "none",
    run: (args, context, deadline) => run(args, context, deadline, commands),
  });

/** One entry as answered. */
type Result = Record<string, unknown> & { ok: boolean; command: string; index: number };

/** Why the batch ended before its last entry. */
type Stop = Record<string, unknown> & { reason: string };

/**
 * Runs the entries.
 *
 * @throws AppError `INVALID_ARGS` for a list that will not do; nothing has run then
 */
async function run(
  args: Args<typeof schema>,
  context: Context,
  deadline: Deadline,
  commands: Commands,
): Promise<unknown> {
  const entries = parseBatch(args.json ?? readFile(args.file!));
  const plan = await planBatch(entries, commands);
  const batch = new Batch(plan, context, deadline, args.stop_on_error);
  await batch.run();
  return {
    results: batch.results,
    total_entries: plan.length,
    completed_entries: batch.results.filter((one) => one["execution"] === "completed").length,
    not_started_entries: batch.results.filter((one) => one["execution"] !== "completed").length,
    timeout_ms: args.timeout_ms,
    elapsed_ms: deadline.elapsed,
    ...(batch.stopped === undefined ? {} : { stopped: batch.stopped }),
    semantics: {
      atomic: false,
      order: "sequential",
      batch_retries: false,
      command_retry_contracts: "preserved",
      successful_action_disposition: "data.disposition",
      error_disposition: "error.disposition",
    },
    limits: {
      max_entries: MAX_BATCH_ENTRIES,
      max_input_bytes: MAX_BATCH_BYTES,
      max_output_bytes: MAX_OUTPUT_BYTES,
    },
  };
}

function readFile(path: string): string {
  try {
    const { size, isFile } = Deno.statSync(path);
    if (isFile && size <= MAX_BATCH_BYTES) return Deno.readTextFileSync(path);
  } catch {
    // said below
  }
  throw new AppError("INVALID_ARGS", "The file of --file cannot be read", {
    suggestion: `Pass the path of a file of at most ${MAX_BATCH_BYTES} bytes.`,
  });
}

class Batch {
  readonly results: Result[] = [];
  stopped: Stop | undefined;
  /** What each entry answered, for the references of later ones. */
  readonly #answers: unknown[] = [];
  readonly #ended = new Set<string>();
  #bytes = FRAME_BYTES;
  /** What there was before the entry before the one that is next. */
  #baseline: Baseline | undefined;

  constructor(
    private readonly plan: readonly PlannedEntry[],
    private readonly context: Context,
    private readonly deadline: Deadline,
    private readonly stopOnError: boolean,
  ) {}

  async run(): Promise<void> {
    for (const [index, entry] of this.plan.entries()) {
      const reason = this.#reasonNotToStart(entry);
      if (reason === undefined) await this.#start(index, entry);
      else this.#add({ ...head(index, entry), execution: "not_started", ...reason }, undefined);
    }
  }

  /** Why an entry is not started; `undefined` when it is. */
  #reasonNotToStart(
    entry: PlannedEntry,
  ): { not_started_reason: string; ok: false } | undefined {
    const not = (reason: string) => ({ not_started_reason: reason, ok: false as const });
    if (this.stopped !== undefined) return not(String(this.stopped.reason));
    if (this.deadline.expired) {
      const after = this.results.length - 1;
      this.stopped = { reason: "deadline", ...(after < 0 ? { index: 0 } : { after_index: after }) };
      return not("deadline");
    }
    const session = entry.entry.session ?? this.context.globals.session;
    if (session !== undefined && this.#ended.has(session)) return not("session_ended");
    return undefined;
  }

  async #start(index: number, planned: PlannedEntry): Promise<void> {
    const filled = fillReferences(planned, this.#answers);
    if (filled === undefined) {
      const reason = "reference_unresolved";
      const result = { ...head(index, planned), ok: false, execution: "not_started" };
      return this.#add({ ...result, not_started_reason: reason }, undefined);
    }
    const { command, entry } = planned;
    const context = new EntryContext(this.context, entry.session, this.#baseline);
    this.#baseline = undefined;
    if (!await this.#captureBaseline(index)) {
      const result = { ...head(index, planned), ok: false, execution: "not_started" };
      return this.#add({ ...result, not_started_reason: String(this.stopped?.reason) }, undefined);
    }
    let result: Result;
    let answer: unknown;
    try {
      (await this.#forgetting(planned))?.forget?.();
      answer = await runCommand(command, filled, context, this.deadline);
      result = { ...head(index, planned), ok: true, execution: "completed", data: answer };
      if (command.name === "session" && command.action === "end") {
        this.#ended.add((answer as { session_id: string }).session_id);
      }
    } catch (thrown) {
      const error = asAppError(thrown);
      const body = errorBody(error);
      result = { ...head(index, planned), ok: false, execution: "completed", error: body };
    }
    this.#add(result, answer);
    if (!result.ok && this.stopOnError) this.stopped ??= { reason: "stop_on_error", index };
  }

  /**
   * When the next entry waits for an event, what there is is read before this one can bring the event
   * about. `false` when that failed: then neither is started.
   */
  async #captureBaseline(index: number): Promise<boolean> {
    const next = this.plan[index + 1];
    const kind = next?.command.name === "wait" ? next.entry.args?.["event"] : undefined;
    if (next === undefined || kind === undefined) return true;
    try {
      const { readBaseline } = await import("./wait_events.ts");
      const wait = next.entry.args as { event: EventKind; app?: string };
      const limit = this.deadline.within(BASELINE_MS);
      this.#baseline = await readBaseline(await this.context.platform(), wait.event, wait, limit);
      return true;
    } catch (thrown) {
      if (!(thrown instanceof AppError)) throw thrown;
      this.stopped = {
        reason: "pre_action_baseline_failed",
        blocked_index: index,
        blocked_command: this.plan[index]!.command.name,
        wait_index: index + 1,
        wait_command: "wait",
        cause: { code: thrown.code, message: thrown.message },
      };
      return false;
    }
  }

  /** The platform, where an entry looks at the desktop: what was read before may be so no more. */
  async #forgetting({ offline }: PlannedEntry) {
    if (offline) return undefined;
    try {
      return await this.context.platform();
    } catch {
      return undefined; // the command meets the same failure, and tells it
    }
  }

  /** Adds a result unless it is too large; one that is ends the batch, with its disposition kept. */
  #add(result: Result, answer: unknown): void {
    this.#answers.push(answer);
    const bytes = new TextEncoder().encode(JSON.stringify(result)).length;
    if (this.#bytes + bytes <= MAX_OUTPUT_BYTES) {
      this.#bytes += bytes;
      this.results.push(result);
      return;
    }
    const error = new AppError("INVALID_ARGS", "The entry's answer is too large for the batch", {
      suggestion: "Run this command on its own, or ask it for less.",
      delivery: deliveryOf(result),
      details: { kind: "batch_output_limit", result_omitted: true },
    });
    const { index, command } = result;
    this.results.push({
      version: CONTRACT_VERSION,
      ok: false,
      command,
      index,
      execution: "completed",
      error: errorBody(error),
    });
    this.stopped = { reason: "output_limit", index };
  }
}

function head(index: number, { command }: PlannedEntry) {
  return { version: CONTRACT_VERSION, command: command.name, index };
}

/** What a result says of an action already made; a reading delivered nothing. */
function deliveryOf(result: Result): Delivery {
  const part = (result["data"] ?? result["error"]) as { disposition?: { delivery?: Delivery } };
  return part?.disposition?.delivery ?? disposition("not_delivered").delivery;
}
