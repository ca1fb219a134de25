/**
 * How the wait for an element ends when it never became ready
 * (docs/acting.md, "Waiting until ready").
 */
import { AppError, type Details } from "../errors.ts";
import type { WaitState } from "./wait_state.ts";

/** What the caller can do about the check that blocked. */
function suggestionFor(check: string | undefined): string {
  switch (check) {
    case "enabled":
      return "Bring the application into a state that enables the element, then retry.";
    case "receives_events":
      return "Close or move what covers the element, then retry.";
    case "stable":
      return "Wait until the element stops moving, then retry with a longer --timeout-ms.";
    default:
      return "Bring the element on screen (open its page, or scroll-to it), then take a snapshot.";
  }
}

/** What was wrong with the element, for a message. */
function describe(state: WaitState): string {
  const { evaluation, error } = state;
  if (evaluation?.blocker !== undefined) {
    const { check, reason } = evaluation.blocker;
    return `the ${evaluation.node.role} fails ${check}${
      reason === undefined ? "" : ` (${reason})`
    }`;
  }
  return error?.message ?? "the element went away while it was checked";
}

/** What the last look found, for `details`. */
function lastReport(state: WaitState): Details {
  if (state.error !== undefined) {
    const { code, message, details } = state.error;
    const phase = state.evaluation === undefined ? "resolve" : "preflight";
    return { phase, code, message, ...(details === undefined ? {} : { details }) };
  }
  return { phase: "preflight", ...state.evaluation?.report };
}

/** The error of a wait whose time is up. */
export function expiryError(state: WaitState): AppError {
  const { call, error, evaluation, deadline, autoWait } = state;
  const timing = {
    timeout_ms: call.timeoutMs,
    elapsed_ms: deadline.elapsed,
    auto_wait: autoWait,
  };
  if (error !== undefined && error.code !== "TIMEOUT") {
    // Says more than "timed out", and suggests what to do about it.
    error.details = { ...error.details, deadline_elapsed: true, ...timing };
    return error;
  }
  const terminal = incomplete(state);
  if (terminal !== undefined) {
    terminal.details = { ...terminal.details, ...timing };
    return terminal;
  }
  return new AppError(
    "TIMEOUT",
    `${call.action} waited ${call.timeoutMs} ms: ${describe(state)}`,
    {
      suggestion: suggestionFor(evaluation?.blocker?.check),
      delivery: "not_delivered",
      details: { kind: "actionability_timeout", ...timing, last_report: lastReport(state) },
    },
  );
}

/** The error of a single attempt that found the element not ready. */
export function singleShotError(state: WaitState): AppError {
  if (state.error !== undefined) return state.error;
  return incomplete(state) ??
    new AppError("ACTION_FAILED", `${state.call.action} was not sent: ${describe(state)}`, {
      suggestion: suggestionFor(state.evaluation?.blocker?.check),
      details: { ...state.evaluation?.report },
    });
}

/** Ends that more waiting would not have changed. */
function incomplete(state: WaitState): AppError | undefined {
  const { evaluation, call } = state;
  if (evaluation?.blocker === undefined) return undefined;
  if (state.scroll === "unsupported" && evaluation.blocker.check === "visible") {
    return new AppError(
      "ACTION_FAILED",
      `${call.action} was not sent: ${describe(state)}, and it cannot be scrolled into view`,
      {
        suggestion: suggestionFor("visible"),
        details: {
          kind: "scroll_into_view_unsupported",
          complete: true,
          retryable: false,
          ...evaluation.report,
        },
      },
    );
  }
  if (!state.sawEvidence && evaluation.blocker.status === "unknown") {
    return new AppError(
      "ACTION_FAILED",
      `${call.action} was not sent: ${describe(state)} could not be read`,
      {
        suggestion:
          "Take a snapshot; if the element still cannot be read, restart the application.",
        details: { kind: "live_read_incomplete", retryable: false, ...evaluation.report },
      },
    );
  }
  return undefined;
}
