/** One look at an element that is waited for: find it, then check it. Nothing here acts on it. */
import { AppError } from "../errors.ts";
import type { Platform } from "../platform/platform.ts";
import type { LiveElement } from "./action_context.ts";
import { evaluate, type Evaluation } from "./actionability.ts";
import { isCutShort, isLate, type WaitState } from "./wait_state.ts";

// Raised by a check's own reads, these end the wait at once.
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
 * Finds the element and checks it, once; counted as one attempt of the wait.
 *
 * @returns `undefined` after an error that may pass, which `state` then holds
 * @throws AppError when waiting cannot help
 */
export async function look(state: WaitState, platform: Platform): Promise<Evaluation | undefined> {
  state.autoWait.read_only_resolve_attempts++;
  const element = await resolveOnce(state);
  if (element === undefined) return undefined;
  state.autoWait.read_only_preflight_attempts++;
  return await evaluateOnce(state, platform, element);
}

/**
 * Finds the live element of the ref, once.
 *
 * @returns `undefined` after an error that may pass, which `state` then holds
 * @throws AppError when waiting cannot help
 */
export async function resolveOnce(state: WaitState): Promise<LiveElement | undefined> {
  const late = isLate(state);
  try {
    const element = await state.call.ref.resolve(state.deadline);
    delete state.error;
    return element;
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

/**
 * Checks a live element, once, and notes in `state` what was found.
 *
 * @returns `undefined` when the element is gone, or after an error that may pass
 * @throws AppError when waiting cannot help
 */
export async function evaluateOnce(
  state: WaitState,
  platform: Platform,
  element: LiveElement,
): Promise<Evaluation | undefined> {
  const { call, deadline } = state;
  const late = isLate(state);
  try {
    const node = element.node ?? await platform.inspect(element.handle, deadline);
    if (node === undefined) return undefined; // gone since it was resolved: resolve again
    const checked = { ...element, node };
    const evaluation = await evaluate(platform, checked, call.action, call.headed, deadline);
    if (evaluation.refusal !== undefined) throw evaluation.refusal;
    delete state.error;
    const { blocker } = evaluation;
    // What time did not suffice to ask counts as unknown or as nothing in the way. Neither is
    // evidence: what the evaluation before found still stands.
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
