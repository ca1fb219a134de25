/**
 * Double and triple clicks whose first press takes their target away: the presses that follow are
 * not made, so that nothing else gets them, and the answer says how many were.
 */
import { assertEquals } from "@std/assert";
import { Desktop, refOf } from "./support/desktop.ts";
import { type App, poll, startGtk3, startGtk4, startScene } from "./support/apps.ts";

const desktop = await Desktop.start();

/** The ref of an element, once it is there. */
async function refSoon(app: App, role: string, name: string): Promise<string> {
  let ref: string | null = null;
  const query = ["--app", app.name, "--role", role, "--name", name, "--first"];
  await poll(5_000, async () => {
    const { match } = await desktop.ok("find", ...query) as { match: { ref_id: string } | null };
    return (ref = match?.ref_id ?? null) !== null;
  });
  return ref!;
}

for (const [action, wanted] of [["double-click", 2], ["triple-click", 3]] as const) {
  Deno.test(`${action} on a button that another replaces presses once`, async () => {
    await using app = await startScene(desktop, "swap");
    const { tree } = await desktop.snapshot("--app", app.name);
    const error = await desktop.fails("ACTION_FAILED", action, refOf(tree, "Next"), "--headed");
    assertEquals(error.disposition.delivery, "delivered_unverified");
    assertEquals(error.details?.["presses_delivered"], 1);
    assertEquals(error.details?.["presses_wanted"], wanted);
    await app.expectLabel("status", "Next 1");
    await app.settle();
    await app.expectEvents("status", "Next 1");
  });
}

Deno.test("double-click on an item of a combo box's popup does not reach what is behind", async () => {
  await using app = await startScene(desktop, "swap");
  const { tree } = await desktop.snapshot("--app", app.name);
  await desktop.ok("click", refOf(tree, "Pick"), "--headed");
  const option = await refSoon(app, "menuitem", "Option 4");
  const error = await desktop.fails("ACTION_FAILED", "double-click", option, "--headed");
  assertEquals(error.disposition.delivery, "delivered_unverified");
  assertEquals(error.details?.["presses_delivered"], 1);
  await app.expectEvents("status", "Option 4 1");
  await app.settle();
  await app.expectEvents("status", "Option 4 1");
});

Deno.test("a double click on what stays is two presses", async () => {
  await using app = await startScene(desktop, "swap");
  const { tree } = await desktop.snapshot("--app", app.name);
  await desktop.ok("double-click", refOf(tree, "Behind 3"), "--headed");
  await app.expectEvents("status", "Behind 3 1", "Behind 3 2");
});
for (const start of [startGtk3, startGtk4]) {
  Deno.test(`${start.name}: an item of a popover that stays open gets both`, async () => {
    await using app = await start(desktop);
    const { tree } = await desktop.snapshot("--app", app.name);
    await desktop.ok("click", refOf(tree, "Menu button"), "--headed");
    const item = await refSoon(app, "button", "Popover item");
    await desktop.ok("double-click", item, "--headed");
    await app.expectLabel("popover-item", "clicked 2");
  });
}

Deno.test("GTK 4: a context menu that the first press closes gets one", async () => {
  await using app = await startGtk4(desktop);
  const { tree } = await desktop.snapshot("--app", app.name);
  await desktop.ok("right-click", refOf(tree, "Context target"), "--headed");
  const item = await refSoon(app, "button", "Copy");
  const error = await desktop.fails("ACTION_FAILED", "double-click", item, "--headed");
  assertEquals(error.details?.["presses_delivered"], 1);
  assertEquals(error.disposition.delivery, "delivered_unverified");
  await app.expectLabel("context", "Copy 1");
  await app.settle();
  await app.expectEvents("context", "Copy 1");
});
