/** The capability vocabulary (observation §13) and what counts as a primary action. */

export const ACTIONS = [
  "Click",
  "RightClick",
  "SetValue",
  "SetFocus",
  "Expand",
  "Collapse",
  "Select",
  "Toggle",
  "Scroll",
  "ScrollTo",
  "PressKey",
  "KeyDown",
  "KeyUp",
  "TypeText",
  "Hover",
  "Drag",
  "Check",
  "Uncheck",
] as const;
export type Action = typeof ACTIONS[number];

// Web runtimes advertise these on nearly every node, so alone they earn no ref.
const SECONDARY: ReadonlySet<Action> = new Set<Action>(["SetFocus", "RightClick", "ScrollTo"]);

/** Whether any of the actions earns its element a ref. */
export function hasPrimaryAction(actions: readonly Action[]): boolean {
  return actions.some((action) => !SECONDARY.has(action));
}
