/**
 * The seven checks before an action is delivered (interaction §3). They only read; the flow
 * decides whether to wait, refuse or go on.
 */
import type { Deadline } from "../deadline.ts";
import { AppError } from "../errors.ts";
import type { HitTest, Platform, Point, WindowInfo } from "../platform/platform.ts";
import { putOnScreen } from "../platform/place.ts";
import { evidenceBounds, type Handle, type Node, type Rect } from "../tree/node.ts";
import {
  type CheckName,
  isSinglePointerAction,
  isTextControl,
  offers,
  type RefAction,
  ruleOf,
  takesTextWithFocus,
} from "./action_rules.ts";
import { cursorRefusal } from "./refusals.ts";

/** One check as it goes into the report (contract §4). */
export interface Check {
  check: CheckName;
  status: "pass" | "fail" | "unknown";
  reason?: string;
  occluder?: { role: string; name?: string; bounds?: Rect };
  hit_test?: { points: number; target: number; occluded: number; unknown: number };
  stability?: { samples: number; span_ms: number; max_shift: number };
}

/** `details` of an error that an unmet check raises. */
export interface Report {
  actionable: boolean;
  checks: Check[];
  /** Screen point at which the hit test reached the target. */
  verified_point?: Point;
}

/** What the checks found, and on which evidence. */
export interface Evaluation {
  report: Report;
  /** Live element, as read for the checks. */
  node: Node;
  /** First check that blocks; absent when actionable. */
  blocker?: Check;
  /** Set when waiting cannot help: the error to raise at once. */
  refusal?: AppError;
}

/** What is being checked. */
export interface CheckedElement {
  handle: Handle;
  node: Node;
  window: WindowInfo | undefined;
}

// Interaction §3: three samples, 17 ms apart (one frame at 60 Hz), within half a point.
const STABLE_SAMPLES = 3;
const STABLE_INTERVAL_MS = 17;
const STABLE_SPAN_MS = 34;
const STABLE_TOLERANCE = 0.5;

function pass(check: CheckName): Check {
  return { check, status: "pass" };
}

function fail(check: CheckName, reason: string): Check {
  return { check, status: "fail", reason };
}

function unknown(check: CheckName, reason: string): Check {
  return { check, status: "unknown", reason };
}

/** Whether the element can be seen: not hidden, not off screen, an area above zero. */
export function checkVisible(node: Node): Check {
  if (node.unreadable?.includes("states")) return unknown("visible", "states unreadable");
  if (node.states.includes("hidden")) return fail("visible", "hidden");
  if (node.states.includes("offscreen")) return fail("visible", "offscreen");
  if (node.unreadable?.includes("bounds")) return unknown("visible", "bounds unreadable");
  const bounds = evidenceBounds(node);
  if (bounds === undefined) return fail("visible", "no bounds on screen");
  if (bounds.width <= 0 || bounds.height <= 0) return fail("visible", "zero size");
  return pass("visible");
}

/** Whether the element takes input. */
export function checkEnabled(node: Node): Check {
  if (node.unreadable?.includes("states")) return unknown("enabled", "states unreadable");
  return node.states.includes("disabled") ? fail("enabled", "disabled") : pass("enabled");
}

/** Whether text or a value can be put into the element. */
export function checkEditable(node: Node): Check {
  if (node.actions.includes("SetValue") || isTextControl(node)) return pass("editable");
  if (node.states.includes("readonly")) return fail("editable", "read only");
  return fail("editable", `role ${node.role} takes no text or value`);
}

/** Whether the element offers the action now, or a permitted pointer or keyboard can stand in. */
export function checkSupported(node: Node, action: RefAction, headed: boolean): Check {
  if (action === "double-click" || action === "triple-click") {
    return headed
      ? pass("supported_action")
      : fail("supported_action", `${action} needs the pointer`);
  }
  if (offers(node, action)) return pass("supported_action");
  if (node.unreadable?.includes("actions")) {
    return unknown("supported_action", "actions unreadable");
  }
  if (headed && (isSinglePointerAction(action) || isFocusable(node, action))) {
    return pass("supported_action");
  }
  return fail("supported_action", `${ruleOf(action).capability.join(" or ")} is not offered`);
}

