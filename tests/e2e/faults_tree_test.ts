/**
 * Applications whose trees lie: endless lists, cycles, wrong types, vanished elements. What can be
 * read is shown, what cannot is marked, and nothing is taken for something else.
 */
import { assert, assertEquals } from "@std/assert";
import { Desktop, nodeNamed, nodesOf, refOf, type TreeNode } from "./support/desktop.ts";
import { type ScriptedNode, startScripted } from "./support/apps.ts";
import { button, frame, GRACE_MS, snapshotOf, sound, toolbar, USABLE } from "./support/scripted.ts";

const desktop = await Desktop.start();

/** A wrong answer to one method of one node. */
const wrong = (node: string, method: string, signature: string, ...values: unknown[]) => ({
  do: "reply",
  node,
  method,
  signature,
  values,
});
const variant = (signature: string, value: unknown) => ({ variant: [signature, value] });

/** Names of all nodes of a tree in document order. */
const names = (tree: TreeNode) => [...nodesOf(tree)].map((node) => node.name ?? node.role);

// -- too many children ------------------------------------------------------------------------

const ENDLESS: [string, ScriptedNode, number | undefined, number][] = [
  // What it is, the container, the count it must be shown with, how many children at least.
  [
    "2147483647 children",
    {
      child_count: 2147483647,
      virtual: 20,
      table: { rows: 1048576, columns: 2048 },
    },
    2147483647,
    1,
  ],
  [
    "-1 children",
    {
      child_count: -1,
      children: [{ role: "list item", name: "Real {i}", repeat: 20 }],
    },
    undefined,
    20,
  ],
  ["-2147483648 children", { child_count: -2147483648 }, undefined, 0],
  ["5000 children", { child_count: 5000, virtual: 30 }, 5000, 1],
];

for (const [what, container, count, least] of ENDLESS) {
  Deno.test(`a list of ${what}: a page of it, its count, and what stands behind it`, async () => {
    const list = { id: "list", role: "list", name: "List", ...container as object };
    await using app = await startScripted(desktop, { windows: [frame([list, toolbar()])] });
    const snapshot = await snapshotOf(desktop, app.name);
    assertEquals([snapshot.complete, snapshot.truncated], [false, true]);
    const shown = nodeNamed(snapshot.tree, "List");
    assertEquals(shown.children_count, count);
    assertEquals([shown.subtree_truncated, snapshot.tree.subtree_truncated], [true, true]);
    const read = shown.children?.length ?? 0;
    assert(read >= least && read <= 400, `${read} children`);
    assertEquals(nodeNamed(snapshot.tree, "Bar").subtree_truncated, undefined);
    const calls = await app.ask<Record<string, number>>("calls", "list");
    assertEquals(calls["Accessible.GetChildren"], undefined, "never asked for all of them");
    assert((calls["Accessible.GetChildAtIndex"] ?? 0) <= 400);
    await desktop.ok("click", refOf(snapshot.tree, "Last"));
    assertEquals(await app.ask("effects"), { "last DoAction": 1 });
  });
}

Deno.test("an application is read over the bus: a connection to its own socket would stay", async () => {
  await using app = await startScripted(desktop, {
    toolkit: "Chromium",
    windows: [
      frame([{ id: "push", role: "push button", name: "Push", actions: [{ name: "press" }] }]),
    ],
  });
  const asked = async (method: string) =>
    (await app.ask<Record<string, number>>("calls", "root"))[method] ?? 0;
  // Others may: the reader that waited for the application to be there.
  const before = await asked("Application.GetApplicationBusAddress");
  const listed = await asked("Accessible.GetChildren");
  const { tree } = await snapshotOf(desktop, app.name);
  await desktop.ok("get", refOf(tree, "Push"));
  await desktop.ok("find", "--app", app.name, "--name", "Push", "--first");
  await desktop.ok("click", refOf(tree, "Push"));
  assertEquals(await app.ask("effects"), { "push DoAction": 1 });
  assert(await asked("Accessible.GetChildren") > listed);
  assertEquals(await asked("Application.GetApplicationBusAddress"), before);
});

