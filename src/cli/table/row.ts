/** What one line of the command table says about a command. */
import type { output, ZodMiniType } from "zod/mini";

/** The validation library, handed to schemas so that describing a command does not load it. */
export type Zod = typeof import("../zod.ts");

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

/** One argument, by its name in `args` (snake_case, the name batch and MCP use too). */
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

/** The rows of a command: one, or one for each of its actions; none for an unknown name. */
export function rowsOf(rows: readonly Row[], name: string): readonly Row[] {
  return rows.filter((row) => row.name === name);
}

/** One command, or one action of a command that has several (`session start`). */
export interface Row {
  name: string;
  /** Second word of the command line; becomes `args.action`. */
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
  /** A command line that works, without the program's name. */
  example: string;
  privileges: readonly Privilege[];
  /** The grant checked before dispatch. */
  permission: "none" | "accessibility";
  /** Whether `--wait-for` and `--wait-for-gone` apply. */
  waits?: true;
  /** Whether it answers before session, wait flags and grants are looked at (contract §7). */
  immediate?: true;
  /** Whether the command is refused without `--headed`. */
  headedOnly?: true;
}
