/** What lies under a point, and whether that is the element somebody wants to click. */
import { answered } from "../../../ffi/macos/accessibility.ts";
import { Arena, type Ref } from "../../../ffi/macos/core_foundation.ts";
import type { Deadline } from "../../deadline.ts";
import { isBlank } from "../../tree/node.ts";
import type { HitTest, Point } from "../platform.ts";
import type { Elements } from "./accessible.ts";
import { ancestorsOf, isBelow } from "./ancestors.ts";
import { readBasics } from "./basics.ts";

/** Containers of the target that are asked whether they cut it off. */
const CLIP_ANCESTORS = 50;
/** Containers that show nothing outside their bounds (AX roles). */
const CLIPS: ReadonlySet<string> = new Set([
  "AXWindow",
  "AXScrollArea",
  "AXWebArea",
  "AXSheet",
  "AXPopover",
]);

/**
 * Asks the system what is at the point. It is the target when it is the element or inside it. A hit
 * that only contains the target says nothing, because many applications hit-test coarsely, unless
 * a container cuts the target off at that point.
 */
export function hitTest(
  elements: Elements,
  target: Ref,
  point: Point,
  deadline: Deadline,
): HitTest {
  using arena = new Arena();
  const answer = elements.atPosition(undefined, point.x, point.y, deadline, arena);
  if (!answered(answer)) return { result: "unknown" };
  const hit = answer.value;
  const inside = isBelow(elements, hit, target, deadline);
  if (inside === undefined) return { result: "unknown" };
  if (inside) return { result: "target" };
  const pid = elements.ax.pidOf(target);
  if (elements.ax.pidOf(hit) === pid) {
    if (isBelow(elements, target, hit, deadline) === false) {
      return occludedBy(elements, hit, deadline, arena);
    }
    const clip = clippedBy(elements, target, point, deadline, arena);
    return clip ? occludedBy(elements, clip, deadline, arena) : { result: "unknown" };
  }
  // Something of another process lies on top. Where the application itself has yet another element
  // there, that one is in the way even when the other process goes.
  const app = arena.own(elements.ax.application(pid));
  const own = elements.atPosition(app, point.x, point.y, deadline, arena);
  const isOther = answered(own) && isBelow(elements, own.value, target, deadline) === false &&
    isBelow(elements, target, own.value, deadline) === false;
  return occludedBy(elements, isOther ? own.value : hit, deadline, arena);
}

/** The innermost container outside whose bounds the point lies. */
function clippedBy(
  elements: Elements,
  target: Ref,
  { x, y }: Point,
  deadline: Deadline,
  arena: Arena,
): Ref | undefined {
  for (const around of ancestorsOf(elements, target, CLIP_ANCESTORS, deadline, arena)) {
    const basics = readBasics(elements, around, { children: false }, deadline, arena);
    if (typeof basics === "string" || !CLIPS.has(basics.axRole ?? "") || !basics.bounds) continue;
    const { bounds } = basics;
    const covers = x >= bounds.x && x < bounds.x + bounds.width && y >= bounds.y &&
      y < bounds.y + bounds.height;
    if (!covers) return around;
  }
  return undefined;
}

function occludedBy(elements: Elements, hit: Ref, deadline: Deadline, arena: Arena): HitTest {
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
