/** The capability vocabulary, and which elements can be acted on: those that earn a ref. */
import { hasTrait, type Role } from "./roles.ts";

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

/** Whether an element's role or actions earn it a ref. */
export function isRefable(node: { role: Role; actions: readonly Action[] }): boolean {
  if (node.role === "unknown") return false;
  return hasTrait(node.role, "interactive") || hasPrimaryAction(node.actions);
}
