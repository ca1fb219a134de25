/**
 * Two applications behind one D-Bus proxy, as sandboxes have them: each is an application of its
 * own, with its own process, windows and places, although the bus calls both the proxy's.
 */
import { assert, assertEquals, assertNotEquals } from "@std/assert";
import { Desktop, refOf } from "./support/desktop.ts";
import { type App, exists, poll, startScene } from "./support/apps.ts";

const desktop = await Desktop.start();

interface Item {
  title: string;
  app_name: string;
  pid: number;
  is_focused: boolean;
  bounds?: { width: number; height: number };
}

const windows = async (...args: string[]) =>
  await desktop.ok("list-windows", ...args) as unknown as Item[];

/** A proxy before the accessibility bus; the address it listens on. */
async function startProxy(): Promise<{ process: Deno.ChildProcess; address: string }> {
  const bus = await desktop.output(
    "dbus-send",
    "--session",
    "--print-reply=literal",
    "--dest=org.a11y.Bus",
    "/org/a11y/bus",
    "org.a11y.Bus.GetAddress",
  );
  const path = `${desktop.folder}/a11y-proxy`;
  const command = desktop.command("xdg-dbus-proxy", { args: [bus.trim(), path], stdin: "null" });
  const process = command.spawn();
  assert(await poll(10_000, () => exists(path)), "the proxy listens");
  return { process, address: `unix:path=${path}` };
}

Deno.test("two applications behind one proxy are two, each with its process and places", async () => {
  const proxy = await startProxy();
  const env = { AT_SPI_BUS_ADDRESS: proxy.address };
  const options = { noWait: true, env };
  const ready = (...apps: App[]) =>
    poll(30_000, async () => {
      const listed = await windows();
      return apps.every(({ name }) => listed.some(({ app_name }) => app_name === name));
    });
  try {
    await using one = await startScene(desktop, "three-buttons", { ...options, name: "Boxed one" });
    await using two = await startScene(desktop, "three-buttons", {
      ...options,
      name: "Boxed two",
      title: "Another title",
    });
    assert(await ready(one, two), "both are listed");
    const { apps } = await desktop.ok("list-apps") as unknown as {
      apps: { name: string; pid: number }[];
    };
    assertEquals(
      apps.map(({ name, pid }) => [name, pid]).sort(),
      [["Boxed one", one.pid], ["Boxed two", two.pid]],
    );
    for (const app of [one, two]) {
      const listed = await windows("--app", app.name);
      assertEquals(listed.map(({ pid }) => pid), [app.pid]);
      assertNotEquals(listed[0]!.bounds, undefined);
      const { tree } = await desktop.snapshot("--app", app.name);
      await desktop.ok("click", refOf(tree, "Alpha"));
      await app.expectEvents("status", "Alpha 1");
      // Two real presses, in this window.
      await desktop.ok("double-click", refOf(tree, "Bravo"), "--headed");
      await app.expectEvents("status", "Alpha 1", "Bravo 1", "Bravo 2");
    }
    one.mayEnd = true;
    await desktop.ok("close-app", "Boxed one");
    assertEquals((await windows()).map(({ app_name }) => app_name), ["Boxed two"]);
  } finally {
    proxy.process.kill();
    await proxy.process.status;
  }
});
