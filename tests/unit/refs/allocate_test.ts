import { assert, assertEquals } from "@std/assert";
import { allocate } from "../../../src/refs/allocate.ts";
import { isRefable } from "../../../src/tree/actions.ts";
import { compact } from "../../../src/tree/compact.ts";
import { normalise } from "../../../src/tree/normalise.ts";
import { prune } from "../../../src/tree/prune.ts";
import { renderTree } from "../../../src/tree/render.ts";
import { documentOrder } from "../../../src/tree/walk.ts";
import type { Node } from "../../../src/tree/node.ts";
import { button, label, node, randomTree, refsWithAncestors, SOURCE } from "../tree/trees.ts";
import { compareIdentity } from "../../../src/refs/identity.ts";
import { digestOf, MAX_WHOLE_TEXT, shownText } from "../../../src/refs/stored_text.ts";

function refs(root: Node): Record<string, number | undefined> {
  return Object.fromEntries(
    documentOrder(root).filter(({ node }) => node.name).map(({ node }) => [node.name!, node.ref]),
  );
}

Deno.test("a ref goes to interactive roles and primary actions, in document order", () => {
  const root = node("window", { name: "w" }, [
    node("toolbar", { name: "bar" }, [button("a"), label("text"), button("b")]),
    node("scrollarea", { name: "history", actions: ["Scroll"] }, [
      node("group", { name: "inert", actions: ["SetFocus", "RightClick", "ScrollTo"] }),
    ]),
    node("unknown", { name: "mystery", actions: ["Click"] }),
    node("disclosure", { name: "more", actions: ["Expand", "Collapse"] }),
  ]);
  const { entries, counter } = allocate(root, { source: SOURCE });
  assertEquals(refs(root), {
    w: undefined,
    bar: undefined,
    a: 1,
    text: undefined,
    b: 2,
    history: 3,
    inert: undefined,
    mystery: undefined,
    more: 4,
  });
  assertEquals(counter, 4);
  assertEquals([...entries.keys()], [1, 2, 3, 4]);
});

Deno.test("an entry holds the evidence, the source and the native path", () => {
  const bounds = { x: 1, y: 2, width: 3, height: 4 };
  const save = button("Save", {
    description: "Writes the file",
    nativeId: { kind: "ax_identifier", value: "save" },
    states: ["focused"],
    bounds,
    handle: ":1.5/org/x",
  });
  const bar = node("toolbar", {}, [save]);
  const root = node("window", { name: "w" }, [bar]);
  // Native positions need not be the positions among the children that are shown.
  bar.index = 7;
  save.index = 3;
  const { entries } = allocate(root, { source: SOURCE, storeBounds: true, storeHandles: true });
  const { bounds_hash, ...entry } = entries.get(1)!;
  assertEquals(typeof bounds_hash, "bigint");
  assertEquals(entry, {
    ...SOURCE,
    role: "button",
    name: "Save",
    description: "Writes the file",
    native_id: { kind: "ax_identifier", value: "save" },
    bounds,
    bounds_space: "screen",
    states: ["focused"],
    available_actions: ["Click", "SetFocus"],
    path: [7, 3],
    native_handle: ":1.5/org/x",
  });
  const plain = allocate(root, { source: SOURCE }).entries.get(1)!;
  assertEquals(plain.bounds, undefined);
  assertEquals(plain.native_handle, undefined);
  assertEquals(plain.bounds_hash, bounds_hash);
});

Deno.test("a text of any length gets a ref, and only short ones are stored", () => {
  const root = node("window", {}, [
    button("x".repeat(65_537)),
    button("é".repeat(MAX_WHOLE_TEXT)),
    button("x".repeat(MAX_WHOLE_TEXT + 1)),
  ]);
  const { entries } = allocate(root, { source: SOURCE });
  assertEquals(root.children.map((child) => child.ref), [1, 2, 3]);
  const names = [...entries.values()].map(({ name }) => name!);
  assertEquals(names.map((name) => name.length < 40), [true, false, true]);
  assertEquals(names.map((name) => shownText(name)), [
    "(a text of 65537 characters)",
    "é".repeat(MAX_WHOLE_TEXT),
    `(a text of ${MAX_WHOLE_TEXT + 1} characters)`,
  ]);
  for (const [i, entry] of [...entries.values()].entries()) {
    root.children.forEach((child, j) =>
      assertEquals(compareIdentity(entry, child), i === j ? "match" : "mismatch")
    );
  }
});

Deno.test("evidence over a limit costs the ref and no number", () => {
  const handle = "/".repeat(65_537);
  const root = node("window", {}, [{ ...button("a"), handle }, button("b")]);
  const { counter } = allocate(root, { source: SOURCE, storeHandles: true });
  assertEquals(root.children.map((child) => child.ref), [undefined, 1]);
  assertEquals(counter, 1);
  // It stays in the tree all the same.
  assertEquals(prune(root).children.length, 2);
});

Deno.test("a value is stored as length and hash, and not at all where it changes in use", () => {
  const text = node("textfield", { name: "abc", value: "abc", actions: ["SetValue"] });
  const named = node("textfield", { name: "Title", value: "abc", actions: ["SetValue"] });
  const document = node("document", { value: "abc", actions: ["SetValue"] });
  const { entries } = allocate(node("window", {}, [text, named, document]), { source: SOURCE });
  assertEquals([entries.get(1)!.name, entries.get(1)!.value], [null, undefined]);
  assertEquals([entries.get(2)!.name, entries.get(2)!.value], ["Title", undefined]);
  assertEquals(entries.get(3)!.value, digestOf("abc"));
  assertEquals(compareIdentity(entries.get(3)!, document), "match");
  assertEquals(compareIdentity(entries.get(3)!, { ...document, value: "abd" }), "mismatch");
});

