/** The states, in the order they are printed (docs/observation.md, "States"). */

export const STATES = [
  "focused",
  "disabled",
  "secure",
  "expanded",
  "checked",
  "selected",
  "hidden",
  "busy",
  "modal",
  "required",
  "indeterminate",
  "pressed",
  "readonly",
  "offscreen",
  "invalid",
  "multiselectable",
  "haspopup",
] as const;
export type State = typeof STATES[number];

const ORDER: ReadonlyMap<State, number> = new Map(STATES.map((state, index) => [state, index]));

/** The same states, each once, in printing order. */
export function orderStates(states: Iterable<State>): State[] {
  return [...new Set(states)].sort((a, b) => ORDER.get(a)! - ORDER.get(b)!);
}

/** Whether `token` is a state. */
export function isState(token: string): token is State {
  return ORDER.has(token as State);
}
