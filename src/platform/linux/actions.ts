/**
 * What an accessible can do, from its action names, interfaces, states and role
 * (docs/linux.md, "Actions").
 */
import type { Action } from "../../tree/actions.ts";
import { hasTrait, type Role } from "../../tree/roles.ts";
import { hasState, ROLE, STATE } from "./atspi.ts";
import { SETTABLE_VALUE_ROLES } from "./roles.ts";

/** More actions on one element than any toolkit offers; what claims to have more is not asked on. */
export const MAX_ACTIONS = 64;

/** Action names, normalised, by what they do. */
export const ACTION_NAMES = {
  click: ["click", "press", "activate", "jump", "open", "invoke"],
  toggle: ["toggle", "check", "uncheck"],
  rightClick: ["showmenu", "showcontextmenu", "popup", "menu"],
  scrollTo: ["scrollto", "scrollintoview"],
  select: ["select"],
  // GTK 4 names the actions of a row in a tree by their group as well ("listitem.expand").
  expand: ["expand", "listitemexpand"],
  collapse: ["collapse", "listitemcollapse"],
  expandOrContract: ["expandorcontract"],
  open: ["open"],
  close: ["close"],
} as const satisfies Record<string, readonly string[]>;

const BEYOND_ASCII = /[\u0080-\uffff]/;
// Thousands of elements share a few names.
const normalisedNames = new Map<string, string>();
const MAX_REMEMBERED = 1_024;

/** An action name as it is compared: lower case, letters and digits only. */
function normaliseActionName(name: string): string {
  let normalised = normalisedNames.get(name);
  if (normalised === undefined) {
    const lower = name.toLowerCase();
    // Compiling the class of all letters costs more than the rest of a command's names together.
    normalised = BEYOND_ASCII.test(lower)
      ? lower.replace(/[^\p{L}\p{N}]/gu, "")
      : lower.replace(/[^a-z0-9]/g, "");
    if (normalisedNames.size < MAX_REMEMBERED) normalisedNames.set(name, normalised);
  }
  return normalised;
}

/** Index of the first action with one of the names, in the order of the names; -1 when none. */
export function actionIndex(names: readonly string[], wanted: readonly string[]): number {
  const normalised = names.map(normaliseActionName);
  for (const name of wanted) {
    const index = normalised.indexOf(name);
    if (index >= 0) return index;
  }
  return -1;
}

export interface ActionEvidence {
  role: Role;
  roleNumber: number;
  states: readonly number[];
  /** Further action names that are a click on such an element. */
  clickNames?: readonly string[] | undefined;
  /** Whether text sent through `EditableText` arrives. */
  takesText: boolean;
  /** Interface names without the `org.a11y.atspi.` prefix. */
  interfaces: ReadonlySet<string>;
  /** Unlocalized action names by index. */
  actionNames: readonly string[];
}

/** The actions of an accessible in derivation order. */
export function actionsOf(evidence: ActionEvidence): Action[] {
  const { role, roleNumber, states, interfaces, takesText, actionNames, clickNames } = evidence;
  const offered = new Set(actionNames.map(normaliseActionName));
  const offers = (wanted: readonly string[]) => wanted.some((name) => offered.has(name));
  const actions: Action[] = [];
  if (offers(ACTION_NAMES.click) || offers(clickNames ?? [])) actions.push("Click");
  if (offers(ACTION_NAMES.toggle)) actions.push("Toggle");
  if (offers(ACTION_NAMES.rightClick)) actions.push("RightClick");
  if (offers(ACTION_NAMES.scrollTo)) actions.push("ScrollTo");
  if (roleNumber === ROLE.scrollPane) actions.push("Scroll");
  const writable = !hasState(states, STATE.readOnly);
  const editableText = takesText && interfaces.has("EditableText") &&
    hasState(states, STATE.editable);
  if (
    writable &&
    (editableText || (SETTABLE_VALUE_ROLES.has(roleNumber) && interfaces.has("Value")))
  ) {
    actions.push("SetValue");
  }
  if (offers(ACTION_NAMES.select) || hasState(states, STATE.selectable)) actions.push("Select");
  if (hasState(states, STATE.focusable)) actions.push("SetFocus");
  if (writable && editableText && hasTrait(role, "editable")) {
    actions.push("TypeText");
  }
  const either = offers(ACTION_NAMES.expandOrContract) ||
    (offers(ACTION_NAMES.open) && offers(ACTION_NAMES.close));
  if (either || offers(ACTION_NAMES.expand)) actions.push("Expand");
  if (either || offers(ACTION_NAMES.collapse)) actions.push("Collapse");
  return actions;
}
