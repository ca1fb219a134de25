/** Cells that their toolkit makes anew for each answer, so that no two answers name the same one. */
import { Desktop, refOf } from "./support/desktop.ts";
import { startQtScene } from "./support/apps.ts";

const desktop = await Desktop.start();

Deno.test("Qt: a cell of a tree is not covered by itself", async () => {
  await using app = await startQtScene(desktop, "tree");
  const { tree } = await desktop.snapshot("--app", app.name);
  for (const name of ["Vegetables", "1"]) {
    await desktop.ok("double-click", refOf(tree, name), "--headed");
    await app.expectLabel("status", `double ${name}`);
  }
});
