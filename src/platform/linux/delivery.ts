/** What the reply to a mutation means: a step, or the error that says how far it got. */
import { AppError } from "../../errors.ts";
import type { Step } from "../platform.ts";
import { DISCONNECTED, NO_ANSWER, type Reply } from "./bus.ts";

/** A step that only prepares another: whether the effect was seen is for that one to say. */
export function preparatory(step: Step): Step {
  const { verified: _, ...rest } = step;
  return rest;
}

/**
 * Runs what follows on preparing steps. When it fails, the error says what was prepared: that has
 * reached the application, though the action itself may not have.
 *
 * @param steps What has been done so far; `act` may add to them.
 */
export function afterPreparing<T>(steps: readonly Step[], act: () => T): T {
  try {
    return act();
  } catch (error) {
    const prepared = steps.filter(({ outcome }) => outcome === "succeeded");
    if (prepared.length > 0 && error instanceof AppError) {
      if (error.delivery === "not_delivered") error.delivery = "delivered_unverified";
      error.details = { ...error.details, prepared: prepared.map(({ label }) => label) };
    }
    throw error;
  }
}

/** Turns a mutation's reply into a step, or into the error that says how far it got. */
export function delivered(label: string, reply: Reply): Step {
  if (reply.ok) {
    if (reply.values[0] === false) {
      throw new AppError("ACTION_FAILED", `The application refused ${label}`, {
        suggestion: "Read the element again; it may be disabled or busy.",
        platformDetail: `${label} returned false`,
      });
    }
    return { label, outcome: "succeeded", mechanism: "semantic_api", verified: false };
  }
  if (reply.error === NO_ANSWER || reply.error === DISCONNECTED) {
    throw new AppError("APP_UNRESPONSIVE", `The application did not confirm ${label}`, {
      suggestion: "Read the state before trying again; the request may have taken effect.",
      delivery: "delivery_uncertain",
      platformDetail: reply.error,
    });
  }
  if (/NotSupported/.test(reply.error)) {
    throw new AppError("ACTION_NOT_SUPPORTED", `The application does not support ${label}`, {
      suggestion: "Choose another action that available_actions offers, or retry with --headed.",
      platformDetail: `${reply.error}: ${reply.message}`.slice(0, 512),
    });
  }
  // The bus says when the call found nobody or nothing to run it.
  const refused = /UnknownMethod|UnknownObject|UnknownInterface|ServiceUnknown|NameHasNoOwner/
    .test(reply.error);
  throw new AppError("ACTION_FAILED", `${label} failed`, {
    suggestion: refused
      ? "Take a new snapshot; the element may have gone or changed."
      : "Read the state before trying again; the request may have taken effect.",
    platformDetail: `${reply.error}: ${reply.message}`.slice(0, 512),
    delivery: refused ? "not_delivered" : "delivery_uncertain",
  });
}
