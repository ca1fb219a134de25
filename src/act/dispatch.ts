/** One delivery: what it works with, what it reports, and the error when it breaks off. */
import type { Deadline } from "../deadline.ts";
import { AppError } from "../errors.ts";
import type { Platform, Step } from "../platform/platform.ts";
import type { ActionCall, HeldLease, LiveElement } from "./action_context.ts";
import type { Evaluation } from "./actionability.ts";

/** What a delivery works with. */
export interface Dispatch {
  call: ActionCall;
  platform: Platform;
  /** Held for the whole delivery. */
  lease: HeldLease;
  element: LiveElement;
  /** What the checks found under the lease. */
  evaluation: Evaluation;
  deadline: Deadline;
}

/** What was sent. */
export interface Delivered {
  steps: Step[];
  /** For `type`: the text the element must hold now; absent when that cannot be known. */
  expectedText?: string;
}

/** A step that real input made; nothing tells yet whether it had its effect. */
export function physicalStep(label: string): Step {
  return { label, outcome: "succeeded", mechanism: "physical_synthetic", verified: false };
}

/** The error for an exception of unknown kind, after something may have been sent. */
export function deliveryBrokeOff(action: string, cause: unknown): AppError {
  return new AppError("INTERNAL", `${action} failed while it was being delivered`, {
    suggestion: "Take a snapshot to see whether the action took effect.",
    delivery: "delivery_uncertain",
    cause,
  });
}