/** Whether giving the element the keyboard focus may open the way for a text action. */
function isFocusable(node: Node, action: RefAction): boolean {
  return (action === "type" || action === "set-value" || action === "clear") &&
    takesTextWithFocus(node);
}

/** The terminal error behind an unsupported action: what `--headed` would cure, or nothing. */
function unsupported(node: Node, action: RefAction, report: Report, headed: boolean): AppError {
  const details = { ...report };
  if (!headed) {
    if (action === "double-click" || action === "triple-click") {
      return cursorRefusal(action, details);
    }
    if (isSinglePointerAction(action) && evidenceBounds(node) !== undefined) {
      const refusal = cursorRefusal(`${action} on this element`, details);
      return node.actions.includes("Toggle") ? withToggleHint(refusal, action) : refusal;
    }
    if (isFocusable(node, action)) {
      return new AppError(
        "POLICY_DENIED",
        `${action} works on this ${node.role} only while it has the keyboard focus, and headless ` +
          "mode does not move the focus",
        { suggestion: `Run ${action} again with --headed to permit the focus change.`, details },
      );
    }
  }
  const offered = node.actions.length === 0 ? "no action" : node.actions.join(", ");
  return new AppError(
    "ACTION_NOT_SUPPORTED",
    `The ${node.role} does not offer what ${action} needs; it offers ${offered}`,
    {
      suggestion:
        "Take a snapshot and choose an element whose available_actions include the action.",
      details,
    },
  );
}

function withToggleHint(refusal: AppError, action: RefAction): AppError {
  return new AppError(refusal.code, refusal.message, {
    suggestion:
      `Use toggle, check or uncheck, which the element offers, or ${action} with --headed.`,
    ...(refusal.details === undefined ? {} : { details: refusal.details }),
  });
}

/** Samples the bounds until the rule of stability is met or broken. */
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

/** Centre first, then the centres of the four quarters. */
export function probePoints(bounds: Rect): Point[] {
  const at = (fx: number, fy: number): Point => ({
    x: Math.floor(bounds.x + bounds.width * fx),
    y: Math.floor(bounds.y + bounds.height * fy),
  });
  return [at(0.5, 0.5), at(0.25, 0.25), at(0.75, 0.25), at(0.25, 0.75), at(0.75, 0.75)];
}

/** Asks what a click would reach, at up to five points. */
export async function checkReceivesEvents(
  platform: Platform,
  element: CheckedElement,
  deadline: Deadline,
): Promise<{ check: Check; point?: Point; inconclusive: boolean }> {
  const { node, handle, window } = element;
  await putOnScreen(platform, node, deadline);
  if (node.bounds === undefined) {
    return {
      check: unknown("receives_events", "screen position unknown"),
      inconclusive: true,
    };
  }
  const tally = { points: 0, target: 0, occluded: 0, unknown: 0 };
  let occluder: Extract<HitTest, { result: "occluded" }>["occluder"] | undefined;
  for (const point of probePoints(node.bounds)) {
    tally.points++;
    const hit = await platform.hitTest(handle, point, window, deadline);
    if (hit.result === "target") {
      tally.target++;
      return {
        check: { ...pass("receives_events"), hit_test: tally },
        point,
        inconclusive: false,
      };
    }
    if (hit.result === "occluded") {
      tally.occluded++;
      occluder ??= hit.occluder;
    } else {
      tally.unknown++;
    }
  }
  if (occluder !== undefined && tally.unknown === 0) {
    const check = fail("receives_events", `occluded by ${occluder.role}`);
    return { check: { ...check, occluder, hit_test: tally }, inconclusive: false };
  }
  if (occluder !== undefined) {
    const check = unknown("receives_events", `partly occluded by ${occluder.role}`);
    return { check: { ...check, occluder, hit_test: tally }, inconclusive: false };
  }
  return {
    check: { ...unknown("receives_events", "hit test gave no answer"), hit_test: tally },
    inconclusive: true,
  };
}

