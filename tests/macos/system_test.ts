import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { join } from "@std/path";
import { Deadline } from "../../src/deadline.ts";
import { AppError } from "../../src/errors.ts";
import {
  clearClipboard,
  readClipboard,
  writeClipboard,
} from "../../src/platform/macos/clipboard.ts";
import type { ClipboardContent, ClipboardFormat } from "../../src/platform/clipboard.ts";
import { closeApp, launchApp, type LaunchOptions } from "../../src/platform/macos/launch.ts";
import { NotificationCenter } from "../../src/platform/macos/notifications.ts";
import { captureScreen } from "../../src/platform/macos/screenshot.ts";
import { type ToolPaths, toolPaths } from "../../src/platform/macos/tools.ts";
import { test } from "./support/case.ts";
import { FakeMac } from "./support/fake.ts";
import type { FakeApp, FakeMachine, FakeNode } from "./support/fixture.ts";
import { type FakePlatform, machineFixture, usePlatform } from "./support/platform.ts";

const fake = await FakeMac.load();
const mail = machineFixture("mail");
/** A PNG of 3 × 2 pixels, as far as its header. */
const PNG = Uint8Array.of(
  ...[0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52],
  ...[0, 0, 0, 3, 0, 0, 0, 2, 8, 6, 0, 0, 0],
);

/** Tools that note their arguments and do what the script says. */
async function inside(
  machine: FakeMachine,
  scripts: Partial<Record<keyof ToolPaths, string>>,
  work: (
    on: FakePlatform & { tools: ToolPaths; calls: () => string[] },
    deadline: Deadline,
  ) => Promise<void>,
): Promise<void> {
  const folder = await Deno.makeTempDir({ prefix: "macos-tools-" });
  const log = join(folder, "log");
  const paths: Partial<ToolPaths> = {};
  await Deno.writeFile(join(folder, "picture"), PNG);
  for (const [name, script] of Object.entries(scripts)) {
    const path = paths[name as keyof ToolPaths] = join(folder, name);
    const text =
      `#!/bin/sh\nHERE="${folder}"\nfor last; do :; done\necho "$*" >> "${log}"\n${script}\n`;
    await Deno.writeTextFile(path, text, { mode: 0o755 });
  }
  const on = usePlatform(fake, machine);
  const calls = () => {
    try {
      return Deno.readTextFileSync(log).trim().split("\n");
    } catch {
      return [];
    }
  };
  try {
    await work({ ...on, tools: toolPaths(paths), calls }, Deadline.after(10_000));
    on.finish();
  } finally {
    on.platform.close();
    await Deno.remove(folder, { recursive: true });
  }
}

const COPY = `cp "$HERE/picture" "$last"`;

test("a display is captured by its place, a window by its number", async () => {
  const machine: FakeMachine = {
    ...mail,
    displays: [
      { id: 7, bounds: [1512, 0, 1920, 1080], pixels: 1920 },
      { id: 4, bounds: [0, 0, 1512, 982], pixels: 3024, main: true },
    ],
  };
  await inside(machine, { screencapture: COPY }, async ({ platform, tools, calls }, deadline) => {
    const { native } = platform;
    const screen = await captureScreen(native, tools, { display: 1 }, deadline);
    assertEquals([screen.width, screen.height, screen.scale, screen.png], [3, 2, 1, PNG]);
    const window = await captureScreen(native, tools, { windowId: "w-101" }, deadline);
    assertEquals(window.scale, 2);
    assert(calls()[0]!.startsWith("-x -t png -D 2 "));
    assert(calls()[1]!.startsWith("-x -t png -o -l 101 "));
    const absent = await assertRejects(
      () => captureScreen(native, tools, { display: 2 }, deadline),
      AppError,
    );
    assertEquals([absent.code, absent.details], [
      "INVALID_ARGS",
      { display_count: 2, display_ids: ["4", "7"] },
    ]);
    const gone = await assertRejects(
      () => captureScreen(native, tools, { windowId: "w-9" }, deadline),
      AppError,
    );
    assertEquals(gone.code, "WINDOW_NOT_FOUND");
  });
});

