/** Normalising, pruning, compacting and rendering of trees written by hand. */
import { assert, assertEquals } from "@std/assert";
import { allocate } from "../../../src/refs/allocate.ts";
import { compact } from "../../../src/tree/compact.ts";
import { normalise } from "../../../src/tree/normalise.ts";
import { prune } from "../../../src/tree/prune.ts";
import { renderTree } from "../../../src/tree/render.ts";
import { documentOrder } from "../../../src/tree/walk.ts";
import type { Node } from "../../../src/tree/node.ts";
import { button, label, node, SOURCE } from "./trees.ts";

/** The tree as nested role names. */
function shape(root: Node): unknown {
  const name = root.name === undefined ? root.role : `${root.role} ${root.name}`;
  return root.children.length === 0 ? name : { [name]: root.children.map(shape) };
}

Deno.test("-i drops what leads nowhere and keeps the root, refs and cut-off containers", () => {
  const root = node("window", {}, [
    node("group", { name: "gone" }, [label("gone"), node("group", {}, [label("gone")])]),
    node("group", {}, [label("gone"), button("a")]),
    node("list", { name: "more", childrenCount: 3 }),
  ]);
  allocate(root, { source: SOURCE });
  assertEquals(shape(prune(root)), {
    window: [{ group: ["button a"] }, "list more"],
  });
  assertEquals(shape(prune(node("window", {}, [label("x")]))), "window");
});

Deno.test("--compact hoists the only child of an empty wrapper, whatever its bounds", () => {
  const wrap = (fields: Partial<Node>, role: Node["role"] = "group") =>
    node("window", {}, [node(role, fields, [label("x")])]);
  const collapsed = { window: ["statictext x"] };
  assertEquals(shape(compact(wrap({}))), collapsed);
  assertEquals(shape(compact(wrap({}, "unknown"))), collapsed);
  assertEquals(shape(compact(wrap({ name: "  " }))), collapsed);
  assertEquals(shape(compact(wrap({ bounds: { x: 0, y: 0, width: 1, height: 1 } }))), collapsed);
  const kept: [Partial<Node>, Node["role"]?][] = [
    [{}, "region"],
    [{ name: "n" }],
    [{ value: "v" }],
    [{ description: "d" }],
    [{ hint: "column 1 of 2" }],
    [{ nativeId: { kind: "ax_identifier", value: "id" } }],
    [{ states: ["busy"] }],
    [{ actions: ["SetFocus"] }],
    [{ childrenCount: 4 }],
    [{ ref: 3 }],
    [{ truncated: true }],
    [{ unreadable: ["name"] }],
  ];
  for (const [fields, role] of kept) {
    const root = wrap(fields, role);
    assertEquals(shape(compact(root)), shape(root), JSON.stringify(fields));
  }
});

Deno.test("--compact never collapses the root and collapses whole chains", () => {
  assertEquals(shape(compact(node("group", {}, [label("x")]))), { group: ["statictext x"] });
  let chain: Node = label("x");
  for (let i = 0; i < 20; i++) chain = node("group", {}, [chain]);
  assertEquals(shape(compact(node("window", {}, [chain]))), { window: ["statictext x"] });
});

Deno.test("a wrapper's only child is the one the application has, not the one pruning leaves", () => {
  const root = node("window", {}, [node("group", {}, [label("gone"), button("a")])]);
  allocate(root, { source: SOURCE });
  assertEquals(shape(prune(compact(root))), { window: [{ group: ["button a"] }] });
  const empty = node("window", {}, [node("group", {}, [label("gone")])]);
  assertEquals(shape(prune(compact(empty))), "window");
});

Deno.test("normalising repairs text and drops impossible bounds and blank ids", () => {
  const root = normalise(node("window", { name: "a\ud800b", value: "" }, [
    node("button", {
      name: "n",
      nativeId: { kind: "ax_identifier", value: "  " },
      bounds: { x: -2147483648, y: 0, width: 10, height: 10 },
    }),
    node("button", { bounds: { x: 0, y: 0, width: -1, height: 10 } }),
    node("button", { bounds: { x: NaN, y: 0, width: 1, height: 10 } }),
    node("button", { bounds: { x: 5, y: 6, width: 0, height: 0 } }),
  ]));
  assertEquals(root.name, "a\ufffdb");
  assertEquals("value" in root, false);
  assertEquals(root.children[0]!.nativeId, undefined);
  assertEquals(root.children.map(({ bounds }) => bounds !== undefined), [
    false,
    false,
    false,
    true,
  ]);
});

