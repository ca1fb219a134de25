/** From raw arguments to those a command gets: the schema decides, the description words the refusal. */
import { AppError } from "../errors.ts";
import { type ArgSpec, type Command, title } from "./command.ts";
import { quote } from "./quote.ts";

/**
 * Validates the arguments of one command and fills in defaults.
 *
 * @throws AppError `INVALID_ARGS` that names the first argument at fault
 */
export async function validate(command: Command, args: Record<string, unknown>): Promise<unknown> {
  if (command.schema === undefined) {
    const [extra] = Object.keys(args);
    if (extra !== undefined) throw unknownArgument(command, extra);
    return {};
  }
  const z = await import("./zod.ts");
  const result = z.safeParse(command.schema(z), args);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  if (issue?.code === "unrecognized_keys") throw unknownArgument(command, issue.keys[0] ?? "");
  const name = issue?.path[0];
  if (typeof name !== "string" || command.args[name] === undefined) {
    throw new AppError("INVALID_ARGS", issue?.message ?? "Invalid arguments", {
      suggestion: helpHint(command),
    });
  }
  throw invalid(command, name, command.args[name], args[name]);
}

function invalid(command: Command, name: string, spec: ArgSpec, value: unknown): AppError {
  const label = spec.flag === undefined ? name : `--${spec.flag}`;
  const shown = spec.text === true || value === undefined ? "" : ` '${quote(display(value))}'`;
  const expected = spec.expected ?? (spec.kind === "string" ? "a text" : `a ${spec.kind}`);
  return new AppError("INVALID_ARGS", `Invalid ${label}${shown}: expected ${expected}`, {
    suggestion: helpHint(command),
  });
}

function display(value: unknown): string {
  if (Array.isArray(value)) return value.map(String).join(" ");
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

function unknownArgument(command: Command, name: string): AppError {
  return new AppError("INVALID_ARGS", `Unknown argument '${quote(name)}' for ${title(command)}`, {
    suggestion: helpHint(command),
  });
}

/** Where the flags of a command are explained. */
function helpHint(command: Command): string {
  return `Run 'agent-desktop ${title(command)} --help' to see what it takes.`;
}
