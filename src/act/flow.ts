/**
 * The action flow (interaction §2): wait without touching anything until the element is ready,
 * take the lease, look again, deliver exactly once, then observe what happened.
 */
import { Deadline } from "../deadline.ts";
import { AppError, type Details } from "../errors.ts";
import type { Step } from "../platform/platform.ts";
import type { Node } from "../tree/node.ts";
import { evaluate, type Evaluation } from "./actionability.ts";
import { deliver } from "./deliver.ts";
import type { Delivered } from "./pointer_delivery.ts";
import { focusSourceWindow } from "./window_focus.ts";
import { expiryError, singleShotError } from "./not_ready.ts";
import { ruleOf } from "./action_rules.ts";
import { cursorRefusal } from "./refusals.ts";
import { type ActionResult, actionResult, newAutoWait } from "./action_result.ts";
import type { ActionCall, ActionContext, LiveElement } from "./action_context.ts";
import type { WaitState } from "./wait_state.ts";
import { collectSurfaces } from "./overlays.ts";
import {
  alreadySatisfied,
  expectationOf,
  isStateful,
  verificationError,
  verify,
} from "./verify.ts";

const POLL_MS = 100;
// A moving element is looked at again after one frame.
const STABILITY_POLL_MS = 16;
// A single attempt still has to read; a hung application must not hold it longer than this.
const SINGLE_ATTEMPT_MS = 1_500;
// A read begun with less time than this left proves nothing by not ending: what the one before
// found stands.
const LATE_MS = 250;
// What delivery and verification may use even when the wait has eaten the budget.
const DELIVERY_FLOOR_MS = 500;

// Raised by a check's own reads, these end the wait at once (interaction §3).
const TERMINAL_PREFLIGHT: ReadonlySet<string> = new Set([
  "PERM_DENIED",
  "APP_NOT_FOUND",
  "ACTION_NOT_SUPPORTED",
  "INVALID_ARGS",
  "POLICY_DENIED",
  "INTERNAL",
  "STALE_REF",
  "AMBIGUOUS_TARGET",
]);

/**
 * Carries out one ref action.
 *
 * @returns the `data` of its envelope
 * @throws AppError with the delivery it reached
 */
export async function runRefAction(
  call: ActionCall,
  context: ActionContext,
): Promise<ActionResult> {
  if (!call.headed && (call.action === "double-click" || call.action === "triple-click")) {
    throw cursorRefusal(call.action, {
      actionable: false,
      checks: [{ check: "policy", status: "fail", reason: "the pointer is off in headless mode" }],
    });
  }
  const single = call.timeoutMs === 0;
  const state: WaitState = {
    call,
    deadline: Deadline.after(single ? SINGLE_ATTEMPT_MS : call.timeoutMs),
    autoWait: newAutoWait(),
    sawEvidence: false,
    sawAmbiguity: false,
    scroll: "untried",
  };
  try {
    while (true) {
      if (!single) await pollUntilReady(state, context);
      const result = await attempt(state, context);
      if (result !== undefined) return result;
      if (single) throw singleShotError(state);
      if (state.deadline.expired) throw expiryError(state);
      await state.deadline.sleep(pollPause(state));
    }
  } catch (error) {
    if (state.scroll === "done" && error instanceof AppError) {
      error.details = { ...error.details, preparatory_scroll: true, retryable: false };
    }
    throw error;
  }
}

/** Steps 2: resolve and check, read-only, until the element is ready or time is up. */
async function pollUntilReady(state: WaitState, context: ActionContext): Promise<void> {
  while (true) {
    const evaluation = await look(state, context);
    if (evaluation?.report.actionable) return;
    if (evaluation !== undefined && wantsScroll(state, evaluation)) return;
    if (evaluation !== undefined && wantsRaise(state, evaluation)) return;
    if (state.deadline.expired) throw expiryError(state);
    await state.deadline.sleep(pollPause(state));
    if (state.deadline.expired) throw expiryError(state);
  }
}

function pollPause(state: WaitState): number {
  return state.evaluation?.blocker?.check === "stable" ? STABILITY_POLL_MS : POLL_MS;
}

