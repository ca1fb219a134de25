/**
 * Lists whose application acts on the current item, whichever was activated: what a click names is
 * made the current one first, or nothing is activated.
 */
import { assertEquals } from "@std/assert";
import { Desktop, nodeNamed, nodesOf, refOf, type TreeNode } from "./support/desktop.ts";
import { type App, startScene } from "./support/apps.ts";

const desktop = await Desktop.start();
const LISTS = ["Rows", "Unselectable rows", "Icons"] as const;

/** Refs of the items Alpha, Bravo and Charlie of one list, in this order. */
function itemsOf(tree: TreeNode, list: string): string[] {
  const wanted = list === "Icons" ? "image" : "cell";
  const items = [...nodesOf(nodeNamed(tree, list))].filter(({ role }) => role === wanted);
  // A tree view has two columns with the same text.
  const perRow = items.length / 3;
  return [0, 1, 2].map((row) => items[row * perRow]!.ref_id!);
}

async function start(): Promise<{ app: App; tree: TreeNode }> {
  const app = await startScene(desktop, "current-item");
  const { tree } = await desktop.snapshot("--app", app.name);
  return { app, tree };
}

for (const list of LISTS) {
  const selected = (name: string) => list === "Unselectable rows" ? "none" : name;
  const told = (name: string) => `${name}, cursor ${name}, selected ${selected(name)}`;

  Deno.test(`${list}: a headed click makes the item the current one and activates it`, async () => {
    const { app, tree } = await start();
    await using _ = app;
    const [alpha, , charlie] = itemsOf(tree, list);
    await desktop.ok("focus", alpha!, "--headed");
    await desktop.ok("click", charlie!, "--headed");
    await app.expectEvents("status", told("Charlie"));
  });

  Deno.test(`${list}: a headless click never activates while another item is current`, async () => {
    const { app, tree } = await start();
    await using _ = app;
    const [alpha, bravo] = itemsOf(tree, list);
    await desktop.ok("focus", alpha!, "--headed");
    const refused = await desktop.fails("POLICY_DENIED", "click", bravo!);
    assertEquals(refused.disposition.delivery, "not_delivered");
    await app.settle();
    assertEquals(await app.events("status"), []);
    // The current one is activated without moving any focus.
    await desktop.ok("click", alpha!);
    await app.expectEvents("status", told("Alpha"));
  });

  Deno.test(`${list}: a headless click does not take the focus from another control`, async () => {
    const { app, tree } = await start();
    await using _ = app;
    const [, bravo] = itemsOf(tree, list);
    await desktop.ok("focus", refOf(tree, "Elsewhere"), "--headed");
    await desktop.fails("POLICY_DENIED", "click", bravo!);
    await app.settle();
    assertEquals(await app.events("status"), []);
    const field = await desktop.reader.find({ app: app.name, prefix: "Elsewhere" });
    assertEquals(field.map((node) => node.states?.includes("focused")), [true]);
  });
}

Deno.test("several selected rows: the click leaves its own selected alone", async () => {
  const { app, tree } = await start();
  await using _ = app;
  const [, bravo] = itemsOf(tree, "Rows");
  await desktop.ok("focus", bravo!, "--headed");
  await desktop.ok("press", "ctrl+a", "--app", app.name, "--headed");
  await app.settle();
  await desktop.ok("click", bravo!);
  await app.expectEvents("status", "Bravo, cursor Bravo, selected Bravo");
});
