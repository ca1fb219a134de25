import { assert, assertEquals, assertThrows } from "@std/assert";
import { AppError } from "../../../src/errors.ts";
import {
  formatRef,
  isSnapshotId,
  localKey,
  parseLocalKey,
  parseRef,
} from "../../../src/refs/syntax.ts";

Deno.test("a qualified ref is split at the last :e", () => {
  assertEquals(parseRef("@s26u7pv9qta5g4:e6"), { snapshot: "s26u7pv9qta5g4", number: 6 });
  assertEquals(parseRef("@abc:e4294967295").number, 4294967295);
  assertEquals(parseRef(`@${"a".repeat(64)}:e1`).snapshot.length, 64);
  assertEquals(parseRef(formatRef("a-b_C", 12)), { snapshot: "a-b_C", number: 12 });
});

Deno.test("a bare ref is refused with the token and the form that is expected", () => {
  const error = assertThrows(() => parseRef("@e1"), AppError);
  assertEquals(error.code, "INVALID_ARGS");
  assertEquals(error.message, "Invalid ref_id '@e1': expected @<snapshot_id>:e<N>");
  assertEquals(
    error.suggestion,
    "Use the snapshot-qualified ref that snapshot prints, for example @s8f3k2p9:e1. " +
      "A bare @eN ref is not accepted.",
  );
  assertEquals(error.delivery, "not_delivered");
});

for (
  const token of [
    "",
    "@",
    "e1",
    "s26u7pv9:e1",
    "@s26u7pv9:e",
    "@s26u7pv9:e0",
    "@s26u7pv9:e-1",
    "@s26u7pv9:e+1",
    "@s26u7pv9:e1.0",
    "@s26u7pv9:e1 ",
    " @s26u7pv9:e1",
    "@s26u7pv9:e4294967296",
    "@s26u7pv9:e00000000001",
    "@ab:e1",
    `@${"a".repeat(65)}:e1`,
    "@a/../b:e1",
    "@..:e1",
    "@sé0:e1",
    "@s1:e1:e1",
    "@s26u7pv9:e1\n",
    "@s26u7pv9:e1\0",
    "\uff20s26u7pv9:e1",
    "\ud800",
    "x".repeat(1_000_000),
  ]
) {
  Deno.test(`not a ref: ${JSON.stringify(token.slice(0, 40))}`, () => {
    const error = assertThrows(() => parseRef(token), AppError);
    assertEquals(error.code, "INVALID_ARGS");
    assert(error.message.length < 300);
    assert(error.message.isWellFormed());
  });
}

Deno.test("only canonical keys are keys of a map", () => {
  assertEquals(parseLocalKey(localKey(7)), 7);
  for (const key of ["@e0", "@e01", "e1", "@e", "@e4294967296", "@e1 ", "__proto__"]) {
    assertEquals(parseLocalKey(key), undefined);
  }
});

Deno.test("a snapshot id cannot leave its directory", () => {
  for (const id of ["..", "a/b", ".", "ab", "a b", "a\0b", ""]) assert(!isSnapshotId(id));
  assert(isSnapshotId("s-_"));
});
