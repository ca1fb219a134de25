/**
 * What each ref action needs and what it may do: the capability it asks the element for, the
 * checks before the delivery, and what is read after it.
 */
import type { Action } from "../tree/actions.ts";
import type { Node } from "../tree/node.ts";
import { hasTrait } from "../tree/roles.ts";

/** The seven checks: what a report calls them. */
export type CheckName =
  | "visible"
  | "stable"
  | "enabled"
  | "supported_action"
  | "policy"
  | "editable"
  | "receives_events";

/** Requirements of one action. */
export interface ActionRule {
  /** Any one of these offered live is enough. */
  readonly capability: readonly Action[];
  /** Checks beyond `supported_action` and `policy`, which every action has. */
  readonly checks: ReadonlySet<CheckName>;
  /** Clicks a headed pointer makes; 0 for actions that never click. */
  readonly clicks: 0 | 1 | 2 | 3;
  /** Whether the element is read afterwards and compared with what was asked for. */
  readonly verified: boolean;
  /** Whether open overlays are listed afterwards. */
  readonly reportsSurfaces: boolean;
}

function rule(
  capability: readonly Action[],
  checks: readonly CheckName[],
  rest: Partial<Pick<ActionRule, "clicks" | "verified" | "reportsSurfaces">> = {},
): ActionRule {
  const { clicks = 0, verified = false, reportsSurfaces = clicks > 0 } = rest;
  return { capability, checks: new Set(checks), clicks, verified, reportsSurfaces };
}

const POINTED: readonly CheckName[] = ["visible", "stable", "enabled", "receives_events"];
const EDITED: readonly CheckName[] = ["visible", "enabled", "editable"];
const SETTLED: readonly CheckName[] = ["visible", "stable", "enabled"];
const VERIFIED = { verified: true };

/** The requirements of every action; its keys are the actions there are. */
export const RULES = {
  "click": rule(["Click"], POINTED, { clicks: 1 }),
  "double-click": rule(["Click"], POINTED, { clicks: 2 }),
  "triple-click": rule(["Click"], POINTED, { clicks: 3 }),
  "right-click": rule(["RightClick"], POINTED, { clicks: 1 }),
  "type": rule(["TypeText"], EDITED, VERIFIED),
  "set-value": rule(["SetValue"], EDITED, VERIFIED),
  "clear": rule(["SetValue"], EDITED, VERIFIED),
  "focus": rule(["SetFocus"], []),
  "select": rule(["Select", "Click"], ["visible", "enabled"], { reportsSurfaces: true }),
  "toggle": rule(["Toggle", "Click"], SETTLED, VERIFIED),
  "check": rule(["Toggle", "Click"], SETTLED, VERIFIED),
  "uncheck": rule(["Toggle", "Click"], SETTLED, VERIFIED),
  "expand": rule(["Expand"], SETTLED, { verified: true, reportsSurfaces: true }),
  "collapse": rule(["Collapse"], SETTLED, VERIFIED),
  "scroll": rule(["Scroll"], SETTLED),
  "scroll-to": rule(["ScrollTo"], ["stable"]),
} satisfies Readonly<Record<string, ActionRule>>;

/** A command that acts on a ref through the common flow. */
export type RefAction = keyof typeof RULES;

/** The requirements of an action. */
export function ruleOf(action: RefAction): ActionRule {
  return RULES[action];
}

/** Whether the element offers what the action needs. */
export function offers(node: Node, action: RefAction): boolean {
  if (ruleOf(action).capability.some((wanted) => node.actions.includes(wanted))) return true;
  if (action === "click") {
    // An item without a click of its own is selected by its container.
    return hasTrait(node.role, "selectable") && node.actions.includes("Select");
  }
  // Toolkits do not tell whether they can bring an element into view; asking does no harm.
  if (action === "scroll-to") return true;
  // Choosing one of its options is what such a control is for, whether it says so or not.
  return action === "select" && hasTrait(node.role, "hasOptions");
}

/** Whether the element is a text field or the like. */
export function isTextControl(node: Node): boolean {
  return hasTrait(node.role, "editable") && !node.states.includes("readonly");
}

/** Whether the element may take text once it has the focus (GTK 4 tells only then). */
export function takesTextWithFocus(node: Node): boolean {
  return isTextControl(node) && node.actions.includes("SetFocus");
}

/** Whether only a pointer makes the action: no element offers several clicks as one. */
export function needsPointer(action: RefAction): boolean {
  return ruleOf(action).clicks > 1;
}

/** The two actions a pointer can stand in for. */
export function isSinglePointerAction(action: RefAction): boolean {
  return action === "click" || action === "right-click";
}
