import { assertEquals, assertThrows } from "@std/assert";
import { comboText, isDangerous, parseCombo, refuseDangerous } from "../../../src/act/key_combo.ts";
import { AppError } from "../../../src/errors.ts";

Deno.test("combinations: case, spaces, aliases and order do not matter", () => {
  assertEquals(parseCombo(" Shift + CONTROL+a"), { modifiers: ["ctrl", "shift"], key: "a" });
  assertEquals(comboText(parseCombo("option+cmd+backspace")), "alt+meta+backspace");
  assertEquals(parseCombo("enter").key, "return");
  assertEquals(parseCombo("forwarddelete").key, "delete");
  assertEquals(parseCombo("ctrl+comma").key, ",");
  assertEquals(parseCombo("ctrl+-").key, "-");
  assertEquals(parseCombo("f12").key, "f12");
});

Deno.test("combinations: unknown modifier, unknown key, no key", () => {
  for (
    const text of ["", "+", "ctrl+", "hyper+a", "ctrl+f13", "ab", "ctrl++a", "constructor", "é"]
  ) {
    const error = assertThrows(() => parseCombo(text), AppError);
    assertEquals(error.code, "INVALID_ARGS", text);
  }
});

Deno.test("dangerous combinations need force, however they are spelled", () => {
  for (
    const text of ["alt+f4", "ctrl+Q", "option+F4", "control+alt+backspace", "cmd+l", "alt+ctrl+f7"]
  ) {
    assertEquals(isDangerous(parseCombo(text), "linux"), true, text);
  }
  for (const text of ["ctrl+f4", "alt+shift+f4", "ctrl+l"]) {
    assertEquals(isDangerous(parseCombo(text), "linux"), false, text);
  }
  assertEquals(isDangerous(parseCombo("shift+meta+q"), "macos"), true);
  const error = assertThrows(() => refuseDangerous(parseCombo("alt+f4"), "linux", false), AppError);
  assertEquals(error.code, "POLICY_DENIED");
  refuseDangerous(parseCombo("alt+f4"), "linux", true);
});
