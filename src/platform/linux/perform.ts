/** Semantic delivery: exactly one method for each operation, sent exactly once. */
import type { Deadline } from "../../deadline.ts";
import { AppError } from "../../errors.ts";
import type { SemanticRequest, Step } from "../platform.ts";
import { method, type ObjectRef, property } from "./accessible.ts";
import { ACTION_NAMES, actionIndex } from "./actions.ts";
import { type Bus, DISCONNECTED, NO_ANSWER, type Reply } from "./bus.ts";

// More actions on one element than any toolkit offers.
const MAX_ACTIONS = 64;

/** Unlocalized action names of an element, by index. */
export function actionNames(bus: Bus, object: ObjectRef, deadline: Deadline): string[] {
  const count = bus.call(property(object, "Action", "NActions"), deadline);
  const total = count.ok && typeof count.values[0] === "number" ? count.values[0] : 0;
  const indexes = Array.from({ length: Math.min(Math.max(total, 0), MAX_ACTIONS) }, (_, i) => i);
  return bus.callAll(
    indexes.map((index) => method(object, "Action", "GetName", "i", index)),
    deadline,
  ).map((reply) => reply.ok ? String(reply.values[0]) : "");
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
  // The bus says when the call found nobody or nothing to run it.
  const refused = /UnknownMethod|UnknownObject|UnknownInterface|ServiceUnknown|NameHasNoOwner/
    .test(reply.error);
  throw new AppError("ACTION_FAILED", `${label} failed`, {
    platformDetail: `${reply.error}: ${reply.message}`.slice(0, 512),
    delivery: refused ? "not_delivered" : "delivery_uncertain",
  });
}

function doNamedAction(
  bus: Bus,
  object: ObjectRef,
  wanted: readonly string[],
  deadline: Deadline,
): Step {
  const index = actionIndex(actionNames(bus, object, deadline), wanted);
  if (index < 0) {
    throw new AppError("ACTION_NOT_SUPPORTED", "The element offers no such action", {
      suggestion: "Read available_actions of the element and choose another command.",
    });
  }
  return delivered(
    "Action.DoAction",
    bus.call(method(object, "Action", "DoAction", "i", index), deadline),
  );
}

/** Delivers one request. Throws `AppError` with the delivery reached. */
export function perform(
  bus: Bus,
  object: ObjectRef,
  request: SemanticRequest,
  deadline: Deadline,
): Step[] {
  switch (request.kind) {
    case "click":
      return [doNamedAction(bus, object, ACTION_NAMES.click, deadline)];
    case "right-click":
      return [doNamedAction(bus, object, ACTION_NAMES.rightClick, deadline)];
    default:
      throw new AppError("ACTION_NOT_SUPPORTED", `${request.kind} has no semantic method here`);
  }
}

/** Asks the element to scroll itself into view. `false`: it cannot. */
export function scrollIntoView(bus: Bus, object: ObjectRef, deadline: Deadline): boolean {
  // atspi-constants.h, ATSPI_SCROLL_ANYWHERE.
  const anywhere = 6;
  const reply = bus.call(method(object, "Component", "ScrollTo", "u", anywhere), deadline);
  return reply.ok && reply.values[0] === true;
}
