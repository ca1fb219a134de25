/** What waiting for an element to become ready has seen so far. */
import type { Deadline } from "../deadline.ts";
import type { AppError } from "../errors.ts";
import type { ActionCall } from "./action_context.ts";
import type { AutoWait } from "./action_result.ts";
import type { Evaluation } from "./actionability.ts";

/** What the waiting has seen so far; decides how it ends. */
export interface WaitState {
  call: ActionCall;
  deadline: Deadline;
  autoWait: AutoWait;
  evaluation?: Evaluation;
  error?: AppError;
  /** At least one poll had readable evidence. */
  sawEvidence: boolean;
  sawAmbiguity: boolean;
  scroll: "untried" | "done" | "unsupported";
}
