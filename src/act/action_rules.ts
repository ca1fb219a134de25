/**
 * What each ref action needs and what it may do: the capability it asks the element for, the
 * checks before delivery (interaction §3), and how a refusal is worded.
 */
import type { Action } from "../tree/actions.ts";
import type { Node } from "../tree/node.ts";
import { hasTrait } from "../tree/roles.ts";

/** Commands that act on a ref through the common flow. */
export const REF_ACTIONS = [
  "click",
  "double-click",
  "triple-click",
  "right-click",
  "type",
  "set-value",
  "clear",
  "focus",
  "select",
  "toggle",
  "check",
  "uncheck",
  "expand",
  "collapse",
  "scroll",
  "scroll-to",
] as const;
export type RefAction = typeof REF_ACTIONS[number];

/** The seven checks, in the order in which the first failure decides. */
export const CHECKS = [
  "visible",
  "stable",
  "enabled",
  "supported_action",
  "policy",
  "editable",
  "receives_events",
] as const;
export type CheckName = typeof CHECKS[number];

/** Requirements of one action. */
export interface ActionRule {
  /** Any one of these offered live is enough. */
  readonly capability: readonly Action[];
  /** Checks beyond `supported_action` and `policy`, which every action has. */
  readonly checks: ReadonlySet<CheckName>;
  /** Clicks a headed pointer makes; 0 for actions that never click. */
  readonly clicks: 0 | 1 | 2 | 3;
  /** Whether open overlays are listed afterwards (interaction §6). */
  readonly reportsSurfaces: boolean;
}

function rule(
  capability: readonly Action[],
  checks: readonly CheckName[],
  clicks: ActionRule["clicks"] = 0,
  reportsSurfaces = clicks > 0,
): ActionRule {
  return { capability, checks: new Set(checks), clicks, reportsSurfaces };
}

const POINTED: readonly CheckName[] = ["visible", "stable", "enabled", "receives_events"];
const EDITED: readonly CheckName[] = ["visible", "enabled", "editable"];
const SETTLED: readonly CheckName[] = ["visible", "stable", "enabled"];

const RULES: Readonly<Record<RefAction, ActionRule>> = {
  "click": rule(["Click"], POINTED, 1),
  "double-click": rule(["Click"], POINTED, 2),
  "triple-click": rule(["Click"], POINTED, 3),
  "right-click": rule(["RightClick"], POINTED, 1),
  "type": rule(["TypeText"], EDITED),
  "set-value": rule(["SetValue"], EDITED),
  "clear": rule(["SetValue"], EDITED),
  "focus": rule(["SetFocus"], []),
  "select": rule(["Select", "Click"], ["visible", "enabled"], 0, true),
  "toggle": rule(["Toggle", "Click"], SETTLED),
  "check": rule(["Toggle", "Click"], SETTLED),
  "uncheck": rule(["Toggle", "Click"], SETTLED),
  "expand": rule(["Expand"], SETTLED, 0, true),
  "collapse": rule(["Collapse"], SETTLED),
  "scroll": rule(["Scroll"], SETTLED),
  "scroll-to": rule(["ScrollTo"], ["stable"]),
};

/** The requirements of an action. */
export function ruleOf(action: RefAction): ActionRule {
  return RULES[action];
}

/** Whether the element offers what the action needs. */
export function offers(node: Node, action: RefAction): boolean {
  if (RULES[action].capability.some((wanted) => node.actions.includes(wanted))) return true;
  if (action === "click") {
    // Their container selects them where they have no action of their own.
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

/** The two actions a pointer can stand in for. */
export function isSinglePointerAction(action: RefAction): boolean {
  return action === "click" || action === "right-click";
}
