/** What the commands that act have in common: permissions, timeout, context, the wait afterwards. */
import { readBudgets } from "../act/action_budgets.ts";
import type { ActionContext, TargetRef } from "../act/action_context.ts";
import type { Deadline } from "../deadline.ts";
import type { Platform } from "../platform/platform.ts";
import type { SavedRef } from "../refs/entry.ts";
import { resolve } from "../refs/resolve.ts";
import { acquireLease } from "../store/lease.ts";
import { timeout, timeoutArg } from "./arg_values.ts";
import type { Privilege, Zod } from "./command.ts";
import type { Context } from "./context.ts";
import { noteAction } from "./after_action.ts";
import type { WatchedApp } from "./watched_app.ts";
import { waitRequest } from "./wait_for.ts";

/** Reading state and environment, the lease file, and the platform's libraries. */
export const ACTION_PRIVILEGES: readonly Privilege[] = ["read", "write", "ffi", "env"];

/** Default of `--timeout-ms` of the commands that act on an element, in milliseconds. */
const ACTION_TIMEOUT_MS = 5_000;

/** The time an element gets to be ready. */
export function actionTimeout(z: Zod) {
  return timeout(z, ACTION_TIMEOUT_MS);
}

/** The flag of `actionTimeout`. */
export const ACTION_TIMEOUT_ARG = timeoutArg(
  ACTION_TIMEOUT_MS,
  "Time for the element to be ready; 0 tries once",
);

/** A stored ref as the action flow takes it. */
export function targetRef(platform: Platform, stored: SavedRef): TargetRef {
  return {
    entry: stored.entry,
    resolve: (deadline) => resolve(platform, stored, deadline),
  };
}

/**
 * What acting needs.
 *
 * @param deadline The command's.
 * @throws AppError `INVALID_ARGS` for a malformed budget variable
 */
export async function actionContext(context: Context, deadline: Deadline): Promise<ActionContext> {
  const budgets = readBudgets();
  const platform = await context.platform();
  return {
    platform,
    lease: (until) => acquireLease(until),
    budgets,
    note: (note) => noteAction(context, note),
    deadline,
  };
}

/**
 * Runs `act`, then waits for the selector of the wait flags in the application. The selector is read
 * first: a malformed one must not be found out after something was delivered.
 */
export async function withWait(
  context: Context,
  platform: Platform,
  app: () => WatchedApp,
  act: () => Promise<unknown>,
): Promise<unknown> {
  const wait = waitRequest(context.globals);
  const result = await act();
  if (wait === undefined) return result;
  const { waitAfterAction } = await import("./wait_after_action.ts");
  return await waitAfterAction(platform, context.store(), wait, app(), result);
}