Deno.test("a count of the wrong type is not a count: the first children are asked for one by one", async () => {
  for (const answer of [["s", "many"], ["v", variant("s", "many")], ["v", variant("d", 1.5)]]) {
    await using app = await startScripted(desktop, {
      windows: [
        frame([{ id: "list", role: "list", name: "List", children: [button("In")] }, toolbar()]),
      ],
      rules: [wrong("list", "Get:ChildCount", answer[0] as string, answer[1])],
    });
    const snapshot = await snapshotOf(desktop, app.name);
    nodeNamed(snapshot.tree, "In", "button");
    nodeNamed(snapshot.tree, "Last", "button");
  }
});

Deno.test("more children than were counted: only so many are taken, the tool bar is read", async () => {
  const rows = { role: "list item", name: "Row {i}", repeat: 6_000 };
  await using app = await startScripted(desktop, {
    windows: [frame([
      { id: "list", role: "list", name: "List", child_count: 2, children: [rows] },
      toolbar(),
    ])],
  });
  const snapshot = await snapshotOf(desktop, app.name, "--timeout-ms", "1500");
  assertEquals(snapshot.complete, false);
  const list = nodeNamed(snapshot.tree, "List");
  assertEquals([list.children_count, list.subtree_truncated], [6_000, true]);
  assert(list.children!.length > 0 && list.children!.length <= 4_096);
  refOf(snapshot.tree, "Last");
});

Deno.test("a chain deeper than any tree ends at the depth limit, and says that it goes on", async () => {
  let chain: ScriptedNode = button("Bottom");
  for (let level = 200; level > 0; level--) {
    chain = { id: `level${level}`, role: "panel", children: [chain] };
  }
  await using app = await startScripted(desktop, { windows: [frame([chain, toolbar()])] });
  for (const depth of [[], ["--max-depth", "50"]]) {
    const { tree } = await snapshotOf(desktop, app.name, ...depth);
    const nodes = [...nodesOf(tree)];
    assert(nodes.length < 60, `${nodes.length} nodes`);
    assertEquals(nodes.filter((node) => node.children_count === 1).length, 1);
    refOf(tree, "Last");
  }
  const found = await desktop.run("find", "--app", app.name, "--name", "Bottom");
  const { data, error } = sound(found);
  assert(error?.details?.["kind"] === "locator_incomplete" || data?.["total_matches"] === 1);
});

Deno.test("10,000 real rows before a tool bar", async () => {
  const rows = { role: "list item", name: "Row {i}", repeat: 10_000 };
  await using app = await startScripted(desktop, {
    windows: [frame([{ id: "list", role: "list", name: "List", children: [rows] }, toolbar()])],
  });
  const snapshot = await snapshotOf(desktop, app.name);
  assertEquals(snapshot.complete, false);
  const list = nodeNamed(snapshot.tree, "List");
  assertEquals(list.children_count, 10_000);
  assert(list.children!.length > 0 && list.children!.length <= 400);
  refOf(snapshot.tree, "Last");
});

Deno.test("several long lists share the deadline, and the tool bar behind them is read", async () => {
  const list = (name: string): ScriptedNode => ({
    id: name,
    role: "list",
    name,
    children: [{ role: "list item", name: `${name} {i}`, repeat: 3_500 }],
  });
  await using app = await startScripted(desktop, {
    windows: [frame([list("A"), list("B"), list("C"), toolbar()])],
  });
  const run = await desktop.run("snapshot", "--app", app.name, "--timeout-ms", "1500");
  const { tree, complete } = sound(run).data as unknown as { tree: TreeNode; complete: boolean };
  assert(run.wallMs < 1_500 + GRACE_MS, `${run.wallMs} ms`);
  assertEquals(complete, false);
  nodeNamed(tree, "Last", "button");
  const counts = ["A", "B", "C"].map((name) => nodeNamed(tree, name).children?.length ?? 0);
  const [least, most] = [Math.min(...counts), Math.max(...counts)];
  assert(least > 0 && most - least <= 200, `unfair: ${counts}`);
  for (const name of ["A", "B", "C"]) {
    const { children, subtree_truncated } = nodeNamed(tree, name);
    assertEquals(children!.length < 3_500, subtree_truncated === true);
  }
});

