/** One accessible to act on, and single questions to it. */
import type { Deadline } from "../../deadline.ts";
import { interfaceSet, method, type ObjectRef, objectRef, property } from "./accessible.ts";
import { MAX_ACTIONS } from "./actions.ts";
import type { Bus } from "./bus.ts";
import { listChildren } from "./children.ts";
import type { Toolkit } from "./toolkits/toolkit.ts";

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

/** A numeric property; `undefined` when it is unreadable or no finite number. */
export function numberOf(
  { bus, object }: Element,
  iface: string,
  name: string,
  deadline: Deadline,
): number | undefined {
  const reply = bus.call(property(object, iface, name), deadline);
  const value = reply.ok ? reply.values[0] : undefined;
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

/**
 * Blocks this thread. Reads of this platform block too; nothing else runs meanwhile, and no key
 * or button is held during semantic delivery.
 */
export function sleepSync(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
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

/** `Accessible.Name`; empty when there is none or it is unreadable. */
export function nameOf({ bus, object }: Element, deadline: Deadline): string {
  const reply = bus.call(property(object, "Accessible", "Name"), deadline);
  return reply.ok && typeof reply.values[0] === "string" ? reply.values[0] : "";
}

/** What the element is in; `undefined` when unreadable. */
export function parentOf(element: Element, deadline: Deadline): Element | undefined {
  const { bus, object } = element;
  const reply = bus.call(property(object, "Accessible", "Parent"), deadline);
  const parent = reply.ok ? objectRef(reply.values[0]) : undefined;
  return parent && sibling(element, parent);
}

/** Position among the parent's children; `undefined` when unreadable or not told. */
export function indexInParent({ bus, object }: Element, deadline: Deadline): number | undefined {
  const reply = bus.call(method(object, "Accessible", "GetIndexInParent"), deadline);
  const index = reply.ok ? reply.values[0] : undefined;
  return typeof index === "number" && index >= 0 ? index : undefined;
}

/** The children; none when unreadable, and none of a container that claims too many to list. */
export function childrenOf(element: Element, deadline: Deadline): Element[] {
  const { bus, object } = element;
  return listChildren(bus, object, deadline).map((child) => sibling(element, child));
}
