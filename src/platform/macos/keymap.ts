/** Virtual key codes by key name: positions on an ANSI keyboard (HIToolbox, Events.h). */
import type { Modifier } from "../platform.ts";

/** Key codes of the modifier keys on the left side. */
export const MODIFIER_CODE: Readonly<Record<Modifier, number>> = {
  meta: 55,
  shift: 56,
  alt: 58,
  ctrl: 59,
};

// Events.h has no order that could be computed; rows of name and code.
const CODES: ReadonlyMap<string, number> = new Map(Object.entries({
  ...{ a: 0, b: 11, c: 8, d: 2, e: 14, f: 3, g: 5, h: 4, i: 34, j: 38, k: 40, l: 37, m: 46 },
  ...{ n: 45, o: 31, p: 35, q: 12, r: 15, s: 1, t: 17, u: 32, v: 9, w: 13, x: 7, y: 16, z: 6 },
  ...{ 0: 29, 1: 18, 2: 19, 3: 20, 4: 21, 5: 23, 6: 22, 7: 26, 8: 28, 9: 25 },
  ...{ return: 36, escape: 53, tab: 48, space: 49, backspace: 51, delete: 117 },
  ...{ home: 115, end: 119, pageup: 116, pagedown: 121 },
  ...{ left: 123, right: 124, down: 125, up: 126 },
  ...{ f1: 122, f2: 120, f3: 99, f4: 118, f5: 96, f6: 97, f7: 98, f8: 100, f9: 101 },
  ...{ f10: 109, f11: 103, f12: 111 },
  ...{ "-": 27, "=": 24, "[": 33, "]": 30, "\\": 42, ";": 41, "'": 39, ",": 43, ".": 47 },
  ...{ "/": 44, "`": 50 },
}));

/** The code of a key; `undefined` when the keyboard has no such key. */
export function keyCode(name: string): number | undefined {
  return CODES.get(name);
}
