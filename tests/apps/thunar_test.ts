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

Deno.test("Thunar: the application lives on", () => app.assertAlive());
