/** The selection of a text element, counted in characters. */
import { answered } from "../../../ffi/macos/accessibility.ts";
import { Arena, type Ref } from "../../../ffi/macos/core_foundation.ts";
import type { Deadline } from "../../deadline.ts";
import type { TextRange } from "../platform.ts";
import type { Elements } from "./accessible.ts";
import { probeRole } from "./basics.ts";
import { readValue } from "./evidence.ts";

/**
 * Selection or caret; `undefined` when the element does not tell, and for secure fields. The system
 * counts UTF-16 units, so the text before the selection is needed to count characters.
 */
export function readTextRange(
  elements: Elements,
  element: Ref,
  deadline: Deadline,
): TextRange | undefined {
  const probe = probeRole(elements, element, deadline);
  if ("error" in probe || probe.secrecy.value !== "open") return undefined;
  using arena = new Arena();
  const answer = elements.attribute(element, "AXSelectedTextRange", deadline, arena);
  if (!answered(answer) || answer.value.kind !== "range") return undefined;
  const { location, length } = answer.value;
  if (location < 0 || length < 0) return undefined;
  const { text } = readValue(elements, element, deadline, location + length);
  if (text === undefined) return undefined;
  const characters = (units: number) => [...text.slice(0, units)].length;
  return { start: characters(location), end: characters(location + length) };
}
