/** What typed text may hold, and the keys of its characters. */
import { AppError } from "../../errors.ts";
import { characterKeysym, keysymOf } from "./keymap.ts";

/** Control characters that have a key, and its name. */
const CONTROL_KEYS: Readonly<Record<string, string>> = {
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

/** The keysym that types a character which `refuseControls` let pass. */
export function typedKeysym(character: string): number {
  const named = CONTROL_KEYS[character];
  return named === undefined ? characterKeysym(character) : keysymOf(named)!;
}
