/** What waiting for an element to become ready has seen so far, and what that calls for next. */
import type { Deadline } from "../deadline.ts";
import type { AppError } from "../errors.ts";
import type { ActionCall } from "./action_context.ts";
import { type AutoWait, newAutoWait } from "./action_result.ts";
import type { Evaluation } from "./actionability.ts";

/** What the waiting has seen so far; decides how it ends. */
export interface WaitState {
  call: ActionCall;
  /** A single look, without polling. */
  single: boolean;
  deadline: Deadline;
  autoWait: AutoWait;
  /** The last evaluation that says something; absent after a resolution that failed. */
  evaluation?: Evaluation;
  /** The error of the last attempt, when it may pass; absent once the element could be read. */
  error?: AppError;
  /** At least one poll had readable evidence. */
  sawEvidence: boolean;
  /** Several elements matched the ref at some time. */
  sawAmbiguity: boolean;
  /** What became of the one attempt to bring the element into view. */
  scroll: "untried" | "done" | "unsupported";
}

// Between two looks at an element that is not ready.
const POLL_MS = 100;
// A moving element is looked at again after one frame.
const STABILITY_POLL_MS = 16;
// A read that begins with less time left than this may fail only because the time runs out. Such a
// failure says nothing new about the element: what the read before it found is reported.
const LATE_MS = 250;

/** The state at the beginning of a wait. */
export function newWaitState(call: ActionCall, deadline: Deadline): WaitState {
  return {
    call,
    single: call.timeoutMs === 0,
    deadline,
    autoWait: newAutoWait(),
    sawEvidence: false,
    sawAmbiguity: false,
    scroll: "untried",
  };
}

/** Milliseconds until the next look. */
export function pollPause(state: WaitState): number {
  return state.evaluation?.blocker?.check === "stable" ? STABILITY_POLL_MS : POLL_MS;
}

/** Whether so little time is left that a read which begins now may be cut short. */
export function isLate(state: WaitState): boolean {
  return state.deadline.remaining < LATE_MS;
}

/**
 * Whether an attempt that failed only ran out of time: then it says less than the last one that
 * did not.
 *
 * @param late whether it began with little time left
 */
export function isCutShort(state: WaitState, late: boolean): boolean {
  return (late || state.deadline.expired) &&
    (state.evaluation !== undefined || state.error !== undefined);
}

/** Whether bringing the element into view is worth the one attempt. */
export function wantsScroll(state: WaitState, evaluation: Evaluation): boolean {
  const { action } = state.call;
  return state.scroll === "untried" && action !== "scroll-to" && action !== "focus" &&
    evaluation.blocker?.check === "visible" && evaluation.blocker.status === "fail" &&
    !evaluation.node.states.includes("hidden");
}

/** Whether only another window is in the way, which goes behind when the right one is focused. */
export function wantsRaise(state: WaitState, evaluation: Evaluation): boolean {
  return state.call.headed && evaluation.blocker?.check === "receives_events" &&
    evaluation.blocker.occluder?.role === "window";
}