Deno.test("drill targets: the deepest container that can be found again covers what is cut off", () => {
  const cut = (fields: Partial<Node>) => node("group", { childrenCount: 5, ...fields });
  const cases: [string, Node, string[]][] = [
    ["itself, by name", node("window", {}, [cut({ name: "list" })]), ["list"]],
    ["itself, by description", node("window", {}, [cut({ name: " ", description: "d" })]), [" "]],
    [
      "the nearest ancestor that can be found",
      node("window", {}, [node("list", { name: "outer" }, [cut({})])]),
      ["outer"],
    ],
    [
      "an ancestor with a ref of its own",
      node("window", {}, [node("treeitem", { name: "item" }, [cut({})])]),
      ["item"],
    ],
    ["nothing: the root is no target", node("window", { name: "w" }, [cut({})]), []],
    [
      "nothing for an unknown role",
      node("window", {}, [node("unknown", { name: "u", childrenCount: 3 })]),
      [],
    ],
    [
      "one ancestor for several boundaries, unless they cover themselves",
      node("window", {}, [
        node("list", { name: "outer" }, [cut({}), cut({ name: "own" }), cut({})]),
      ]),
      ["outer", "own"],
    ],
  ];
  for (const [title, root, expected] of cases) {
    allocate(root, { source: SOURCE, drillTargets: true });
    const named = documentOrder(root).filter(({ node }) => node.ref !== undefined)
      .map(({ node }) => node.name!);
    assertEquals(named, expected, title);
    const { counter } = allocate(root, { source: SOURCE });
    const refable = documentOrder(root).filter(({ node }) => isRefable(node)).length;
    assertEquals(counter, refable, "a drill or a search has no targets");
  }
});

Deno.test("a drill target stores no actions, an element with a ref keeps its own", () => {
  const list = node("list", { name: "l", actions: ["SetFocus"], childrenCount: 9 });
  const item = node("treeitem", { name: "t", actions: ["Expand"], childrenCount: 9 });
  const { entries } = allocate(node("window", {}, [list, item]), {
    source: SOURCE,
    drillTargets: true,
  });
  assertEquals(entries.get(1)!.available_actions, []);
  assertEquals(entries.get(2)!.available_actions, ["Expand"]);
});

Deno.test("a drill continues the counter, keeps absolute paths and names its root", () => {
  const region = node("list", { name: "l" }, [button("a"), button("b")]);
  const { entries, counter } = allocate(region, {
    source: SOURCE,
    counter: 7,
    drill: { rootRef: "@e3", path: [4, 0] },
  });
  assertEquals(counter, 9);
  assertEquals([...entries.keys()], [8, 9]);
  const entry = entries.get(9)!;
  assertEquals([entry.root_ref, entry.path_is_absolute, entry.path], ["@e3", true, [4, 0, 1]]);
});

Deno.test("numbers run out instead of wrapping round", () => {
  const root = node("window", {}, [button("a"), button("b")]);
  const { entries, counter } = allocate(root, { source: SOURCE, counter: 4_294_967_294 });
  assertEquals([...entries.keys()], [4_294_967_295]);
  assertEquals(counter, 4_294_967_295);
  assertEquals(root.children[1]!.ref, undefined);
});

Deno.test("random trees: numbers depend on the tree alone, pruning and compaction keep every ref", () => {
  for (let seed = 1; seed <= 300; seed++) {
    const tree = normalise(randomTree(seed, 1 + (seed * 7) % 160));
    allocate(tree, { source: SOURCE, drillTargets: true });
    const all = refsWithAncestors(tree);
    const numbers = documentOrder(tree).flatMap(({ node }) => node.ref ?? []);
    assertEquals(numbers, numbers.map((_, i) => i + 1), `seed ${seed}: 1 to n in document order`);
    const forms = [prune(tree), compact(tree), prune(compact(tree))];
    for (const form of forms) {
      assertEquals(refsWithAncestors(form), all, `seed ${seed}`);
      assertEquals(form.role, tree.role);
    }
    // What can be drilled into stays reachable as well.
    const cut = (root: Node) =>
      documentOrder(root).filter(({ node }) => node.childrenCount !== undefined).length;
    for (const form of forms) assertEquals(cut(form), cut(tree), `seed ${seed}`);
  }
});

Deno.test("random trees: the same tree gives the same bytes, and no pass changes its input", () => {
  for (let seed = 1; seed <= 60; seed++) {
    const once = (input: Node) => {
      const tree = normalise(input);
      allocate(tree, { source: SOURCE, drillTargets: true });
      const frozen = JSON.stringify(tree);
      const shown = JSON.stringify(
        renderTree(prune(compact(tree)), { refPrefix: "@s1:e", bounds: true }),
      );
      assertEquals(JSON.stringify(tree), frozen);
      return shown;
    };
    const input = randomTree(seed, 120);
    const untouched = JSON.stringify(input);
    assertEquals(once(input), once(randomTree(seed, 120)));
    assertEquals(JSON.stringify(input), untouched);
  }
});

Deno.test("random trees: every cut-off part can be reached through a ref, or only through the root", () => {
  for (let seed = 1; seed <= 200; seed++) {
    const tree = normalise(randomTree(seed, 150));
    allocate(tree, { source: SOURCE, drillTargets: true });
    const order = documentOrder(tree);
    order.forEach((visit) => {
      if (visit.node.childrenCount === undefined) return;
      for (let at = visit; at.parent >= 0; at = order[at.parent]!) {
        const { role, ref, name, description, nativeId, bounds } = at.node;
        if (ref !== undefined) return;
        const findable = name?.trim() || description?.trim() || nativeId || bounds;
        assert(role === "unknown" || !findable, `seed ${seed}: a ${role} was passed over`);
      }
    });
  }
});