// -- cycles and equal paths -------------------------------------------------------------------

const CYCLES: [string, ScriptedNode[], string[]][] = [
  ["its own child", [{ id: "a", role: "panel", name: "A", children: [button("In"), "@a"] }], ["A"]],
  ["A, B, A", [{
    id: "a",
    role: "panel",
    name: "A",
    children: [{ id: "b", role: "panel", name: "B", children: ["@a", button("In")] }],
  }], ["B"]],
  ["the window as a grandchild", [{
    id: "a",
    role: "panel",
    name: "A",
    children: ["@win", button("In")],
  }], ["A"]],
  [
    "everybody is everybody's child",
    ["a", "b", "c"].map((id): ScriptedNode => ({
      id,
      role: "panel",
      name: id.toUpperCase(),
      children: ["@a", "@b", "@c", button(`In ${id}`)],
    })),
    ["A", "B", "C"],
  ],
];

for (const [what, children, marked] of CYCLES) {
  Deno.test(`a cycle is followed once and marked: ${what}`, async () => {
    await using app = await startScripted(desktop, {
      windows: [frame([...children, toolbar()])],
    });
    const snapshot = await snapshotOf(desktop, app.name, "--max-depth", "50");
    assertEquals(snapshot.complete, false);
    const all = names(snapshot.tree);
    assertEquals(new Set(all).size, all.length, `twice in ${all}`);
    assert(all.some((name) => name.startsWith("In")) && all.includes("Last"), `${all}`);
    for (const name of marked) {
      assertEquals(nodeNamed(snapshot.tree, name).subtree_truncated, true, name);
    }
    const found = sound(await desktop.run("find", "--app", app.name, "--name", "Last"));
    assertEquals(found.error?.details?.["kind"], "locator_incomplete");
    assertEquals(found.error?.details?.["observed_matches"], 1);
    await desktop.ok("click", refOf(snapshot.tree, "Last"));
    assertEquals(await app.ask("effects"), { "last DoAction": 1 });
  });
}

Deno.test("two applications with equal object paths and names are never confused", async () => {
  const tree = { windows: [frame([button("Save")])] };
  await using one = await startScripted(desktop, tree, { name: "one" });
  await using two = await startScripted(desktop, tree, { name: "two" });
  const shot = await snapshotOf(desktop, "one");
  await snapshotOf(desktop, "two");
  const ref = refOf(shot.tree, "Save");
  await desktop.ok("click", ref);
  assertEquals([await one.ask("effects"), await two.ask("effects")], [{ "save DoAction": 1 }, {}]);

  await one.control("remove", "save");
  await desktop.fails("STALE_REF", "click", ref, "--timeout-ms", "1000");
  await desktop.fails("STALE_REF", "get", ref);
  await one.stop();
  const gone = await desktop.fails("STALE_REF", "click", ref, "--timeout-ms", "1000");
  assertEquals(gone.disposition, { delivery: "not_delivered", retry: "safe" });
  assertEquals(await two.ask("effects"), {});
});

Deno.test("a reference to another application's element is not followed into it twice", async () => {
  await using other = await startScripted(
    desktop,
    { windows: [frame([button("Foreign")])] },
    { name: "other" },
  );
  const theirs = await other.control("name");
  await using app = await startScripted(desktop, {
    windows: [frame([{ id: "socket", role: "panel", name: "Socket" }, toolbar()])],
    rules: [
      wrong("socket", "Get:ChildCount", "v", variant("i", 3)),
      wrong("socket", "GetChildren", "a(so)", [
        [theirs, "/org/a11y/atspi/accessible/foreign"],
        [theirs, "/org/a11y/atspi/accessible/foreign"],
        [":1.99999", "/org/a11y/atspi/accessible/nobody"],
      ]),
    ],
  });
  const snapshot = await snapshotOf(desktop, app.name);
  assertEquals(snapshot.complete, false);
  assertEquals(names(snapshot.tree).filter((name) => name === "Foreign").length, 1);
  nodeNamed(snapshot.tree, "Last", "button");
});

// -- vanished elements and wrong types --------------------------------------------------------