/** Whether bringing the element into view is worth the one attempt. */
function wantsScroll(state: WaitState, evaluation: Evaluation): boolean {
  const { action } = state.call;
  return state.scroll === "untried" && action !== "scroll-to" && action !== "focus" &&
    evaluation.blocker?.check === "visible" && evaluation.blocker.status === "fail" &&
    !evaluation.node.states.includes("hidden");
}

/** Whether only another window is in the way, which goes behind when the right one is focused. */
function wantsRaise(state: WaitState, evaluation: Evaluation): boolean {
  return state.call.headed && evaluation.blocker?.check === "receives_events" &&
    evaluation.blocker.occluder?.role === "window";
}

/** One resolution and evaluation; `undefined` after an error that may pass. */
async function look(state: WaitState, context: ActionContext): Promise<Evaluation | undefined> {
  state.autoWait.read_only_resolve_attempts++;
  const target = await resolveOnce(state);
  if (target === undefined) return undefined;
  state.autoWait.read_only_preflight_attempts++;
  return await evaluateOnce(state, context, target);
}

/**
 * Whether an attempt that failed (begun `late`, with little time left) only ran out of time: then
 * it says less than the last one that did not.
 */
function isCutShort(state: WaitState, late: boolean): boolean {
  return (late || state.deadline.expired) &&
    (state.evaluation !== undefined || state.error !== undefined);
}

async function resolveOnce(state: WaitState): Promise<LiveElement | undefined> {
  const late = state.deadline.remaining < LATE_MS;
  try {
    const target = await state.call.ref.resolve(state.deadline);
    delete state.error;
    return target;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if ((error.retryable || error.code === "TIMEOUT") && isCutShort(state, late)) return undefined;
    if (!error.retryable) throw error;
    state.error = error;
    delete state.evaluation;
    if (error.code === "AMBIGUOUS_TARGET") state.sawAmbiguity = true;
    return undefined;
  }
}

async function evaluateOnce(
  state: WaitState,
  context: ActionContext,
  target: LiveElement,
): Promise<Evaluation | undefined> {
  const { platform } = context;
  const { call, deadline } = state;
  const late = deadline.remaining < LATE_MS;
  try {
    const node = target.node ?? await platform.inspect(target.handle, deadline);
    if (node === undefined) return undefined; // gone since it was resolved: resolve again
    const element = { handle: target.handle, node, window: target.window };
    const evaluation = await evaluate(platform, element, call.action, call.headed, deadline);
    if (evaluation.refusal !== undefined) throw evaluation.refusal;
    delete state.error;
    const { blocker } = evaluation;
    // A check that ran out of time says less than the last one that did not, also when it came to
    // think that nothing is in the way: what could not be asked any more does not block.
    const open = blocker === undefined || blocker.status === "unknown";
    if (deadline.expired && open && state.evaluation?.blocker) return state.evaluation;
    state.evaluation = evaluation;
    if (blocker?.status !== "unknown" || blocker.check === "receives_events") {
      state.sawEvidence = true;
    }
    return evaluation;
  } catch (error) {
    if (!(error instanceof AppError) || TERMINAL_PREFLIGHT.has(error.code)) throw error;
    if (isCutShort(state, late)) return undefined;
    state.error = error;
    return undefined;
  }
}

/** Steps 4 to 8 under the lease; `undefined` when the element is not ready after all. */
async function attempt(
  state: WaitState,
  context: ActionContext,
): Promise<ActionResult | undefined> {
  const lease = await context.lease(state.deadline);
  const since = performance.now();
  state.autoWait.lease_contention_count += lease.contentionCount;
  try {
    if (state.call.headed && !await raiseWindow(state, context)) return undefined;
    const ready = await readyUnderLease(state, context);
    if (ready === undefined) return undefined;
    const held = { ...context, held: lease };
    const result = await act(state, held, ready.target, ready.evaluation);
    state.autoWait.lease_hold_ms += Math.round(performance.now() - since);
    return result;
  } finally {
    lease.release();
  }
}

/**
 * Brings the source window to the front. `false` when only the time for it ran out, and what the
 * element lacked before says more.
 */
