import { type State, STATES } from "../../src/tree/states.ts";

/** The same states, each once, in printing order. */
export function orderStates(states: Iterable<State>): State[] {
  return [...new Set(states)].sort((a, b) => STATES.indexOf(a) - STATES.indexOf(b));
}
