/** What a stateful action promises, and whether a reading of the element keeps it. */
import type { SemanticRequest } from "../platform/platform.ts";
import type { Node } from "../tree/node.ts";
import { hasTrait } from "../tree/roles.ts";

/** A condition that must hold after the action. */
export type Expectation =
  | { kind: "toggled"; wanted: boolean }
  | { kind: "expanded"; wanted: boolean }
  | { kind: "value"; wanted: string };

// Value controls compare as numbers: "7" and "7.0" are the same position.
const NUMERIC_TOLERANCE = 1e-6;

/** Whether the element is on; `undefined` when its kind does not say. */
export function toggledState(node: Node): boolean | undefined {
  if (node.unreadable?.includes("states")) return undefined;
  if (node.states.includes("checked") || node.states.includes("pressed")) return true;
  if (hasTrait(node.role, "toggleable") || node.actions.includes("Toggle")) return false;
  return undefined;
}

/** Whether the element is expanded; `undefined` when unreadable. */
export function expandedState(node: Node): boolean | undefined {
  if (node.unreadable?.includes("states")) return undefined;
  return node.states.includes("expanded");
}

/**
 * What a request promises about an element that read `before`; `undefined` when nothing.
 *
 * @param typed for `type`: the text the element must hold afterwards, where that is known
 */
export function expectationOf(
  request: SemanticRequest,
  before: Node,
  typed: string | undefined,
): Expectation | undefined {
  switch (request.kind) {
    case "set-value":
      return { kind: "value", wanted: request.value };
    case "clear":
      return { kind: "value", wanted: "" };
    case "type":
      return typed === undefined ? undefined : { kind: "value", wanted: typed };
    case "check":
      return { kind: "toggled", wanted: true };
    case "uncheck":
      return { kind: "toggled", wanted: false };
    case "toggle": {
      const on = toggledState(before);
      return on === undefined ? undefined : { kind: "toggled", wanted: !on };
    }
    case "expand":
      return { kind: "expanded", wanted: true };
    case "collapse":
      return { kind: "expanded", wanted: false };
    case "click":
    case "right-click":
    case "focus":
    case "select":
    case "scroll":
    case "scroll-to":
      return undefined;
  }
}

/** Whether the request is met already, so that nothing needs to be sent. */
export function alreadySatisfied(request: SemanticRequest, node: Node): boolean {
  switch (request.kind) {
    case "check":
      return toggledState(node) === true && !node.states.includes("indeterminate");
    case "uncheck":
      return toggledState(node) === false && !node.states.includes("indeterminate");
    case "expand":
      return expandedState(node) === true;
    case "collapse":
      return expandedState(node) === false;
    default:
      return false;
  }
}

/** Whether a text that was read is the wanted one: for anything but a text field, as a number. */
export function isSameValue(node: Node, text: string, wanted: string): boolean {
  if (text === wanted) return true;
  if (node.role === "textfield" || !isNumber(text) || !isNumber(wanted)) return false;
  return Math.abs(Number(text) - Number(wanted)) <= NUMERIC_TOLERANCE;
}

function isNumber(text: string): boolean {
  return text.trim() !== "" && Number.isFinite(Number(text));
}
