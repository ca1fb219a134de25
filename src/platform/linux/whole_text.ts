/** The whole text of one element. */
import type { Deadline } from "../../deadline.ts";
import { cutUtf8 } from "../../tree/utf8.ts";
import { method, type ObjectRef, property } from "./accessible.ts";
import { ROLE } from "./atspi.ts";
import type { Bus } from "./bus.ts";

/**
 * The element's text, at most `maxBytes` of UTF-8. `undefined` when it has none, cannot be read,
 * or is a password field, whose text is never asked for.
 */
export function readWholeText(
  bus: Bus,
  object: ObjectRef,
  maxBytes: number,
  deadline: Deadline,
): { text: string; truncated: boolean } | undefined {
  const role = bus.call(method(object, "Accessible", "GetRole"), deadline);
  if (!role.ok || role.values[0] === ROLE.passwordText) return undefined;
  const count = bus.call(property(object, "Text", "CharacterCount"), deadline);
  const characters = count.ok ? count.values[0] : undefined;
  if (typeof characters !== "number" || characters < 0) return undefined;
  // A character is at least one byte, so no more than this can be kept.
  const end = Math.min(characters, maxBytes);
  const reply = bus.call(method(object, "Text", "GetText", "ii", 0, end), deadline);
  if (!reply.ok || typeof reply.values[0] !== "string") return undefined;
  const text = cutUtf8(reply.values[0], maxBytes);
  return { text, truncated: end < characters || text !== reply.values[0] };
}
