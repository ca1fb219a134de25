import { assertEquals } from "@std/assert";
import { cutUtf8, fitsUtf8, utf8Length } from "../../../src/tree/utf8.ts";

const TEXTS = [
  "",
  "plain",
  "Grüße",
  "日本語",
  "a😀b",
  "😀😀",
  "\ud83d",
  "\ude00x",
  "é\udc00",
  "\ud83d\ud83d\ude00",
  "é\ud800é",
];

Deno.test("lengths in UTF-8 are what encoding gives, lone surrogates included", () => {
  for (const text of TEXTS) {
    assertEquals(utf8Length(text), new TextEncoder().encode(text).length, JSON.stringify(text));
  }
});

Deno.test("a cut keeps as many whole characters as fit, and no half of one", () => {
  for (const text of TEXTS) {
    const characters = [...text];
    for (let limit = 0; limit <= utf8Length(text) + 1; limit++) {
      let kept = "";
      for (const character of characters) {
        if (utf8Length(kept + character) > limit) break;
        kept += character;
      }
      assertEquals(cutUtf8(text, limit), kept, `${JSON.stringify(text)} at ${limit}`);
      assertEquals(fitsUtf8(text, limit), utf8Length(text) <= limit);
    }
  }
});
