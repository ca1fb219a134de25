/** A Qt 6 window. */
import { assertEquals } from "@std/assert";
import { Desktop, nodeNamed, refOf } from "../e2e/support/desktop.ts";
import { startQt6 } from "./support/programs.ts";

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

Deno.test("Qt 6: the application lives on", () => app.assertAlive());
