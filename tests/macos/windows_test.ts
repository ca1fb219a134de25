import { assert, assertEquals, assertRejects } from "@std/assert";
import { Deadline } from "../../src/deadline.ts";
import { AppError } from "../../src/errors.ts";
import {
  maximizeWindow,
  setGeometry,
  setMinimized,
} from "../../src/platform/macos/window_control.ts";
import { test } from "./support/case.ts";
import { FakeMac } from "./support/fake.ts";
import type { FakeMachine, FakeNode } from "./support/fixture.ts";
import { type FakePlatform, machineFixture, usePlatform } from "./support/platform.ts";

const fake = await FakeMac.load();
const unnumbered = await FakeMac.load("no-window-numbers");
const noPreflight = await FakeMac.load("no-screen-preflight");
const mail = machineFixture("mail");

async function inside(
  machine: FakeMachine,
  work: (on: FakePlatform, deadline: Deadline) => Promise<void>,
  library = fake,
): Promise<void> {
  const on = usePlatform(library, machine);
  try {
    await work(on, Deadline.after(10_000));
  } catch (error) {
    on.platform.close();
    throw error;
  }
  on.finish();
}

const twins = (titles: [string, string], x: number): FakeMachine => ({
  apps: [{
    pid: 700,
    name: "Editor",
    frontmost: true,
    children: titles.map((title, i) => ({
      id: `win${i}`,
      role: "AXWindow",
      title,
      window: 30 + i,
      frame: [i * x, 40, 300, 200],
    })),
  }],
});

test("windows have their number, owner and focus", async () => {
  await inside(mail, async ({ platform, at }, deadline) => {
    const windows = await platform.windows(undefined, deadline);
    assertEquals(windows.map((w) => [w.id, w.title, w.appName, w.isFocused, w.accessible]), [
      ["w-101", "Inbox", "Mail", true, true],
      ["w-102", "New Message", "Mail", false, true],
      ["w-201", "Notes", "Notes", false, true],
    ]);
    assertEquals(windows[0]!.handle, at("inbox"));
    assertEquals(windows[0]!.processInstance, "macos-proc-v1:1700000501:250000");
    assertEquals((await platform.windows(502, deadline)).map((w) => w.id), ["w-201"]);
    const one = await platform.windowById("w-102", deadline);
    assertEquals([one?.title, one?.handle], ["New Message", at("compose")]);
    assertEquals(await platform.windowById("w-999", deadline), undefined);
    assertEquals(await platform.windowById("w-1.42-org", deadline), undefined);
  });
});

test("a sheet with the focus makes its window the focused one", async () => {
  const machine = structuredClone(mail);
  machine.apps[0]!.attributes = { AXFocusedWindow: { element: "sheet" } };
  machine.apps[0]!.children[1]!.children!.push({
    id: "sheet",
    role: "AXSheet",
    attributes: { AXWindow: { element: "compose" } },
  });
  await inside(machine, async ({ platform }, deadline) => {
    const windows = await platform.windows(501, deadline);
    assertEquals(windows.map((w) => w.isFocused), [false, true]);
  });
});

test("without window numbers, a unique title or place tells; twins are not guessed", async () => {
  const handles = async (machine: FakeMachine) => {
    const found: (string | undefined)[] = [];
    await inside(machine, async ({ platform }, deadline) => {
      for (const window of await platform.windows(undefined, deadline)) found.push(window.handle);
    }, unnumbered);
    return found.map((handle) => handle !== undefined);
  };
  assertEquals(await handles(twins(["A", "B"], 0)), [true, true]);
  assertEquals(await handles(twins(["Untitled", "Untitled"], 50)), [true, true]);
  assertEquals(await handles(twins(["Untitled", "Untitled"], 0)), [false, false]);
});

test("without screen recording, titles come from accessibility", async () => {
  await inside({ ...mail, trust: { screen: false } }, async ({ platform }, deadline) => {
    const windows = await platform.windows(501, deadline);
    assertEquals(windows.map((w) => w.title), ["Inbox", "New Message"]);
    const report = await platform.permissions(deadline);
    assertEquals(report.screen_recording.state, "denied");
    assert(report.screen_recording.suggestion?.includes("Screen & System Audio Recording"));
  });
});

