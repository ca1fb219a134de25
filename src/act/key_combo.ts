/**
 * Key combinations: the grammar of `press` and the list of dangerous ones
 * (docs/acting.md, "Keys").
 */
import { AppError } from "../errors.ts";
import type { Modifier } from "../platform/platform.ts";
import { MODIFIER_ORDER, parseModifier } from "./modifiers.ts";

/** One key with modifiers, in canonical names. */
export interface Combo {
  /** In the order they are pressed. */
  modifiers: Modifier[];
  /** Canonical key name: aliases resolved, punctuation as its character. */
  key: string;
}

/** The keys there are, as help lists them. */
export const KEY_NAMES = "a-z, 0-9, f1-f12, return (enter), escape (esc), tab, space, backspace, " +
  "delete, home, end, pageup, pagedown, left, right, up, down, punctuation";

const NAMED_KEYS: Readonly<Record<string, string>> = {
  return: "return",
  enter: "return",
  escape: "escape",
  esc: "escape",
  tab: "tab",
  space: "space",
  backspace: "backspace",
  delete: "delete",
  forwarddelete: "delete",
  home: "home",
  end: "end",
  pageup: "pageup",
  pagedown: "pagedown",
  left: "left",
  right: "right",
  up: "up",
  down: "down",
  comma: ",",
  period: ".",
  slash: "/",
  semicolon: ";",
  quote: "'",
  leftbracket: "[",
  rightbracket: "]",
  backslash: "\\",
  minus: "-",
  equal: "=",
  grave: "`",
};

function canonicalKey(name: string): string | undefined {
  if (/^[a-z0-9]$/.test(name) || /^f([1-9]|1[0-2])$/.test(name)) return name;
  // A punctuation character may be written as itself.
  if (name.length === 1 && Object.values(NAMED_KEYS).includes(name)) return name;
  return Object.hasOwn(NAMED_KEYS, name) ? NAMED_KEYS[name] : undefined;
}

/**
 * Reads a combination such as `ctrl+shift+a`.
 *
 * @throws AppError `INVALID_ARGS` for an unknown modifier, an unknown key or none
 */
export function parseCombo(text: string): Combo {
  const parts = text.toLowerCase().replaceAll(" ", "").split("+");
  const last = parts.pop() ?? "";
  const pressed = new Set<Modifier>();
  for (const part of parts) {
    const modifier = parseModifier(part);
    if (modifier === undefined) {
      throw new AppError("INVALID_ARGS", `Unknown modifier ${quoted(part)} in the combination`, {
        suggestion: "Use meta, ctrl, alt or shift, joined with + before one key.",
      });
    }
    pressed.add(modifier);
  }
  const key = canonicalKey(last);
  if (key === undefined) {
    throw new AppError(
      "INVALID_ARGS",
      last === "" ? "The combination names no key" : `Unknown key ${quoted(last)}`,
      {
        suggestion:
          "End the combination with one key: a-z, 0-9, f1-f12, return, escape, tab, space, " +
          "backspace, delete, home, end, pageup, pagedown, an arrow, or punctuation.",
      },
    );
  }
  return { modifiers: MODIFIER_ORDER.filter((modifier) => pressed.has(modifier)), key };
}

function quoted(text: string): string {
  // At most 512 characters of a value go into a message (docs/contract.md, "Argument values").
  return JSON.stringify([...text].slice(0, 512).join(""));
}

const DANGEROUS: Readonly<Record<"linux" | "macos", readonly string[]>> = {
  linux: [
    "alt+f4",
    "ctrl+q",
    "ctrl+alt+delete",
    "ctrl+alt+backspace",
    "meta+l",
    ...Array.from({ length: 12 }, (_, index) => `ctrl+alt+f${index + 1}`),
  ],
  macos: ["cmd+q", "cmd+shift+q", "cmd+alt+esc", "ctrl+cmd+q", "cmd+shift+backspace"],
};

/** The one spelling of a combination, whatever order and aliases it was given in. */
export function comboText(combo: Combo): string {
  return [...combo.modifiers, combo.key].join("+");
}

/** Whether the combination would end the session, the application or the screen's use. */
export function isDangerous(combo: Combo, system: "linux" | "macos"): boolean {
  const wanted = comboText(combo);
  return DANGEROUS[system].some((text) => comboText(parseCombo(text)) === wanted);
}

/**
 * Refuses a dangerous combination.
 *
 * @throws AppError `POLICY_DENIED`
 */
export function refuseDangerous(combo: Combo, system: "linux" | "macos", force: boolean): void {
  if (force || !isDangerous(combo, system)) return;
  throw new AppError(
    "POLICY_DENIED",
    `${comboText(combo)} can end the application or the session and is not sent by default`,
    { suggestion: "Add --force if that is what you want." },
  );
}
