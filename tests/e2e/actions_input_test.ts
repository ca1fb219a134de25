/** Keyboard and pointer on X11: layouts, combinations, refusals, and that nothing stays down. */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import {
  type App,
  poll,
  startGtk3,
  startGtk4,
  startQt,
  startScene,
  startWeb,
} from "./support/apps.ts";
import { Desktop, refOf } from "./support/desktop.ts";

const desktop = await Desktop.start();

const ref = async (app: App, name: string, role?: string) =>
  refOf((await desktop.snapshot("--app", app.name, "--max-depth", "50")).tree, name, role);

/** Output of an X tool. */
async function tool(on: Desktop, file: string, ...args: string[]): Promise<string> {
  const { stdout } = await on.command(file, { args }).output();
  return new TextDecoder().decode(stdout);
}

/** Keys and buttons that the X server says are down. */
async function down(on: Desktop): Promise<string[]> {
  const states = await tool(on, "xinput", "query-state", "Virtual core keyboard") +
    await tool(on, "xinput", "query-state", "Virtual core pointer");
  return states.split("\n").filter((line) => line.includes("=down")).map((line) => line.trim());
}

/**
 * Waits until the window manager has got round to a new window: after each change of the keyboard
 * it looks through the whole of it, and a test makes many.
 */
async function managed(app: App): Promise<void> {
  const seen = await poll(20_000, async () => {
    const active = await tool(desktop, "xdotool", "getactivewindow", "getwindowpid");
    return Number(active) === app.pid || app.name === "Chromium" &&
        (await tool(desktop, "xdotool", "getactivewindow", "getwindowname")).includes("Web");
  });
  assert(seen, "the window became active");
}

/** Where the pointer is. */
const pointerPlace = async () =>
  (await tool(desktop, "xdotool", "getmouselocation")).split(" ").slice(0, 2).join(" ");

/** The keyboard's map, to see that it is left as it was. */
const keyboard = (on: Desktop) => tool(on, "xmodmap", "-pke");

for (
  const [toolkit, start] of [
    ["GTK 3", startGtk3],
    ["GTK 4", startGtk4],
    ["Qt 5", startQt],
    ["Chromium", startWeb],
  ] as const
) {
  Deno.test(`${toolkit}: text typed in any layout is that text`, async () => {
    await using app = await start(desktop);
    await managed(app);
    const entry = await ref(app, "Entry");
    for (const layout of ["us", "de", "ru"]) {
      await tool(desktop, "setxkbmap", layout);
      const before = await keyboard(desktop);
      for (const text of [`@z/"{}[]\\|~^`, "Zürich ÄÖÜ ß €5 привет 日本 😀é😀"]) {
        await app.control("set-text", "Entry", "");
        const data = await desktop.ok("type", entry, text, "--headed");
        await app.expectLabel("entry", JSON.stringify(text));
        const { delivery } = data["disposition"] as { delivery: string };
        assertEquals(delivery, "delivered_verified", `${layout}: ${text}`);
      }
      assertEquals(await keyboard(desktop), before, `${layout}: the keyboard is as it was`);
      assertEquals(await down(desktop), []);
    }
    await tool(desktop, "setxkbmap", "us");
  });
}

for (
  const [toolkit, start] of [["GTK 3", startGtk3], ["GTK 4", startGtk4], ["Qt 5", startQt]] as const
) {
  Deno.test(`${toolkit}: text goes to the caret, or in place of the selection`, async () => {
    await using app = await start(desktop);
    await managed(app);
    const entry = await ref(app, "Entry");
    await app.control("focus", "Entry");
    await app.control("set-text", "Entry", "a😀cd");
    const type = async (text: string, expected: string) => {
      const data = await desktop.ok("type", entry, text);
      await app.expectLabel("entry", JSON.stringify(expected));
      const { delivery } = data["disposition"] as { delivery: string };
      assertEquals(delivery, "delivered_verified");
    };
    const press = (combo: string) => desktop.ok("press", combo, "--app", app.name);
    await press("home");
    await press("right");
    await press("right");
    await type("é你", "a😀é你cd");
    await press("shift+end");
    await type("😀!", "a😀é你😀!");
    await press("ctrl+a");
    await type("all", "all");
  });
}

