/** What is read right after an action shows what the action did, however late the toolkit begins. */
import { assertEquals } from "@std/assert";
import { Desktop, nodeNamed, refOf } from "./support/desktop.ts";
import { startGtk3, startGtk4, startProgram, startQt, startWeb } from "./support/apps.ts";

const desktop = await Desktop.start();
const TIMES = 4;

for (
  const [toolkit, start] of [
    ["GTK 3", startGtk3],
    ["GTK 4", startGtk4],
    ["Qt", startQt],
    ["Chromium", startWeb],
  ] as const
) {
  Deno.test(`${toolkit}: find and get right after a click see its effect`, async () => {
    await using app = await start(desktop);
    const { tree } = await desktop.snapshot("--app", app.name);
    const push = refOf(tree, "Push", "button");
    const status = ["--app", app.name, "--role", "statictext", "--first", "--name", "push: "];
    for (let time = 1; time <= 2 * TIMES; time += 2) {
      await desktop.ok("click", push);
      const { match } = await desktop.ok("find", ...status) as { match: { name: string } };
      assertEquals(match.name, `push: clicked ${time}`);
      await desktop.ok("click", push);
      const again = await desktop.snapshot("--app", app.name);
      nodeNamed(again.tree, `push: clicked ${time + 1}`);
    }
  });
}

Deno.test("gnome-calculator: the result is there after =", async () => {
  await using app = await startProgram(desktop, "gnome-calculator", "gnome-calculator");
  const find = async (...query: string[]) => {
    const { match } = await desktop.ok("find", "--app", app.name, "--first", ...query);
    return match as { ref_id: string; value?: string };
  };
  const field = await find("--role", "textfield");
  const equals = await find("--role", "button", "--name", "=");
  for (const [term, result] of [["sin(30)", "0.5"], ["6×7", "42"], ["2^10", "1024"]] as const) {
    await desktop.ok("set-value", field.ref_id, term);
    await desktop.ok("click", equals.ref_id);
    assertEquals((await find("--role", "textfield")).value, result);
    await desktop.ok("set-value", field.ref_id, term);
    await desktop.ok("click", equals.ref_id);
    const { value } = await desktop.ok("get", field.ref_id, "--property", "value");
    assertEquals(value, result);
  }
});
