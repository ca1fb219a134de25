/** From an element upwards. */
import { answered } from "../../../ffi/macos/accessibility.ts";
import { Arena, type Ref } from "../../../ffi/macos/core_foundation.ts";
import type { Deadline } from "../../deadline.ts";
import { AX, type Elements, isAbsent } from "./accessible.ts";

/** Deeper than any real tree; also ends the climb in a cycle. */
const MAX_CLIMB = 256;

/**
 * The containers of an element, from the inside out, `limit` at most; ends where one cannot be read.
 * They belong to `arena`.
 */
export function* ancestorsOf(
  elements: Elements,
  element: Ref,
  limit: number,
  deadline: Deadline,
  arena: Arena,
): Generator<Ref> {
  let at = elements.element(element, "AXParent", deadline, arena);
  for (let up = 0; at && up < limit; up++) {
    yield at;
    at = elements.element(at, "AXParent", deadline, arena);
  }
}

/** Whether `element` is `root` or has it as an ancestor; `undefined` when that cannot be read. */
export function isBelow(
  elements: Elements,
  element: Ref,
  root: Ref,
  deadline: Deadline,
): boolean | undefined {
  using arena = new Arena();
  let at = element;
  for (let i = 0; i < MAX_CLIMB; i++) {
    if (elements.equal(at, root)) return true;
    const answer = elements.attribute(at, "AXParent", deadline, arena);
    if (!answered(answer)) {
      return isAbsent(answer.error) || answer.error === AX.invalidElement ? false : undefined;
    }
    if (answer.value.kind !== "element") return false;
    at = answer.value.element;
  }
  return undefined;
}