for (
  const [toolkit, start] of [
    ["GTK 3", startGtk3],
    ["GTK 4", startGtk4],
    ["Qt 5", startQt],
    ["Chromium", startWeb],
  ] as const
) {
  Deno.test(`${toolkit}: press sends keys and texts in the order given`, async () => {
    await using app = await start(desktop);
    await managed(app);
    await app.control("focus", "Entry");
    await app.control("set-text", "Entry", "before");
    const keys = "ctrl+a delete --text é12 left backspace end --text !? left delete".split(" ");
    const data = await desktop.ok("press", ...keys);
    // Backspace took the 1, delete the question mark.
    await app.expectLabel("entry", '"é2!"');
    assertEquals((data["steps"] as unknown[]).length, 9);
    assertMatch((data["window"] as { id: string }).id, /^w-/);
    assertEquals(await down(desktop), []);
    // Nothing is sent of a list with one bad item in it.
    await desktop.fails("INVALID_ARGS", "press", "x", "ctrl+nothing");
    await desktop.fails("POLICY_DENIED", "press", "x", "ctrl+q");
    await app.expectLabel("entry", '"é2!"');
  });
}

Deno.test("headless focus moves inside the focused window", async () => {
  await using app = await startGtk3(desktop);
  await managed(app);
  const data = await desktop.ok("focus", await ref(app, "Notes"));
  await app.expectLabel("focus", "Notes");
  const { delivery } = data["disposition"] as { delivery: string };
  assertEquals(delivery, "delivered_verified");
});

Deno.test("caps lock does not turn the case of typed text", async () => {
  await using app = await startGtk3(desktop);
  await managed(app);
  const entry = await ref(app, "Entry");
  await tool(desktop, "xdotool", "key", "Caps_Lock");
  try {
    await desktop.ok("type", entry, "aBc dEf", "--headed");
    await app.expectLabel("entry", '"aBc dEf"');
  } finally {
    await tool(desktop, "xdotool", "key", "Caps_Lock");
  }
});

Deno.test("press: combinations arrive as such, in the focused window only", async () => {
  await using app = await startGtk3(desktop);
  await managed(app);
  for (
    const [combo, key] of [
      ["ctrl+shift+a", "ctrl+shift+a"],
      ["f5", "f5"],
      ["alt+x", "alt+x"],
      ["ctrl+comma", "ctrl+comma"],
    ] as const
  ) {
    await desktop.ok("press", combo, "--app", app.name, "--headed");
    await app.expectLabel("key", key);
  }
  const data = await desktop.ok("press", "f6");
  assertEquals(data["action"], "press");
  await app.expectLabel("key", "f6");

  await using front = await startScene(desktop, "three-buttons");
  const error = await desktop.fails("POLICY_DENIED", "press", "f7", "--app", app.name);
  assertEquals(error.disposition.delivery, "not_delivered");
  assertStringIncludes(error.suggestion!, "--headed");
  assertEquals(await app.label("key"), "f6");
  await desktop.ok("press", "f8", "--app", app.name, "--headed");
  await app.expectLabel("key", "f8");
  front.assertAlive();
  assertEquals(await down(desktop), []);
});

Deno.test("a slash is found where the layout has it", async () => {
  await using app = await startGtk3(desktop);
  await managed(app);
  await tool(desktop, "setxkbmap", "de");
  try {
    const entry = await ref(app, "Entry");
    await desktop.ok("focus", entry, "--headed");
    await desktop.ok("press", "slash", "--app", app.name, "--headed");
    await desktop.ok("press", "]", "--app", app.name, "--headed");
    await app.expectLabel("entry", '"/]"');
  } finally {
    await tool(desktop, "setxkbmap", "us");
  }
});