test("a capture without permission, without a picture, without a PNG is an error", async () => {
  const denied = { ...mail, trust: { screen: false } };
  await inside(denied, { screencapture: COPY }, async ({ platform, tools, calls }, deadline) => {
    const error = await assertRejects(
      () => captureScreen(platform.native, tools, { display: 0 }, deadline),
      AppError,
    );
    assertEquals([error.code, calls()], ["PERM_DENIED", []]);
  });
  for (const script of ["exit 1", "exit 0", `echo no > "$last"`]) {
    await inside(mail, { screencapture: script }, async ({ platform, tools }, deadline) => {
      const error = await assertRejects(
        () => captureScreen(platform.native, tools, { display: 0 }, deadline),
        AppError,
      );
      assertEquals([error.code, error.delivery], ["INTERNAL", "not_delivered"]);
    });
  }
  await inside(mail, { screencapture: "exec sleep 5" }, async ({ platform, tools }) => {
    const error = await assertRejects(
      () => captureScreen(platform.native, tools, { display: 0 }, Deadline.after(100)),
      AppError,
    );
    assertEquals(error.code, "TIMEOUT");
  });
});

test("text, pictures and files go to the clipboard and come back", async () => {
  await inside(mail, {}, async ({ platform, tools }, deadline) => {
    const { native } = platform;
    assertEquals(await readClipboard(native, tools, "text", deadline), {
      type: "text",
      text: "copied",
    });
    const contents: ClipboardContent[] = [
      { type: "text", text: "é你😀\n" },
      { type: "text", text: "" },
      { type: "image", png: PNG },
      { type: "file_urls", paths: ["/tmp/a b", "/tmp/größe 100%"] },
    ];
    for (const content of contents) {
      assertEquals(writeClipboard(native, content), { verified: true });
      assertEquals(await readClipboard(native, tools, content.type, deadline), content);
      assertEquals(await readClipboard(native, tools, "auto", deadline), content);
    }
    assertEquals(clearClipboard(native), { verified: true });
    assertEquals(await readClipboard(native, tools, "auto", deadline), undefined);
    const large: ClipboardContent = { type: "text", text: "x".repeat(1_000_001) };
    assertEquals(assertThrows(() => writeClipboard(native, large), AppError).code, "INVALID_ARGS");
  });
});

test("a clipboard that must be asked for is read by a tool that can be ended", async () => {
  const scripts = { pbpaste: "printf 'asked for'" };
  await inside(mail, scripts, async ({ platform, tools, calls }, deadline) => {
    const read = (format: ClipboardFormat) =>
      readClipboard(platform.native, tools, format, deadline);
    fake.setPasteAccess(2);
    assertEquals(await read("text"), { type: "text", text: "copied" });
    fake.setPasteAccess(1);
    for (const format of ["text", "auto"] as const) {
      assertEquals(await read(format), { type: "text", text: "asked for" });
    }
    assertEquals(calls(), ["-Prefer txt", "-Prefer txt"]);
    const denied = async (format: ClipboardFormat) =>
      (await assertRejects(() => read(format), AppError)).code;
    assertEquals(await denied("image"), "PERM_DENIED");
    fake.setPasteAccess(3);
    assertEquals(await denied("text"), "PERM_DENIED");
    fake.setPasteAccess(-1);
  });
});

test("files on the clipboard may be named by number; other texts name none", async () => {
  const urls = [
    "file:///.file/id=6571367.2773",
    "file:///tmp/gr%C3%B6%C3%9Fe",
    "https://example.org/tmp/file",
    "file:///tmp/not escaped",
    "",
  ];
  const clipboard = urls.map((text, item) => ({ type: "public.file-url", text, item }));
  await inside({ ...mail, clipboard }, {}, async ({ platform, tools }, deadline) => {
    assertEquals(await readClipboard(platform.native, tools, "file_urls", deadline), {
      type: "file_urls",
      paths: ["/Users/me/Report 2.txt", "/tmp/größe"],
    });
  });
});

test("a TIFF on the clipboard is converted", async () => {
  const machine = { ...mail, clipboard: [{ type: "public.tiff", text: "II*" }] };
  await inside(machine, { sips: COPY }, async ({ platform, tools, calls }, deadline) => {
    const found = await readClipboard(platform.native, tools, "image", deadline);
    assertEquals(found, { type: "image", png: PNG });
    assert(calls()[0]!.startsWith("-s format png "));
  });
});

const editor: FakeApp = {
  pid: 800,
  name: "Editor",
  bundleId: "org.example.Editor",
  gone: true,
  children: [{ role: "AXWindow", title: "Untitled", window: 80, frame: [0, 0, 300, 200] }],
};
const withEditor: FakeMachine = { apps: [...mail.apps, editor] };
const OPTIONS: LaunchOptions = { args: [], env: [], newInstance: false, activate: false };

