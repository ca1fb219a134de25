/** AT-SPI states to the product's states. A state set arrives as two 32-bit words. */
import type { State } from "../../tree/states.ts";
import { ATSPI_ROLE } from "./roles.ts";

/** Bit positions (atspi-constants.h, `AtspiStateType`). */
export const STATE = {
  active: 1,
  busy: 3,
  checked: 4,
  collapsed: 5,
  defunct: 6,
  editable: 7,
  enabled: 8,
  expandable: 9,
  expanded: 10,
  focusable: 11,
  focused: 12,
  iconified: 15,
  modal: 16,
  multiLine: 17,
  multiselectable: 18,
  pressed: 20,
  selectable: 22,
  selected: 23,
  sensitive: 24,
  showing: 25,
  visible: 30,
  managesDescendants: 31,
  indeterminate: 32,
  required: 33,
  invalidEntry: 36,
  checkable: 41,
  hasPopup: 42,
  readOnly: 43,
} as const;

/** Whether a bit is set in the words of a `GetState` reply. */
export function hasState(words: readonly number[], bit: number): boolean {
  return ((words[bit >> 5] ?? 0) >>> (bit & 31) & 1) === 1;
}

/**
 * The states of an accessible, in printing order. Without `reportsShowing` the toolkit leaves
 * SHOWING out for everything, and nothing is called off screen.
 */
export function statesOf(
  words: readonly number[],
  roleNumber: number,
  reportsShowing: boolean,
): State[] {
  const states: State[] = [];
  const has = (bit: number) => hasState(words, bit);
  if (has(STATE.focused)) states.push("focused");
  if (!has(STATE.enabled) && !has(STATE.sensitive)) states.push("disabled");
  if (roleNumber === ATSPI_ROLE.passwordText) states.push("secure");
  if (has(STATE.expanded)) states.push("expanded");
  if (has(STATE.checked)) states.push("checked");
  if (has(STATE.selected)) states.push("selected");
  if (!has(STATE.visible)) states.push("hidden");
  if (has(STATE.busy)) states.push("busy");
  if (has(STATE.modal)) states.push("modal");
  if (has(STATE.required)) states.push("required");
  if (has(STATE.indeterminate)) states.push("indeterminate");
  if (has(STATE.pressed)) states.push("pressed");
  if (has(STATE.readOnly)) states.push("readonly");
  if (reportsShowing && has(STATE.visible) && !has(STATE.showing)) states.push("offscreen");
  if (has(STATE.invalidEntry)) states.push("invalid");
  if (has(STATE.multiselectable)) states.push("multiselectable");
  if (has(STATE.hasPopup)) states.push("haspopup");
  return states;
}
