/**
 * The window system has the last word on windows: which one has the focus, which ones show, and
 * that those exist which no application publishes. The X server is looked at by xdotool and xev.
 */
import { assert, assertEquals } from "@std/assert";
import { Desktop } from "./support/desktop.ts";
import { type App, poll, startFixture, startGtk3, startQtScene, startWeb } from "./support/apps.ts";

const desktop = await Desktop.start();

interface Item {
  id: string;
  title: string;
  app_name: string;
  pid: number;
  is_focused: boolean;
  visible?: boolean;
  minimized?: boolean;
  accessible: boolean;
  unreachable?: string;
}

async function windows(...args: string[]): Promise<Item[]> {
  return await desktop.ok("list-windows", ...args) as unknown as Item[];
}

/** Waits until a window with this title is listed, and returns it. */
async function windowTitled(title: string): Promise<Item> {
  let found: Item | undefined;
  await poll(20_000, async () => {
    found = (await windows()).find((one) => one.title === title);
    return found !== undefined;
  });
  if (found === undefined) throw new Error(`no window ${title}`);
  return found;
}

async function xdotool(...args: string[]): Promise<string> {
  return (await desktop.output("xdotool", ...args)).trim();
}

/** Whether what is listed of an application's one window becomes this. */
function becomes(app: App, visible: boolean, minimized: boolean): Promise<boolean> {
  return poll(10_000, async () => {
    const [window] = await windows("--app", app.name);
    return window?.visible === visible && (window.minimized ?? false) === minimized;
  });
}

Deno.test("a minimised window and one of another desktop do not show", async () => {
  await using app = await startGtk3(desktop, { title: "To be hidden" });
  assert(await becomes(app, true, false), "shows");
  const xid = (await xdotool("search", "--name", "^To be hidden$")).split("\n").at(-1)!;
  await xdotool("windowminimize", xid);
  assert(await becomes(app, false, true), "minimised");
  await xdotool("windowmap", xid);
  assert(await becomes(app, true, false), "back");
  await xdotool("set_num_desktops", "2");
  await xdotool("set_desktop_for_window", xid, "1");
  assert(await becomes(app, false, false), "on another desktop");
  await xdotool("set_desktop_for_window", xid, "0");
  assert(await becomes(app, true, false), "back again");
});

Deno.test("a window of an application without accessibility is listed, gets keys, is closed", async () => {
  const options = { name: "mute-gtk", title: "No bridge", noWait: true };
  await using app = await startFixture(desktop, "gtk3_controls.py", {
    ...options,
    env: { NO_AT_BRIDGE: "1", GTK_MODULES: "" },
  });
  const window = await windowTitled("No bridge");
  assertEquals([window.accessible, window.unreachable], [false, "no_accessibility"]);
  assert(/^w-x[0-9a-f]+$/.test(window.id), window.id);
  assertEquals(window.pid, app.pid);
  const query = ["--window-id", window.id];
  await desktop.ok("focus-window", ...query);
  assertEquals((await windowTitled("No bridge")).is_focused, true);
  // What does not depend on what has the focus inside: Tab moves it, and the application notes that.
  await desktop.ok("press", "tab", ...query, "--headed");
  assert(await poll(10_000, async () => (await app.events("focus")).length > 0), "the key came");
  const picture = await desktop.ok("screenshot", ...query) as { width: number };
  assert(picture.width > 1);
  const unread = await desktop.fails("ACTION_NOT_SUPPORTED", "snapshot", ...query);
  assertEquals(unread.details?.["kind"], "window_without_accessibility_element");
  app.mayEnd = true;
  await desktop.ok("close-app", String(app.pid));
  assertEquals((await windows()).filter(({ title }) => title === "No bridge"), []);
});

Deno.test("a window that tells no process gets keys by its id", async () => {
  const log = `${desktop.folder}/xev`;
  const xev = desktop.command("/bin/sh", {
    args: ["-c", `exec xev -name "Bare window" -event keyboard > '${log}'`],
    stdin: "null",
    stdout: "null",
  }).spawn();
  try {
    const window = await windowTitled("Bare window");
    assertEquals([window.accessible, window.unreachable], [false, "no_accessibility"]);
    await desktop.ok("press", "q", "--window-id", window.id, "--headed");
    const came = async () => /KeyPress[^]*keysym 0x71, q/.test(await Deno.readTextFile(log));
    assert(await poll(10_000, came), "the key came");
  } finally {
    xev.kill();
    await xev.status;
  }
});

Deno.test("an application that does not answer keeps its window in the list", async () => {
  await using app = await startGtk3(desktop, { title: "Stopped" });
  await windowTitled("Stopped");
  app.signal("SIGSTOP");
  try {
    const window = (await windows()).find(({ title }) => title === "Stopped");
    assertEquals([window?.accessible, window?.unreachable], [false, "not_answering"]);
    await desktop.fails("APP_UNRESPONSIVE", "snapshot", "--window-id", window!.id);
    await desktop.ok("screenshot", "--window-id", window!.id);
  } finally {
    app.signal("SIGCONT");
  }
});

Deno.test("a title that the application does not tell is the window system's", async () => {
  // Qt leaves out of a title what the application is called.
  await using app = await startQtScene(desktop, "asks", { title: "qt-asks" });
  const [window] = await windows("--app", app.name);
  assertEquals(window?.title, "qt-asks");
  assertEquals((await desktop.snapshot("--app", app.name)).window.title, "qt-asks");
});

Deno.test("Chromium: its file chooser is listed, has the focus, and is closed by a key", async () => {
  await using app = await startWeb(desktop, undefined, { args: ["--browser-window"] });
  const page = (await windows("--app", app.name)).find(({ accessible, visible }) =>
    accessible && visible
  )!;
  await desktop.ok("press", "ctrl+o", "--window-id", page.id, "--headed");
  const dialog = await windowTitled("Open File");
  assertEquals([dialog.accessible, dialog.unreachable], [false, "not_published"]);
  assert(await poll(10_000, async () => (await windowTitled("Open File")).is_focused));
  const others = (await windows("--app", app.name)).filter(({ is_focused }) => is_focused);
  assertEquals(others.map(({ title }) => title), ["Open File"]);
  await desktop.ok("press", "escape", "--app", app.name);
  const gone = () => windows().then((all) => all.every(({ title }) => title !== "Open File"));
  assert(await poll(10_000, gone), "closed");
  assertEquals((await windows()).find(({ id }) => id === page.id)?.is_focused, true);
});
