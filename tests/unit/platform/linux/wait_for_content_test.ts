/** When a tree counts as whole, and what is said of one that does not become so. */
import { assertEquals } from "@std/assert";
import { Deadline } from "../../../../src/deadline.ts";
import type { Observation } from "../../../../src/platform/platform.ts";
import { observeWithContent } from "../../../../src/platform/linux/wait_for_content.ts";
import type { Node } from "../../../../src/tree/node.ts";

function node(role: Node["role"], rest: Partial<Node> = {}): Node {
  return { role, states: [], actions: [], handle: "", index: 0, children: [], ...rest };
}

function seen(...children: Node[]): Observation {
  const root = node("window", { name: "Window", children });
  return { root, complete: true, nodesObserved: children.length + 1 };
}

/** Reads these trees one after the other, the last for ever; tells the answer and the readings. */
async function observe(trees: Observation[], young: boolean, ms: number) {
  let count = 0;
  const read = () => trees[Math.min(count++, trees.length - 1)];
  const options = { web: false, young, read, activate: () => false };
  const answer = (await observeWithContent(options, Deadline.after(ms)))!;
  return { answer, count };
}

const button = (name?: string) => node("button", name === undefined ? {} : { name });
const page = (...states: Node["states"]) => node("webarea", { name: "Page", states });

Deno.test("a tree with content is read once, that of a young application until it keeps still", async () => {
  assertEquals((await observe([seen(button())], false, 60_000)).count, 1);
  const named = seen(button("Reload"));
  const { answer, count } = await observe([seen(button()), seen(button()), named], true, 60_000);
  assertEquals([answer, count], [named, 5]);
});

Deno.test("a name or a value that comes late is something new, one that changes is not", async () => {
  const counting = ["1", "2", "3", "4"].map((value) => seen(node("progressbar", { value })));
  assertEquals((await observe(counting, true, 60_000)).count, 3);
  const late = [seen(node("textfield")), seen(node("textfield", { value: "a" }))];
  assertEquals((await observe(late, true, 60_000)).count, 4);
});

Deno.test("a young application that never keeps still is called loading", async () => {
  const growing = Array.from({ length: 400 }, (_, i) => {
    return seen(...Array.from({ length: i + 1 }, () => button("x")));
  });
  const { answer } = await observe(growing, true, 600);
  assertEquals([answer.complete, answer.details?.["kind"]], [false, "content_loading"]);
});

Deno.test("a page that is busy or disabled is waited for, a hidden one beside it is not", async () => {
  for (const state of ["busy", "disabled"] as const) {
    const ready = seen(page());
    assertEquals((await observe([seen(page(state)), ready], false, 60_000)).answer, ready);
    const never = (await observe([seen(page(state))], false, 400)).answer;
    assertEquals([never.complete, never.details?.["kind"]], [false, "content_loading"]);
    assertEquals((await observe([seen(page(), page(state, "offscreen"))], false, 60_000)).count, 1);
  }
});
