import { assertEquals } from "@std/assert";
import { OBSERVE_LIMITS } from "../../../src/platform/platform.ts";
import { WalkBudget } from "../../../src/platform/walk_budget.ts";

const text = (name: string, value?: string) => ({
  role: "textfield" as const,
  name,
  ...(value !== undefined && { value }),
  states: [],
  actions: [],
  index: 0,
  children: [],
});

Deno.test("nodes and edges end at their limits; nodes given back may be taken again", () => {
  const budget = new WalkBudget({ ...OBSERVE_LIMITS, nodes: 2, edges: 1 });
  assertEquals([budget.takeNode(), budget.takeNode(), budget.takeNode()], [true, true, false]);
  assertEquals([budget.nodes, budget.isOutOfNodes], [2, true]);
  budget.giveBackNodes(1);
  assertEquals([budget.takeNode(), budget.takeNode(), budget.nodes], [true, false, 2]);
  assertEquals([budget.takeEdge(), budget.takeEdge()], [true, false]);
});

Deno.test("a field may have what is left of all text, in bytes", () => {
  const budget = new WalkBudget({ ...OBSERVE_LIMITS, fieldBytes: 10, totalBytes: 15 });
  assertEquals([budget.fieldBytes, budget.isTextShort], [10, false]);
  budget.spendText(text("größe"));
  assertEquals([budget.fieldBytes, budget.isTextShort], [8, true]);
  budget.spendText(text("123456", "789012"));
  assertEquals([budget.fieldBytes, budget.isTextShort], [0, true]);
});
