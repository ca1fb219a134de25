/** Menus, popovers, dialogs, displays: what is open beside the window, as far as a toolkit shows it. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { type Data, Desktop, nodeNamed, nodesOf, refOf } from "./support/desktop.ts";
import { type App, poll, startGtk3, startGtk4, startQt, startWeb } from "./support/apps.ts";

const desktop = await Desktop.start();

interface Surface {
  id: string;
  type: string;
  title?: string;
  item_count?: number;
}

async function surfacesOf(app: App): Promise<Surface[]> {
  const { surfaces } = await desktop.ok("list-surfaces", "--app", app.name);
  return surfaces as Surface[];
}

const types = (surfaces: Surface[]) => surfaces.map(({ type }) => type);

/** Waits until the open surfaces are of these types, and returns them. */
async function expectSurfaces(app: App, ...wanted: string[]): Promise<Surface[]> {
  let last: Surface[] = [];
  const seen = await poll(5_000, async () => {
    last = await surfacesOf(app);
    return types(last).join() === wanted.join();
  });
  assert(seen, `${app.name}: ${JSON.stringify(last)}, not ${wanted}`);
  return last;
}

const surface = (app: App, kind: string) => desktop.snapshot("--app", app.name, "--surface", kind);

async function expectAbsent(app: App, ...kinds: string[]) {
  for (const kind of kinds) {
    const error = await desktop.fails(
      "ELEMENT_NOT_FOUND",
      "snapshot",
      "--app",
      app.name,
      "--surface",
      kind,
    );
    assertEquals(error.details, { kind: "source_surface_absent", surface: kind });
    assertMatch(error.suggestion!, /list-surfaces/);
    assertEquals(error.disposition, { delivery: "not_delivered", retry: "safe" });
  }
}

const windows: [string, (desktop: Desktop) => Promise<App>][] = [
  ["GTK 3", startGtk3],
  ["GTK 4", startGtk4],
  ["Qt", startQt],
];

for (const [toolkit, start] of windows) {
  Deno.test(`${toolkit}: nothing is open, then a dialog, then nothing`, async () => {
    await using app = await start(desktop);
    await expectSurfaces(app);
    await expectAbsent(app, "menu", "sheet", "popover", "alert");
    const window = await surface(app, "window");
    assertEquals(window.tree.role, "window");
    const stored = await desktop.ok("list-surfaces", "--app", String(app.pid));
    assertEquals(stored, { pid: app.pid, surfaces: [] });

    await app.control("open-dialog");
    const [dialog] = await expectSurfaces(app, "sheet");
    assertEquals(dialog!.title, "Dialog");
    const sheet = await surface(app, "sheet");
    assertEquals(sheet.tree.name, "Dialog");
    assert(!JSON.stringify(sheet.tree).includes('"Push"'), "the dialog and nothing else");
    // The dialog has the focus now.
    const focused = await poll(
      3_000,
      async () => (await surface(app, "focused")).tree.name === "Dialog",
    );
    assert(focused);
    const ok = refOf(sheet.tree, "Dialog OK", "button");
    assertEquals((await desktop.ok("get", ok))["value"], "Dialog OK");
    await desktop.ok("click", ok);
    await app.expectLabel("dialog", "ok");
    await expectSurfaces(app);
    await expectAbsent(app, "sheet");
    await desktop.fails("STALE_REF", "get", ok);
  });
}

for (const [toolkit, start] of [windows[0]!, windows[1]!]) {
  Deno.test(`${toolkit}: a popover is a surface while it is open`, async () => {
    await using app = await start(desktop);
    await app.control("open-popover");
    await expectSurfaces(app, "popover");
    const popover = await surface(app, "popover");
    assert(!JSON.stringify(popover.tree).includes('"Push"'), "the popover and nothing else");
    const item = refOf(popover.tree, "Popover item", "button");
    await desktop.ok("click", item);
    await app.expectLabel("popover-item", "clicked 1");
    await app.control("close-popover");
    await expectSurfaces(app);
    await expectAbsent(app, "popover");
  });
}

Deno.test("GTK 3: menu bar, an open menu, a menu within it, a context menu", async () => {
  await using app = await startGtk3(desktop);
  const bar = await surface(app, "menubar");
  const menus = (bar.tree.children ?? []).map(({ name, role }) => [name, role]);
  assertEquals(menus, [["File", "menu"], ["View", "menu"]]);
  await desktop.ok("click", refOf(bar.tree, "File", "menu"));
  const [file] = await expectSurfaces(app, "menu");
  assertEquals([file!.title, file!.item_count], ["File", 2]);
  const menu = await surface(app, "menu");
  assertEquals(menu.tree.name, "File");
  assertEquals((menu.tree.children ?? []).map(({ name }) => name), ["New", "Save", "Recent"]);
  await desktop.ok("click", refOf(menu.tree, "Recent", "menu"));
  await expectSurfaces(app, "menu", "menu");
  // Of several the innermost is meant: it takes the next key.
  const inner = await surface(app, "menu");
  assertEquals(inner.tree.name, "Recent");
  await desktop.ok("click", refOf(inner.tree, "Second file", "menuitem"));
  await app.expectLabel("menu", "Second file 1");
  await expectSurfaces(app);
  await expectAbsent(app, "menu");

  const { tree } = await desktop.snapshot("--app", app.name, "--max-depth", "50");
  await desktop.ok("--headed", "right-click", refOf(tree, "Context target"));
  const [context] = await expectSurfaces(app, "context_menu");
  assertEquals(context!.item_count, 2);
  const copy = await surface(app, "menu");
  await desktop.ok("click", refOf(copy.tree, "Copy", "menuitem"));
  await app.expectLabel("context", "Copy 1");
  await expectSurfaces(app);
});