for (const error of ["UnknownObject", "Failed", "UnknownMethod", "Disconnected", "odd.Name"]) {
  Deno.test(`one element answers ${error} to everything: one gap among its siblings`, async () => {
    await using app = await startScripted(desktop, {
      windows: [frame([button("Before"), button("Bad"), button("After")])],
      rules: [{ do: "error", node: "bad", error }],
    });
    const snapshot = await snapshotOf(desktop, app.name);
    assertEquals(names(snapshot.tree), ["Main", "Before", "After"]);
    assertEquals([snapshot.complete, snapshot.tree.subtree_truncated], [false, true]);
    for (const name of ["Before", "After"]) {
      assertEquals(nodeNamed(snapshot.tree, name).subtree_truncated, undefined);
      await desktop.ok("click", refOf(snapshot.tree, name));
    }
    assertEquals(await app.ask("effects"), { "before DoAction": 1, "after DoAction": 1 });
  });
}

const slider = (extra: Record<string, unknown>): ScriptedNode => ({
  role: "slider",
  states: ["focusable", ...USABLE],
  description: "Described",
  actions: [{ name: "click" }],
  text: "text",
  value: { min: 0, max: 10, current: 5 },
  children: [{ role: "label", name: "Inner" }],
  ...extra,
});
const FIELDS = [
  "GetRole",
  "GetState",
  "GetInterfaces",
  "GetChildren",
  "GetExtents",
  "Get:Name",
  "Get:Description",
  "Get:ChildCount",
  "Get:AccessibleId",
  "Get:CurrentValue",
  "Get:NActions",
  "Action.GetName",
  "GetText",
  "Get:CharacterCount",
];
/** Answers that fit no field, or none that is meant; "@NaN" stands for the number. */
const ODD_VALUES: [string, unknown[]][] = [
  ["", []],
  ["s", ["not what was asked for"]],
  ["i", [-7]],
  ["v", [variant("s", "")]],
  ["v", [variant("d", "@NaN")]],
  ["v", [variant("d", "@-Infinity")]],
  ["v", [variant("ai", [1, 2, 3])]],
  ["v", [variant("i", 2147483647)]],
  ["au", [[4294967295, 4294967295, 4294967295]]],
  ["as", [["x", ""]]],
  ["a(so)", [[["", "/"], ["not a bus name", "/no"], [":1.0", "/x"]]]],
  ["(iiii)", [[7, 7, 7, 7]]],
];

Deno.test("a wrong type in any field spoils neither the siblings nor the program", async () => {
  const odd = ODD_VALUES.map((_, i) => slider({ id: `odd${i}`, name: `Odd ${i}` }));
  await using app = await startScripted(desktop, {
    windows: [frame([button("Before"), ...odd, button("After")])],
  });
  for (const field of FIELDS) {
    await app.control("clear");
    for (const [i, [signature, values]] of ODD_VALUES.entries()) {
      const rule = { do: "reply", node: `odd${i}`, method: field, signature, values };
      await app.control("rule", JSON.stringify(rule).replace(/"@(-?[A-Z]\w+)"/g, "$1"));
    }
    const run = await desktop.run("snapshot", "--app", app.name, "--include-bounds");
    const { tree } = sound(run).data as unknown as { tree: TreeNode };
    for (const name of ["Before", "After"]) {
      const { role, bounds, available_actions } = nodeNamed(tree, name);
      assertEquals([role, available_actions?.[0]], ["button", "Click"], field);
      assert(bounds !== undefined);
    }
    // Where the states themselves are the lie, an element may well be hidden or defunct.
    const shown = ODD_VALUES.length + 2 - (field === "GetState" ? 3 : 0);
    assert(tree.children!.length >= shown, `${field}: ${names(tree)}`);
    for (const { value } of nodesOf(tree)) assert(!/NaN|Infinity/.test(value ?? ""), value);
  }
});