async function raiseWindow(state: WaitState, context: ActionContext): Promise<boolean> {
  const { ref, action } = state.call;
  const late = state.deadline.remaining < LATE_MS;
  try {
    await focusSourceWindow(ref.entry, action, context.platform, state.deadline);
    return true;
  } catch (error) {
    const passing = error instanceof AppError &&
      (error.code === "APP_UNRESPONSIVE" || error.code === "ACTION_FAILED");
    if (passing && state.evaluation?.blocker !== undefined && isCutShort(state, late)) return false;
    throw error;
  }
}

async function readyUnderLease(
  state: WaitState,
  context: ActionContext,
): Promise<{ target: LiveElement; evaluation: Evaluation } | undefined> {
  let target = await resolveOnce(state);
  if (target === undefined) return undefined;
  let evaluation = await evaluateOnce(state, context, target);
  if (evaluation !== undefined && wantsScroll(state, evaluation)) {
    const moved = await context.platform.scrollIntoView(target.handle, state.deadline);
    state.scroll = moved ? "done" : "unsupported";
    if (moved) {
      target = await resolveOnce(state);
      if (target === undefined) return undefined;
      evaluation = await evaluateOnce(state, context, target);
    }
  }
  return evaluation?.report.actionable ? { target, evaluation } : undefined;
}

/** Step 7 and 8: deliver once, then verify and look for overlays. */
async function act(
  state: WaitState,
  context: ActionContext,
  target: LiveElement,
  evaluation: Evaluation,
): Promise<ActionResult> {
  const { call } = state;
  const { platform, budgets } = context;
  const details: Details = { auto_wait: state.autoWait };
  if (state.sawAmbiguity) details["transient_ambiguity"] = true;

  if (alreadySatisfied(call.request, evaluation.node)) {
    const step: Step = { label: "AlreadyInState", outcome: "skipped", verified: true };
    return actionResult(call.action, [step], { details });
  }
  const left = Math.max(state.deadline.remaining, DELIVERY_FLOOR_MS);
  const delivered = await deliver(call, context, target, evaluation, Deadline.after(left));
  const after = Deadline.after(Math.max(state.deadline.remaining, DELIVERY_FLOOR_MS));

  let node: Node | undefined;
  if (isStateful(call.request)) {
    node = await observeEffect(state, context, target, evaluation, delivered, details, after);
  }
  const surfaces = ruleOf(call.action).reportsSurfaces
    ? await collectSurfaces(platform, call, evaluation.node, budgets, after)
    : [];
  return actionResult(call.action, delivered.steps, {
    details,
    surfaces,
    ...(node === undefined ? {} : { postState: node }),
  });
}

/** Verifies a stateful action; adds to `details` and marks the delivering step. */
async function observeEffect(
  state: WaitState,
  context: ActionContext,
  target: LiveElement,
  evaluation: Evaluation,
  delivered: Delivered,
  details: Details,
  deadline: Deadline,
): Promise<Node | undefined> {
  const { call } = state;
  const { platform, budgets } = context;
  let { handle } = target;
  const read = async (within: Deadline): Promise<Node> => {
    const node = await platform.inspect(handle, within);
    if (node !== undefined) return node;
    // Some toolkits rebuild an element when its state changes: look for it by its identity.
    const again = await call.ref.resolve(within);
    handle = again.handle;
    const fresh = again.node ?? await platform.inspect(handle, within);
    if (fresh !== undefined) return fresh;
    throw new AppError("STALE_REF", "The element is gone after the action");
  };
  const expected = expectationOf(call.request, evaluation.node, delivered.expectedText);
  const last = delivered.steps.findLast((step) => step.outcome === "succeeded");
  try {
    const found = await verify(
      platform,
      handle,
      call.request,
      expected,
      read,
      last?.mechanism === "physical_synthetic",
      budgets,
      deadline,
    );
    if ("contradicted" in found) {
      if (last !== undefined) last.verified = false;
      const after = actionResult(call.action, delivered.steps, {
        postState: found.node,
        details: { ...details },
      });
      throw verificationError(call.action, found, {
        post_state: after.post_state,
        after_action: after,
      });
    }
    Object.assign(details, found.details);
    if (last !== undefined) last.verified = found.verified === true;
    return found.node;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (error.delivery === "not_delivered" || error.delivery === "unknown") {
      error.delivery = "delivered_unverified";
      error.details = { ...error.details, kind: "post_action_verification" };
      delete error.details["retryable"];
    }
    throw error;
  }
}