Deno.test("GTK 4 has no menu bar here and context menus are popovers, Qt shows its menu bar", async () => {
  {
    await using gtk4 = await startGtk4(desktop);
    await expectAbsent(gtk4, "menubar");
    const { tree } = await desktop.snapshot("--app", gtk4.name, "--max-depth", "50");
    await desktop.ok("--headed", "right-click", refOf(tree, "Context target"));
    await expectSurfaces(gtk4, "popover");
    const menu = await surface(gtk4, "popover");
    await desktop.ok("click", refOf(menu.tree, "Copy", "button"));
    await gtk4.expectLabel("context", "Copy 1");
  }
  await using qt = await startQt(desktop);
  const bar = await surface(qt, "menubar");
  const names = [...nodesOf(bar.tree)].map(({ name }) => name);
  assertEquals(names.filter((name) => name === "File" || name === "View"), ["File", "View"]);
});

Deno.test("web: a modal dialog of the page, and an alert", async () => {
  await using app = await startWeb(desktop);
  // The browser complains of how it was started in an alert of its own.
  const complaint = (await surfacesOf(app)).find(({ type }) => type === "alert");
  if (complaint) {
    await desktop.ok("click", refOf((await surface(app, "alert")).tree, "Close", "button"));
  }
  await expectSurfaces(app);
  await app.control("open-dialog");
  assertEquals((await expectSurfaces(app, "sheet"))[0]!.title, "Dialog");
  const sheet = await surface(app, "sheet");
  await desktop.ok("click", refOf(sheet.tree, "Dialog OK", "button"));
  await app.expectLabel("dialog", "ok");
  await app.control(
    "evaluate",
    "document.body.insertAdjacentHTML('beforeend', '<div role=alert>Saved, with errors</div>')",
  );
  await expectSurfaces(app, "alert");
  const alert = await surface(app, "alert");
  nodeNamed(alert.tree, "Saved, with errors");
});

Deno.test("status tells the surfaces that exist here; others are refused with the list", async () => {
  await using app = await startGtk3(desktop);
  const status = await desktop.ok("status");
  const supported = status["supported_surfaces"] as string[];
  assertEquals(
    supported.toSorted(),
    ["alert", "focused", "menu", "menubar", "popover", "sheet", "window"],
  );
  const shells = ["desktop", "taskbar", "system-tray", "system_tray", "spotlight", "start-menu"];
  for (const kind of [...shells, "quick-settings", "menu_bar_extras"]) {
    for (const command of ["snapshot", "find"]) {
      const error = await desktop.fails("PLATFORM_NOT_SUPPORTED", command, "--surface", kind);
      assertEquals(error.details?.["supported_surfaces"], supported);
      assertMatch(error.suggestion!, /--surface/);
    }
  }
  const wrong = await desktop.run("snapshot", "--app", app.name, "--surface", "nonsense");
  assertEquals(wrong.envelope?.error?.code, "INVALID_ARGS");
  const root = refOf((await desktop.snapshot("--app", app.name)).tree, "Push", "button");
  await desktop.fails("INVALID_ARGS", "snapshot", "--root", root, "--surface", "menu");
  // A surface is searched like a window, and its refs say where they come from.
  const found = await desktop.ok(
    "find",
    "--app",
    app.name,
    "--surface",
    "menubar",
    "--name",
    "View",
    "--first",
  );
  assertEquals((found["match"] as Data)["role"], "menu");
});

Deno.test("displays are those of the X server, the primary one first", async () => {
  const data = await desktop.ok("list-displays");
  const displays = data as unknown as Data[];
  assert(Array.isArray(displays));
  const size = (await desktop.output("xdpyinfo")).match(/dimensions: +(\d+)x(\d+)/)!;
  assertEquals(displays.map(({ bounds, is_primary, scale }) => ({ bounds, is_primary, scale })), [{
    bounds: { height: Number(size[2]), width: Number(size[1]), x: 0, y: 0 },
    is_primary: true,
    scale: 1,
  }]);
  assertMatch(displays[0]!["id"] as string, /\S/);
});
