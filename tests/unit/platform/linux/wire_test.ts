/** D-Bus messages as bytes: what goes out comes back, and nonsense is an error, never a hang. */
import { assert, assertEquals } from "@std/assert";
import { decodeMessage, encodeCall, Variant } from "../../../../src/platform/linux/wire.ts";

const ODD = [
  "",
  "plain",
  "größer",
  "日本語",
  "👩‍👩‍👧",
  "\ufeffmark first",
  "\u0080\u009f",
  "tab\tand\nline",
  "ÿ".repeat(300),
];

function message(texts: readonly string[]): Uint8Array {
  return encodeCall({
    destination: ":1.7",
    path: "/org/a11y/atspi/accessible/root",
    interface: "org.a11y.atspi.Accessible",
    member: "Test",
    signature: "s".repeat(texts.length),
    args: texts,
  }, 7).slice();
}

Deno.test("texts of any script survive, in short messages and in long ones", () => {
  for (const filler of [0, 1, 40]) {
    const texts = ODD.flatMap((text) => [
      text,
      ...Array.from({ length: filler }, (_, i) => `org.a11y.atspi.Filler${i}`),
    ]).slice(0, 200);
    const decoded = decodeMessage(message(texts));
    assertEquals([decoded.type, decoded.signature], ["call", "s".repeat(texts.length)]);
    assertEquals(decoded.body(), texts);
  }
});

Deno.test("numbers, booleans and variants come back in their types", () => {
  const bytes = encodeCall({
    destination: ":1.7",
    path: "/",
    interface: "a.b",
    member: "C",
    signature: "uibdvs",
    args: [4294967295, -5, true, 1.5, new Variant("s", "inside"), "end"],
  }, 1).slice();
  assertEquals(decodeMessage(bytes).body(), [4294967295, -5, true, 1.5, "inside", "end"]);
});

Deno.test("a damaged message is an error or another message, and is done with at once", () => {
  const whole = message([...ODD, ...Array.from({ length: 60 }, (_, i) => `text ${i}`)]);
  let refused = 0;
  for (let round = 0; round < 3_000; round++) {
    const bytes = whole.slice(0, round % 3 === 0 ? 16 + round % (whole.length - 16) : undefined);
    for (let hit = 0; hit < 1 + round % 4; hit++) {
      bytes[(round * 7919 + hit * 104729) % bytes.length] = (round * 31 + hit * 17) & 255;
    }
    try {
      const decoded = decodeMessage(bytes);
      assert(decoded.body().length <= 255);
    } catch (error) {
      assert(error instanceof Error && !(error instanceof TypeError), String(error));
      refused++;
    }
  }
  assert(refused > 100, `${refused} refused`);
});
