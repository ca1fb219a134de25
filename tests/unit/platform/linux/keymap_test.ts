import { assertEquals } from "@std/assert";
import type { X11 } from "../../../../ffi/linux/x11.ts";
import { characterKeysym, Keymap, keysymOf } from "../../../../src/platform/linux/keymap.ts";

/** A keyboard of the given keys: per keycode its groups, per group its levels. */
function keyboard(keys: Record<number, number[][]>, group = 0, low = 8, high = 20): X11 {
  const rows = Array.from({ length: high - low + 1 }, (_, index) => {
    const [first = [], second = first] = keys[low + index] ?? [];
    return [first[0], first[1], second[0], second[1]].map((keysym) => keysym ?? 0);
  });
  return {
    keyboardMapping: () => ({ first: low, perCode: 4, keysyms: rows.flat() }),
    keyboardGroup: () => group,
    keysym: (keycode: number, wanted: number, level: number) =>
      keys[keycode]?.[wanted]?.[level] ?? 0,
  } as unknown as X11; // a stand-in for the parts that a keymap reads
}

Deno.test("keys are found with the fewest modifiers", () => {
  const map = new Keymap(keyboard({ 10: [[0x37, 0x2f, 0x7b]], 11: [[0x2f]] }));
  assertEquals(map.find(0x37), { keycode: 10, shift: false, altGr: false });
  assertEquals(map.find(0x2f), { keycode: 11, shift: false, altGr: false });
  assertEquals(map.find(0x7b), { keycode: 10, shift: false, altGr: true });
  assertEquals(map.find(0x41), undefined);
});

Deno.test("the active layout decides for text, any layout for shortcuts", () => {
  const map = new Keymap(keyboard({ 10: [[0x61, 0x41], [0x6c6, 0x6e6]], 11: [[0x20]] }, 1));
  assertEquals(map.find(0x6c6), { keycode: 10, shift: false, altGr: false });
  assertEquals(map.find(0x61), undefined);
  assertEquals(map.findAnywhere(0x61), { keycode: 10, shift: false, altGr: false });
  assertEquals(map.find(0x20)?.keycode, 11, "a key with one layout only has it in all");
});

Deno.test("keys that make nothing are spare, from the top", () => {
  const map = new Keymap(keyboard({ 9: [[0x61]], 12: [[0x62]] }, 0, 8, 12));
  assertEquals(map.spare, [11, 10, 8]);
});

Deno.test("keysyms of names and characters", () => {
  assertEquals(keysymOf("return"), 0xff0d);
  assertEquals(keysymOf("f12"), 0xffc9);
  assertEquals(keysymOf("backspace"), 0xff08);
  assertEquals(keysymOf("delete"), 0xffff);
  assertEquals(keysymOf("/"), 0x2f);
  assertEquals(keysymOf("unknown"), undefined);
  assertEquals(characterKeysym("ß"), 0xdf);
  assertEquals(characterKeysym("€"), 0x20ac);
  assertEquals(characterKeysym("日"), 0x0100_65e5);
  assertEquals(characterKeysym("😀"), 0x0101_f600);
});
