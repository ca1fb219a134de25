/**
 * From argv to a command and its raw arguments. Only the shape is judged here: names of commands
 * and flags, how many values, which of them are numbers. What the values mean is validated later,
 * because the two kinds of mistake leave by different exit codes.
 */
import { type ArgKind, type ArgSpec, type Command, title } from "../commands/command.ts";
import { firstLine, quote } from "../commands/quote.ts";
import { type GlobalFlags, GLOBALS } from "./global_flags.ts";

// Why not `parseArgs` of @std/cli: it lets a flag that is given twice overwrite itself, and cannot
// tell `--flag -x` from a flag without its value.

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

/** A command line whose command does not exist; another name may have been meant. */
export class UnknownCommand extends ParseError {
  /** The name as given. */
  readonly word: string;

  /** @param guess A name that looks like it. */
  constructor(word: string, guess?: string) {
    const hint = guess === undefined ? "" : `; did you mean ${guess}?`;
    super(`Unknown command '${quote(word)}'${hint}`);
    this.word = word;
  }
}

/** A command line taken apart. */
export type Invocation =
  | { kind: "help"; command?: string }
  | { kind: "version" }
  | { kind: "command"; command: Command; args: Record<string, unknown>; globals: GlobalFlags };

/**
 * Takes a command line (without the program's name) apart. `--help` and `--version` win over
 * whatever follows them.
 *
 * @param commands Those of the name that it holds, at least (`commandWord`).
 * @throws ParseError for a command line of the wrong shape
 */
export function parse(argv: readonly string[], commands: readonly Command[]): Invocation {
  if (argv.length === 0) return { kind: "help" };
  return new Parser(argv, commands).run();
}

/**
 * The word of a command line that stands where its command's name belongs: the first that is
 * neither a global flag nor the value of one. `undefined` when there is none, or when a flag is
 * wrong or asks for a text: then no command will run.
 */
export function commandWord(argv: readonly string[]): string | undefined {
  try {
    return new Parser(argv, []).commandWord();
  } catch (thrown) {
    if (thrown instanceof ParseError) return undefined;
    throw thrown;
  }
}

type Specs = Readonly<Record<string, ArgSpec>>;

class Parser {
  readonly #argv: readonly string[];
  readonly #commands: readonly Command[];
  #at = 0;
  #flagsEnded = false;
  #name: string | undefined;
  #command: Command | undefined;
  #positionals: [string, ArgSpec][] = [];
  readonly #args: Record<string, unknown> = {};
  readonly #globals: Record<string, unknown> = {};

  constructor(argv: readonly string[], commands: readonly Command[]) {
    this.#argv = argv;
    this.#commands = commands;
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

  commandWord(): string | undefined {
    while (this.#at < this.#argv.length) {
      const token = this.#argv[this.#at++]!;
      if (token === "--") return this.#argv[this.#at];
      if (!token.startsWith("-") || token === "-") return token;
      if (!this.#flag(token)) return undefined;
      if (this.#globals["help"] === true || this.#globals["version"] === true) return undefined;
    }
    return undefined;
  }

  #finish(): Invocation {
    const command = this.#command;
    if (command === undefined) {
      if (this.#name === undefined) throw this.#error("No command given");
      throw this.#error(`${this.#name} needs one of: ${this.#actions(this.#name)}`);
    }
    const missing =
      this.#positionals.find(([name, spec]) => spec.optional !== true && !(name in this.#args))?.[1]
        .value ??
        Object.entries(command.args).filter(([name, spec]) =>
          spec.required && !(name in this.#args)
        )
          .map(([, spec]) => `--${spec.flag}`)[0];
    if (missing !== undefined) throw this.#error(`${title(command)} needs ${missing}`);
    return { kind: "command", command, args: this.#args, globals: this.#globals };
  }

  #positional(token: string): void {
    if (this.#name === undefined) return this.#takeName(token);
    if (this.#command === undefined) return this.#takeAction(token);
    const next = this.#positionals[0];
    if (next === undefined) {
      throw this.#error(`Unexpected argument '${quote(token)}' for ${title(this.#command)}`);
    }
    const [name, spec] = next;
    const value = this.#value(token, spec.value ?? name, spec.kind);
    if (spec.repeat === true) append(this.#args, name, value);
    else {
      this.#args[name] = value;
      this.#positionals.shift();
    }
  }

  /** A value in the shape its argument has. */
  #value(text: string, shown: string, kind: ArgKind): unknown {
    const value = convert(text, kind);
    if (value !== undefined) return value;
    throw this.#error(`Invalid ${shown} '${quote(text)}': expected ${SHAPES[kind]}`);
  }

  #takeName(token: string): void {
    const named = this.#commands.filter(({ name }) => name === token);
    const [first] = named;
    if (first === undefined) throw new UnknownCommand(token);
    this.#name = token;
    if (first.action === undefined) this.#select(first);
  }

  #takeAction(token: string): void {
    const name = this.#name!;
    const command = this.#commands.find((one) => one.name === name && one.action === token);
    if (command === undefined) {
      throw this.#error(
        `Unknown ${name} action '${quote(token)}': expected ${this.#actions(name)}`,
      );
    }
    this.#select(command);
    this.#args["action"] = token;
  }

  /** The actions of a command that has several, for messages. */
  #actions(name: string): string {
    return this.#commands.filter((one) => one.name === name).map(({ action }) => action).join(", ");
  }

  #select(command: Command): void {
    this.#command = command;
    this.#positionals = Object.entries(command.args).filter(([, spec]) => spec.flag === undefined);
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
    return search(this.#command?.args ?? {}, this.#args) ?? search(GLOBALS, this.#globals);
  }

  #take({ name, spec, into }: Option, shown: string, inline: string | undefined): void {
    if (name in into && spec.repeat !== true) throw this.#error(`${shown} is given twice`);
    if (spec.kind === "boolean") {
      if (inline !== undefined) throw this.#error(`${shown} takes no value`);
      into[name] = true;
      return;
    }
    const value = inline ?? this.#next(shown, spec);
    const parsed = this.#value(value, shown, spec.kind);
    if (spec.into !== undefined) append(into, spec.into, { [name]: parsed });
    else if (spec.repeat === true) append(into, name, parsed);
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

/** Adds to a list of a record, which begins with its first value. */
function append(record: Record<string, unknown>, name: string, value: unknown): void {
  record[name] = [...(record[name] as unknown[] ?? []), value];
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
