/** The checks that look at the screen: whether the element is at rest, and what lies over it. */
import type { Deadline } from "../deadline.ts";
import { putOnScreen } from "../platform/screen_bounds.ts";
import type { HitTest, Platform, Point } from "../platform/platform.ts";
import { evidenceBounds, type Handle, type Rect } from "../tree/node.ts";
import { type Check, type CheckedElement, fail, pass, unknown } from "./checks.ts";

// Three samples, 17 ms apart (one frame at 60 Hz), within half a point
// (docs/acting.md, "Actionability").
const STABLE_SAMPLES = 3;
const STABLE_INTERVAL_MS = 17;
const STABLE_SPAN_MS = 34;
const STABLE_TOLERANCE = 0.5;

/** Samples the bounds until the element has proven to be at rest, or has moved. */
export async function checkStable(
  platform: Platform,
  handle: Handle,
  first: Rect | undefined,
  deadline: Deadline,
): Promise<Check> {
  if (first === undefined) return unknown("stable", "bounds unreadable");
  const start = performance.now();
  let samples = 1;
  let shift = 0;
  let latest = first;
  let span = 0;
  while (samples < STABLE_SAMPLES || span < STABLE_SPAN_MS) {
    if (deadline.expired) return unknown("stable", "no time left to sample");
    await deadline.sleep(STABLE_INTERVAL_MS);
    const node = await platform.inspect(handle, deadline);
    const bounds = node && evidenceBounds(node);
    if (bounds === undefined) return unknown("stable", "bounds unreadable");
    samples++;
    span = performance.now() - start;
    shift = Math.max(shift, maxShift(latest, bounds));
    latest = bounds;
    if (shift > STABLE_TOLERANCE) break;
  }
  const stability = { samples, span_ms: Math.round(span), max_shift: shift };
  if (shift > STABLE_TOLERANCE) return { ...fail("stable", "moved"), stability };
  return { ...pass("stable"), stability };
}

function maxShift(a: Rect, b: Rect): number {
  return Math.max(
    Math.abs(a.x - b.x),
    Math.abs(a.y - b.y),
    Math.abs(a.width - b.width),
    Math.abs(a.height - b.height),
  );
}

/** The point at fractions of a rectangle's width and height, in whole pixels. */
function pointIn(bounds: Rect, fx: number, fy: number): Point {
  return {
    x: Math.floor(bounds.x + bounds.width * fx),
    y: Math.floor(bounds.y + bounds.height * fy),
  };
}

/** The centre of a rectangle, in whole pixels. */
export function centreOf(bounds: Rect): Point {
  return pointIn(bounds, 0.5, 0.5);
}

/** Centre first, then the centres of the four quarters. */
function probePoints(bounds: Rect): Point[] {
  return [
    centreOf(bounds),
    pointIn(bounds, 0.25, 0.25),
    pointIn(bounds, 0.75, 0.25),
    pointIn(bounds, 0.25, 0.75),
    pointIn(bounds, 0.75, 0.75),
  ];
}

/** What the hit test found. */
export interface HitCheck {
  check: Check;
  /** Screen point at which the element was reached. */
  point?: Point;
  /** Nobody could say what lies there: no reason to hold the action back. */
  inconclusive: boolean;
}

/** Asks what a click would reach, at up to five points. */
export async function checkReceivesEvents(
  platform: Platform,
  element: CheckedElement,
  deadline: Deadline,
): Promise<HitCheck> {
  const { node, handle, window } = element;
  await putOnScreen(platform, node, deadline);
  if (node.bounds === undefined) {
    return { check: unknown("receives_events", "screen position unknown"), inconclusive: true };
  }
  const tally = { points: 0, target: 0, occluded: 0, unknown: 0 };
  let occluder: Extract<HitTest, { result: "occluded" }>["occluder"] | undefined;
  for (const point of probePoints(node.bounds)) {
    tally.points++;
    const hit = await platform.hitTest(handle, point, window, deadline);
    tally[hit.result]++;
    if (hit.result === "target") {
      const check = { ...pass("receives_events"), hit_test: tally };
      return { check, point, inconclusive: false };
    }
    if (hit.result === "occluded") occluder ??= hit.occluder;
  }
  if (occluder === undefined) {
    const check = unknown("receives_events", "hit test gave no answer");
    return { check: { ...check, hit_test: tally }, inconclusive: true };
  }
  const check = tally.unknown === 0
    ? fail("receives_events", `occluded by ${occluder.role}`)
    : unknown("receives_events", `partly occluded by ${occluder.role}`);
  return { check: { ...check, occluder, hit_test: tally }, inconclusive: false };
}
