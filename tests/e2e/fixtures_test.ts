/** The fixtures themselves: they appear, their labels and logs confirm effects, control works. */
import { assert, assertEquals } from "@std/assert";
import { Desktop } from "./support/desktop.ts";
import {
  type App,
  poll,
  startGtk3,
  startGtk4,
  startQt,
  startScripted,
  startWeb,
} from "./support/apps.ts";

const desktop = await Desktop.start();

/** Chromium names the same action differently. */
const windows: [string, (desktop: Desktop) => Promise<App>, string][] = [
  ["GTK 3", startGtk3, "click"],
  ["GTK 4", startGtk4, "click"],
  ["Qt", startQt, "Press"],
  ["web", startWeb, "press"],
];

for (const [toolkit, start, action] of windows) {
  Deno.test(`${toolkit}: an effect shows in the label and the log, verbs change controls`, async () => {
    await using app = await start(desktop);
    await app.expectLabel("push", "clicked 0");
    await desktop.reader.act({ app: app.name, name: "Push", role: 43 }, action);
    await app.expectLabel("push", "clicked 1");
    await app.expectEvents("push", "clicked 1");

    await app.control("rename", "Push", "Other name");
    await app.control("insert-before", "Other name");
    let names: string[] = [];
    const inOrder = await poll(3_000, async () => {
      const buttons = await desktop.reader.find({ app: app.name, role: 43 });
      names = buttons.map((button) => button.name);
      const place = names.indexOf("Inserted 1");
      return place >= 0 && names[place + 1] === "Other name";
    });
    assert(inOrder, `${names}`);
  });
}

Deno.test("scripted: effects are counted, calls are recorded, rules change answers", async () => {
  await using app = await startScripted(desktop, {
    windows: [{
      id: "win",
      role: "frame",
      name: "Main",
      children: [{ id: "save", role: "push button", name: "Save", actions: [{ name: "click" }] }],
    }],
  });
  const save = { app: app.name, name: "Save" };
  assertEquals(await desktop.reader.act(save, "click"), true);
  await app.control("rule", JSON.stringify({ do: "false", method: "DoAction" }));
  assertEquals(await desktop.reader.act(save, "click"), false);
  assertEquals(await app.ask("effects"), { "save DoAction": 1 });
  const calls = await app.ask<Record<string, number>>("calls", "save");
  assertEquals(calls["Action.DoAction"], 2);
  await app.expectEvents("save", "DoAction");
});
