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

const KNOWN: ReadonlySet<string> = new Set(STATES);

/** Whether `token` is a state. */
export function isState(token: string): token is State {
  return KNOWN.has(token);
}