/** What a search needs to read, what makes it fail, and how `find` asks for it. */
const UNREAD: [string, string, string[]][] = [
  ["role", "GetRole", ["--role", "slider"]],
  ["states", "GetState", ["--role", "slider", "--state", "checked"]],
  ["name", "Get:Name", ["--name", "Sought"]],
  ["description", "Get:Description", ["--description", "Sought"]],
  ["value", "Get:CurrentValue", ["--role", "slider", "--value", "7"]],
  ["text", "GetText", ["--role", "textfield", "--value", "Sought"]],
  ["text length", "Get:CharacterCount", ["--role", "textfield", "--value", "Sought"]],
  ["id", "Get:AccessibleId", ["--native-id", "sought"]],
  ["children", "GetChildren", ["--name", "Sought"]],
  ["interfaces", "GetInterfaces", ["--role", "slider", "--value", "7"]],
];

/** Ways of not answering a question about one element. */
const UNREADABLE = [
  { do: "error", error: "Failed" },
  { do: "reply", signature: "b", values: [true] },
  { do: "reply", signature: "v", values: [variant("b", true)] },
];

Deno.test("what cannot be read is not taken for absent", async () => {
  const field = { id: "field", role: "entry", name: "Field", text: "words", editable: true };
  await using app = await startScripted(desktop, {
    windows: [frame([
      slider({ id: "odd", name: "Odd", text: undefined }),
      field,
      { id: "box", role: "panel", name: "Box", children: [button("In")] },
    ])],
  });
  for (const [what, method, filters] of UNREAD) {
    await app.control("clear");
    const query = ["find", "--app", app.name, ...filters];
    const absent = sound(await desktop.run(...query));
    const rightRole = what === "role" ? 1 : 0;
    assertEquals(absent.data?.["total_matches"], rightRole, `${what}: ${JSON.stringify(absent)}`);
    for (const way of UNREADABLE) {
      // An error is how toolkits say that an element has no id.
      if (what === "id" && way.do === "error") continue;
      for (const node of ["odd", "field", "box"]) {
        await app.control("rule", JSON.stringify({ ...way, node, method }));
      }
      const unread = sound(await desktop.run(...query));
      const told = `${what} ${way.do}: ${JSON.stringify(unread)}`;
      assertEquals(unread.error?.code, "TIMEOUT", told);
      assertEquals(unread.error?.details?.["kind"], "locator_incomplete", told);
    }
  }
});

Deno.test("a ref whose element cannot be read is not stale, and nothing is done to it", async () => {
  await using app = await startScripted(desktop, {
    windows: [frame([button("Before"), button("Sought", { accessible_id: "x" }), button("After")])],
  });
  const ref = refOf((await snapshotOf(desktop, app.name)).tree, "Sought");
  for (const method of ["GetRole", "GetState", "Get:Name", "Get:AccessibleId"]) {
    for (const way of UNREADABLE) {
      if (method === "Get:AccessibleId" && way.do === "error") continue;
      await app.control("clear");
      await app.control("rule", JSON.stringify({ ...way, node: "sought", method }));
      for (const command of [["click", ref, "--timeout-ms", "400"], ["get", ref]]) {
        const { error } = sound(await desktop.run(...command));
        // A live name and id may each stand in for the other; then the action reports as usual.
        if (error === undefined) continue;
        const told = `${method} ${way.do} ${command[0]}: ${JSON.stringify(error)}`;
        const kind = error.details?.["kind"] as string;
        assert(/^(resolution_(ax_read|traversal_inc|identity_unk)|live_read_inc)/.test(kind), told);
        assertEquals(error.disposition, { delivery: "not_delivered", retry: "safe" }, told);
        assertEquals(await app.ask("effects"), {}, told);
      }
      await app.control("reset");
    }
  }
});

Deno.test("states that cannot be read answer no question about them", async () => {
  await using app = await startScripted(desktop, {
    windows: [
      frame([{ id: "c", role: "check box", name: "Check", actions: [{ name: "toggle" }] }]),
    ],
  });
  const ref = refOf((await snapshotOf(desktop, app.name)).tree, "Check");
  const ask = async (property: string) =>
    (await desktop.ok("is", ref, "--property", property))["applicable"];
  assertEquals(await ask("checked"), true);
  await app.control("rule", JSON.stringify({ do: "error", node: "c", method: "GetState" }));
  for (const property of ["visible", "enabled", "focused", "checked"]) {
    assertEquals(await ask(property), false, property);
  }
});