test("a window that accessibility does not show is listed as such", async () => {
  const machine: FakeMachine = {
    ...mail,
    windows: [
      { id: 900, pid: 502, title: "Elsewhere", bounds: [0, 0, 10, 10], onScreen: false },
      { id: 901, pid: 502, bounds: [0, 0, 10, 10], onScreen: false },
      { id: 902, pid: 502, title: "Menu", bounds: [0, 0, 10, 10], layer: 24 },
    ],
  };
  await inside(machine, async ({ platform }, deadline) => {
    const windows = await platform.windows(502, deadline);
    assertEquals(windows.map((w) => [w.id, w.accessible]), [["w-201", true], ["w-900", false]]);
    const hidden = await platform.windowById("w-900", deadline);
    const error = await assertRejects(() => platform.focusWindow(hidden!, deadline), AppError);
    assertEquals(error.details?.["kind"], "window_without_accessibility_element");
  });
});

test("where titles are withheld, windows of other spaces are listed all the same", async () => {
  const bounds: [number, number, number, number] = [0, 0, 10, 10];
  const elsewhere = { pid: 502, bounds, onScreen: false };
  const windows: FakeMachine["windows"] = [
    { ...elsewhere, id: 900, title: "Elsewhere" },
    { ...elsewhere, id: 901, alpha: 0 },
  ];
  for (const screen of [true, false]) {
    await inside({ ...mail, windows, trust: { screen } }, async ({ platform }, deadline) => {
      const listed = await platform.windows(502, deadline);
      assertEquals(listed.map((w) => [w.id, w.accessible, w.visible]), [
        ["w-201", true, true],
        ["w-900", false, false],
      ]);
    });
  }
});

test("the list is captured until two captures agree", async () => {
  await inside(mail, async ({ platform }, deadline) => {
    fake.afterCalls("CGWindowListCopyWindowInfo", 2, "win-:102");
    const windows = await platform.windows(501, deadline);
    assertEquals(windows.map((w) => w.id), ["w-101"]);
    assertEquals(fake.count("CGWindowListCopyWindowInfo"), 3);
  });
});

test("a mute application costs its share and is listed", async () => {
  await inside(mail, async ({ platform }, deadline) => {
    fake.setLatency("pid:502", "*", 10_000);
    const started = performance.now();
    const windows = await platform.windows(undefined, deadline);
    assert(performance.now() - started < 1_200);
    const mute = windows.find((w) => w.pid === 502)!;
    assertEquals([mute.accessible, mute.handle, mute.title], [true, undefined, "Notes"]);
  });
});

test("without a graphical session the answer says so", async () => {
  await inside(mail, async ({ platform }, deadline) => {
    fake.setNoWindows(true);
    const error = await assertRejects(() => platform.windows(undefined, deadline), AppError);
    assertEquals(error.code, "PLATFORM_NOT_SUPPORTED");
  });
});

test("applications: user interface only, with bundle id and instance", async () => {
  await inside(mail, async ({ platform }, deadline) => {
    const apps = await platform.apps(deadline);
    assertEquals(apps.map((app) => [app.name, app.pid, app.bundleId, app.presentation]), [
      ["Mail", 501, "org.example.Mail", "foreground"],
      ["Notes", 502, "org.example.Notes", "foreground"],
    ]);
    assertEquals(platform.processInstance(501), apps[0]!.processInstance);
    fake.mutate("reborn:501");
    assert(platform.processInstance(501) !== apps[0]!.processInstance);
    fake.mutate("exit:501");
    assertEquals(platform.processInstance(501), undefined);
    assertEquals((await platform.apps(deadline)).map((app) => app.pid), [502]);
  });
});

test("displays: the main one first, with its scale", async () => {
  const machine: FakeMachine = {
    ...mail,
    displays: [
      { id: 7, bounds: [-1920, 0, 1920, 1080], pixels: 1920 },
      { id: 4, bounds: [0, 0, 1512, 982], pixels: 3024, main: true },
    ],
  };
  await inside(machine, async ({ platform }, deadline) => {
    assertEquals(await platform.displays(deadline), [
      { id: "4", bounds: { x: 0, y: 0, width: 1512, height: 982 }, isPrimary: true, scale: 2 },
      {
        id: "7",
        bounds: { x: -1920, y: 0, width: 1920, height: 1080 },
        isPrimary: false,
        scale: 1,
      },
    ]);
  });
});

