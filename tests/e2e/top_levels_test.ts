/** What counts as a window: whatever is shown at top level, whatever its role. */
import { assert, assertEquals } from "@std/assert";
import { Desktop, refOf } from "./support/desktop.ts";
import { startQtScene } from "./support/apps.ts";

const desktop = await Desktop.start();

interface Item {
  title: string;
  visible?: boolean;
  bounds?: { width: number; height: number };
}

Deno.test("Qt: a plain widget at top level is a window, is read and acted on", async () => {
  await using app = await startQtScene(desktop, "bare");
  const [window, ...more] = await desktop.ok(
    "list-windows",
    "--app",
    app.name,
  ) as unknown as Item[];
  assertEquals([window?.title, window?.visible, more.length], ["Bare widget", true, 0]);
  assert(window!.bounds!.width > 1);
  const { tree } = await desktop.snapshot("--app", app.name);
  await desktop.ok("click", refOf(tree, "Press"));
  await app.expectLabel("status", "pressed");
  await desktop.ok("click", refOf(tree, "Press"), "--headed");
});
