import { assertEquals } from "@std/assert";
import { verify } from "../../../src/act/verify.ts";
import { Deadline } from "../../../src/deadline.ts";
import type { Node } from "../../../src/tree/node.ts";

const budgets = { chain: 1000, menu: 0, toggle: 1000, toggleStable: 1000 };

function checkbox(on: boolean): Node {
  return {
    role: "checkbox",
    states: on ? ["checked"] : [],
    actions: ["Toggle"],
    index: 0,
    children: [],
  };
}

function after(on: boolean) {
  return verify({
    element: { read: () => Promise.resolve(checkbox(on)), text: () => Promise.resolve(undefined) },
    expected: { kind: "toggled", wanted: true },
    byKeys: false,
    budgets,
    deadline: Deadline.after(40),
  });
}

Deno.test("a state that holds until the time is up is no contradiction", async () => {
  const found = await after(true);
  assertEquals("contradicted" in found, false);
});

Deno.test("a state that is missing until the time is up is one", async () => {
  const found = await after(false);
  assertEquals("contradicted" in found, true);
});
