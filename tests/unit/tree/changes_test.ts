import { assertEquals } from "@std/assert";
import { allocate } from "../../../src/refs/allocate.ts";
import { changesBetween } from "../../../src/tree/changes.ts";
import type { Node } from "../../../src/tree/node.ts";
import { normalise } from "../../../src/tree/normalise.ts";
import { decodeTree, encodeTree } from "../../../src/refs/tree_file.ts";
import { documentOrder } from "../../../src/tree/walk.ts";
import { button, label, node, randomTree, SOURCE } from "./trees.ts";

function numbered(root: Node): Node {
  const tree = normalise(root);
  allocate(tree, { source: SOURCE, drillTargets: true });
  return tree;
}

function diff(before: Node, after: Node) {
  const { added, changed, removed, unchanged_count } = changesBetween(
    { root: numbered(before), refPrefix: "@old:e" },
    { root: numbered(after), refPrefix: "@new:e" },
  );
  return {
    added: added.map(({ name, role }) => name ?? role),
    changed: changed.map(({ name, before, after }) => [name, before, after]),
    removed: removed.map(({ name, role }) => name ?? role),
    unchanged: unchanged_count,
  };
}

const list = (...names: string[]) =>
  node("window", { name: "w" }, [node("list", {}, names.map((name) => button(name)))]);

Deno.test("added and removed siblings, order does not count", () => {
  assertEquals(diff(list("a", "b"), list("b", "a")), {
    added: [],
    changed: [],
    removed: [],
    unchanged: 4,
  });
  assertEquals(diff(list("a", "b"), list("new", "a", "b")), {
    added: ["new"],
    changed: [],
    removed: [],
    unchanged: 4,
  });
  assertEquals(diff(list("a", "b", "c"), list("c")), {
    added: [],
    changed: [],
    removed: ["a", "b"],
    unchanged: 3,
  });
});

Deno.test("a field that changed is a change of the same node", () => {
  assertEquals(diff(list("Play", "Stop"), list("Pause", "Stop")).changed, [
    ["Pause", { name: "Play" }, { name: "Pause" }],
  ]);
  const field = (value: string, id = "f") =>
    node("window", {}, [
      node("textfield", { value, nativeId: { kind: "ax_identifier", value: id } }),
    ]);
  assertEquals(diff(field("a"), field("b")).changed, [[undefined, { value: "a" }, { value: "b" }]]);
  assertEquals(diff(field("a"), field("")).changed, [[undefined, { value: "a" }, {}]]);
});

Deno.test("a live handle tells a renamed node from a new one", () => {
  const rows = (...items: [string, string][]) =>
    node("window", {}, items.map(([name, handle]) => button(name, { handle })));
  const result = diff(
    rows(["a", "1"], ["b", "2"]),
    rows(["new", "3"], ["a", "1"], ["renamed", "2"]),
  );
  assertEquals(result.added, ["new"]);
  assertEquals(result.changed, [["renamed", { name: "b" }, { name: "renamed" }]]);
});

Deno.test("a new subtree is one addition with its refs, a lost one is counted", () => {
  const dialog = node("dialog", { name: "Sure?" }, [label("text"), button("Yes"), button("No")]);
  const changes = changesBetween(
    { root: numbered(list("a")), refPrefix: "@old:e" },
    {
      root: numbered(node("window", { name: "w" }, [...list("a").children, dialog])),
      refPrefix: "@new:e",
    },
  );
  assertEquals(changes.added.length, 1);
  assertEquals(changes.added[0]!.children!.map(({ ref_id }) => ref_id), [
    undefined,
    "@new:e2",
    "@new:e3",
  ]);
  const back = changesBetween(
    { root: numbered(node("window", { name: "w" }, [dialog])), refPrefix: "@old:e" },
    { root: numbered(node("window", { name: "w" }, [])), refPrefix: "@new:e" },
  );
  assertEquals(back.removed, [{
    descendants: 3,
    name: "Sure?",
    path: ["window:w"],
    role: "dialog",
  }]);
});

Deno.test("what was cut or lost on one side is neither added nor removed", () => {
  const full = list("a", "b");
  const cut = node("window", { name: "w" }, [node("list", { childrenCount: 2 })]);
  const lost = node("window", { name: "w", truncated: true }, [
    node("list", { truncated: true }, [button("a")]),
  ]);
  for (const partial of [cut, lost]) {
    for (const [before, after] of [[full, partial], [partial, full]] as const) {
      const { added, removed } = diff(before, after);
      assertEquals([added, removed], [[], []]);
    }
  }
});

Deno.test("what could not be read has not changed, a longer value behind the same beginning has", () => {
  const field = (fields: Partial<Node>) => node("window", {}, [node("textfield", fields)]);
  const known = field({ value: "abc", states: ["focused"] });
  assertEquals(diff(known, field({ unreadable: ["value", "states"] })).changed, []);
  assertEquals(
    diff(field({ value: "abc", valueLength: 70_000 }), field({ value: "abc", valueLength: 70_001 }))
      .changed,
    [
      [undefined, { value_length: 70_000 }, { value_length: 70_001 }],
    ],
  );
});

Deno.test("another root is all new", () => {
  const result = diff(
    node("window", {}, [button("a")]),
    node("dialog", { name: "d" }, [button("a")]),
  );
  assertEquals(result, { added: ["d"], changed: [], removed: ["window"], unchanged: 0 });
});

Deno.test("random trees: no change against themselves, whatever is stored comes back", () => {
  for (let seed = 1; seed <= 150; seed++) {
    const tree = numbered(randomTree(seed, 120));
    const stored = encodeTree(tree, SOURCE);
    assertEquals(encodeTree(numbered(randomTree(seed, 120)), SOURCE), stored);
    const back = decodeTree(stored)!;
    assertEquals(encodeTree(back.root, SOURCE), stored);
    assertEquals(back.origin, {
      pid: 42,
      process_instance: "test:1",
      window: "w-1",
      surface: "window",
    });
    const changes = changesBetween(
      { root: back.root, refPrefix: "@a:e" },
      { root: tree, refPrefix: "@b:e" },
    );
    assertEquals(changes, {
      added: [],
      changed: [],
      removed: [],
      unchanged_count: documentOrder(tree).length,
    });
  }
});

Deno.test("anything else than a stored tree is no tree", () => {
  const good = encodeTree(numbered(list("a")), SOURCE);
  const broken = [
    "",
    "{",
    "null",
    "[]",
    "{}",
    '{"format":2,"nodes":[]}',
    '{"format":1,"nodes":[]}',
    '{"format":1,"nodes":[[0,"window",0]]}',
    '{"format":1,"nodes":[[-1,"nonsense",0]]}',
    '{"format":1,"nodes":[[-1,"window",0],[5,"button",0]]}',
    '{"format":1,"nodes":[[-1,"window",0],[-1,"button",0]]}',
    '{"format":1,"nodes":[null]}',
    good.slice(0, -5),
  ];
  for (const text of broken) assertEquals(decodeTree(text), undefined, text);
});
