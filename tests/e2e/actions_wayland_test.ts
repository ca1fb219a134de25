/** A Wayland session: input through Mutter's service where it is, refused with a way out else. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { poll, startScripted } from "./support/apps.ts";
import { Desktop, refOf, ROOT } from "./support/desktop.ts";

const desktop = await Desktop.start();
// As in a Wayland session without X11 applications.
const env = { WAYLAND_DISPLAY: "wayland-0", DISPLAY: undefined };

const TREE = {
  windows: [{
    id: "win",
    role: "frame",
    name: "Main",
    states: ["active", "enabled", "sensitive", "showing", "visible"],
    children: [
      { id: "save", role: "push button", name: "Save", actions: [{ name: "click" }] },
    ],
  }],
};

/** Starts the stand-in for Mutter; gives the calls it got so far. */
async function startMutter(...args: string[]) {
  const log = `${desktop.folder}/mutter-${crypto.randomUUID()}`;
  const process = desktop.command("/usr/bin/python3", {
    args: [`${ROOT}fixtures/mock_mutter.py`, log, ...args],
    stdin: "null",
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const reader = process.stdout.getReader();
  await reader.read();
  return {
    calls: async () =>
      (await Deno.readTextFile(log).catch(() => "")).split("\n").filter(Boolean)
        .map((line) => JSON.parse(line) as [string, ...unknown[]]),
    [Symbol.asyncDispose]: async () => {
      await reader.cancel();
      process.kill();
      await process.status;
    },
  };
}

Deno.test("without Mutter's service input is refused and semantic actions work", async () => {
  await using app = await startScripted(desktop, TREE);
  const { tree } = await desktop.snapshot("--app", app.name);
  const click = await desktop.runWith({ env }, "click", refOf(tree, "Save"));
  assertEquals(click.envelope!.ok, true, click.stdout);
  for (
    const args of [
      ["press", "f5", "--app", app.name],
      ["mouse-move", "--xy", "5,5", "--headed"],
      ["hover", "--xy", "5,5", "--headed"],
    ]
  ) {
    const { error } = (await desktop.runWith({ env }, ...args)).envelope!;
    assertEquals(error!.code, "PLATFORM_NOT_SUPPORTED");
    assertStringIncludes(error!.message, "Wayland");
    assert(error!.suggestion !== undefined);
    assertEquals(error!.disposition.retry, "safe");
  }
});

Deno.test("keys go through Mutter, by keysym, and every one is lifted", async () => {
  await using mutter = await startMutter();
  await using app = await startScripted(desktop, TREE);
  const run = await desktop.runWith({ env }, "press", "ctrl+shift+a", "--app", app.name);
  assertEquals(run.envelope!.ok, true, run.stdout);
  await poll(1_000, async () => (await mutter.calls()).length >= 10);
  const keys = (await mutter.calls()).filter(([member]) => member === "NotifyKeyboardKeysym");
  assertEquals(keys.map(([, keysym, down]) => [keysym, down]), [
    [0xffe3, true],
    [0xffe1, true],
    [0x61, true],
    [0x61, false],
    [0xffe1, false],
    [0xffe3, false],
  ]);
});

Deno.test("the pointer goes through Mutter, in coordinates of the primary monitor", async () => {
  await using mutter = await startMutter();
  const xy = ["--xy", "120,45", "--headed"];
  const click = await desktop.runWith({ env }, "mouse-click", ...xy, "--button", "right");
  assertEquals(click.envelope!.ok, true, click.stdout);
  const wheel = await desktop.runWith(
    { env },
    "mouse-wheel",
    "--x",
    "10",
    "--y",
    "20",
    "--dy=-2",
    "--headed",
  );
  assertEquals(wheel.envelope!.ok, true, wheel.stdout);
  const calls = await mutter.calls();
  assertEquals(calls.find(([member]) => member === "RecordMonitor"), ["RecordMonitor", "", {}]);
  const cast = calls.filter(([member]) => member === "CreateSession")[1]!;
  assertEquals(cast[1], { "remote-desktop-session-id": "remote-id-1" });
  const input = calls.filter(([member]) => member.startsWith("Notify"));
  assertEquals(input, [
    ["NotifyPointerMotionAbsolute", "/cast/stream/1", 120, 45],
    ["NotifyPointerButton", 0x111, true],
    ["NotifyPointerButton", 0x111, false],
    ["NotifyPointerMotionAbsolute", "/cast/stream/1", 10, 20],
    ["NotifyPointerAxisDiscrete", 0, 2],
  ]);
});

Deno.test("without screen cast the keyboard works and the pointer is refused", async () => {
  await using mutter = await startMutter("--no-screen-cast");
  await using app = await startScripted(desktop, TREE);
  const press = await desktop.runWith({ env }, "press", "f5", "--app", app.name);
  assertEquals(press.envelope!.ok, true, press.stdout);
  const move = await desktop.runWith({ env }, "mouse-move", "--xy", "5,5", "--headed");
  assertEquals(move.envelope!.error!.code, "PLATFORM_NOT_SUPPORTED", move.stdout);
  assert((await mutter.calls()).every(([member]) => member !== "NotifyPointerMotionAbsolute"));
});