Deno.test("what is refused is refused before anything is touched", async () => {
  await using app = await startGtk3(desktop);
  const push = await ref(app, "Push");
  const headless: [string, ...string[]][] = [
    ["hover", push],
    ["hover", "--xy", "5,5"],
    ["drag", "--from", push, "--to-xy", "5,5"],
    ["mouse-move", "--xy", "5,5"],
    ["mouse-click", "--xy", "5,5"],
    ["mouse-wheel", "--x", "5", "--y", "5"],
    ["mouse-down", "--xy", "5,5"],
    ["mouse-up", "--xy", "5,5"],
    ["double-click", push],
    ["triple-click", push],
  ];
  const pointer = await pointerPlace();
  for (const args of headless) {
    const error = await desktop.fails("POLICY_DENIED", ...args);
    assertEquals(error.recovery!["strategy"], "request_explicit_policy_then_retry_original");
  }
  for (const command of ["mouse-down", "mouse-up"]) {
    await desktop.fails("ACTION_NOT_SUPPORTED", command, "--xy", "5,5", "--headed");
  }
  for (const command of ["key-down", "key-up"]) {
    await desktop.fails("ACTION_NOT_SUPPORTED", command, "a");
    await desktop.fails("INVALID_ARGS", command, "hyper+a");
  }
  for (const combo of ["alt+f4", "ctrl+alt+delete", "meta+l", "option+F4"]) {
    await desktop.fails("POLICY_DENIED", "press", combo, "--app", app.name, "--headed");
  }
  await desktop.fails("INVALID_ARGS", "press", "ctrl+", "--app", app.name);
  await desktop.fails("INVALID_ARGS", "hover", push, "--duration", "5", "--headed");
  assertEquals(await pointerPlace(), pointer);
  app.assertAlive();
});

Deno.test("the pointer commands do what they say at the place they are given", async () => {
  await using app = await startGtk3(desktop);
  const { tree } = await desktop.snapshot(
    "--app",
    app.name,
    "--max-depth",
    "50",
    "--include-bounds",
  );
  const { nodeNamed } = await import("./support/desktop.ts");
  const centre = (name: string) => {
    const { x, y, width, height } = nodeNamed(tree, name).bounds!;
    return { x: Math.round(x + width / 2), y: Math.round(y + height / 2) };
  };
  const area = centre("Pointer area");
  const xy = `${area.x},${area.y}`;
  const moved = await desktop.ok("mouse-move", "--xy", xy, "--headed");
  assertEquals([moved["moved"], moved["x"], moved["y"]], [true, area.x, area.y]);
  assertEquals(await pointerPlace(), `x:${area.x} y:${area.y}`);
  for (const [button, number] of [["left", 1], ["middle", 2], ["right", 3]] as const) {
    await desktop.ok("mouse-click", "--xy", xy, "--button", button, "--headed");
    await app.expectLabel("pointer", `release ${number}`);
  }
  await desktop.ok("mouse-wheel", "--x", `${area.x}`, "--y", `${area.y}`, "--dy=-2", "--headed");
  await app.expectLabel("wheel", "0 2");
  await desktop.ok(
    "mouse-wheel",
    "--x",
    `${area.x}`,
    "--y",
    `${area.y}`,
    "--dy",
    "0",
    "--dx",
    "1",
    "--headed",
  );
  await app.expectLabel("wheel", "-1 2");

  const double = centre("Double target");
  await desktop.ok("mouse-click", "--xy", `${double.x},${double.y}`, "--count", "2", "--headed");
  await app.expectLabel("double", "1");
  // Two commands are two clicks, however fast they follow each other.
  await desktop.ok("mouse-click", "--xy", `${double.x},${double.y}`, "--headed");
  await desktop.ok("mouse-click", "--xy", `${double.x},${double.y}`, "--headed");
  await app.settle();
  assertEquals(await app.label("double"), "1");
  assertEquals(await down(desktop), []);
});

