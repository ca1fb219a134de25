/**
 * What headless mode promises of the keyboard focus (docs/acting.md, "Policy"): only `focus` moves
 * it, and only inside the window that has it.
 */
import { assertEquals } from "@std/assert";
import { Desktop, nodesOf } from "./support/desktop.ts";
import { startGtk3, startGtk4, startQt, startWeb } from "./support/apps.ts";
import { trialName, TRIALS } from "./support/controls.ts";

const desktop = await Desktop.start();

// These open a layer, and the application gives it the focus.
const OPENS = ["Menu button", "Popover item", "Context target", "Combo"];
// A page focuses what is clicked, chosen or switched, as it does under a mouse.
const OWN_REACTION = ["click", "toggle", "check", "uncheck", "select"];

for (
  const [toolkit, start] of [
    ["GTK 3", startGtk3],
    ["GTK 4", startGtk4],
    ["Qt", startQt],
    ["Chromium", startWeb],
  ] as const
) {
  Deno.test(`${toolkit}: no headless command but focus moves the focus in its window`, async () => {
    await using app = await start(desktop);
    await app.control("focus", "Hover target");
    const { tree } = await desktop.snapshot("--app", app.name);
    await app.expectLabel("focus", "Hover target");
    const moved: string[] = [];
    for (const trial of TRIALS) {
      if (trial.command === "focus" || OPENS.includes(trial.control)) continue;
      if (toolkit === "Chromium" && OWN_REACTION.includes(trial.command)) continue;
      const node = [...nodesOf(tree)].find((one) =>
        one.name === trial.control && one.ref_id && (trial.role ?? one.role) === one.role
      );
      if (node === undefined) continue;
      const before = (await app.events("focus")).length;
      await desktop.run(trial.command, node.ref_id!, ...trial.args ?? [], "--timeout-ms", "0");
      await app.settle();
      if ((await app.events("focus")).length > before) {
        moved.push(trialName(trial));
        await app.control("focus", "Hover target");
        await app.settle();
      }
    }
    assertEquals(moved, []);
    if (toolkit === "GTK 4") return; // takes no focus request
    const entry = [...nodesOf(tree)].find(({ name, ref_id }) => name === "Option A" && ref_id);
    await desktop.ok("focus", entry!.ref_id!);
    await app.expectLabel("focus", "Option A");
  });
}