test("an application is opened and its first window found", async () => {
  await inside(withEditor, { open: "" }, async ({ platform, tools, calls }, deadline) => {
    const { native, elements } = platform;
    const timer = setTimeout(() => fake.mutate("start:800"), 120);
    const options = { ...OPTIONS, args: ["--x", "a b"], env: ["K=V"] };
    const started = await launchApp(
      native,
      elements,
      tools,
      "org.example.Editor",
      options,
      deadline,
    );
    clearTimeout(timer);
    assertEquals([started.app.pid, started.attached, started.window?.id], [800, false, "w-80"]);
    assertEquals(calls(), ["-g -a /Applications/Editor.app --env K=V --args --x a b"]);
    const again = await launchApp(native, elements, tools, "editor", OPTIONS, deadline);
    assertEquals([again.app.pid, again.attached, calls().length], [800, true, 1]);
    const front = { ...OPTIONS, activate: true };
    await launchApp(native, elements, tools, "Editor", front, deadline);
    assertEquals(calls()[1], "-a /Applications/Editor.app");
  });
});

test("an unknown application, one that never starts, one that ends at once", async () => {
  await inside(withEditor, { open: "" }, async ({ platform, tools, calls }, deadline) => {
    const { native, elements } = platform;
    const launch = (query: string, limit = deadline) =>
      launchApp(native, elements, tools, query, OPTIONS, limit);
    const unknown = await assertRejects(() => launch("Nothing"), AppError);
    assertEquals([unknown.code, calls()], ["APP_NOT_FOUND", []]);
    const late = await assertRejects(() => launch("Editor", Deadline.after(150)), AppError);
    assertEquals([late.code, late.delivery], ["TIMEOUT", "delivered_unverified"]);
    fake.mutate("start:800");
    fake.afterCalls("proc_pidinfo", 5, "exit:800");
    fake.mutate("win-:80");
    const ended = await assertRejects(() => launch("Editor"), AppError);
    assertEquals(ended.code, "APP_UNRESPONSIVE");
  });
});

test("an application quits, or asks, or is ended; protected ones are left alone", async () => {
  const asks = structuredClone(withEditor);
  asks.apps[2]!.policy = 0;
  asks.apps[1]!.quit = "none";
  await inside(asks, {}, async ({ platform }, deadline) => {
    const { native } = platform;
    const app = async (name: string) =>
      (await platform.apps(deadline)).find((a) => a.name === name)!;
    await closeApp(native, await app("Mail"), false, deadline);
    assertEquals(platform.processInstance(501), undefined);
    const stays = await app("Notes");
    const error = await assertRejects(
      () => closeApp(native, stays, false, Deadline.after(120)),
      AppError,
    );
    assertEquals([error.code, error.delivery], ["TIMEOUT", "delivered_unverified"]);
    await closeApp(native, stays, true, deadline);
    const gone = await assertRejects(() => closeApp(native, stays, true, deadline), AppError);
    assertEquals(gone.code, "STALE_REF");
    // The workspace still has the entry of a process whose pid is another one's by now.
    fake.mutate("start:800");
    const { processInstance: _, ...editor } = await app("Editor");
    fake.mutate(`reborn:${editor.pid}`);
    const reused = await assertRejects(() => closeApp(native, editor, true, deadline), AppError);
    assertEquals([reused.code, reused.delivery], ["STALE_REF", "not_delivered"]);
    const finder = { name: "Finder", pid: 503, aliases: [] };
    const refused = await assertRejects(() => closeApp(native, finder, true, deadline), AppError);
    assertEquals([refused.code, refused.delivery], ["INVALID_ARGS", "not_delivered"]);
  });
});

