/** What every command on a ref does around the action flow: the ref, the action context, the waits. */
import { readBudgets } from "../act/action_budgets.ts";
import { type ActionCall, SINGLE_ATTEMPT_MS } from "../act/action_context.ts";
import { runRefAction } from "../act/flow.ts";
import type { RefAction } from "../act/action_rules.ts";
import type { ActionContext, TargetRef } from "../act/action_context.ts";
import type { Context } from "../cli/context.ts";
import { Deadline } from "../deadline.ts";
import type { Platform, SemanticRequest } from "../platform/platform.ts";
import type { SavedRef } from "../refs/entry.ts";
import { lookUp, resolve } from "../refs/resolve.ts";
import { acquireLease } from "../store/lease.ts";
import { openScope, type TargetQuery } from "./observe.ts";
import { entryTarget, waitForSelector, waitRequest, type WaitTarget } from "./wait_for.ts";

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
 * @param ms The time of the command; 0 for a single look.
 * @throws AppError `INVALID_ARGS` for a malformed budget variable
 */
export async function actionContext(context: Context, ms: number): Promise<ActionContext> {
  const budgets = readBudgets();
  const platform = await context.platform();
  const deadline = Deadline.after(ms === 0 ? SINGLE_ATTEMPT_MS : ms);
  return { platform, lease: (until) => acquireLease(until), budgets, deadline };
}

/** Arguments common to all ref actions. */
export interface RefArgs {
  ref_id: string;
  timeout_ms: number;
}

/**
 * Runs one ref action, then the wait that the global flags ask for.
 *
 * @throws AppError whatever the ref, the flow or the wait raise
 */
export async function refAction(
  action: RefAction,
  request: SemanticRequest,
  args: RefArgs,
  context: Context,
): Promise<unknown> {
  const stored = lookUp(context.store(), args.ref_id);
  const acting = await actionContext(context, args.timeout_ms);
  const call: ActionCall = {
    action,
    request,
    ref: targetRef(acting.platform, stored),
    headed: context.globals.headed,
    timeoutMs: args.timeout_ms,
  };
  return await withWait(
    context,
    acting.platform,
    () => entryTarget(acting.platform, stored.entry),
    () => runRefAction(call, acting),
  );
}

/**
 * Runs `act`, then polls for the selector of the wait flags in the target's window. The selector
 * is read first: a malformed one must not be found out after something was delivered.
 */
export async function withWait(
  context: Context,
  platform: Platform,
  target: () => WaitTarget,
  act: () => Promise<unknown>,
): Promise<unknown> {
  const wait = waitRequest(context.globals);
  const result = await act();
  if (wait === undefined) return result;
  return await waitForSelector(platform, context.store(), wait, target(), result);
}

/** What to watch after a command on a window: the one it names, or whichever has the focus. */
export function queryTarget(
  platform: Platform,
  { app, window_id }: Pick<TargetQuery, "app" | "window_id"> = {},
): WaitTarget {
  const query: TargetQuery = {};
  if (app !== undefined) query.app = app;
  if (window_id !== undefined) query.window_id = window_id;
  return {
    named: app !== undefined || window_id !== undefined,
    open: (deadline) => openScope(platform, query, deadline),
  };
}
