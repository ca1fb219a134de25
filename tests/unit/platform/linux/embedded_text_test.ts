import { assertEquals } from "@std/assert";
import { type Embedded, fillIn, webValue } from "../../../../src/platform/linux/embedded_text.ts";

const inline = (text: string): Embedded => ({ text, block: false });
const block = (text: string): Embedded => ({ text, block: true });
const M = "\ufffc";

const ROWS: [text: string, elements: (Embedded | undefined)[], expected: string][] = [
  ["plain", [], "plain"],
  [`go to ${M} now`, [inline("the page")], "go to the page now"],
  [`Agree to ${M}${M}`, [inline("the terms"), inline("")], "Agree to the terms"],
  [`${M}${M}`, [block("one"), block("two")], "one\ntwo"],
  [`${M}${M}${M}`, [block("one"), block(""), block("two")], "one\n\ntwo"],
  [`before${M}after`, [block("line")], "before\nline\nafter"],
  [`${M} tail`, [inline("picture")], "picture tail"],
  [`a${M}b`, [], "ab"],
  [`${M}`, [block("")], ""],
];

for (const [text, elements, expected] of ROWS) {
  Deno.test(`embedded: ${JSON.stringify(text)} with ${JSON.stringify(elements)}`, () => {
    assertEquals(fillIn(text, elements), expected);
  });
}

Deno.test("the line break that keeps an edited part of a page open is not its text", () => {
  assertEquals(webValue("\n", "div"), "");
  assertEquals(webValue("a\n\n", "div"), "a\n");
  assertEquals(webValue("a", "p"), "a");
  // Fields of a form hold what they hold, and what is not known is left alone.
  assertEquals(webValue("\n", "textarea"), "\n");
  assertEquals(webValue("\n", "TEXTAREA"), "\n");
  assertEquals(webValue("\n", undefined), "\n");
});
