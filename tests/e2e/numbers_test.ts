/** Controls whose number or range is none: NaN, infinities, one value, a range the wrong way round. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { Desktop, nodeNamed, refOf, type TreeNode } from "./support/desktop.ts";
import { type App, startScripted } from "./support/apps.ts";
import { frame, snapshotOf } from "./support/scripted.ts";

const desktop = await Desktop.start();

const NUMBERS = ["NaN", "Infinity", "-Infinity"];

const SLIDERS: Record<string, { min: number | string; max: number | string; current: unknown }> = {
  ...Object.fromEntries(
    NUMBERS.map((number) => [`current ${number}`, { min: 0, max: 100, current: `@${number}` }]),
  ),
  "no range": { min: "@NaN", max: "@NaN", current: 1 },
  "endless": { min: "@-Infinity", max: "@Infinity", current: 1 },
  "from zero": { min: 0, max: "@Infinity", current: 1 },
  "wrong way round": { min: 10, max: 0, current: 5 },
  "one value": { min: 5, max: 5, current: 5 },
};
const idOf = (name: string) => name.replaceAll(" ", "_");

async function start(): Promise<{ app: App; ref: (name: string) => string; tree: TreeNode }> {
  const sliders = Object.entries(SLIDERS).map(([name, value]) => ({
    id: idOf(name),
    role: "slider",
    name,
    value,
  }));
  const app = await startScripted(desktop, { windows: [frame(sliders)] });
  const { tree } = await snapshotOf(desktop, app.name);
  return { app, ref: (name) => refOf(tree, name), tree };
}

Deno.test("a number that is none is no value, and keeps nothing from being read or set", async () => {
  const { app, ref, tree } = await start();
  await using _ = app;
  for (const number of NUMBERS) {
    const name = `current ${number}`;
    assertEquals(nodeNamed(tree, name).value, undefined);
    const read = await desktop.ok("get", ref(name), "--property", "value");
    assertEquals(read["value"], null);
    assertEquals((await desktop.ok("get", ref(name), "--property", "title"))["value"], name);
    assertEquals((await desktop.ok("is", ref(name), "--property", "enabled"))["result"], true);
    await desktop.ok("set-value", ref(name), "50");
    assertEquals((await desktop.ok("get", ref(name), "--property", "value"))["value"], "50");
  }
});

Deno.test("what a range does not allow is not sent, whatever else it lacks", async () => {
  const { app, ref } = await start();
  await using _ = app;
  const sent = async () => (await app.ask<Record<string, number>>("effects"));
  for (
    const [name, value, range] of [
      ["one value", "50", "from 5 to 5"],
      ["one value", "4.9", "from 5 to 5"],
      ["from zero", "-1", "from 0"],
    ] as const
  ) {
    const error = await desktop.fails("ACTION_FAILED", "set-value", ref(name), value);
    assertEquals(error.disposition.delivery, "not_delivered");
    assertStringIncludes(error.message, range);
    assertEquals((await sent())[`${idOf(name)} SetCurrentValue`], undefined);
  }
  for (
    const [name, value] of [
      ["one value", "5"],
      ["from zero", "1000"],
      ["endless", "-7"],
    ] as const
  ) {
    const data = await desktop.ok("set-value", ref(name), value);
    const { delivery } = data["disposition"] as { delivery: string };
    assertEquals([name, delivery], [name, "delivered_verified"]);
  }
  // What says nothing about its range, or contradicts itself, gets the number; what it makes of it
  // is its own affair.
  for (const name of ["no range", "wrong way round"]) {
    await desktop.run("set-value", ref(name), "20");
    assertEquals((await sent())[`${idOf(name)} SetCurrentValue`], 1);
  }
});

Deno.test("a value that cannot be read keeps nothing from an element that its name tells", async () => {
  const { app, ref } = await start();
  await using _ = app;
  await app.control(
    "rule",
    JSON.stringify({ do: "error", node: idOf("endless"), method: "Value.Get:CurrentValue" }),
  );
  assertEquals((await desktop.ok("is", ref("endless"), "--property", "enabled"))["result"], true);
  assertEquals(
    (await desktop.ok("get", ref("endless"), "--property", "title"))["value"],
    "endless",
  );
  await desktop.ok("set-value", ref("endless"), "3");
});