for (
  const [toolkit, start] of [["GTK 3", startGtk3], ["Qt 5", startQt], [
    "Chromium",
    startWeb,
  ]] as const
) {
  Deno.test(`${toolkit}: a drag takes the payload to the destination`, async () => {
    await using app = await start(desktop);
    const from = await ref(app, "Drag source");
    const to = await ref(app, "Drop target");
    const data = await desktop.ok("drag", "--from", from, "--to", to, "--headed");
    assertEquals(data["dragged"], true);
    await app.expectLabel("drop", "payload 1");
    assertEquals(await down(desktop), []);
  });
}

for (const [signal, code] of [["SIGTERM", 143], ["SIGINT", 130], ["SIGHUP", 129]] as const) {
  Deno.test(`${signal} during a drag and while typing leaves no button and no key down`, async () => {
    await using app = await startGtk3(desktop);
    const from = await ref(app, "Drag source");
    const entry = await ref(app, "Entry");
    const before = await keyboard(desktop);
    const drag = await desktop.runWith(
      { signalAfterMs: 1_500, signal },
      "drag",
      "--from",
      from,
      "--to-xy",
      "700,700",
      "--duration",
      "20000",
      "--headed",
    );
    assertEquals(drag.code, code, drag.stdout);
    assert(drag.wallMs < 10_000);
    assertEquals(await down(desktop), []);

    const text = "Ünïcödé 日本 ".repeat(200);
    const typing = await desktop.runWith(
      { signalAfterMs: 900, signal },
      "type",
      entry,
      text,
      "--headed",
      "--timeout-ms",
      "60000",
    );
    assertEquals(typing.code, code, typing.stdout);
    assertEquals(await down(desktop), []);
    assertEquals(await keyboard(desktop), before);
  });
}

Deno.test("without a window manager the focus is given directly, and nothing hangs", async () => {
  await using bare = await Desktop.start({ noWm: true });
  await using back = await startGtk3(bare);
  await using _front = await startScene(bare, "three-buttons");
  const { tree } = await bare.snapshot("--app", back.name, "--max-depth", "50");
  const run = await bare.run("type", refOf(tree, "Entry"), "hello", "--headed");
  assert(run.wallMs < 8_000, `${run.wallMs} ms`);
  if (run.envelope!.ok) {
    await back.expectLabel("entry", '"hello"');
  } else {
    assertEquals(run.envelope!.error!.disposition.retry, "safe", run.stdout);
    assert(run.envelope!.error!.suggestion !== undefined);
  }
});

Deno.test("a decimal comma in the locale does not change what a number means", async () => {
  const name = "de_DE.UTF-8";
  const folder = `${desktop.folder}/locales`;
  await Deno.mkdir(folder);
  const made = await desktop.command("localedef", {
    args: ["-i", "de_DE", "-f", "UTF-8", `${folder}/${name}`],
    stderr: "piped",
  }).output();
  assert(made.success, new TextDecoder().decode(made.stderr));
  const env = { LC_ALL: name, LANG: name, LOCPATH: folder };
  for (const start of [startGtk3, startGtk4, startQt]) {
    await using app = await start(desktop, { env });
    const spin = await ref(app, "Spin");
    await desktop.ok("set-value", spin, "1.5");
    await app.expectLabel("spin", "1.5");
    await desktop.fails("INVALID_ARGS", "set-value", spin, "1,5");
  }
});

Deno.test("without a display the keyboard is refused and semantic actions work", async () => {
  await using app = await startGtk3(desktop);
  const push = await ref(app, "Push");
  const env = { DISPLAY: undefined };
  const click = await desktop.runWith({ env }, "click", push);
  assertEquals(click.envelope!.ok, true, click.stdout);
  await app.expectLabel("push", "clicked 1");
  const press = await desktop.runWith({ env }, "press", "f5", "--app", app.name);
  assertEquals(press.envelope!.error!.code, "PLATFORM_NOT_SUPPORTED", press.stdout);
});
