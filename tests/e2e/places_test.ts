/** Where things are: on the screen in device pixels, and whether they can be seen at all. */
import { assert, assertEquals } from "@std/assert";
import { type Data, Desktop, nodeNamed, refOf, type TreeNode } from "./support/desktop.ts";
import {
  type App,
  poll,
  startGtk3,
  startGtk4,
  startQt,
  startScene,
  startWeb,
} from "./support/apps.ts";

const desktop = await Desktop.start({ size: "1600x1000" });

type Rect = { x: number; y: number; width: number; height: number };

/** The window of a process on the X server, by its title; what xdotool calls it. */
async function xWindow(app: App, title: string): Promise<string> {
  const found = await desktop.output("xdotool", "search", "--onlyvisible", "--name", `^${title}$`);
  const ids = found.trim().split("\n");
  for (const id of ids) {
    const pid = await desktop.output("xdotool", "getwindowpid", id).catch(() => "");
    if (pid.trim() === String(app.pid)) return id;
  }
  return ids[0]!;
}

async function xPlace(id: string): Promise<Rect> {
  const told = await desktop.output("xwininfo", "-id", id);
  const field = (name: string) => Number(told.match(new RegExp(`${name}: +(-?\\d+)`))![1]);
  const [x, y] = [field("Absolute upper-left X"), field("Absolute upper-left Y")];
  return { x, y, width: field("Width"), height: field("Height") };
}

/** Clicks with a tool that knows nothing of accessibility. */
async function clickAt(bounds: Rect) {
  const x = Math.round(bounds.x + bounds.width / 2);
  const y = Math.round(bounds.y + bounds.height / 2);
  await desktop.output(
    "xdotool",
    "mousemove",
    "--sync",
    `${x}`,
    `${y}`,
    "sleep",
    "0.1",
    "click",
    "1",
  );
}

async function boundsOf(app: App, name: string, role: string): Promise<Rect> {
  const { tree } = await desktop.snapshot(
    "--app",
    app.name,
    "--include-bounds",
    "--max-depth",
    "50",
  );
  const { bounds } = nodeNamed(tree, name, role);
  assert(bounds, `${name} has bounds`);
  return bounds;
}

function expectInside(inner: Rect, outer: Rect) {
  const inside = inner.x >= outer.x && inner.y >= outer.y &&
    inner.x + inner.width <= outer.x + outer.width &&
    inner.y + inner.height <= outer.y + outer.height;
  assert(inside, `${JSON.stringify(inner)} in ${JSON.stringify(outer)}`);
}

const windows: [string, () => Promise<App>][] = [
  ["GTK 3", () => startGtk3(desktop, { args: ["--layout", "basic"] })],
  ["GTK 4", () => startGtk4(desktop)],
  ["Qt", () => startQt(desktop)],
  ["web", () => startWeb(desktop, "web_controls.html", { args: ["--size", "900x700"] })],
];

for (const [toolkit, start] of windows) {
  Deno.test(`${toolkit}: bounds follow the window, and a pointer at their centre hits`, async () => {
    await using app = await start();
    const [listed] = await desktop.ok("list-windows", "--app", app.name) as unknown as Data[];
    const id = await xWindow(app, listed!["title"] as string);
    let clicks = 0;
    for (const [x, y] of [[40, 60], [310, 170]] as const) {
      await desktop.output("xdotool", "windowmove", "--sync", id, `${x}`, `${y}`);
      await app.settle();
      let bounds: Rect | undefined;
      // The toolkit learns of its new place a moment later than the X server.
      const followed = await poll(5_000, async () => {
        bounds = await boundsOf(app, "Push", "button");
        const place = await xPlace(id);
        const [window] = await desktop.ok("list-windows", "--app", app.name) as unknown as {
          bounds: Rect;
        }[];
        const near = Math.abs(window!.bounds.x - place.x) < 60 &&
          Math.abs(window!.bounds.y - place.y) < 60;
        return near && bounds.x > place.x && bounds.y > place.y &&
          bounds.x + bounds.width < place.x + place.width;
      });
      assert(followed, JSON.stringify(bounds));
      const [window] = await desktop.ok("list-windows", "--app", app.name) as unknown as {
        bounds: Rect;
      }[];
      expectInside(bounds!, window!.bounds);
      await clickAt(bounds!);
      await app.expectLabel("push", `clicked ${++clicks}`);
      const got = await desktop.ok(
        "get",
        refOf((await desktop.snapshot("--app", app.name)).tree, "Push", "button"),
        "--property",
        "bounds",
      );
      assertEquals([got["value"], got["live"]], [bounds, true]);
      const check = await boundsOf(app, "Check", "checkbox");
      await clickAt(check);
      await app.expectLabel("check", clicks === 1 ? "on" : "off");
    }
  });
}

