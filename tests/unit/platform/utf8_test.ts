import { assertEquals } from "@std/assert";
import { cutUtf8, utf8Length } from "../../../src/platform/utf8.ts";

const TEXTS = [
  "",
  "plain",
  "Größe",
  "日本語",
  "a😀b",
  "\ud800",
  "\ud800é",
  "é\udc00",
  "\ud83d\ud83d\ude00",
];

Deno.test("the length is that of the encoded text, half surrogate pairs included", () => {
  for (const text of TEXTS) {
    assertEquals(utf8Length(text), new TextEncoder().encode(text).length, JSON.stringify(text));
  }
});

Deno.test("a text is cut where a character begins and never longer than the limit", () => {
  for (const text of TEXTS) {
    for (let limit = 0; limit <= utf8Length(text) + 1; limit++) {
      const part = cutUtf8(text, limit);
      assertEquals(text.startsWith(part), true);
      assertEquals(utf8Length(part) <= limit, true);
      const next = text.slice(part.length)[Symbol.iterator]().next().value ?? "";
      if (next !== "") {
        assertEquals(utf8Length(part + next) > limit, true, "no shorter than needed");
      }
    }
  }
});
