/** Limits and forms that the global flags and the commands share. */

/** Longest time any flag accepts, in milliseconds: one day (docs/contract.md, "Timeouts"). */
export const MAX_TIMEOUT_MS = 86_400_000;
/** Time that commands without a timeout flag have for reading, in milliseconds (same place). */
export const READ_BUDGET_MS = 5_000;

/** Longest text to type, in bytes of UTF-8 (docs/contract.md, "Argument values"). */
export const MAX_TYPE_BYTES = 10_000;

/** What the id of a session or an agent looks like, for messages. */
export const ID_EXPECTED = "1 to 64 letters, digits, _ or -";

/** Whether a text can be the id of a session or an agent. */
export function isId(text: string): boolean {
  return /^[A-Za-z0-9_-]{1,64}$/.test(text);
}
