/**
 * The target changes between snapshot and action: it is hit all the same, or nothing is, with the
 * right code. With pointer and with semantic delivery.
 */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { type App, poll, startGtk3, startGtk4, startQt, startWeb } from "./support/apps.ts";
import { Desktop, refOf } from "./support/desktop.ts";
import type { ReaderNode } from "./support/reader.ts";

const desktop = await Desktop.start();
const TOOLKITS: [string, () => Promise<App>][] = [
  ["GTK 3", () => startGtk3(desktop)],
  ["GTK 4", () => startGtk4(desktop)],
  ["Qt 5", () => startQt(desktop)],
  ["Chromium", () => startWeb(desktop)],
];

const ref = async (app: App, name: string, role?: string) =>
  refOf((await desktop.snapshot("--app", app.name, "--max-depth", "50")).tree, name, role);

/** Waits until the application says itself that nothing of that name is visible. */
async function expectHidden(app: App, name: string) {
  const shows = (node: ReaderNode): boolean =>
    node.states.includes("visible") && (node.name === name || (node.children ?? []).some(shows));
  const hidden = await poll(
    5_000,
    async () => !shows(await desktop.reader.tree({ app: app.name })),
  );
  assert(hidden, `${name} is still visible`);
}

for (const [toolkit, start] of TOOLKITS) {
  Deno.test(`${toolkit}: rows in another order, real clicks go to the row with the name`, async () => {
    await using app = await start();
    const bravo = await ref(app, "Bravo", "option");
    await app.control("reverse-list");
    await desktop.ok("click", bravo, "--headed");
    await app.expectLabel("row", "Bravo");
    await app.control("insert-before", "Bravo", 2);
    await desktop.ok("double-click", bravo, "--headed");
    await app.expectLabel("row-activated", "Bravo 1");
  });

  Deno.test(`${toolkit}: a button that is disabled, hidden or replaced gets no click`, async () => {
    await using app = await start();
    const push = await ref(app, "Push");
    for (const headed of [[], ["--headed"]]) {
      await app.control("disable", "Push");
      const error = await desktop.fails(
        "TIMEOUT",
        "click",
        push,
        "--timeout-ms",
        "3000",
        ...headed,
      );
      assertEquals(error.details!["kind"], "actionability_timeout");
      assertStringIncludes(error.message, "disabled");
      await app.control("enable", "Push");

      await app.control("hide", "Push");
      await expectHidden(app, "Push");
      const run = await desktop.run("click", push, "--timeout-ms", "2000", ...headed);
      assertEquals(run.envelope!.ok, false, run.stdout);
      assertEquals(run.envelope!.error!.disposition.retry, "safe");
      await app.control("show", "Push");
      await app.settle();
    }
    assertEquals(await app.label("push"), "clicked 0");

    // A button that comes back in time is clicked after all.
    await app.control("disable", "Push");
    const waiting = desktop.ok("click", push, "--timeout-ms", "10000");
    await new Promise((wake) => setTimeout(wake, 500));
    await app.control("enable", "Push");
    await waiting;
    await app.expectLabel("push", "clicked 1");

    await app.control("replace", "Push");
    for (const headed of [[], ["--headed"]]) {
      const run = await desktop.run("click", push, "--timeout-ms", "2000", ...headed);
      const { code, disposition } = run.envelope!.error!;
      assert(code === "STALE_REF" || code === "AMBIGUOUS_TARGET", run.stdout);
      assertEquals(disposition.delivery, "not_delivered");
    }
    assertEquals(await app.label("push"), "clicked 1");
  });
}

for (const [toolkit, start] of [TOOLKITS[0]!, TOOLKITS[3]!]) {
  Deno.test(`${toolkit}: what covers a button stops the pointer and is named`, async () => {
    await using app = await start();
    const target = await ref(app, "Double target");
    await app.control("cover", "Double target");
    const error = await desktop.fails(
      "TIMEOUT",
      "double-click",
      target,
      "--headed",
      "--timeout-ms",
      "2000",
    );
    assertStringIncludes(error.message, "occluded");
    const { checks } = error.details!["last_report"] as {
      checks: { check: string; occluder?: { role: string } }[];
    };
    assert(checks.some(({ check, occluder }) => check === "receives_events" && occluder));
    assertEquals(await app.label("double"), "0");
    await app.control("uncover");
    await app.settle();
    await desktop.ok("double-click", target, "--headed");
    await app.expectLabel("double", "1");
  });
}

Deno.test("a window in front of the target is no obstacle to its headed action", async () => {
  await using back = await startGtk3(desktop);
  const target = await ref(back, "Double target");
  await using _front = await startGtk4(desktop);
  await desktop.ok("double-click", target, "--headed");
  await back.expectLabel("double", "1");
});

Deno.test("a single attempt answers at once", async () => {
  await using app = await startGtk3(desktop);
  const disabled = await ref(app, "Disabled");
  const run = await desktop.run("click", disabled, "--timeout-ms", "0");
  const { code, details, disposition } = run.envelope!.error!;
  assertEquals([code, disposition.retry], ["ACTION_FAILED", "safe"]);
  assertEquals(details!["actionable"], false);
  assert(run.wallMs < 3_000, `${run.wallMs} ms`);
});

Deno.test("a stopped application: no command waits past its time", async () => {
  await using app = await startGtk3(desktop);
  const push = await ref(app, "Push");
  app.signal("SIGSTOP");
  for (const headed of [[], ["--headed"]]) {
    const run = await desktop.run("click", push, "--timeout-ms", "1000", ...headed);
    const { code, disposition } = run.envelope!.error!;
    assert(code === "APP_UNRESPONSIVE" || code === "TIMEOUT", run.stdout);
    assertEquals(disposition.delivery, "not_delivered");
    assert(run.wallMs < 6_000, `${run.wallMs} ms`);
  }
  app.signal("SIGCONT");
  await app.settle();
  assertEquals(await app.label("push"), "clicked 0");
});

Deno.test("the wait flags watch the application after the action", async () => {
  await using app = await startGtk3(desktop);
  const push = await ref(app, "Push");
  const data = await desktop.ok("click", push, "--wait-for", "statictext:push: clicked 1");
  assertEquals(data["matched_selector"], "statictext:push: clicked 1");
  assertEquals((data["after_action"] as { action: string }).action, "click");
  const error = await desktop.fails(
    "TIMEOUT",
    "click",
    push,
    "--wait-for",
    "button:Never",
    "--wait-timeout",
    "300",
  );
  assertEquals(error.disposition.delivery, "delivered_unverified");
  await app.expectLabel("push", "clicked 2");
});

for (
  const [toolkit, start] of [["GTK 3", startGtk3], ["GTK 4", startGtk4], ["Qt", startQt]] as const
) {
  Deno.test(`${toolkit}: a wait finds the dialog that an action opened in a window of its own`, async () => {
    await using app = await start(desktop);
    const opener = await ref(app, "Open dialog");
    const args = ["--wait-for", "button:Dialog OK", "--wait-timeout", "10000"];
    const data = await desktop.ok("click", opener, ...args);
    assert(JSON.stringify(data).length < 900, JSON.stringify(data));
    assertEquals("tree" in data, false);
    const { match, window } = data as { match: { ref_id: string }; window: { title: string } };
    assertEquals(window.title, "Dialog");
    // The ref is of the dialog: it answers it.
    const gone = await desktop.ok("click", match.ref_id, "--wait-for-gone", "button:Dialog OK");
    assertEquals(gone["gone"], true);
    await app.expectLabel("dialog", "ok");
  });
}
