/** Caret and selection of a text element. */
import type { Deadline } from "../../deadline.ts";
import type { TextRange } from "../platform.ts";
import { method } from "./accessible.ts";
import { ROLE } from "./atspi.ts";
import { type Element, numberOf, roleNumberOf } from "./element.ts";

/** Whether the text must not be read: it is a password's, or may be one. */
function isSecret(element: Element, deadline: Deadline): boolean {
  const role = roleNumberOf(element, deadline);
  return role === undefined || role === ROLE.passwordText;
}

/** The selection, or the caret as an empty one, in the toolkit's own offsets. */
export function nativeRange(element: Element, deadline: Deadline): TextRange | undefined {
  const { bus, object } = element;
  const selections = bus.call(method(object, "Text", "GetNSelections"), deadline);
  if (selections.ok && typeof selections.values[0] === "number" && selections.values[0] > 0) {
    const reply = bus.call(method(object, "Text", "GetSelection", "i", 0), deadline);
    const [start, end] = reply.ok ? reply.values : [];
    if (typeof start === "number" && typeof end === "number" && start >= 0 && start !== end) {
      return { start: Math.min(start, end), end: Math.max(start, end) };
    }
  }
  const caret = numberOf(element, "Text", "CaretOffset", deadline);
  if (caret !== undefined && caret >= 0) return { start: caret, end: caret };
  // No caret before the element had the focus: text goes to the end. How long a password is must
  // not even be asked.
  if (isSecret(element, deadline)) return undefined;
  const count = numberOf(element, "Text", "CharacterCount", deadline);
  return count === undefined || count < 0 ? undefined : { start: count, end: count };
}

/** The selection in Unicode characters; `undefined` when the element has no text to ask. */
export function textRange(element: Element, deadline: Deadline): TextRange | undefined {
  const range = nativeRange(element, deadline);
  if (range === undefined || !element.toolkit.utf16Offsets) return range;
  if (isSecret(element, deadline)) return undefined;
  const { bus, object } = element;
  const before = bus.call(method(object, "Text", "GetText", "ii", 0, range.end), deadline);
  const text = before.ok ? before.values[0] : undefined;
  if (typeof text !== "string") return undefined;
  return { start: [...text.slice(0, range.start)].length, end: [...text].length };
}
