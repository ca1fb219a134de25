/** Parents take turns. */
import { assertEquals } from "@std/assert";
import { Turns } from "../../../src/platform/turns.ts";

function numbers(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index);
}

Deno.test("a long list lets others have their turn, and comes back where it was", () => {
  const turns = new Turns<string, number>();
  turns.add("long", numbers(40));
  turns.add("short", numbers(2));
  turns.add("empty", []);
  const order: string[] = [];
  while (turns.waiting) {
    turns.turn((parent, child) => {
      order.push(`${parent} ${child}`);
      // What is found meanwhile has its turn before the rest of the long list.
      if (child === 0 && parent === "long") turns.add("found", [0]);
    });
  }
  const long = numbers(40).map((index) => `long ${index}`);
  assertEquals(order, [
    ...long.slice(0, 16),
    "short 0",
    "short 1",
    "found 0",
    ...long.slice(16),
  ]);
});

Deno.test("a turn that is stopped leaves the rest waiting, and says whose it is", () => {
  const turns = new Turns<string, number>();
  turns.add("a", numbers(5));
  turns.add("b", numbers(1));
  const taken: number[] = [];
  turns.turn((_, child) => taken.push(child), () => taken.length === 2);
  assertEquals(taken, [0, 1]);
  assertEquals(turns.left(), ["b", "a"]);
  turns.turn((_, child) => taken.push(child));
  turns.turn((_, child) => taken.push(child));
  assertEquals(taken, [0, 1, 0, 2, 3, 4]);
  assertEquals(turns.left(), []);
});
