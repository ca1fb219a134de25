import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { AppError } from "../../../src/errors.ts";
import { readBudgets } from "../../../src/act/action_budgets.ts";
import { comboText, isDangerous, parseCombo, refuseDangerous } from "../../../src/act/key_combo.ts";
import {
  drag,
  hover,
  mouseClick,
  mouseMove,
  mouseWheel,
} from "../../../src/act/pointer_commands.ts";
import { press } from "../../../src/act/key_press.ts";
import { requireHeaded } from "../../../src/act/refusals.ts";
import { FakeDesktop, node } from "./fake_platform.ts";

Deno.test("combinations: case, spaces, aliases and order do not matter", () => {
  assertEquals(parseCombo(" Shift + CONTROL+a"), { modifiers: ["ctrl", "shift"], key: "a" });
  assertEquals(comboText(parseCombo("option+cmd+backspace")), "alt+meta+delete");
  assertEquals(parseCombo("enter").key, "return");
  assertEquals(parseCombo("ctrl+comma").key, ",");
  assertEquals(parseCombo("ctrl+-").key, "-");
  assertEquals(parseCombo("f12").key, "f12");
});

Deno.test("combinations: unknown modifier, unknown key, no key", () => {
  for (
    const text of ["", "+", "ctrl+", "hyper+a", "ctrl+f13", "ab", "ctrl++a", "constructor", "é"]
  ) {
    const error = assertThrows(() => parseCombo(text), AppError);
    assertEquals(error.code, "INVALID_ARGS", text);
  }
});

Deno.test("dangerous combinations need force, however they are spelled", () => {
  for (const text of ["alt+f4", "option+F4", "control+alt+backspace", "cmd+l", "alt+ctrl+f7"]) {
    assertEquals(isDangerous(parseCombo(text), "linux"), true, text);
  }
  for (const text of ["ctrl+f4", "alt+shift+f4", "ctrl+l"]) {
    assertEquals(isDangerous(parseCombo(text), "linux"), false, text);
  }
  assertEquals(isDangerous(parseCombo("shift+meta+q"), "macos"), true);
  const error = assertThrows(() => refuseDangerous(parseCombo("alt+f4"), "linux", false), AppError);
  assertEquals(error.code, "POLICY_DENIED");
  refuseDangerous(parseCombo("alt+f4"), "linux", true);
});

Deno.test("budgets: defaults, caps, malformed values", () => {
  const from = (values: Record<string, string>) => readBudgets((name) => values[name]);
  assertEquals(from({}), { chain: 10_000, menu: 750, toggle: 600, toggleStable: 200 });
  assertEquals(from({ AGENT_DESKTOP_MENU_TIMEOUT_MS: "99999999" }).menu, 10_000);
  for (const value of ["-1", "1.5", "soon", " 5"]) {
    const error = assertThrows(() => from({ AGENT_DESKTOP_CHAIN_TIMEOUT_MS: value }), AppError);
    assertEquals(error.code, "INVALID_ARGS");
  }
});

Deno.test("pointer commands are refused headless", () => {
  const error = assertThrows(() => requireHeaded("mouse-move", false), AppError);
  assertEquals(error.code, "POLICY_DENIED");
  requireHeaded("mouse-move", true);
});

Deno.test("mouse-move, mouse-click and mouse-wheel report what they did", async () => {
  const desktop = new FakeDesktop();
  const { context, input } = desktop;
  const moved = await mouseMove({ x: 5, y: 6 }, context);
  assertEquals(moved["moved"], true);
  assertEquals(moved.disposition.delivery, "delivered_verified");

  const clicked = await mouseClick({ x: 7, y: 8 }, "right", 2, ["ctrl"], context);
  assertEquals([clicked["clicked"], clicked["count"]], [true, 2]);
  assertEquals(clicked.disposition.delivery, "delivered_unverified");

  const wheel = await mouseWheel({ x: 9, y: 9 }, 0, -3, [], context);
  assertEquals([wheel["scrolled"], wheel["dy"], wheel["dx"]], [true, -3, 0]);
  assertEquals(input.events, [
    "move 5,6",
    "move 7,8",
    "press ctrl",
    "press right",
    "release right",
    "press right",
    "release right",
    "release ctrl",
    "move 9,9",
    "wheel 0,-3",
  ]);
  assertEquals(desktop.log, [], "raw coordinates focus nothing");
});

