/** Available actions (docs/observation.md, "Actions"), from AX action names and which attributes can be set. */
import type { Action } from "../../tree/actions.ts";
import { hasTrait, type Role } from "../../tree/roles.ts";
import { TEXT_ROLES } from "./roles.ts";

/** More action names on one element than any application offers. */
export const MAX_ACTION_NAMES = 256;

/** Actions that do what a click does, in the order they are tried. */
export const ACTIVATION = ["AXPress", "AXOpen", "AXConfirm"] as const;

const VALUE_ROLES: ReadonlySet<Role> = new Set<Role>([
  "textfield",
  "combobox",
  "slider",
  "incrementor",
  "checkbox",
  "radiobutton",
  "switch",
  "colorwell",
  "scrollbar",
  "handle",
]);
const FOCUSABLE_CONTAINERS: ReadonlySet<Role> = new Set<Role>([
  "table",
  "outline",
  "list",
  "browser",
  "webarea",
  "scrollarea",
  "group",
  "row",
]);
const EXPANDABLE_CONTAINERS: ReadonlySet<Role> = new Set<Role>([
  "group",
  "outline",
  "row",
  "browser",
  "table",
  "list",
  "cell",
]);
/** Whether an element whose value cannot be set is read-only rather than of another kind. */
export function canBeReadonly(axRole: string | undefined): boolean {
  return TEXT_ROLES.has(axRole ?? "");
}

/** Attributes whose settability decides something for an element of this role. */
export function settableProbes(
  role: Role,
  names: readonly string[],
  has: { expanded: boolean; selected: boolean; focused: boolean },
): string[] {
  const probes: string[] = [];
  const steps = names.includes("AXIncrement") || names.includes("AXDecrement");
  if (VALUE_ROLES.has(role) && !steps) probes.push("AXValue");
  if (hasTrait(role, "selectable") && has.selected && !activates(names)) probes.push("AXSelected");
  // Asking costs a request, and an element that has no such attribute cannot have it set.
  if (has.focused && (hasTrait(role, "interactive") || FOCUSABLE_CONTAINERS.has(role))) {
    probes.push("AXFocused");
  }
  if (hasTrait(role, "editable")) probes.push("AXSelectedText");
  if (has.expanded && (hasTrait(role, "expandable") || EXPANDABLE_CONTAINERS.has(role))) {
    probes.push("AXExpanded");
  }
  return probes;
}

function activates(names: readonly string[]): boolean {
  return ACTIVATION.some((name) => names.includes(name));
}

/** The capabilities, in derivation order. */
export function actionsOf(
  role: Role,
  names: readonly string[],
  settable: ReadonlySet<string>,
  hasScrollBar: boolean,
): Action[] {
  const actions: Action[] = [];
  const active = activates(names);
  const toggle = hasTrait(role, "toggleable");
  if (active || (hasTrait(role, "selectable") && settable.has("AXSelected"))) actions.push("Click");
  if (toggle && active) actions.push("Toggle");
  if (names.includes("AXShowMenu") && role !== "combobox" && role !== "menubutton") {
    actions.push("RightClick");
  }
  if (names.includes("AXScrollToVisible")) actions.push("ScrollTo");
  if (hasScrollBar || names.some((name) => /^AXScroll(Up|Down|Left|Right)ByPage$/.test(name))) {
    actions.push("Scroll");
  }
  if (
    names.includes("AXIncrement") || names.includes("AXDecrement") ||
    (VALUE_ROLES.has(role) && settable.has("AXValue"))
  ) {
    actions.push("SetValue");
  }
  if (
    (role === "combobox" && settable.has("AXValue")) || role === "list" || role === "table" ||
    role === "outline"
  ) {
    actions.push("Select");
  }
  if (settable.has("AXFocused")) actions.push("SetFocus");
  if (settable.has("AXSelectedText")) actions.push("TypeText");
  if (
    settable.has("AXExpanded") || (hasTrait(role, "expandable") && names.includes("AXPress"))
  ) {
    actions.push("Expand", "Collapse");
  }
  return actions;
}
