/** Thunar, a GTK 3 file manager. */
import { assertEquals } from "@std/assert";
import { Desktop, nodeNamed, refOf } from "../e2e/support/desktop.ts";
import { expectSoon, startThunar } from "./support/programs.ts";

const desktop = await Desktop.start();
const folder = `${desktop.env["HOME"]}/things`;
await Deno.mkdir(`${folder}/invoices`, { recursive: true });
await Deno.writeTextFile(`${folder}/src.txt`, "words\n");
const app = await startThunar(desktop, folder);

Deno.test("Thunar: a snapshot is complete and tells the folder", async () => {
  const snapshot = await app.snapshot("things");
  assertEquals(snapshot.complete, true);
  nodeNamed(snapshot.tree, "Back", "button");
  assertEquals(snapshot.window.title, "things - Thunar");
});

Deno.test("Thunar: a click on Open Parent opens the parent, one on Back comes back", async () => {
  const parent = await app.snapshot("things");
  await desktop.ok("click", refOf(parent.tree, "Open Parent", "button"));
  await expectSoon("home", async () => (await app.titles())[0] === "home - Thunar");
  const back = await app.snapshot("home");
  await desktop.ok("click", refOf(back.tree, "Back", "button"));
  await expectSoon("things", async () => (await app.titles())[0] === "things - Thunar");
});

Deno.test("Thunar: a click on a row opens this row, whichever is selected", async () => {
  await desktop.ok("press", "ctrl+2", "--app", "thunar", "--headed");
  await expectSoon("the rows", async () => (await app.find({ name: "invoices" })).length > 0);
  const { tree } = await app.snapshot("things");
  await desktop.ok("focus", refOf(tree, "src.txt", "cell"), "--headed");
  const row = refOf(tree, "invoices", "cell");
  const refused = await desktop.fails("POLICY_DENIED", "click", row);
  assertEquals(refused.disposition.delivery, "not_delivered");
  await desktop.ok("click", row, "--headed");
  await expectSoon("invoices", async () => (await app.titles())[0] === "invoices - Thunar");
  // Nothing else was opened: src.txt would be in a window of an editor.
  assertEquals(await app.titles(), ["invoices - Thunar"]);
  assertEquals((await desktop.reader.apps()).map((one) => one.name), ["thunar"]);
});

Deno.test("Thunar: the dialog behind Create Folder… is read and answered, and the bus stays free", async () => {
  // Thunar fills a menu when it is opened.
  const window = await app.snapshot("invoices");
  await desktop.ok("click", refOf(window.tree, "File", "menu"));
  let item: string | undefined;
  await expectSoon("the item", async () => {
    const query = ["--role", "menuitem", "--name", "Create Folder", "--first"];
    const { match } = await desktop.ok("find", "--app", "thunar", ...query) as {
      match?: { ref_id: string } | null;
    };
    return (item = match?.ref_id) !== undefined;
  });
  const clicked = await desktop.ok("click", item!) as unknown as {
    details: Record<string, unknown>;
    surfaces?: { type: string }[];
  };
  assertEquals(clicked.details["handler_running"], true);
  assertEquals(clicked.surfaces?.some(({ type }) => type === "sheet"), true);
  // Another client reads the dialog over the bus.
  await expectSoon("the dialog", async () => (await app.titles()).includes("Create New Folder"));
  const { tree } = await app.snapshot("Create New Folder");
  await desktop.ok("click", refOf(tree, "Cancel", "button"));
  await expectSoon("no dialog", async () => (await app.titles()).length === 1);
});

Deno.test("Thunar: the application lives on", () => app.assertAlive());
