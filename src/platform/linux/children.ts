/**
 * The one place that asks for a list of children. How many there are is asked first: a sheet of
 * LibreOffice claims 2,147,483,647, tries to make them all when it is asked to list them, and never
 * answers anything again.
 */
import type { Deadline } from "../../deadline.ts";
import { OBSERVE_LIMITS } from "../platform.ts";
import { method, objectList, type ObjectRef, property } from "./accessible.ts";
import { type Bus, NO_ANSWER, type Reply } from "./bus.ts";

/** `error` of a list that was not asked for, because of the number of children that was told. */
export const NOT_LISTED = "not-listed";

const refused: Reply = { ok: false, error: NOT_LISTED, message: "" };
const none: Reply = { ok: true, values: [[]], signature: "a(so)" };

/** Whether so many children may be asked for at once. */
export function isListable(count: number | undefined): count is number {
  return Number.isInteger(count) && count! >= 0 && count! <= OBSERVE_LIMITS.childrenPerNode;
}

/**
 * Asks for the children of an element that has told how many it has.
 *
 * @param count As told, absurd numbers included; `undefined`: it did not tell.
 * @param done Gets the reply, one with the error `NOT_LISTED` when nothing was asked.
 */
export function askListed(
  bus: Bus,
  object: ObjectRef,
  count: number | undefined,
  done: (reply: Reply) => void,
): void {
  if (!isListable(count)) done(refused);
  else if (count === 0) done(none);
  else bus.send(method(object, "Accessible", "GetChildren"), done);
}

/**
 * Asks how many children there are, then for them.
 *
 * @param done Gets the reply with the children; that to the first question where it failed;
 * `NOT_LISTED` when there are too many.
 */
export function askChildren(bus: Bus, object: ObjectRef, done: (reply: Reply) => void): void {
  bus.send(property(object, "Accessible", "ChildCount"), (reply) => {
    if (!reply.ok) return done(reply);
    const [count] = reply.values;
    askListed(bus, object, typeof count === "number" ? count : undefined, done);
  });
}

/** The replies of `askChildren` for some elements, in their order. */
export function childReplies(
  bus: Bus,
  objects: readonly ObjectRef[],
  deadline: Deadline,
): Reply[] {
  const replies = objects.map((): Reply => ({ ok: false, error: NO_ANSWER, message: "" }));
  let left = objects.length;
  objects.forEach((object, i) =>
    askChildren(bus, object, (reply) => {
      replies[i] = reply;
      left--;
    })
  );
  bus.run(deadline, () => left === 0);
  return replies;
}

/** The children of one element; none when unreadable, or too many to list. */
export function listChildren(bus: Bus, object: ObjectRef, deadline: Deadline): ObjectRef[] {
  const [reply] = childReplies(bus, [object], deadline);
  return reply?.ok ? objectList(reply.values[0]) : [];
}
