/** One accessible to act on, and what a mutation's reply means. */
import type { Deadline } from "../../deadline.ts";
import { AppError } from "../../errors.ts";
import type { Step } from "../platform.ts";
import { interfaceSet, method, type ObjectRef, property } from "./accessible.ts";
import type { Toolkit } from "./toolkits/toolkit.ts";
import { type Bus, DISCONNECTED, NO_ANSWER, type Reply } from "./bus.ts";

// More actions on one element than any toolkit offers.
const MAX_ACTIONS = 64;

/** An accessible with the connection that reaches it. */
export interface Element {
  bus: Bus;
  object: ObjectRef;
  toolkit: Toolkit;
}

/** The same application's accessible at another path. */
export function sibling(element: Element, object: ObjectRef): Element {
  return { ...element, object };
}

/** Interface names without their prefix; empty when unreadable. */
export function interfacesOf({ bus, object }: Element, deadline: Deadline): ReadonlySet<string> {
  const reply = bus.call(method(object, "Accessible", "GetInterfaces"), deadline);
  return reply.ok ? interfaceSet(reply.values[0]) : new Set();
}

/** The AtspiRole number; `undefined` when unreadable. */
export function roleNumberOf({ bus, object }: Element, deadline: Deadline): number | undefined {
  const reply = bus.call(method(object, "Accessible", "GetRole"), deadline);
  return reply.ok && typeof reply.values[0] === "number" ? reply.values[0] : undefined;
}

/** The two words of the state set; `undefined` when unreadable. */
export function stateWords({ bus, object }: Element, deadline: Deadline): number[] | undefined {
  const reply = bus.call(method(object, "Accessible", "GetState"), deadline);
  return reply.ok && Array.isArray(reply.values[0]) ? reply.values[0] as number[] : undefined;
}

/** A numeric property; `undefined` when unreadable. */
export function numberOf(
  { bus, object }: Element,
  iface: string,
  name: string,
  deadline: Deadline,
): number | undefined {
  const reply = bus.call(property(object, iface, name), deadline);
  return reply.ok && typeof reply.values[0] === "number" ? reply.values[0] : undefined;
}

/**
 * Blocks this thread. Reads of this platform block too; nothing else runs meanwhile, and no key
 * or button is held during semantic delivery.
 */
export function sleepSync(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

/** A step that only prepares another: whether the effect was seen is for that one to say. */
export function preparatory(step: Step): Step {
  const { verified: _, ...rest } = step;
  return rest;
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

/** Unlocalized action names of an element, by index. */
export function actionNames({ bus, object }: Element, deadline: Deadline): string[] {
  const count = bus.call(property(object, "Action", "NActions"), deadline);
  const total = count.ok && typeof count.values[0] === "number" ? count.values[0] : 0;
  const indexes = Array.from({ length: Math.min(Math.max(total, 0), MAX_ACTIONS) }, (_, i) => i);
  return bus.callAll(
    indexes.map((index) => method(object, "Action", "GetName", "i", index)),
    deadline,
  ).map((reply) => reply.ok ? String(reply.values[0]) : "");
}

/** Runs the action at an index. */
export function doAction({ bus, object }: Element, index: number, deadline: Deadline): Step {
  return delivered(
    "Action.DoAction",
    bus.call(method(object, "Action", "DoAction", "i", index), deadline),
  );
}
