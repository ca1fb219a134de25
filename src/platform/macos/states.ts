/** States (docs/observation.md, "States"), from what one batch of attributes said. */
import type { Rect } from "../../tree/node.ts";
import { hasTrait, type Role } from "../../tree/roles.ts";
import type { State } from "../../tree/states.ts";

/** What states depend on; `undefined` means the element does not say. */
export interface StateEvidence {
  role: Role;
  secure: boolean;
  focused: boolean;
  enabled: boolean | undefined;
  expanded: boolean | undefined;
  disclosing: boolean | undefined;
  selected: boolean | undefined;
  hidden: boolean | undefined;
  busy: boolean | undefined;
  modal: boolean | undefined;
  required: boolean | undefined;
  /** Text of the value; only read for roles that have a state in it. */
  value: string | undefined;
  readonly: boolean;
  bounds: Rect | undefined;
  /** Bounds of the window the element is in. */
  windowBounds: Rect | undefined;
}

const ON: ReadonlySet<string> = new Set(["1", "true"]);
const MIXED: ReadonlySet<string> = new Set(["2", "mixed"]);

/** Whether the state of an element of this role lies in its value. */
export function hasValueState(role: Role): boolean {
  return hasTrait(role, "toggleable") || role === "button";
}

// A menu belongs to a window and opens where there is room.
const FLOATING: ReadonlySet<Role> = new Set<Role>(["menu", "menuitem", "tooltip", "popover"]);

/** The states, in printing order. */
export function statesOf(e: StateEvidence): State[] {
  const toggle = hasTrait(e.role, "toggleable");
  const states: State[] = [];
  const add = (state: State, on: boolean | undefined) => {
    if (on) states.push(state);
  };
  add("focused", e.focused);
  add("disabled", e.enabled === false);
  add("secure", e.secure);
  add("expanded", e.expanded ?? e.disclosing);
  add("checked", toggle && e.value !== undefined && ON.has(e.value));
  add("selected", e.selected);
  add("hidden", e.hidden);
  add("busy", e.busy);
  add("modal", e.modal);
  add("required", e.required);
  add("indeterminate", toggle && e.value !== undefined && MIXED.has(e.value));
  add("pressed", e.role === "button" && e.value !== undefined && ON.has(e.value));
  add("readonly", e.readonly);
  add(
    "offscreen",
    e.bounds !== undefined && e.windowBounds !== undefined && !FLOATING.has(e.role) &&
      disjoint(e.bounds, e.windowBounds),
  );
  return states;
}

/** Whether two rectangles share no point. */
export function disjoint(a: Rect, b: Rect): boolean {
  return a.x >= b.x + b.width || b.x >= a.x + a.width || a.y >= b.y + b.height ||
    b.y >= a.y + a.height;
}
