/** AT-SPI states to the product's states. A state set arrives as two 32-bit words. */
import type { State } from "../../tree/states.ts";
import { hasState, ROLE, STATE } from "./atspi.ts";

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
  if (roleNumber === ROLE.passwordText) states.push("secure");
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
