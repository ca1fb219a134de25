/** The whole text of one element. */
import type { Deadline } from "../../deadline.ts";
import { cutUtf8 } from "../../tree/utf8.ts";
import { method, type ObjectRef, property } from "./accessible.ts";
import { ROLE } from "./atspi.ts";
import type { Bus } from "./bus.ts";
import { askEmbedded, hasEmbedded, webValue } from "./embedded_text.ts";
import { Join } from "./join.ts";

/** The HTML tag of an element; `undefined` when it does not tell. */
function tagOf(bus: Bus, object: ObjectRef, deadline: Deadline): string | undefined {
  const reply = bus.call(method(object, "Accessible", "GetAttributes"), deadline);
  if (!reply.ok || !Array.isArray(reply.values[0])) return undefined;
  return Object.fromEntries(reply.values[0] as [string, string][])["tag"];
}

/**
 * The element's text, at most `maxBytes` of UTF-8. `undefined` when it has none, cannot be read,
 * or is a password field, whose text is never asked for.
 *
 * @param isWeb Whether its toolkit shows web pages.
 */
export function readWholeText(
  bus: Bus,
  object: ObjectRef,
  maxBytes: number,
  isWeb: boolean,
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
  let whole = reply.values[0];
  if (hasEmbedded(whole)) {
    const join = new Join(bus, () => {});
    askEmbedded(join, object, whole, (text) => whole = text);
    join.close();
    bus.run(deadline);
  }
  if (isWeb && whole.endsWith("\n")) whole = webValue(whole, tagOf(bus, object, deadline));
  const text = cutUtf8(whole, maxBytes);
  return { text, truncated: end < characters || text !== whole };
}