Deno.test("GTK 3 at double scale: bounds are device pixels, or absent", async () => {
  await using app = await startScene(desktop, "three-buttons", { env: { GDK_SCALE: "2" } });
  const { tree } = await desktop.snapshot("--app", app.name, "--include-bounds");
  const { bounds } = nodeNamed(tree, "Bravo", "button");
  const [listed] = await desktop.ok("list-windows", "--app", app.name) as unknown as Data[];
  console.log("GTK 3, GDK_SCALE=2:", JSON.stringify(bounds), JSON.stringify(listed!["bounds"]));
  const place = await xPlace(await xWindow(app, "Three buttons"));
  assertEquals(place.width, 1_000, "the window is scaled");
  if (bounds) {
    expectInside(bounds, place);
    await clickAt(bounds);
    await app.expectLabel("status", "Bravo 1");
  }
  // Without any place the semantic way still works.
  await desktop.ok("click", refOf(tree, "Alpha", "button"));
  await app.expectLabel("status", "Alpha 1");
});

Deno.test("GTK 4 at double scale: bounds are device pixels, or absent", async () => {
  await using app = await startGtk4(desktop, { env: { GDK_SCALE: "2" } });
  const { tree } = await desktop.snapshot("--app", app.name, "--include-bounds");
  const { bounds } = nodeNamed(tree, "Push", "button");
  console.log("GTK 4, GDK_SCALE=2:", JSON.stringify(bounds));
  if (bounds) {
    await clickAt(bounds);
    await app.expectLabel("push", "clicked 1");
  }
});

async function isVisible(node: TreeNode): Promise<Data> {
  const { result, applicable } = await desktop.ok("is", node.ref_id!, "--property", "visible");
  return { result, applicable };
}

Deno.test("what is on a hidden page is not visible; behind a modal dialog nothing is clickable", async () => {
  await using app = await startScene(desktop, "hidden-page");
  const list = await desktop.ok("list-windows", "--app", app.name) as unknown as {
    id: string;
    title: string;
  }[];
  const main = list.find(({ title }) => title === "Hidden page")!;
  const { tree } = await desktop.snapshot("--window-id", main.id);
  const first = nodeNamed(tree, "Button First").ref_id!;
  const limit = ["--timeout-ms", "1500"];
  for (const mode of [[], ["--headed"]]) {
    const blocked = await desktop.fails("TIMEOUT", ...mode, "click", first, ...limit);
    assertEquals(blocked.disposition.delivery, "not_delivered");
    const report = blocked.details?.["last_report"] as { checks: Data[] };
    assertEquals(report.checks.at(-1), {
      check: "receives_events",
      occluder: { name: "Modal dialog", role: "dialog" },
      reason: "behind a modal dialog",
      status: "fail",
    });
  }
  const hidden = nodeNamed(tree, "Button Second");
  assertEquals(hidden.states?.includes("offscreen"), true);
  assertEquals(await isVisible(hidden), { result: false, applicable: true });
  const run = await desktop.run("click", hidden.ref_id!, "--timeout-ms", "1500");
  const refused = run.envelope?.error;
  // Whether the attempt to scroll to it ends before the time is up depends on the machine.
  assert(["ACTION_FAILED", "TIMEOUT"].includes(refused?.code ?? ""), run.stdout);
  assertEquals(refused!.disposition.delivery, "not_delivered");
  const { checks } = (refused!.details?.["last_report"] ?? refused!.details) as { checks: Data[] };
  assertEquals(checks[0], { check: "visible", reason: "offscreen", status: "fail" });
  assertEquals(await app.label("status"), "none");
  // In the dialog all is well, and once it is closed, behind it too.
  const dialog = await desktop.snapshot("--app", app.name);
  await desktop.ok("click", refOf(dialog.tree, "Dialog OK", "button"));
  await app.expectLabel("status", "Dialog OK 1");
  await app.control("close-dialog");
  await desktop.ok("click", first);
  await app.expectLabel("status", "Button First 1");
});

Deno.test("the page that shows is visible, on every toolkit", async () => {
  const starts = [startGtk3, startGtk4, startQt, startWeb];
  for (const start of starts) {
    await using app = await start(desktop);
    const before = await desktop.snapshot("--app", app.name, "--max-depth", "50");
    const push = await isVisible(nodeNamed(before.tree, "Push", "button"));
    assertEquals(push, { result: true, applicable: true }, app.name);
    // A hidden page is left out, or its content is called off screen.
    const names = JSON.stringify(before.tree);
    if (names.includes('"Hidden button"')) {
      const hidden = nodeNamed(before.tree, "Hidden button");
      // GTK 4 has neither a state nor a place for it, which is no evidence either way.
      assertEquals((await isVisible(hidden))["result"], false, app.name);
    }
    await app.control("switch-page", 1);
    await app.settle();
    let seen: Data | undefined;
    const visible = await poll(5_000, async () => {
      const { tree } = await desktop.snapshot("--app", app.name, "--max-depth", "50");
      if (!JSON.stringify(tree).includes('"Hidden button"')) return false;
      seen = await isVisible(nodeNamed(tree, "Hidden button", "button"));
      return seen["result"] === true;
    });
    assert(visible, `${app.name}: ${JSON.stringify(seen)}`);
  }
});
