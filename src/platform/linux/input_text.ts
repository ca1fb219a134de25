/** What typed text may hold. */
import { AppError } from "../../errors.ts";

/** Control characters that have a key, and its name. */
export const CONTROL_KEYS: Readonly<Record<string, string>> = {
  "\n": "return",
  "\r": "return",
  "\t": "tab",
};

/**
 * Refuses control characters that no key types.
 *
 * @throws AppError `INVALID_ARGS`
 */
export function refuseControls(characters: readonly string[]): void {
  const control = characters.find((character) => {
    const code = character.codePointAt(0)!;
    return (code < 0x20 || code === 0x7f) && CONTROL_KEYS[character] === undefined;
  });
  if (control === undefined) return;
  throw new AppError("INVALID_ARGS", "The text holds a control character that no key types", {
    suggestion: "Remove control characters other than newline and tab.",
    details: { code_point: control.codePointAt(0) },
  });
}
