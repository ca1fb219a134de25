/** The checks that one reading of the element answers. */
import { evidenceBounds, type Node, type Rect } from "../tree/node.ts";
import type { LiveElement } from "./action_context.ts";
import {
  type CheckName,
  isSinglePointerAction,
  isTextControl,
  needsPointer,
  offers,
  type RefAction,
  ruleOf,
  takesTextWithFocus,
} from "./action_rules.ts";

/** One check as it goes into the report. */
export interface Check {
  check: CheckName;
  status: "pass" | "fail" | "unknown";
  reason?: string;
  occluder?: { role: string; name?: string; bounds?: Rect };
  hit_test?: { points: number; target: number; occluded: number; unknown: number };
  stability?: { samples: number; span_ms: number; max_shift: number };
}

/** What is being checked: a live element with a whole reading of it. */
export interface CheckedElement extends LiveElement {
  node: Node;
}

/** The check is met. */
export function pass(check: CheckName): Check {
  return { check, status: "pass" };
}

/** The check is not met. */
export function fail(check: CheckName, reason: string): Check {
  return { check, status: "fail", reason };
}

/** Nobody could tell. */
export function unknown(check: CheckName, reason: string): Check {
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
function checkEnabled(node: Node): Check {
  if (node.unreadable?.includes("states")) return unknown("enabled", "states unreadable");
  return node.states.includes("disabled") ? fail("enabled", "disabled") : pass("enabled");
}

/** Whether text or a value can be put into the element. */
function checkEditable(node: Node): Check {
  if (node.actions.includes("SetValue") || isTextControl(node)) return pass("editable");
  if (node.states.includes("readonly")) return fail("editable", "read only");
  return fail("editable", `role ${node.role} takes no text or value`);
}

/** Whether the element offers the action now, or a permitted pointer or keyboard can stand in. */
function checkSupported(node: Node, action: RefAction, headed: boolean): Check {
  if (needsPointer(action)) {
    return headed
      ? pass("supported_action")
      : fail("supported_action", `${action} needs the pointer`);
  }
  if (offers(node, action)) return pass("supported_action");
  if (node.unreadable?.includes("actions")) {
    return unknown("supported_action", "actions unreadable");
  }
  if (headed && (isSinglePointerAction(action) || opensWithFocus(node, action))) {
    return pass("supported_action");
  }
  return fail("supported_action", `${ruleOf(action).capability.join(" or ")} is not offered`);
}

/** Whether giving the element the keyboard focus may open the way for a text action. */
export function opensWithFocus(node: Node, action: RefAction): boolean {
  return (action === "type" || action === "set-value" || action === "clear") &&
    takesTextWithFocus(node);
}

/** Whether the mode permits the action: headless mode raises no window to focus something in it. */
function checkPolicy(element: CheckedElement, action: RefAction, headed: boolean): Check {
  if (action === "focus" && !headed && element.window?.isFocused !== true) {
    return fail("policy", "the window is not focused");
  }
  return pass("policy");
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

/** All checks of an action that the reading answers, in the order of the report. */
export function checkReading(
  element: CheckedElement,
  action: RefAction,
  headed: boolean,
): Check[] {
  const { node } = element;
  const wanted = ruleOf(action).checks;
  const checks: Check[] = [];
  if (wanted.has("visible")) checks.push(checkVisible(node));
  if (wanted.has("enabled")) checks.push(checkEnabled(node));
  checks.push(checkSupported(node, action, headed), checkPolicy(element, action, headed));
  if (wanted.has("editable")) checks.push(checkEditable(node));
  const modal = wanted.has("visible") ? checkModal(element) : undefined;
  if (modal !== undefined) checks.push(modal);
  return checks;
}
