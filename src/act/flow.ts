/**
 * The action flow: wait without touching anything until the element is ready, take the lease, look
 * again, deliver exactly once, then observe what happened
 * (docs/acting.md, "From ref to delivery").
 */
import { Deadline } from "../deadline.ts";
import { AppError, type Details } from "../errors.ts";
import type { Step } from "../platform/platform.ts";
import type { ActionCall, ActionContext, HeldLease, LiveElement } from "./action_context.ts";
import { type ActionResult, actionResult } from "./action_result.ts";
import { needsPointer, ruleOf } from "./action_rules.ts";
import type { Evaluation } from "./actionability.ts";
import { deliver } from "./deliver.ts";
import type { Dispatch } from "./dispatch.ts";
import { observeEffect } from "./effect.ts";
import { alreadySatisfied } from "./expectation.ts";
import { expiryError, singleShotError } from "./not_ready.ts";
import { overlaysAfter } from "./overlays.ts";
import { evaluateOnce, look, resolveOnce } from "./readiness.ts";
import { cursorRefusal } from "./refusals.ts";
import {
  isCutShort,
  isLate,
  newWaitState,
  pollPause,
  type WaitState,
  wantsRaise,
  wantsScroll,
} from "./wait_state.ts";
import { noteOf } from "./settle.ts";
import { focusSourceWindow } from "./window_focus.ts";

// What delivery and verification may use even when the wait has eaten the budget.
const DELIVERY_FLOOR_MS = 500;

/** An element that is ready, found and checked under the lease. */
interface Ready {
  element: LiveElement;
  evaluation: Evaluation;
}

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
  if (!call.headed && needsPointer(call.action)) {
    throw cursorRefusal(call.action, {
      actionable: false,
      checks: [{ check: "policy", status: "fail", reason: "the pointer is off in headless mode" }],
    });
  }
  const state = newWaitState(call, context.deadline);
  try {
    while (true) {
      if (!state.single) await pollUntilReady(state, context);
      const result = await attempt(state, context);
      if (result !== undefined) return result;
      if (state.single) throw singleShotError(state);
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

/** Looks again and again, read-only, until an attempt is worth it. Throws when time is up. */
async function pollUntilReady(state: WaitState, { platform }: ActionContext): Promise<void> {
  while (true) {
    const evaluation = await look(state, platform);
    if (evaluation?.report.actionable) return;
    if (evaluation !== undefined && wantsScroll(state, evaluation)) return;
    if (evaluation !== undefined && wantsRaise(state, evaluation)) return;
    await state.deadline.sleep(pollPause(state));
    if (state.deadline.expired) throw expiryError(state);
  }
}

/** Everything that happens under the lease; `undefined` when the element is not ready after all. */
async function attempt(
  state: WaitState,
  context: ActionContext,
): Promise<ActionResult | undefined> {
  using lease = await context.lease(state.deadline);
  const since = performance.now();
  state.autoWait.lease_contention_count += lease.contentionCount;
  if (state.call.headed && !await raiseWindow(state, context)) return undefined;
  const ready = await readyUnderLease(state, context);
  if (ready === undefined) return undefined;
  const result = await act(state, context, lease, ready);
  state.autoWait.lease_hold_ms += Math.round(performance.now() - since);
  return result;
}

/**
 * Brings the source window to the front. `false` when only the time for it ran out, and what the
 * element lacked before says more.
 */
async function raiseWindow(state: WaitState, { platform }: ActionContext): Promise<boolean> {
  const { ref, action } = state.call;
  const late = isLate(state);
  try {
    await focusSourceWindow(ref.entry, action, platform, state.deadline);
    return true;
  } catch (error) {
    const passing = error instanceof AppError &&
      (error.code === "APP_UNRESPONSIVE" || error.code === "ACTION_FAILED");
    if (passing && state.evaluation?.blocker !== undefined && isCutShort(state, late)) return false;
    throw error;
  }
}

/**
 * Finds and checks the element again, now that nobody else delivers input; brings it into view
 * when that is all it lacks. `undefined` when it is not ready.
 */
async function readyUnderLease(
  state: WaitState,
  { platform }: ActionContext,
): Promise<Ready | undefined> {
  let element = await resolveOnce(state);
  if (element === undefined) return undefined;
  let evaluation = await evaluateOnce(state, platform, element);
  if (evaluation !== undefined && wantsScroll(state, evaluation)) {
    const moved = await platform.scrollIntoView(element.handle, state.deadline);
    state.scroll = moved ? "done" : "unsupported";
    if (moved) {
      element = await resolveOnce(state);
      if (element === undefined) return undefined;
      evaluation = await evaluateOnce(state, platform, element);
    }
  }
  return evaluation?.report.actionable ? { element, evaluation } : undefined;
}

/** Delivers once, then verifies and looks for overlays. */
async function act(
  state: WaitState,
  context: ActionContext,
  lease: HeldLease,
  { element, evaluation }: Ready,
): Promise<ActionResult> {
  const { call } = state;
  const { platform, budgets } = context;
  const details: Details = { auto_wait: state.autoWait };
  if (state.sawAmbiguity) details["transient_ambiguity"] = true;

  if (alreadySatisfied(call.request, evaluation.node)) {
    const step: Step = { label: "AlreadyInState", outcome: "skipped", verified: true };
    return actionResult(call.action, [step], { details });
  }
  const dispatch: Dispatch = {
    call,
    platform,
    lease,
    element,
    evaluation,
    deadline: withFloor(state.deadline),
  };
  const takeNote = noteTaker(dispatch, context);
  try {
    const delivered = await deliver(dispatch);
    takeNote();
    const effect = delivered.steps.find((step) => step.effect !== undefined)?.effect;
    if (effect !== undefined) details["effect"] = effect;
    const after = withFloor(state.deadline);
    const rule = ruleOf(call.action);
    const postState = rule.verified
      ? await observeEffect({ ...dispatch, deadline: after }, delivered, budgets, details)
      : undefined;
    const running = delivered.steps.some((step) => step.handler_running);
    if (running) details["handler_running"] = true;
    const surfaces = rule.reportsSurfaces || running
      ? await overlaysAfter(platform, call, evaluation.node, budgets, after, running)
      : [];
    return actionResult(call.action, delivered.steps, {
      details,
      surfaces,
      ...(postState === undefined ? {} : { postState }),
    });
  } finally {
    takeNote();
  }
}

/** What notes a delivery and what is known of the application since, whatever comes of both. */
function noteTaker({ platform, call, element, deadline }: Dispatch, context: ActionContext) {
  let at: number | undefined;
  return () => {
    at ??= Date.now();
    const delay = call.headed ? 0 : platform.clickDelay?.(element.handle, deadline) ?? 0;
    context.note(noteOf(platform, call.ref.entry.pid, delay, at));
  };
}

/** What is left of a deadline, but never less than the delivery and its verification need. */
function withFloor(deadline: Deadline): Deadline {
  return Deadline.after(Math.max(deadline.remaining, DELIVERY_FLOOR_MS));
}
