/** From raw arguments to those a command gets: the schema decides, the table words the refusal. */
import { AppError } from "../errors.ts";
import { quote, title } from "./parse.ts";
import type { ArgSpec, Row } from "./table/row.ts";

/**
 * Validates the arguments of one command and fills in defaults.
 *
 * @throws AppError `INVALID_ARGS` that names the first argument at fault
 */
export async function validate(row: Row, args: Record<string, unknown>): Promise<unknown> {
  if (row.schema === undefined) {
    const [extra] = Object.keys(args);
    if (extra !== undefined) throw unknownArgument(row, extra);
    return {};
  }
  const z = await import("./zod.ts");
  const result = z.safeParse(row.schema(z), args);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  if (issue?.code === "unrecognized_keys") throw unknownArgument(row, issue.keys[0] ?? "");
  const name = issue?.path[0];
  if (typeof name !== "string" || row.args[name] === undefined) {
    throw new AppError("INVALID_ARGS", issue?.message ?? "Invalid arguments", {
      suggestion: helpHint(row),
    });
  }
  throw invalid(row, name, row.args[name], args[name]);
}

function invalid(row: Row, name: string, spec: ArgSpec, value: unknown): AppError {
  const label = spec.flag === undefined ? name : `--${spec.flag}`;
  const shown = spec.text === true || value === undefined ? "" : ` '${quote(display(value))}'`;
  const expected = spec.expected ?? (spec.kind === "string" ? "a text" : `a ${spec.kind}`);
  return new AppError("INVALID_ARGS", `Invalid ${label}${shown}: expected ${expected}`, {
    suggestion: helpHint(row),
  });
}

function display(value: unknown): string {
  if (Array.isArray(value)) return value.map(String).join(" ");
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

function unknownArgument(row: Row, name: string): AppError {
  return new AppError("INVALID_ARGS", `Unknown argument '${quote(name)}' for ${title(row)}`, {
    suggestion: helpHint(row),
  });
}

/** Where the flags of a command are explained. */
export function helpHint(row: Row): string {
  return `Run 'agent-desktop ${title(row)} --help' to see what it takes.`;
}