test("a window of another application is brought to the front", async () => {
  await inside(mail, async ({ platform }, deadline) => {
    const window = await platform.windowById("w-201", deadline);
    assertEquals(await platform.focusWindow(window!, deadline), true);
    assertEquals(fake.attribute("app502", "AXFrontmost"), "1");
    const windows = await platform.windows(undefined, deadline);
    assertEquals(windows.filter((w) => w.isFocused).map((w) => w.id), ["w-201"]);
    fake.mark();
    assertEquals(await platform.focusWindow(window!, deadline), true);
    assertEquals(fake.count("AXUIElementSetAttributeValue"), 0);
  });
});

test("a window that has closed, or is another process's by now, is not touched", async () => {
  for (const [change, code] of [["win-:201", "WINDOW_NOT_FOUND"], ["reborn:502", "STALE_REF"]]) {
    await inside(mail, async ({ platform }, deadline) => {
      const window = (await platform.windowById("w-201", deadline))!;
      fake.mutate(change!);
      fake.mark();
      const { native, elements } = platform;
      for (
        const work of [
          () => platform.focusWindow(window, deadline),
          () => setGeometry(native, elements, window, { x: 5, y: 5 }, deadline),
          () => setMinimized(native, elements, window, true, deadline),
        ]
      ) {
        const error = await assertRejects(work, AppError);
        assertEquals([error.code, error.delivery], [code, "not_delivered"]);
      }
      assertEquals(fake.count("AXUIElementSetAttributeValue"), 0);
    });
  }
});

test("a window is moved, resized, minimised and fills its display", async () => {
  await inside(mail, async ({ platform }, deadline) => {
    const { elements, native } = platform;
    const window = (await platform.windowById("w-102", deadline))!;
    const place = { x: 20, y: 30, width: 400, height: 250 };
    const moved = await setGeometry(native, elements, window, place, deadline);
    assertEquals(moved, { verified: true, bounds: place });
    assertEquals((await platform.windowById("w-102", deadline))!.bounds, place);
    assertEquals(await setMinimized(native, elements, window, true, deadline), { verified: true });
    assertEquals((await platform.windowById("w-102", deadline))!.minimized, true);
    await setMinimized(native, elements, window, false, deadline);
    const full = await maximizeWindow(native, elements, window, deadline);
    assertEquals(full.bounds, { x: 0, y: 25, width: 1440, height: 800 });
  });
});

test("animation of geometry is off while a window moves and on again afterwards", async () => {
  const machine = structuredClone(mail);
  machine.apps[0]!.attributes = {
    ...machine.apps[0]!.attributes,
    AXEnhancedUserInterface: true,
  };
  machine.apps[0]!.settable = ["AXEnhancedUserInterface"];
  await inside(machine, async ({ platform }, deadline) => {
    const window = (await platform.windowById("w-101", deadline))!;
    fake.mark();
    await setGeometry(platform.native, platform.elements, window, { x: 5, y: 5 }, deadline);
    const sets = fake.calls.filter((call) => call.fn === "AXUIElementSetAttributeValue");
    assertEquals(sets.map((call) => call.name), [
      "AXEnhancedUserInterface",
      "AXPosition",
      "AXEnhancedUserInterface",
    ]);
    assertEquals(fake.attribute("app501", "AXEnhancedUserInterface"), "1");
  });
});

test("surfaces: menu bar, open menu, sheet, focused window", async () => {
  const machine = structuredClone(mail);
  machine.apps[0]!.children[0]!.children!.push({ id: "sheet", role: "AXSheet", title: "Save?" });
  await inside(machine, async ({ platform, at }, deadline) => {
    const root = (surface: "menubar" | "menu" | "sheet" | "popover" | "alert" | "focused") =>
      platform.surfaceRoot(501, surface, deadline);
    assertEquals(await root("menubar"), at("menubar"));
    assertEquals(await root("menu"), undefined);
    assertEquals(await root("popover"), undefined);
    assertEquals(await root("sheet"), at("sheet"));
    assertEquals(await root("alert"), at("sheet"));
    assertEquals(await root("focused"), at("inbox"));
    fake.mutate("set:file.AXSelected=b:1");
    assertEquals(await root("menu"), at("file-menu"));
    const open = await platform.openSurfaces(501, deadline);
    assertEquals(open.map((s) => [s.type, s.title, s.itemCount]), [
      ["menu", undefined, 2],
      ["sheet", "Save?", undefined],
    ]);
    const sheet = open.find((s) => s.type === "sheet")!;
    assert(/^focused-window\/children\/\d+$/.test(sheet.id), sheet.id);
    // An overlay keeps its id whatever else opens and closes.
    fake.mutate("set:file.AXSelected=b:0");
    const later = await platform.openSurfaces(501, deadline);
    assertEquals(later.map((s) => s.id), [sheet.id]);
    fake.setLatency("pid:501", "*", 5_000);
    const error = await assertRejects(() => root("menu"), AppError);
    assertEquals(error.code, "APP_UNRESPONSIVE");
  });
});

