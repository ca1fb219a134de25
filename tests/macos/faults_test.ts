import { assert, assertEquals } from "@std/assert";
import { NativeError } from "../../ffi/macos/library.ts";
import { Deadline } from "../../src/deadline.ts";
import { AppError } from "../../src/errors.ts";
import type { MacPlatform } from "../../src/platform/macos/platform.ts";
import {
  clearClipboard,
  readClipboard,
  writeClipboard,
} from "../../src/platform/macos/clipboard.ts";
import { closeApp } from "../../src/platform/macos/launch.ts";
import {
  maximizeWindow,
  setGeometry,
  setMinimized,
} from "../../src/platform/macos/window_control.ts";
import type { SemanticRequest } from "../../src/platform/platform.ts";
import type { Handle } from "../../src/tree/node.ts";
import { test } from "./support/case.ts";
import { FakeMac } from "./support/fake.ts";
import { assertClean, machineFixture, usePlatform } from "./support/platform.ts";
import { withVirtualTime } from "./support/time.ts";

const fake = await FakeMac.load();
const machine = machineFixture("mail");
// Element gone, no answer, unsupported, denied, no value; refused; and one nobody expects.
const CODES = [-25202, -25204, -25205, -25211, -25212, -25200, -25214];

/** What an operation works on. */
interface Scene {
  platform: MacPlatform;
  deadline: Deadline;
  at(id: string): Handle;
}

type Operation = (scene: Scene) => Promise<unknown>;

const perform = (name: string, request: SemanticRequest): Operation => (scene) =>
  scene.platform.perform(scene.at(name), request, { focus: true }, scene.deadline);

const OPERATIONS: Record<string, Operation> = {
  apps: ({ platform, deadline }) => platform.apps(deadline),
  windows: ({ platform, deadline }) => platform.windows(undefined, deadline),
  "windows of one": ({ platform, deadline }) => platform.windows(501, deadline),
  "window by id": ({ platform, deadline }) => platform.windowById("w-101", deadline),
  displays: ({ platform, deadline }) => platform.displays(deadline),
  permissions: ({ platform, deadline }) => platform.permissions(deadline),
  observe: ({ platform, deadline, at }) =>
    platform.observe(at("inbox"), { maxDepth: 10, bounds: "all" }, deadline),
  "observe shallow": ({ platform, deadline, at }) =>
    platform.observe(at("inbox"), { maxDepth: 1, bounds: "identity" }, deadline),
  inspect: ({ platform, deadline, at }) => platform.inspect(at("send"), deadline),
  path: ({ platform, deadline, at }) => platform.atPath(at("inbox"), [0, 1], deadline),
  "is inside": ({ platform, deadline, at }) =>
    platform.isInside(at("text1"), at("inbox"), deadline),
  candidates: ({ platform, deadline, at }) =>
    platform.candidates(at("inbox"), { role: "button", maxDepth: 50 }, deadline),
  "candidates by name": ({ platform, deadline, at }) =>
    platform.candidates(at("inbox"), { role: "button", name: "Send", maxDepth: 50 }, deadline),
  children: ({ platform, deadline, at }) => platform.children(at("inbox"), deadline),
  value: ({ platform, deadline, at }) => platform.wholeValue(at("subject"), 100, deadline),
  selection: ({ platform, deadline, at }) => platform.textRange(at("subject"), deadline),
  surfaces: ({ platform, deadline }) => platform.openSurfaces(501, deadline),
  "menu bar": ({ platform, deadline }) => platform.surfaceRoot(501, "menubar", deadline),
  "hit test": ({ platform, deadline, at }) =>
    platform.hitTest(at("send"), { x: 120, y: 60 }, undefined, deadline),
  "focus window": async ({ platform, deadline }) => {
    const window = await platform.windowById("w-201", deadline);
    return window && await platform.focusWindow(window, deadline);
  },
  click: perform("send", { kind: "click" }),
  "click a row": perform("row1", { kind: "click" }),
  "right-click": perform("row1", { kind: "right-click" }),
  "set-value": perform("subject", { kind: "set-value", value: "new" }),
  "set a number": perform("volume", { kind: "set-value", value: "0.75" }),
  "step to a number": perform("copies", { kind: "set-value", value: "2" }),
  type: perform("subject", { kind: "type", text: "!" }),
  clear: perform("subject", { kind: "clear" }),
  focus: perform("password", { kind: "focus" }),
  select: perform("priority", { kind: "select", option: "High" }),
  "select a missing option": perform("priority", { kind: "select", option: "None" }),
  "select in a table": perform("messages", { kind: "select", option: "Greetings" }),
  toggle: perform("bold", { kind: "toggle" }),
  check: perform("bold", { kind: "check" }),
  expand: perform("details", { kind: "expand" }),
  scroll: perform("messages", { kind: "scroll", direction: "down", amount: 2 }),
  "scroll by the bar": perform("messages", { kind: "scroll", direction: "up", amount: 1 }),
  "scroll to": async (scene) => {
    const rows = await scene.platform.children(scene.at("messages"), scene.deadline);
    return rows[1] && await scene.platform.scrollIntoView(rows[1], scene.deadline);
  },
  "place a window": async ({ platform, deadline }) => {
    const window = await platform.windowById("w-102", deadline);
    const place = { x: 5, y: 6, width: 300, height: 200 };
    return window?.handle &&
      await setGeometry(platform.native, platform.elements, window, place, deadline);
  },
  "minimise a window": async ({ platform, deadline }) => {
    const window = await platform.windowById("w-102", deadline);
    return window?.handle &&
      await setMinimized(platform.native, platform.elements, window, true, deadline);
  },
  "maximise a window": async ({ platform, deadline }) => {
    const window = await platform.windowById("w-102", deadline);
    return window?.handle &&
      await maximizeWindow(platform.native, platform.elements, window, deadline);
  },
  clipboard: async ({ platform, deadline }) => {
    const { native, tools } = platform;
    writeClipboard(native, { type: "file_urls", paths: ["/tmp/a", "/tmp/b"] });
    await readClipboard(native, tools, "auto", deadline);
    writeClipboard(native, { type: "image", png: new Uint8Array(3) });
    await readClipboard(native, tools, "image", deadline);
    writeClipboard(native, { type: "text", text: "text" });
    await readClipboard(native, tools, "text", deadline);
    return clearClipboard(native);
  },
  quit: async ({ platform, deadline }) => {
    const app = (await platform.apps(deadline)).find((a) => a.pid === 502)!;
    return await closeApp(platform.native, app, false, deadline);
  },
  shortcut: ({ platform, deadline }) => platform.pressShortcut(501, ["meta"], "n", deadline),
  keys: async ({ platform, deadline }) => {
    const input = await platform.input();
    input.modifier("meta", true);
    await input.key("a", deadline);
    await input.text("typed 😀 text that is longer than one event", deadline);
    input.releaseAll();
  },
  pointer: async ({ platform }) => {
    const input = await platform.input();
    input.move({ x: 10, y: 10 });
    input.button("left", true);
    input.wheel(3, -25);
    input.releaseAll();
    return Promise.resolve(input.position());
  },
};

