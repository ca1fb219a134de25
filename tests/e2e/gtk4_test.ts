/**
 * What GTK 4 of other releases says of itself than the one installed here, told by the scripted
 * application under GTK's name: ids, labels without a name, menus, pages, hidden elements.
 */
import { assert, assertEquals } from "@std/assert";
import { Desktop, nodeNamed, nodesOf, refOf } from "./support/desktop.ts";
import { type ScriptedNode, startScripted } from "./support/apps.ts";
import { button, frame, snapshotOf } from "./support/scripted.ts";

const desktop = await Desktop.start();

function gtk(version: string, children: ScriptedNode[], extra: Record<string, unknown> = {}) {
  return { toolkit: "GTK", toolkit_version: version, windows: [frame(children)], ...extra };
}

const LAYER_POPUP = 5;
const popup = (node: string) => ({
  do: "reply",
  node,
  method: "GetLayer",
  signature: "u",
  values: [LAYER_POPUP],
});

Deno.test("accessible ids are shown by the releases that have them, and not asked of others", async () => {
  const seven = button("7", { id: "seven", accessible_id: "calc_7_button" });
  for (const [version, known] of [["4.22.0", true], ["4.18.6", false], ["4.8.3", false]] as const) {
    await using app = await startScripted(desktop, gtk(version, [seven]), { name: "ids" });
    const { tree } = await snapshotOf(desktop, app.name);
    const id = known ? { kind: "ax_identifier", value: "calc_7_button" } : undefined;
    assertEquals(nodeNamed(tree, "7").native_id, id, version);
    const calls = await app.ask<Record<string, number>>("calls", "seven");
    assertEquals("Accessible.Get:AccessibleId" in calls, known, version);
  }
});

Deno.test("a label that has a text and no name gives it; what may be a secret is not read", async () => {
  const item = (id: string, label: string): ScriptedNode => ({
    id,
    role: "menu item",
    actions: [{ name: "click" }],
    relations: [["labelled-by", [label]]],
  });
  await using app = await startScripted(
    desktop,
    gtk("4.18.6", [
      item("new", "outside"),
      item("typed", "password"),
      item("edited", "field"),
      { id: "outside", role: 0, text: "New Window", states: [] },
      { id: "password", role: "password text", text: "hunter2", editable: true },
      { id: "field", role: "label", text: "draft", editable: true, states: ["editable"] },
    ]),
    { name: "labels" },
  );
  const { tree } = await snapshotOf(desktop, app.name);
  const items = [...nodesOf(tree)].filter((node) => node.role === "menuitem");
  assertEquals(items.map((node) => node.name), ["New Window", undefined, undefined]);
  assert(!JSON.stringify(tree).includes("hunter2"));
  const calls = await app.ask<Record<string, number>>("calls", "password");
  assertEquals(Object.keys(calls).filter((call) => call.startsWith("Text.")), []);
});

Deno.test("a menu is one whatever stands between it and its items, a popover by its layer", async () => {
  const within = (children: ScriptedNode[]): ScriptedNode => ({
    role: "panel",
    children: [{ role: "scroll pane", children: [{ role: "grouping", children }] }],
  });
  const items: ScriptedNode[] = ["Cut", "Copy"].map((name) => ({
    role: "menu item",
    name,
    actions: [{ name: "click" }],
  }));
  const menu = { id: "menu", role: "menu", name: "Edit", children: [within(items)] };
  const tree = gtk("4.18.6", [
    { id: "button", role: "push button", name: "Menu", children: [menu] },
    { id: "popover", role: "panel", children: [button("Inside")] },
    { id: "plain", role: "panel", children: [button("Outside")] },
  ], { rules: [popup("menu"), popup("popover")] });
  await using app = await startScripted(desktop, tree, { name: "layers" });
  const { surfaces } = await desktop.ok("list-surfaces", "--app", app.name);
  assertEquals(
    (surfaces as { type: string; title?: string; item_count?: number }[])
      .map(({ type, title, item_count }) => ({ type, title, item_count })),
    [
      { type: "menu", title: "Edit", item_count: 2 },
      { type: "popover", title: undefined, item_count: undefined },
    ],
  );
  const open = await desktop.snapshot("--app", app.name, "--surface", "popover");
  await desktop.ok("click", refOf(open.tree, "Inside"));
  assertEquals(await app.ask("effects"), { "inside DoAction": 1 });
});

Deno.test("a hidden element does not take the place of the one that shows", async () => {
  const tree = gtk("4.18.6", [
    {
      id: "box",
      role: "panel",
      children: [button("One"), button("Two"), button("Ghost", { unlisted: true })],
    },
    {
      role: "panel",
      children: [button("Older ghost", { unlisted: true }), button("Three")],
    },
    {
      role: "scroll pane",
      children: [{ role: "viewport" }, { role: "scroll bar", unlisted: true }],
    },
  ], { cache: "full" });
  await using app = await startScripted(desktop, tree, { name: "hidden" });
  const { tree: shown } = await snapshotOf(desktop, app.name);
  const names = [...nodesOf(shown)].map((node) => node.name ?? node.role);
  assertEquals(names, ["Main", "group", "One", "Two", "group", "Three", "scrollarea", "group"]);
  await desktop.ok("click", refOf(shown, "Two"));
  assertEquals(await app.ask("effects"), { "two DoAction": 1 });
});
