/** What a command says about itself: arguments, validation, help, permissions, and how it runs. */
import type { output, ZodMiniType } from "zod/mini";
import type { Deadline } from "../deadline.ts";
import type { Context } from "./context.ts";

/** The validation library, handed to schemas so that describing a command does not load it. */
export type Zod = typeof import("./zod.ts");

/** A schema that is built only when its command is used. */
export type Schema = (z: Zod) => ZodMiniType;

/** The arguments a command gets once its schema accepted them. */
export type Args<S extends Schema> = output<ReturnType<S>>;

/** Permissions of the process that a command may keep (the rest is revoked before it runs). */
export const PRIVILEGES = ["read", "write", "run", "net", "ffi", "env"] as const;
export type Privilege = typeof PRIVILEGES[number];

/** Headings of the general help, in its order. */
export const GROUPS = [
  "Observe",
  "Act on an element",
  "Keyboard and pointer",
  "Windows and applications",
  "Clipboard and screen",
  "Several commands",
  "Sessions",
  "Health",
] as const;
export type Group = typeof GROUPS[number];

/**
 * How the command line spells the value of one argument. A value of another shape is a parse
 * error (exit 2); a value of that shape which the schema refuses is `INVALID_ARGS` (exit 1).
 *
 * - `boolean`: a flag without a value
 * - `integer`: decimal digits, no sign
 * - `byte`: an integer up to 255
 * - `number`: any finite decimal number
 * - `string`: anything
 */
export type ArgKind = "boolean" | "integer" | "byte" | "number" | "string";

/** One argument, by its name in `args` (snake_case; the name does not depend on who calls). */
export interface ArgSpec {
  kind: ArgKind;
  /** Flag name without dashes; a positional argument has none. */
  flag?: string;
  /** One-letter alias of the flag, without the dash. */
  short?: string;
  /** How help names the value or the positional argument, e.g. `MS`. */
  value?: string;
  /** A positional argument that may be left out. */
  optional?: true;
  /** A flag that has to be given. */
  required?: true;
  /** A flag that may be given more than once; the argument is then a list. */
  repeat?: true;
  /**
   * The list argument that a flag's value goes into, as `{name: value}`, so that it keeps its place
   * among the others of the list.
   */
  into?: string;
  /** A positional argument that may begin with `-`. */
  dash?: true;
  /** The value is user text and never repeated in a message. */
  text?: true;
  help: string;
  /** What the schema fills in, as help prints it. */
  default?: string | number;
  /** What a valid value is, for the message about an invalid one: `expected …`. */
  expected?: string;
}

/** What stands in a command's file: everything but its name, which the catalogue gives it. */
export interface Description {
  /** Second word of the command line, where a name has several; becomes `args.action`. */
  action?: string;
  group: Group;
  /** One line of the general help, without a full stop. */
  summary: string;
  /** A paragraph for the command's own help. */
  about?: string;
  /** Positional arguments in their order, then flags in help's order. */
  args: Readonly<Record<string, ArgSpec>>;
  /** A command without arguments needs no schema. */
  schema?: Schema;
  /** What follows the name (and action) in a command line that works. */
  example: string;
  privileges: readonly Privilege[];
  /** The grant that is checked before the command runs. */
  permission: "none" | "accessibility";
  /** Whether `--wait-for` and `--wait-for-gone` apply. */
  waits?: true;
  /** Whether an action of this session is waited for that has just been delivered. */
  settles?: true;
  /** What a command answers before session, wait flags and grants are looked at. */
  immediate?(): unknown;
  /** Whether the command is refused without `--headed`. */
  headedOnly?: true;
  /**
   * Milliseconds the command may take, where there is no `--timeout-ms`, and those of the single
   * attempt that `--timeout-ms 0` asks for. None when not given.
   */
  budgetMs?: number;
  /**
   * Runs the command and returns what becomes `data`.
   *
   * @param args What the schema made of the arguments (never looked at where there is none).
   * @param deadline The end of the command's time; it has begun with the check of the grant.
   * @throws AppError
   */
  run(args: never, context: Context, deadline: Deadline): Promise<unknown>;
}

/** One command, or one action of a command that has several (`session start`). */
export interface Command extends Description {
  name: string;
}

/** A description whose `run` takes what its schema gives; the compiler holds them together. */
export function describe<S extends Schema>(
  description: Omit<Description, "schema" | "run"> & {
    schema: S;
    run(args: Args<S>, context: Context, deadline: Deadline): Promise<unknown>;
  },
): Description {
  return description;
}

/** A command with its action, as people write it. */
export function title({ name, action }: Command): string {
  return action === undefined ? name : `${name} ${action}`;
}