test("a coarse hit is no answer, unless the target is cut off at the point", async () => {
  const window: FakeNode = {
    id: "window",
    role: "AXWindow",
    frame: [0, 0, 500, 500],
    children: [{
      id: "area",
      role: "AXScrollArea",
      description: "Rows",
      frame: [0, 0, 100, 100],
      children: [{ id: "row", role: "AXButton", title: "Row", frame: [20, 200, 50, 20] }],
    }],
  };
  const machine = { apps: [{ pid: 600, name: "Test", frontmost: true, children: [window] }] };
  await inside(machine, async ({ platform, at }, deadline) => {
    const hit = (x: number, y: number) =>
      platform.hitTest(at("row"), { x, y }, undefined, deadline);
    assertEquals(await hit(30, 205), {
      result: "occluded",
      occluder: {
        role: "scrollarea",
        name: "Rows",
        bounds: { x: 0, y: 0, width: 100, height: 100 },
      },
    });
    assertEquals(await hit(30, 50), { result: "unknown" });
    // A hit is asked of the whole system, whose timeout is that of every other request.
    assertEquals(fake.defaultTimeout, 1);
    await platform.hitTest(at("row"), { x: 30, y: 205 }, undefined, deadline.within(50));
    assertEquals(fake.defaultTimeout, 1);
  });
});

test("a hit is the target, something in front of it, or nothing that can be told", async () => {
  await inside(mail, async ({ platform, at }, deadline) => {
    const hit = (id: string, x: number, y: number) =>
      platform.hitTest(at(id), { x, y }, undefined, deadline);
    assertEquals(await hit("send", 120, 60), { result: "target" });
    assertEquals(await hit("toolbar", 120, 60), { result: "target" });
    assertEquals(await hit("send", 190, 60), {
      result: "occluded",
      occluder: {
        role: "button",
        name: "Delete",
        bounds: { x: 180, y: 55, width: 60, height: 30 },
      },
    });
    assertEquals(await hit("note", 120, 60), {
      result: "occluded",
      occluder: { role: "button", name: "Send", bounds: { x: 110, y: 55, width: 60, height: 30 } },
    });
    assertEquals(await hit("send", 3000, 3000), { result: "unknown" });
    assertEquals(await hit("text1", 700, 60), {
      result: "occluded",
      occluder: { role: "toolbar", bounds: { x: 100, y: 50, width: 800, height: 40 } },
    });
  });
});

test("permissions are reported with what to do, also where the system cannot tell", async () => {
  await inside(
    { ...mail, trust: { accessibility: false, automation: -1743 } },
    async ({ platform }, deadline) => {
      const report = await platform.permissions(deadline);
      assertEquals(report.accessibility.state, "denied");
      assert(report.accessibility.suggestion?.includes("Accessibility"));
      assertEquals(report.automation.state, "denied");
      assertEquals((await platform.requestPermissions(deadline)).accessibility.state, "denied");
      assertEquals(fake.count("AXIsProcessTrustedWithOptions"), 1);
    },
  );
  await inside(mail, async ({ platform }, deadline) => {
    assertEquals((await platform.permissions(deadline)).screen_recording.state, "unknown");
  }, noPreflight);
});

test("windows behind a modal one say so, until it is minimised", async () => {
  const machine: FakeMachine = {
    apps: [{
      pid: 600,
      name: "Test",
      frontmost: true,
      children: [
        { id: "document", role: "AXWindow", title: "Document", window: 11 },
        {
          id: "ask",
          role: "AXWindow",
          title: "Save changes?",
          window: 12,
          attributes: { AXModal: true },
        },
      ],
    }],
  };
  await inside(machine, async ({ platform }, deadline) => {
    const behind = async () =>
      (await platform.windows(600, deadline)).map((one) => [one.id, one.behindModal]);
    assertEquals(await behind(), [["w-11", "Save changes?"], ["w-12", undefined]]);
    assertEquals((await platform.windowById("w-11", deadline))?.behindModal, "Save changes?");
    fake.mutate("set:ask.AXMinimized=b:1");
    assertEquals(await behind(), [["w-11", undefined], ["w-12", undefined]]);
  });
});
