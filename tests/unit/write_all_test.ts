import { assertEquals, assertThrows } from "@std/assert";
import { writeAll } from "../../src/write_all.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

Deno.test("what takes a few bytes at a time gets all of them", () => {
  const taken: number[] = [];
  writeAll((part) => {
    taken.push(...part.subarray(0, 3));
    return Math.min(3, part.length);
  }, bytes("größer 😀\n"));
  assertEquals(new Uint8Array(taken), bytes("größer 😀\n"));
});

Deno.test("what takes nothing is an error, not a loop", () => {
  assertThrows(() => writeAll(() => 0, bytes("x")), Deno.errors.WriteZero, "only 0 of 1");
  writeAll(() => 0, bytes(""));
});
