/**
 * From argv to a command and its raw arguments. Only the shape is judged here: names of commands
 * and flags, how many values, which of them are numbers. What the values mean is validated later,
 * because the two kinds of mistake leave by different exit codes.
 */
import { type GlobalFlags, GLOBALS } from "./table/globals.ts";
import { FILES } from "./table/files.ts";
import { type ArgKind, type ArgSpec, type Row, rowsOf } from "./table/row.ts";
import { near } from "./near.ts";

/** Longest diagnostic, in characters (contract §1); longest value quoted in one. */
export const MAX_QUOTED = 512;

/** A command line that cannot be taken apart; leaves with exit code 2. */
export class ParseError extends Error {
  override readonly name = "ParseError";
  /** The command whose help is of use. */
  readonly command: string | undefined;

  constructor(message: string, command?: string) {
    super(firstLine(message));
    this.command = command;
  }
}

/** A command line taken apart. */
export type Invocation =
  | { kind: "help"; command?: string }
  | { kind: "version" }
  | { kind: "command"; row: Row; args: Record<string, unknown>; globals: GlobalFlags };

/** The first line of a text, at most `MAX_QUOTED` characters of it. */
export function firstLine(text: string): string {
  return quote(text.split(/[\r\n\u2028\u2029]/, 1)[0] ?? "");
}

/** At most `MAX_QUOTED` characters of a value, as messages show it. */
export function quote(value: string): string {
  const characters = [...value.slice(0, 2 * MAX_QUOTED)];
  const shown = characters.length > MAX_QUOTED
    ? `${characters.slice(0, MAX_QUOTED - 1).join("")}…`
    : characters.join("");
  return shown.toWellFormed();
}

/**
 * Takes a command line (without the program's name) apart. `--help` and `--version` win over
 * whatever follows them.
 *
 * @param rows Those of the command that it names, at least (`rowsFor`).
 * @throws ParseError for a command line of the wrong shape
 */
export function parse(argv: readonly string[], rows: readonly Row[]): Invocation {
  if (argv.length === 0) return { kind: "help" };
  return new Parser(argv, rows).run();
}

type Specs = Readonly<Record<string, ArgSpec>>;

class Parser {
  readonly #argv: readonly string[];
  readonly #rows: readonly Row[];
  #at = 0;
  #flagsEnded = false;
  #name: string | undefined;
  #row: Row | undefined;
  #positionals: [string, ArgSpec][] = [];
  readonly #args: Record<string, unknown> = {};
  readonly #globals: Record<string, unknown> = {};

  constructor(argv: readonly string[], rows: readonly Row[]) {
    this.#argv = argv;
    this.#rows = rows;
  }

