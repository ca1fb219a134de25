/**
 * Running a command: raw arguments and a context in, its data out. Nothing here ends the process,
 * gives up permissions or writes an answer, so one process can run any number of commands.
 */
import { Deadline } from "../deadline.ts";
import { AppError } from "../errors.ts";
import type { Platform } from "../platform/platform.ts";
import type { Command } from "./command.ts";
import type { Context } from "./context.ts";
import { validate } from "./validate.ts";

/** Longest check of the grant before a command, in milliseconds. */
const GRANT_CHECK_MS = 2_000;

/**
 * Validates the arguments, checks the grant and runs the command. All its time, that of the check
 * included, counts from the moment its arguments are known to be good.
 *
 * @param within The end of the time of what the command is part of.
 * @returns its `data`
 * @throws AppError whatever the checks or the command throw
 */
export async function runCommand(
  command: Command,
  args: Record<string, unknown>,
  context: Context,
  within?: Deadline,
): Promise<unknown> {
  const valid = await validate(command, args);
  const budget = budgetOf(command, valid);
  const deadline = within?.within(budget) ?? Deadline.after(budget);
  if (command.permission === "accessibility") {
    // Without any time for the command itself the check still needs some.
    const check = budget === 0 ? Deadline.after(GRANT_CHECK_MS) : deadline.within(GRANT_CHECK_MS);
    await requireAccess(await context.platform(), check);
  }
  if (command.settles) {
    const { settleAfterAction } = await import("./after_action.ts");
    await settleAfterAction(context, deadline);
  }
  // What the schema gave is what this command's `run` takes; `describe` made sure of that.
  return await command.run(valid as never, context, deadline);
}

/** Milliseconds of the whole command. */
function budgetOf({ budgetMs = 0 }: Command, args: unknown): number {
  const { timeout_ms, timeout = timeout_ms ?? 0 } = args as {
    timeout_ms?: number;
    timeout?: number;
  };
  return timeout === 0 ? budgetMs : timeout;
}

/** @throws AppError `PERM_DENIED` when the user withholds accessibility from this program */
async function requireAccess(platform: Platform, deadline: Deadline): Promise<void> {
  if (platform.requireAccess !== undefined) return await platform.requireAccess(deadline);
  const { accessibility } = await platform.permissions(deadline);
  if (accessibility.state !== "denied") return;
  throw new AppError("PERM_DENIED", "Accessibility access has not been granted", {
    suggestion: accessibility.suggestion ??
      "Grant it in the system settings under Privacy & Security, Accessibility.",
  });
}