/**
 * Runs the checks of an action on a live element, cheap ones first, and stops reading at the
 * first that blocks.
 *
 * @throws AppError what the platform's reads raise
 */
export async function evaluate(
  platform: Platform,
  element: CheckedElement,
  action: RefAction,
  headed: boolean,
  deadline: Deadline,
): Promise<Evaluation> {
  const { node } = element;
  const wanted = ruleOf(action).checks;
  const checks: Check[] = [];
  const report: Report = { actionable: false, checks };

  if (wanted.has("visible")) checks.push(checkVisible(node));
  if (wanted.has("enabled")) checks.push(checkEnabled(node));
  const supported = checkSupported(node, action, headed);
  checks.push(supported);
  const policy = checkPolicy(element, action, headed);
  checks.push(policy);
  if (wanted.has("editable")) checks.push(checkEditable(node));

  const modal = wanted.has("visible") ? checkModal(element) : undefined;
  if (modal !== undefined) checks.push(modal);

  let blocker = checks.find((check) => check.status !== "pass");
  if (blocker !== undefined) {
    if (blocker === supported && supported.status === "fail") {
      return { report, node, blocker, refusal: unsupported(node, action, report, headed) };
    }
    if (blocker === policy) return { report, node, blocker, refusal: focusRefusal(report) };
    if (blocker.check === "editable") {
      const refusal = new AppError(
        "ACTION_NOT_SUPPORTED",
        `${action} needs an editable element; this ${node.role} is not (${blocker.reason})`,
        {
          suggestion: "Choose a text field, or an element whose available_actions have SetValue.",
          details: { ...report },
        },
      );
      return { report, node, blocker, refusal };
    }
    return { report, node, blocker };
  }

  // A semantic click does not travel through the screen: where the element is matters to no one.
  const exempt = !headed && isSinglePointerAction(action) && offers(node, action);
  // What is out of view may have no place at all (GTK 3): it cannot move either.
  const placeless = action === "scroll-to" && evidenceBounds(node) === undefined &&
    !node.unreadable?.includes("bounds");
  if (placeless) checks.unshift(pass("stable"));
  if (wanted.has("stable") && !exempt && !placeless) {
    const stable = await checkStable(platform, element.handle, evidenceBounds(node), deadline);
    checks.splice(checks.findIndex((check) => check.check === "visible") + 1, 0, stable);
    if (stable.status !== "pass") blocker = stable;
  }
  if (wanted.has("receives_events") && !exempt && blocker === undefined) {
    const hit = await checkReceivesEvents(platform, element, deadline);
    checks.push(hit.check);
    if (hit.point !== undefined) report.verified_point = hit.point;
    if (hit.check.status !== "pass" && !hit.inconclusive) blocker = hit.check;
  }
  if (blocker !== undefined) return { report, node, blocker };
  report.actionable = true;
  return { report, node };
}

/**
 * What a modal window keeps from all input is not reached by accessibility either: whoever uses
 * the application could not do it now.
 */
function checkModal({ window }: CheckedElement): Check | undefined {
  if (window?.behindModal === undefined) return undefined;
  const name = window.behindModal;
  return {
    ...fail("receives_events", "behind a modal dialog"),
    occluder: name === "" ? { role: "dialog" } : { role: "dialog", name },
  };
}

function checkPolicy(element: CheckedElement, action: RefAction, headed: boolean): Check {
  if (action === "focus" && !headed && element.window?.isFocused !== true) {
    return fail("policy", "the window is not focused");
  }
  return pass("policy");
}

function focusRefusal(report: Report): AppError {
  return new AppError(
    "POLICY_DENIED",
    "The element's window does not have the focus, and headless mode does not raise windows",
    {
      suggestion: "Run focus again with --headed to permit raising the window.",
      details: { ...report },
    },
  );
}
