/** Old refs on real applications that changed meanwhile: the named element, or nothing. */
import { assert, assertEquals, assertNotEquals } from "@std/assert";
import { type App, startGtk3, startGtk4, startQt, startScene, startWeb } from "./support/apps.ts";
import { Desktop, refOf } from "./support/desktop.ts";

const desktop = await Desktop.start();

const read = (app: App) => desktop.snapshot("--app", app.name, "--timeout-ms", "10000");

/** The name of the element a ref leads to, or the code it fails with. */
async function target(ref: string): Promise<unknown> {
  const { envelope } = await desktop.run("get", ref, "--property", "title");
  return envelope!.ok ? envelope!.data!["value"] : envelope!.error!.code;
}

const toolkits: [string, (desktop: Desktop) => Promise<App>][] = [
  ["GTK 3", startGtk3],
  ["GTK 4", startGtk4],
  ["Qt", startQt],
  ["web", startWeb],
];

for (const [toolkit, start] of toolkits) {
  Deno.test(`${toolkit}: an element inserted before a button does not get its click`, async () => {
    await using app = await start(desktop);
    const { tree } = await read(app);
    await app.control("insert-before", "Push");
    assertEquals(await target(refOf(tree, "Push", "button")), "Push");
    await desktop.ok("click", refOf(tree, "Push", "button"));
    await app.expectLabel("push", "clicked 1");
  });

  Deno.test(`${toolkit}: disabling an earlier control leaves every other ref alone`, async () => {
    await using app = await start(desktop);
    const { tree } = await read(app);
    await app.control("disable", "Push");
    for (const name of ["Check", "Disabled"]) {
      assertEquals(await target(refOf(tree, name)), name);
    }
  });

  Deno.test(`${toolkit}: a look-alike in the place of a destroyed button is not it`, async () => {
    await using app = await start(desktop);
    const { tree } = await read(app);
    await app.control("replace", "Push");
    const ref = refOf(tree, "Push", "button");
    assertEquals(await target(ref), "STALE_REF");
    const error = await desktop.fails("STALE_REF", "click", ref, "--timeout-ms", "0");
    assertEquals(error.disposition, { delivery: "not_delivered", retry: "safe" });
  });

  Deno.test(`${toolkit}: a list in another order`, async () => {
    await using app = await start(desktop);
    const { tree } = await read(app);
    const names = ["Alpha", "Bravo", "Delta"];
    await app.control("reverse-list");
    await app.settle();
    const found = await Promise.all(names.map((name) => target(refOf(tree, name))));
    for (const [i, name] of names.entries()) {
      assert([name, "STALE_REF", "AMBIGUOUS_TARGET"].includes(found[i] as string), `${found}`);
    }
    console.log(`${toolkit}: ${found.join(", ")}`);
  });

  Deno.test(`${toolkit}: a popover that opens elsewhere makes no ref stale`, async () => {
    await using app = await start(desktop);
    const { tree } = await read(app);
    await app.control("open-popover");
    assertEquals(await target(refOf(tree, "Push", "button")), "Push");
    assertEquals(await target(refOf(tree, "Check")), "Check");
  });
}

Deno.test("a page that was destroyed: nothing is delivered to the one that took its place", async () => {
  await using app = await startScene(desktop, "stack");
  const { tree } = await read(app);
  await app.control("switch");
  const ref = refOf(tree, "Old button");
  assertEquals(await target(ref), "STALE_REF");
  await desktop.fails("STALE_REF", "click", ref, "--timeout-ms", "0");
  await app.expectLabel("status", "none");
});

Deno.test("two sessions have their own latest snapshot and never each other's refs", async () => {
  await using app = await startScene(desktop, "three-buttons");
  const one = await desktop.snapshot("--app", app.name, "--session", "one");
  const two = await desktop.snapshot("--app", app.name, "--session", "two");
  assertNotEquals(one.snapshot_id, two.snapshot_id);
  for (const [session, own, other] of [["one", one, two], ["two", two, one]] as const) {
    const status = await desktop.ok("status", "--session", session);
    assertEquals(status["snapshot_id"], own.snapshot_id);
    await desktop.ok("get", refOf(own.tree, "Bravo"), "--session", session);
    await desktop.fails(
      "SNAPSHOT_NOT_FOUND",
      "get",
      refOf(other.tree, "Bravo"),
      "--session",
      session,
    );
  }
});