Deno.test("clicks of two commands are kept apart", async () => {
  const desktop = new FakeDesktop();
  let noted = 0;
  const lease = {
    contentionCount: 0,
    [Symbol.dispose]: () => {},
    msSinceClick: () => 430,
    noteClick: () => noted++,
  };
  const start = performance.now();
  await mouseClick({ x: 1, y: 1 }, "left", 1, [], {
    ...desktop.context,
    lease: () => Promise.resolve(lease),
  });
  assertEquals(performance.now() - start > 65, true);
  assertEquals(noted, 1);
});

Deno.test("hover over a ref focuses its window and goes to a point it receives", async () => {
  const desktop = new FakeDesktop();
  const result = await hover({ ref: desktop.ref() }, 500, desktop.context);
  assertEquals(desktop.log, ["focus window"]);
  assertEquals([result["hovered"], result["x"], result["y"]], [true, 120, 110]);
  assertEquals(result["focused"], true);
});

Deno.test("hover over a covered or hidden element moves nothing", async () => {
  const desktop = new FakeDesktop(node({ states: ["hidden"] }));
  for (const timeoutMs of [0, 150]) {
    const error = await assertRejects(
      () => hover({ ref: desktop.ref() }, timeoutMs, desktop.context),
      AppError,
    );
    assertEquals(error.code, timeoutMs === 0 ? "ACTION_FAILED" : "TIMEOUT");
  }
  assertEquals(desktop.input.events, []);
  assertEquals(desktop.leaseHeld, false);
});

const points = { from: { point: { x: 0, y: 0 } }, to: { point: { x: 40, y: 20 } } };

Deno.test("drag presses, moves, holds over the destination and releases", async () => {
  const desktop = new FakeDesktop();
  const request = { ...points, duration: 40, dropDelay: 120, timeoutMs: 1000 };
  const result = await drag(request, desktop.context);
  const { events } = desktop.input;
  assertEquals(events[0], "move 0,0");
  assertEquals(events[1], "press left");
  assertEquals(events.at(-2), "move 40,20");
  assertEquals(events.at(-1), "release left");
  assertEquals(events.filter((event) => event.startsWith("move 4")).length >= 3, true);
  assertEquals(result["dragged"], true);
  assertEquals(result["drop_delay_ms"], 120);
  assertEquals(desktop.input.held.size, 0);
});

Deno.test("a drag that fails half-way lifts the button and may have had an effect", async () => {
  const desktop = new FakeDesktop();
  desktop.input.failOn = "move 40,20";
  const request = { ...points, duration: 40, dropDelay: 0, timeoutMs: 1000 };
  const error = await assertRejects(() => drag(request, desktop.context), AppError);
  assertEquals(error.delivery, "delivery_uncertain");
  assertEquals(desktop.input.held.size, 0);
  assertEquals(desktop.leaseHeld, false);
});

const pressed = (desktop: FakeDesktop, headed = false) =>
  press({
    combo: parseCombo("ctrl+shift+a"),
    headed,
    target: () => Promise.resolve(desktop.window),
  }, desktop.context);

Deno.test("press holds the modifiers around the key", async () => {
  const desktop = new FakeDesktop();
  const result = await pressed(desktop);
  assertEquals(desktop.input.events, [
    "press ctrl",
    "press shift",
    "key a",
    "release shift",
    "release ctrl",
  ]);
  assertEquals(result.disposition.delivery, "delivered_unverified");
  assertEquals(desktop.log, []);
});

Deno.test("press needs the focus: refused headless, given headed", async () => {
  const desktop = new FakeDesktop();
  desktop.shown.focused = false;
  const error = await assertRejects(() => pressed(desktop), AppError);
  assertEquals(error.code, "POLICY_DENIED");
  assertEquals(desktop.input.events, []);
  await pressed(desktop, true);
  assertEquals(desktop.log, ["focus window"]);
});

Deno.test("press notices that the application changed", async () => {
  const desktop = new FakeDesktop();
  const chosen = { ...desktop.window, processInstance: "instance-0" };
  const error = await assertRejects(
    () =>
      press({
        combo: parseCombo("a"),
        headed: false,
        target: () => Promise.resolve(chosen),
      }, desktop.context),
    AppError,
  );
  assertEquals(error.code, "STALE_REF");
});

Deno.test("modifiers are lifted when the key fails", async () => {
  const desktop = new FakeDesktop();
  desktop.input.failOn = "key a";
  const error = await assertRejects(() => pressed(desktop), AppError);
  assertEquals(error.delivery, "delivery_uncertain");
  assertEquals(desktop.input.held.size, 0);
});