  run(): Invocation {
    while (this.#at < this.#argv.length) {
      const token = this.#argv[this.#at++]!;
      if (this.#flagsEnded || !token.startsWith("-") || token === "-") {
        this.#positional(token);
      } else if (token === "--") {
        this.#flagsEnded = true;
      } else if (!this.#flag(token)) {
        if (this.#positionals[0]?.[1].dash !== true) throw this.#error(unknownFlag(token));
        this.#positional(token);
      }
      if (this.#globals["help"] === true) {
        return this.#name === undefined ? { kind: "help" } : { kind: "help", command: this.#name };
      }
      if (this.#globals["version"] === true) return { kind: "version" };
    }
    return this.#finish();
  }

  #finish(): Invocation {
    const row = this.#row;
    if (row === undefined) {
      if (this.#name === undefined) throw this.#error("No command given");
      const actions = rowsOf(this.#rows, this.#name).map((candidate) => candidate.action).join(
        ", ",
      );
      throw this.#error(`${this.#name} needs one of: ${actions}`);
    }
    const missing = this.#positionals.find(([, spec]) => spec.optional !== true)?.[1].value ??
      Object.entries(row.args).filter(([name, spec]) => spec.required && !(name in this.#args))
        .map(([, spec]) => `--${spec.flag}`)[0];
    if (missing !== undefined) throw this.#error(`${title(row)} needs ${missing}`);
    return { kind: "command", row, args: this.#args, globals: this.#globals };
  }

  #positional(token: string): void {
    if (this.#name === undefined) return this.#command(token);
    if (this.#row === undefined) return this.#action(token);
    const next = this.#positionals.shift();
    if (next === undefined) {
      throw this.#error(`Unexpected argument '${quote(token)}' for ${title(this.#row)}`);
    }
    this.#args[next[0]] = token;
  }

  #command(token: string): void {
    const rows = rowsOf(this.#rows, token);
    if (rows.length === 0) {
      const [guess] = near(token, new Set(FILES.flatMap(({ names }) => names)), 1);
      const hint = guess === undefined ? "" : `; did you mean ${guess}?`;
      throw new ParseError(`Unknown command '${quote(token)}'${hint}`);
    }
    this.#name = token;
    if (rows[0]!.action === undefined) this.#select(rows[0]!);
  }

  #action(token: string): void {
    const rows = rowsOf(this.#rows, this.#name!);
    const row = rows.find((candidate) => candidate.action === token);
    if (row === undefined) {
      const actions = rows.map((candidate) => candidate.action).join(", ");
      throw this.#error(`Unknown ${this.#name} action '${quote(token)}': expected ${actions}`);
    }
    this.#select(row);
    this.#args["action"] = token;
  }

  #select(row: Row): void {
    this.#row = row;
    this.#positionals = Object.entries(row.args).filter(([, spec]) => spec.flag === undefined);
  }

  /** Takes one flag token, with its value; `false` when nothing declares it. */
  #flag(token: string): boolean {
    return token.startsWith("--") ? this.#long(token) : this.#short(token);
  }

  #long(token: string): boolean {
    const equals = token.indexOf("=");
    const name = token.slice(2, equals < 0 ? undefined : equals);
    const found = this.#find((spec) => spec.flag === name);
    if (found === undefined) return false;
    this.#take(found, `--${name}`, equals < 0 ? undefined : token.slice(equals + 1));
    return true;
  }

  /** `-i`, `-w SEL`, `-wSEL`, `-w=SEL`, and several letters at once. */
  #short(token: string): boolean {
    const letters = token.slice(1);
    const found = [];
    let value: string | undefined;
    for (let index = 0; index < letters.length; index++) {
      const letter = letters[index]!;
      const option = this.#find((spec) => spec.short === letter);
      if (option === undefined) return false;
      found.push([option, `-${letter}`] as const);
      if (option.spec.kind === "boolean") continue;
      const rest = letters.slice(index + 1);
      if (rest !== "") value = rest.startsWith("=") ? rest.slice(1) : rest;
      break;
    }
    found.forEach(([option, shown], index) =>
      this.#take(option, shown, index === found.length - 1 ? value : undefined)
    );
    return true;
  }

  #find(matches: (spec: ArgSpec) => boolean): Option | undefined {
    const search = (specs: Specs, into: Record<string, unknown>): Option | undefined => {
      const entry = Object.entries(specs).find(([, spec]) => matches(spec));
      return entry && { name: entry[0], spec: entry[1], into };
    };
    return search(this.#row?.args ?? {}, this.#args) ?? search(GLOBALS, this.#globals);
  }

  #take({ name, spec, into }: Option, shown: string, inline: string | undefined): void {
    if (name in into && spec.repeat !== true) throw this.#error(`${shown} is given twice`);
    if (spec.kind === "boolean") {
      if (inline !== undefined) throw this.#error(`${shown} takes no value`);
      into[name] = true;
      return;
    }
    const value = inline ?? this.#next(shown, spec);
    const parsed = convert(value, spec.kind);
    if (parsed === undefined) {
      throw this.#error(`Invalid ${shown} '${quote(value)}': expected ${SHAPES[spec.kind]}`);
    }
    if (spec.repeat === true) into[name] = [...(into[name] as unknown[] ?? []), parsed];
    else into[name] = parsed;
  }

  #next(shown: string, spec: ArgSpec): string {
    const value = this.#argv[this.#at];
    if (value === undefined || (value.startsWith("-") && value !== "-")) {
      const hint = value === undefined ? "" : ` (write ${shown}=VALUE for one that begins with -)`;
      throw this.#error(`${shown} needs a value: ${spec.value}${hint}`);
    }
    this.#at++;
    return value;
  }

  #error(message: string): ParseError {
    return new ParseError(message, this.#name);
  }
}

/** A declared flag and the record its value goes to. */
interface Option {
  name: string;
  spec: ArgSpec;
  into: Record<string, unknown>;
}

const SHAPES: Readonly<Record<ArgKind, string>> = {
  boolean: "no value",
  integer: "a whole number without a sign",
  byte: "a whole number from 0 to 255",
  number: "a number",
  string: "a text",
};

/** The value a text spells, or `undefined` when it is of another kind. */
function convert(value: string, kind: ArgKind): string | number | undefined {
  if (kind === "string") return value;
  if (kind === "number") {
    return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(value) && Number.isFinite(Number(value))
      ? Number(value)
      : undefined;
  }
  if (!/^\d+$/.test(value) || !Number.isSafeInteger(Number(value))) return undefined;
  return kind === "byte" && Number(value) > 255 ? undefined : Number(value);
}

function unknownFlag(token: string): string {
  return `Unknown flag '${quote(token.split("=", 1)[0]!)}'`;
}

/** A command with its action, as people write it. */
export function title(row: Row): string {
  return row.action === undefined ? row.name : `${row.name} ${row.action}`;
}
