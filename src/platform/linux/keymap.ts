/** Which key makes which character in the active keyboard layout. */
import type { X11 } from "../../../ffi/linux/x11.ts";

/** A key and the shift levels it needs held. */
export interface KeyStroke {
  keycode: number;
  shift: boolean;
  /** The third level, AltGr on many keyboards. */
  altGr: boolean;
}

// keysymdef.h: Latin-1 keysyms are the characters themselves, other characters this much above.
const UNICODE_KEYSYMS = 0x0100_0000;
// Characters that layouts give by an older keysym of their own.
const LEGACY_KEYSYMS: Readonly<Record<string, number>> = {
  "€": 0x20ac, // EuroSign
  "Œ": 0x13bc,
  "œ": 0x13bd,
  "Ÿ": 0x13be,
  "–": 0x0aaa, // endash
  "—": 0x0aa9, // emdash
  "…": 0x0aae, // ellipsis
  "‘": 0x0ad0,
  "’": 0x0ad1,
  "“": 0x0ad2,
  "”": 0x0ad3,
  "„": 0x0afe,
};

/** Keysyms of the keys that have names in combinations (docs/acting.md, "Keys"). */
const NAMED_KEYSYMS: Readonly<Record<string, number>> = {
  return: 0xff0d,
  escape: 0xff1b,
  tab: 0xff09,
  space: 0x20,
  backspace: 0xff08,
  delete: 0xffff,
  home: 0xff50,
  left: 0xff51,
  up: 0xff52,
  right: 0xff53,
  down: 0xff54,
  pageup: 0xff55,
  pagedown: 0xff56,
  end: 0xff57,
};

/** Keysyms of modifier keys. */
export const MODIFIER_KEYSYMS = {
  shift: 0xffe1, // Shift_L
  ctrl: 0xffe3, // Control_L
  alt: 0xffe9, // Alt_L
  meta: 0xffeb, // Super_L
  altGr: 0xfe03, // ISO_Level3_Shift
} as const;

const LEVELS = 4;

/** The keysym of a named key or of a single character; `undefined` for anything else. */
export function keysymOf(name: string): number | undefined {
  const named = NAMED_KEYSYMS[name];
  if (named !== undefined) return named;
  const functionKey = /^f([1-9]|1[0-2])$/.exec(name);
  if (functionKey !== null) return 0xffbe + Number(functionKey[1]) - 1; // F1 and on
  return [...name].length === 1 ? characterKeysym(name) : undefined;
}

/** The keysym of one character. */
export function characterKeysym(character: string): number {
  const legacy = LEGACY_KEYSYMS[character];
  if (legacy !== undefined) return legacy;
  const code = character.codePointAt(0)!;
  const latin1 = (code >= 0x20 && code <= 0x7e) || (code >= 0xa0 && code <= 0xff);
  return latin1 ? code : UNICODE_KEYSYMS + code;
}

/** A picture of the keyboard as it is now. */
export class Keymap {
  readonly #strokes = new Map<number, KeyStroke>();
  readonly #otherGroups = new Map<number, KeyStroke>();
  /** Keycodes that make nothing, highest first. */
  readonly spare: number[] = [];

  constructor(x: X11) {
    const mapping = x.keyboardMapping();
    const codes = mapping.perCode === 0 ? 0 : mapping.keysyms.length / mapping.perCode;
    const active = x.keyboardGroup();
    for (let index = 0; index < codes; index++) {
      const keycode = mapping.first + index;
      const row = mapping.keysyms.slice(index * mapping.perCode, (index + 1) * mapping.perCode);
      if (row.every((keysym) => keysym === 0)) this.spare.unshift(keycode);
      else this.#learn(x, keycode, active, row);
    }
  }

  #learn(x: X11, keycode: number, active: number, row: readonly number[]): void {
    const group = (number: number) =>
      Array.from({ length: LEVELS }, (_, level) => x.keysym(keycode, number, level) ?? 0);
    let levels = x.keysym(keycode, 0, 0) === undefined ? coreLevels(row, active) : group(active);
    // A key with fewer groups than the active one makes what its first group says.
    if (levels.every((keysym) => keysym === 0)) levels = group(0);
    learnLevels(this.#strokes, keycode, levels);
    for (let other = 0; other < 4; other++) {
      if (other !== active) learnLevels(this.#otherGroups, keycode, group(other));
    }
  }

  /** How the active layout makes a keysym; `undefined` when it does not. */
  find(keysym: number): KeyStroke | undefined {
    return this.#strokes.get(keysym);
  }

  /**
   * The key that makes a keysym in the active layout, or in another one of the keyboard: shortcuts
   * are looked up by applications in all layouts.
   */
  findAnywhere(keysym: number): KeyStroke | undefined {
    return this.#strokes.get(keysym) ?? this.#otherGroups.get(keysym);
  }
}

/** Levels of a group from the core mapping: groups 1 and 2 take two columns each, then again. */
function coreLevels(row: readonly number[], group: number): number[] {
  const first = group === 1 ? 2 : 0;
  return [row[first] ?? 0, row[first + 1] ?? 0, row[first + 4] ?? 0, row[first + 5] ?? 0];
}

function learnLevels(
  strokes: Map<number, KeyStroke>,
  keycode: number,
  levels: readonly number[],
): void {
  levels.forEach((keysym, level) => {
    if (keysym === 0) return;
    const known = strokes.get(keysym);
    // Prefer the stroke that needs the fewest modifiers.
    if (known !== undefined && cost(known) <= level) return;
    strokes.set(keysym, { keycode, shift: (level & 1) === 1, altGr: level >= 2 });
  });
}

function cost(stroke: KeyStroke): number {
  return (stroke.shift ? 1 : 0) + (stroke.altGr ? 2 : 0);
}
