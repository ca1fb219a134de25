/** Firefox: its own window, and a page with every control whose labels confirm what was done. */
import { assertEquals } from "@std/assert";
import { Desktop, nodeNamed, refOf, ROOT } from "../e2e/support/desktop.ts";
import { startFirefox } from "./support/programs.ts";

const desktop = await Desktop.start();
const page = `file://${ROOT}fixtures/web_controls.html`;
const app = await startFirefox(desktop, page, "Web controls");
// Firefox builds its tree step by step: the page's last label is what comes late.
await app.expectLabel("push: clicked 0");

Deno.test("Firefox: a snapshot is complete, the page and the toolbar are in it", async () => {
  const snapshot = await app.snapshot();
  assertEquals(snapshot.complete, true);
  refOf(snapshot.tree, "Push", "button");
  nodeNamed(snapshot.tree, "Reload", "button");
});

Deno.test("Firefox: a click pushes the page's button, one on Reload loads it again", async () => {
  await desktop.ok("click", refOf((await app.snapshot()).tree, "Push", "button"));
  await app.expectLabel("push: clicked 1");
  await desktop.ok("click", refOf((await app.snapshot()).tree, "Reload", "button"));
  await app.expectLabel("push: clicked 0");
});

Deno.test("Firefox: the application lives on", () => app.assertAlive());
