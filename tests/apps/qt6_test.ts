/** A Qt 6 window. */
import { assertEquals } from "@std/assert";
import { Desktop, nodeNamed, refOf } from "../e2e/support/desktop.ts";
import { expectSoon, startQt6 } from "./support/programs.ts";

const desktop = await Desktop.start();
const app = await startQt6(desktop);

Deno.test("Qt 6: a snapshot is complete", async () => {
  const snapshot = await app.snapshot();
  assertEquals(snapshot.complete, true);
  assertEquals(nodeNamed(snapshot.tree, "Notes", "textfield").value, "notes");
  refOf(snapshot.tree, "Charlie", "option");
});

Deno.test("Qt 6: a click pushes the button", async () => {
  const { tree } = await app.snapshot();
  await desktop.ok("click", refOf(tree, "Push", "button"));
  await app.expectLabel("status: pushed");
});

Deno.test("Qt 6: a field takes a value", async () => {
  const { tree } = await app.snapshot();
  await desktop.ok("set-value", refOf(tree, "Entry", "textfield"), "é你好😀");
  await app.expectLabel("status: entry é你好😀");
});

Deno.test("Qt 6: a combo box takes no option, and its list's selection is not called one", async () => {
  const { tree } = await app.snapshot();
  const box = nodeNamed(tree, "Combo", "combobox");
  assertEquals(box.value, "Red");
  const combo = box.ref_id!;
  const { envelope } = await desktop.run("select", combo, "Green");
  const { code, disposition } = envelope!.error!;
  // A later Qt takes a selection in the list, which the combo box does not take over.
  const refused = code === "ACTION_NOT_SUPPORTED" && disposition.delivery === "not_delivered";
  const failed = code === "ACTION_FAILED" && disposition.delivery === "delivered_unverified";
  assertEquals(refused || failed, true, JSON.stringify(envelope));
  const absent = (await desktop.run("select", combo, "Purple")).envelope!.error!;
  assertEquals([absent.code, absent.disposition.delivery, absent.details?.["options"]], [
    "ELEMENT_NOT_FOUND",
    "not_delivered",
    ["Red", "Green", "Blue"],
  ]);
});

Deno.test("Qt 6: a dialog that runs inside of a menu item's action is told, read and answered", async () => {
  const { tree } = await app.snapshot();
  await desktop.ok("click", refOf(tree, "File", "menuitem"), "--headed");
  const query = ["--app", app.name, "--role", "menuitem", "--name", "Dialog...", "--first"];
  let item: string | undefined;
  await expectSoon("the item", async () => {
    const { match } = await desktop.ok("find", ...query) as { match?: { ref_id: string } };
    return (item = match?.ref_id) !== undefined;
  });
  const clicked = await desktop.ok("click", item!) as unknown as {
    details: Record<string, unknown>;
    surfaces?: { title?: string }[];
  };
  assertEquals(clicked.details["handler_running"], true);
  assertEquals(clicked.surfaces?.some(({ title }) => title === "Sure?"), true);
  const dialog = await app.snapshot("Sure?");
  nodeNamed(dialog.tree, "Really?");
  await desktop.ok("click", refOf(dialog.tree, "Yes", "button"));
  await app.expectLabel("status: answer Yes");
});

Deno.test("Qt 6: an item of a closed menu is activated", async () => {
  const { tree } = await app.snapshot();
  const file = nodeNamed(tree, "File").ref_id!;
  for (const [item, status] of [["New", "menu new"], ["Deep", "menu deep"]] as const) {
    const done = await desktop.ok("select", file, item);
    assertEquals(done["disposition"], { delivery: "delivered_unverified", retry: "unsafe" });
    await app.expectLabel(`status: ${status}`);
  }
});

Deno.test("Qt 6: the application lives on", () => app.assertAlive());
