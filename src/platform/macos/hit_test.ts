/** What lies under a point, and whether that is the element somebody wants to click. */
import { answered } from "../../../ffi/macos/accessibility.ts";
import { Arena, type Ref } from "../../../ffi/macos/core_foundation.ts";
import type { Deadline } from "../../deadline.ts";
import { isBlank } from "../../tree/node.ts";
import type { HitTest, Point } from "../platform.ts";
import type { Elements } from "./accessible.ts";
import { readBasics } from "./basics.ts";
import { isBelow } from "./locate.ts";

/**
 * Asks the system what is at the point. It is the target when it is the element or inside it; a
 * hit that only contains the target says nothing, because many applications hit-test coarsely.
 */
export function hitTest(
  elements: Elements,
  target: Ref,
  point: Point,
  deadline: Deadline,
): HitTest {
  using arena = new Arena();
  const system = arena.own(elements.ax.systemWide());
  const answer = elements.atPosition(system, point.x, point.y, deadline, arena);
  if (!answered(answer)) return { result: "unknown" };
  const hit = answer.value;
  const inside = isBelow(elements, hit, target, deadline);
  if (inside === undefined) return { result: "unknown" };
  if (inside) return { result: "target" };
  const sameProcess = elements.ax.pidOf(hit) === elements.ax.pidOf(target);
  if (sameProcess && isBelow(elements, target, hit, deadline) !== false) {
    return { result: "unknown" };
  }
  const basics = readBasics(elements, hit, { children: false }, deadline, arena);
  if (typeof basics === "string") return { result: "unknown" };
  const name = [basics.title, basics.description].find((text) => !isBlank(text));
  return {
    result: "occluded",
    occluder: {
      role: basics.role,
      ...(name === undefined ? {} : { name }),
      ...(basics.bounds ? { bounds: basics.bounds } : {}),
    },
  };
}