/** Runs one operation; whatever it throws must be an error of the program. */
async function attempt(name: string, inject: () => void): Promise<unknown> {
  const { platform, at, finish } = usePlatform(fake, machine);
  let result: unknown;
  const ready = { platform, deadline: Deadline.after(20_000), at };
  fake.mark();
  inject();
  try {
    result = await OPERATIONS[name]!(ready);
  } catch (error) {
    if (!(error instanceof AppError || error instanceof NativeError)) throw error;
    result = error;
  }
  assertClean(fake);
  finish();
  return result;
}

for (const name of Object.keys(OPERATIONS)) {
  test(`${name}: nothing leaks, is misused or waits without a limit`, async () => {
    await withVirtualTime(async () => {
      const result = await attempt(name, () => {});
      const expected = name === "select a missing option";
      assertEquals(result instanceof Error, expected, String(result));
    });
  });

  test(`${name}: the same with every request failing in turn`, async () => {
    await withVirtualTime(async () => {
      for (const code of CODES) {
        for (let n = 1;; n++) {
          let reached = true;
          const result = await attempt(name, () => {
            fake.poisonOut(true);
            fake.failNth(n, code);
          });
          reached = !fake.failurePending;
          if (!reached) break;
          assert(n < 400, "no end");
          // An unanswered mutation is never called undelivered.
          if (result instanceof AppError && result.code === "INTERNAL") throw result;
        }
      }
    });
  });

  test(`${name}: the same with every creation failing in turn`, async () => {
    await withVirtualTime(async () => {
      // Texts and lists made on first use included, more than any operation here makes.
      for (let n = 1; n <= 60; n++) await attempt(name, () => fake.nullNth(n));
    });
  });
}
