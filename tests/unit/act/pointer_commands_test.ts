import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import {
  drag,
  hover,
  mouseClick,
  mouseMove,
  mouseWheel,
} from "../../../src/act/pointer_commands.ts";
import { requireHeaded } from "../../../src/act/refusals.ts";
import { AppError } from "../../../src/errors.ts";
import { FakeDesktop, node } from "./fake_desktop.ts";

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

  const clicked = await mouseClick({
    point: { x: 7, y: 8 },
    button: "right",
    count: 2,
    modifiers: ["ctrl"],
  }, context);
  assertEquals([clicked["clicked"], clicked["count"]], [true, 2]);
  assertEquals(clicked.disposition.delivery, "delivered_unverified");

  const wheel = await mouseWheel({ point: { x: 9, y: 9 }, dx: 0, dy: -3 }, context);
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
  desktop.msSinceClick = 430;
  const start = performance.now();
  await mouseClick({ point: { x: 1, y: 1 }, button: "left", count: 1 }, desktop.context);
  assertEquals(performance.now() - start > 65, true);
  assertEquals(desktop.clicksNoted, 1);
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
      () => hover({ ref: desktop.ref() }, timeoutMs, desktop.within(timeoutMs)),
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
