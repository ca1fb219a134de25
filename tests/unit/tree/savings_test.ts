/** How much the printed forms save on a tree with the figures of a large Electron window. */
import { assert, assertEquals } from "@std/assert";
import { allocate } from "../../../src/refs/allocate.ts";
import { compact } from "../../../src/tree/compact.ts";
import { flatElements } from "../../../src/tree/flat.ts";
import { normalise } from "../../../src/tree/normalise.ts";
import { renderOutline } from "../../../src/tree/outline.ts";
import { prune } from "../../../src/tree/prune.ts";
import { renderTree } from "../../../src/tree/render.ts";
import { documentOrder } from "../../../src/tree/walk.ts";
import type { Node } from "../../../src/tree/node.ts";
import { node, SOURCE } from "./trees.ts";

const REFS = 162;
const NODES = 268;

/** 268 nodes after `-i`: 162 with refs, and wrappers (40 %), some in chains, round rows and panes. */
function chatWindow(): Node {
  const bounds = (i: number) => ({ x: 240.5, y: 64 + i * 28, width: 1180, height: 28 });
  const wrap = (child: Node[], i: number) => node("group", { bounds: bounds(i) }, child);
  const roles = ["treeitem", "button", "link", "button"] as const;
  const leaves = Array.from({ length: REFS }, (_, i) =>
    node(roles[i % roles.length]!, {
      name: ["design", "Reply in thread", "Ada Lovelace", "Add reaction"][i % 4]! + ` ${i}`,
      actions: ["Click"],
      bounds: bounds(i),
    }));
  // Six panes below a chain, every pane a chain too; one row in two wrapped by itself.
  const panes: Node[] = [];
  let wrappers = 0;
  for (let pane = 0; pane < 6; pane++) {
    const rows = leaves.slice(pane * 27, pane * 27 + 27).map((leaf, i) => {
      if (i % 2 === 1) return leaf;
      wrappers++;
      return wrap([leaf], i);
    });
    let content = wrap(rows, pane);
    wrappers++;
    for (let level = 0; level < 2; level++, wrappers++) content = wrap([content], level);
    panes.push(content);
  }
  let top = panes.length > 1 ? wrap(panes, 0) : panes[0]!;
  wrappers++;
  for (; 1 + wrappers + REFS < NODES; wrappers++) top = wrap([top], 0);
  return node("window", { name: "general - Chat" }, [top]);
}

function tokens(text: string): number {
  return Math.ceil(text.length / 4);
}

Deno.test("compaction of a chat window: every ref stays, wrappers go", () => {
  const tree = normalise(chatWindow());
  allocate(tree, { source: SOURCE });
  const plain = prune(tree);
  const small = prune(compact(tree));
  const count = (root: Node) => documentOrder(root).length;
  const wrappers = documentOrder(plain).filter(({ node }) => node.role === "group").length;
  assertEquals(count(plain), NODES);
  assert(Math.abs(wrappers / NODES - 0.4) < 0.01, `${wrappers} wrappers`);
  const refs = (root: Node) => documentOrder(root).flatMap(({ node }) => node.ref ?? []);
  assertEquals(refs(small), refs(plain));
  assertEquals(refs(small).length, REFS);

  const prefix = "@s26u7pv9qta5g4:e";
  const json = (root: Node, bounds = false) =>
    JSON.stringify(renderTree(root, { refPrefix: prefix, bounds }));
  const indented = (root: Node) => JSON.stringify(renderTree(root, { refPrefix: prefix }), null, 2);
  const forms: [string, (root: Node) => string][] = [
    ["json", (root) => json(root)],
    ["json with bounds", (root) => json(root, true)],
    ["indented json", indented],
    ["outline", renderOutline],
    ["flat", (root) => JSON.stringify(flatElements(root, prefix))],
  ];
  const saved: Record<string, number> = {};
  for (const [name, form] of forms) {
    const [before, after] = [tokens(form(plain)), tokens(form(small))];
    saved[name] = 1 - after / before;
    console.log(
      `${name}: ${before} -> ${after} tokens, ${(saved[name]! * 100).toFixed(1)} % saved`,
    );
  }
  // The design measured 18 % of the tokens and 24 % of the nodes. One-line JSON without bounds stays
  // below that share: a wrapper costs 29 characters in it, a qualified ref alone 34.
  assert(saved["indented json"]! >= 0.18);
  assert(saved["json with bounds"]! >= 0.18);
  assert(saved["outline"]! >= 0.18);
  assert(saved["json"]! >= 0.14);
  assert(
    1 - count(small) / count(plain) >= 0.24,
    "at least the share of nodes the design measured",
  );
});