Deno.test("a secure field shows no text, nor does anything inside it", () => {
  const secret = "hunter2";
  const field = node("textfield", { name: "Password", value: secret, states: ["secure"] }, [
    node("statictext", { name: secret, value: secret, description: secret }),
    node("group", { name: secret }, [node("textfield", { name: "inner", value: secret })]),
    button("Reveal"),
  ]);
  field.valueLength = 7;
  const root = normalise(node("window", {}, [field, node("textfield", { value: "plain" })]));
  const { entries } = allocate(root, { source: SOURCE });
  const printed = JSON.stringify(renderTree(root, { refPrefix: "@s1:e" }));
  const stored = JSON.stringify([...entries.values()], (_, v) => typeof v === "bigint" ? "" : v);
  for (const text of [printed, stored]) {
    assertEquals(text.includes(secret), false);
    assert(text.includes("Password") && text.includes("Reveal"));
  }
  // A value that may be shown is not stored all the same.
  assertEquals([printed.includes("plain"), stored.includes("plain")], [true, false]);
  assertEquals(printed.includes("value_length"), false);
});

Deno.test("a rendered node has sorted keys, nothing empty, and bounds only when asked for", () => {
  const full = node("textfield", {
    name: "n",
    value: "v",
    valueLength: 99,
    description: "d",
    hint: "h",
    nativeId: { kind: "ax_identifier", value: "i" },
    states: ["focused"],
    actions: ["SetValue"],
    bounds: { x: 1.5, y: 2, width: 3, height: 4 },
    ref: 6,
    childrenCount: 2,
    truncated: true,
    handle: "h",
    unreadable: ["bounds"],
  }, [label("c")]);
  const options = { refPrefix: "@s1:e", bounds: true };
  assertEquals(
    JSON.stringify(renderTree(full, options)),
    '{"available_actions":["SetValue"],"bounds":{"height":4,"width":3,"x":1.5,"y":2},' +
      '"children":[{"name":"c","role":"statictext"}],"children_count":2,"description":"d",' +
      '"hint":"h","name":"n","native_id":{"kind":"ax_identifier","value":"i"},' +
      '"ref_id":"@s1:e6","role":"textfield","states":["focused"],"subtree_truncated":true,' +
      '"value":"v","value_length":99}',
  );
  assertEquals("bounds" in renderTree(full, { refPrefix: "" }), false);
  // Window-relative bounds are no screen points.
  const { bounds: toolkitBounds, ...placeless } = full;
  assertEquals(
    "bounds" in renderTree({ ...placeless, toolkitBounds: toolkitBounds! }, options),
    false,
  );
  assertEquals(JSON.stringify(renderTree(node("group"), options)), '{"role":"group"}');
  assertEquals(renderTree(node("list", { childrenCount: 0 }), options).children_count, 0);
});

Deno.test("a chain of 30 levels ends at its button, and one of 20,000 does not break a pass", () => {
  const chain = (levels: number) => {
    let tree: Node = button("deep");
    for (let i = 0; i < levels; i++) tree = node("group", { name: i % 2 ? "g" : " " }, [tree]);
    return node("window", {}, [tree]);
  };
  const tree = normalise(chain(30));
  const { entries } = allocate(tree, { source: SOURCE });
  assertEquals(entries.get(1)!.path!.length, 31);
  assertEquals(documentOrder(prune(compact(tree))).at(-1)!.node.name, "deep");
  const deep = normalise(chain(20_000));
  // The path is over the limit of a stored ref: the node stays, without one.
  assertEquals(allocate(deep, { source: SOURCE }).counter, 0);
  const shown = prune(compact(deep));
  assertEquals(documentOrder(shown).length, 10_002);
  renderTree(shown, { refPrefix: "" });
});

Deno.test("50,000 children of one node take well-behaved time", () => {
  const items = Array.from({ length: 50_000 }, (_, i) => button(`row ${i}`));
  const tree = normalise(node("window", {}, [node("list", {}, items)]));
  assertEquals(allocate(tree, { source: SOURCE, drillTargets: true }).counter, 50_000);
  assertEquals(prune(compact(tree)).children[0]!.children.length, 50_000);
});
