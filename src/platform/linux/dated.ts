/** Answers that are good for an instant: long enough for the next step of the same command. */

/** Something that was true at a time (of `performance.now`). */
export interface Dated<Value> {
  value: Value;
  at: number;
}

// What was said this long ago (ms) is not asked again: it could change as well right after.
const JUST_NOW_MS = 50;

/** The value, when it is of just now. */
export function ofJustNow<Value>(dated: Dated<Value> | undefined): Value | undefined {
  return dated && performance.now() - dated.at <= JUST_NOW_MS ? dated.value : undefined;
}