const banner = (id: string, app: string, title: string, more: FakeNode[] = []): FakeNode => ({
  id,
  role: "AXGroup",
  subrole: "AXNotificationCenterBanner",
  description: `${app}, ${title}`,
  attributes: { AXStackingIdentifier: id },
  actions: { AXPress: "none", "Name:Close\nTarget:0x0": `kill:${id}` },
  children: [
    { role: "AXStaticText", value: title },
    { role: "AXStaticText", value: "Body" },
    ...more,
  ],
});
const centre: FakeMachine = {
  apps: [{
    pid: 900,
    name: "Notification Center",
    bundleId: "com.apple.notificationcenterui",
    policy: 1,
    children: [{
      id: "list",
      role: "AXWindow",
      window: 90,
      detached: true,
      children: [
        banner("one", "Mail", "New mail", [{
          id: "reply",
          role: "AXButton",
          title: "Reply",
          identifier: "action_button",
          actions: { AXPress: "kill:one" },
        }]),
        banner("two", "Calendar", "Meeting"),
        {
          ...banner("three", "Disk", "Full", [{
            id: "x",
            role: "AXButton",
            subrole: "AXCloseButton",
            actions: { AXPress: "kill:three" },
          }]),
          actions: { AXPress: "none" },
        },
      ],
    }],
  }, {
    pid: 901,
    name: "Control Center",
    bundleId: "com.apple.controlcenter",
    policy: 1,
    attributes: { AXExtrasMenuBar: { element: "extras" } },
    children: [{
      id: "extras",
      role: "AXMenuBar",
      children: [{
        role: "AXMenuBarItem",
        identifier: "com.apple.menuextra.clock",
        actions: { AXPress: "add:list under app900" },
      }],
    }],
  }],
};

test("notifications are listed, acted on and dismissed, each only as the expected one", async () => {
  await inside(centre, {}, async ({ platform }, deadline) => {
    const notifications = new NotificationCenter(platform.native, platform.elements);
    assertEquals(notifications.isOpen(deadline), false);
    await notifications.open(deadline);
    assertEquals(notifications.list(deadline), [
      { index: 1, app_name: "Mail", title: "New mail", body: "Body", actions: ["Reply"] },
      { index: 2, app_name: "Calendar", title: "Meeting", body: "Body" },
      { index: 3, app_name: "Disk", title: "Full", body: "Body" },
    ]);
    for (const [index, app] of [[4, "Mail"], [1, "Calendar"]] as const) {
      const error = await assertRejects(
        () => notifications.dismiss(index, { app }, deadline),
        AppError,
      );
      assertEquals(error.code, "NOTIFICATION_NOT_FOUND");
    }
    const missing = await assertRejects(
      () => notifications.act(2, "Reply", { app: "Calendar" }, deadline),
      AppError,
    );
    assertEquals(missing.code, "ACTION_NOT_SUPPORTED");
    await notifications.act(1, "Reply", { title: "New mail" }, deadline);
    await notifications.dismiss(1, { app: "Calendar" }, deadline);
    await notifications.dismiss(1, { app: "Disk" }, deadline);
    assertEquals(notifications.list(deadline), []);
  });
});

test("a Chromium renderer is told to publish its tree, and what comes late is waited for", async () => {
  const bundle = await Deno.makeTempDir({ prefix: "macos-bundle-", suffix: ".app" });
  await Deno.mkdir(`${bundle}/Contents/Frameworks/Electron Framework.framework`, {
    recursive: true,
  });
  const machine = (effect: string): FakeMachine => ({
    apps: [{
      pid: 600,
      name: "Chat",
      path: `${bundle}/Contents/MacOS/Chat`,
      settable: ["AXManualAccessibility"],
      attributes: { AXManualAccessibility: false },
      children: [{
        id: "window",
        role: "AXWindow",
        window: 11,
        actions: { later: effect },
        children: [{
          id: "web",
          role: "AXWebArea",
          detached: true,
          children: [{ role: "AXButton", title: "Send" }],
        }],
      }],
    }],
  });
  const options = { maxDepth: 10, bounds: "all" } as const;
  try {
    await inside(machine("none"), {}, async ({ platform, at }) => {
      const root = at("window");
      fake.afterCalls("AXUIElementSetAttributeValue", 1, "async:200000,add:web under window");
      const seen = await platform.observe(root, options, Deadline.after(3_000));
      assertEquals(seen?.root.children[0]?.role, "webarea");
      assertEquals([seen?.complete, fake.attribute("app600", "AXManualAccessibility")], [
        true,
        "1",
      ]);
    });
    await inside(machine("none"), {}, async ({ platform, at }) => {
      const seen = await platform.observe(at("window"), options, Deadline.after(700));
      assertEquals([seen?.complete, seen?.details?.kind], [
        false,
        "renderer_accessibility_inactive",
      ]);
      const assumed = { ...options, assumeRendererActive: true };
      const plain = await platform.observe(at("window"), assumed, Deadline.after(700));
      assertEquals(plain?.complete, true);
    });
  } finally {
    await Deno.remove(bundle, { recursive: true });
  }
});
