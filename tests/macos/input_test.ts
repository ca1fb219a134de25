import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { NativeError } from "../../ffi/macos/library.ts";
import { Deadline } from "../../src/deadline.ts";
import { AppError } from "../../src/errors.ts";
import type { Input, Modifier, Point, PointerButton } from "../../src/platform/platform.ts";
import { test } from "./support/case.ts";
import { FakeMac } from "./support/fake.ts";
import { machineFixture, usePlatform } from "./support/platform.ts";
import { withVirtualTime } from "./support/time.ts";

const fake = await FakeMac.load();
const mail = machineFixture("mail");

/** Runs input on the stand-in; the events it posted. */
async function events(
  work: (input: Input, deadline: Deadline) => Promise<void>,
  pid?: number,
): Promise<string[]> {
  return await withVirtualTime(async () => {
    const { platform, finish } = usePlatform(fake, mail);
    fake.mark();
    await work(await platform.input(pid), Deadline.after(10_000));
    const posted = fake.events;
    finish();
    return posted;
  });
}

/** A click as a command makes it: the pointer moves once, then the button goes down and up. */
async function clickAt(
  input: Input,
  at: Point,
  button: PointerButton,
  count: number,
  modifiers: Modifier[] = [],
): Promise<void> {
  input.move(at);
  for (const modifier of modifiers) input.modifier(modifier, true);
  for (let click = 0; click < count; click++) {
    await Deadline.after(1_000).sleep(40);
    input.button(button, true);
    input.button(button, false);
  }
  for (const modifier of modifiers.toReversed()) input.modifier(modifier, false);
}

const mouse = (type: string, at: string, button: number, click: number, flags = 0) =>
  `tap:0 ${type} ${at} button=${button} click=${click} flags=${
    flags ? "0x" + flags.toString(16) : "0"
  }`;

test("a click is a move, a press and a release", async () => {
  assertEquals(await events((input) => clickAt(input, { x: 120, y: 60 }, "left", 1)), [
    mouse("moved", "120,60", 0, 0),
    mouse("left-down", "120,60", 0, 1),
    mouse("left-up", "120,60", 0, 1),
  ]);
  assertEquals(fake.attribute("status", "AXValue"), "Sent");
});

test("a triple click counts its clicks, a later click starts anew", async () => {
  const posted = await events(async (input) => {
    await clickAt(input, { x: 120, y: 60 }, "left", 3);
    await clickAt(input, { x: 300, y: 60 }, "left", 1);
  });
  assertEquals(posted.filter((event) => event.includes("-down")), [
    mouse("left-down", "120,60", 0, 1),
    mouse("left-down", "120,60", 0, 2),
    mouse("left-down", "120,60", 0, 3),
    mouse("left-down", "300,60", 0, 1),
  ]);
});

test("right and middle clicks carry their button and modifiers", async () => {
  const at = { x: 700, y: 590 };
  assertEquals(
    await events((input) => clickAt(input, at, "right", 1, ["meta", "shift"])),
    [
      mouse("moved", "700,590", 0, 0),
      "tap:0 key-down key=55 flags=0x100000",
      "tap:0 key-down key=56 flags=0x120000",
      mouse("right-down", "700,590", 1, 1, 0x120000),
      mouse("right-up", "700,590", 1, 1, 0x120000),
      "tap:0 key-up key=56 flags=0x100000",
      "tap:0 key-up key=55 flags=0",
    ],
  );
  const middle = await events((input) => clickAt(input, at, "middle", 1));
  assertEquals(middle.slice(1), [
    mouse("other-down", "700,590", 2, 1),
    mouse("other-up", "700,590", 2, 1),
  ]);
});

test("a drag moves with the button down and ends with it up", async () => {
  const posted = await events(async (input) => {
    input.move({ x: 0, y: 0 });
    input.button("left", true);
    for (const x of [10, 20]) input.move({ x, y: 0 });
    input.button("left", false);
    input.move({ x: 30, y: 0 });
    await Promise.resolve();
  });
  assertEquals(posted, [
    mouse("moved", "0,0", 0, 0),
    mouse("left-down", "0,0", 0, 1),
    mouse("left-drag", "10,0", 0, 1),
    mouse("left-drag", "20,0", 0, 1),
    mouse("left-up", "20,0", 0, 1),
    mouse("moved", "30,0", 0, 0),
  ]);
});

test("the wheel turns in parts of ten lines", async () => {
  const posted = await events(async (input) => {
    input.wheel(3, -25);
    await Promise.resolve();
  });
  assertEquals(posted, [
    "tap:0 scroll -10,3 flags=0",
    "tap:0 scroll -10,0 flags=0",
    "tap:0 scroll -5,0 flags=0",
  ]);
});

test("arrows and function keys keep what the system says of the key", async () => {
  const posted = await events(async (input, deadline) => {
    await input.key("left", deadline);
    input.modifier("shift", true);
    await input.key("f5", deadline);
    input.modifier("shift", false);
    await input.key("a", deadline);
  });
  assertEquals(posted.filter((event) => event.includes("key-down")), [
    "tap:0 key-down key=123 flags=0xa00000",
    "tap:0 key-down key=56 flags=0x20000",
    "tap:0 key-down key=96 flags=0x820000",
    "tap:0 key-down key=0 flags=0",
  ]);
});

test("a key combination holds its modifiers", async () => {
  const posted = await events(async (input, deadline) => {
    input.modifier("ctrl", true);
    input.modifier("alt", true);
    assertEquals(await input.key("a", deadline), true);
    assertEquals(await input.key("ä", deadline), false);
    input.modifier("alt", false);
    input.modifier("ctrl", false);
  });
  assertEquals(posted, [
    "tap:0 key-down key=59 flags=0x40000",
    "tap:0 key-down key=58 flags=0xc0000",
    "tap:0 key-down key=0 flags=0xc0000",
    "tap:0 key-up key=0 flags=0xc0000",
    "tap:0 key-up key=58 flags=0x40000",
    "tap:0 key-up key=59 flags=0",
  ]);
});

test("text goes in events of twenty units and arrives whole", async () => {
  const text = "abcdefghijklmnopqrs😀é你";
  const posted = await events((input, deadline) => input.text(text, deadline));
  assertEquals(posted, [
    "tap:0 key-down key=0 flags=0 text=abcdefghijklmnopqrs",
    "tap:0 key-up key=0 flags=0",
    "tap:0 key-down key=0 flags=0 text=😀é你",
    "tap:0 key-up key=0 flags=0",
  ]);
  assertEquals(fake.attribute("subject", "AXValue"), `Hello${text}`);
});

test("a long text ends where the focus goes elsewhere", async () => {
  for (const move of ["focus:send", "front:502"]) {
    const posted = await events(async (input, deadline) => {
      fake.afterCalls("CGEventPost", 2, move);
      const error = await assertRejects(() => input.text("x".repeat(60), deadline), AppError);
      assertEquals([error.code, error.delivery], ["ACTION_FAILED", "delivered_unverified"]);
      assertEquals(error.details, { kind: "focus_moved" });
    });
    assertEquals(posted.length, 2, move);
    assertEquals(fake.defaultTimeout, 1);
  }
});

test("keys for a process are posted to it", async () => {
  const posted = await events(async (input, deadline) => {
    await input.key("return", deadline);
  }, 502);
  assertEquals(posted, ["pid:502 key-down key=36 flags=0", "pid:502 key-up key=36 flags=0"]);
});

test("everything that is down comes up, each thing once", async () => {
  const posted = await events(async (input) => {
    input.move({ x: 5, y: 5 });
    input.modifier("meta", true);
    input.button("left", true);
    input.releaseAll();
    input.releaseAll();
    await Promise.resolve();
  });
  assertEquals(posted.slice(3), [
    mouse("left-up", "5,5", 0, 1, 0x100000),
    "tap:0 key-up key=55 flags=0",
  ]);
});

test("a key is lifted although the time ran out while it was down", async () => {
  const posted = await events(async (input) => {
    await input.key("a", Deadline.after(0));
    await assertRejects(() => input.text("x", Deadline.after(0)), AppError);
  });
  assertEquals(posted, ["tap:0 key-down key=0 flags=0", "tap:0 key-up key=0 flags=0"]);
});

test("what is down comes up although an event in between cannot be made", async () => {
  const posted = await events(async (input, deadline) => {
    input.modifier("ctrl", true);
    input.modifier("shift", true);
    fake.nullNth(1);
    await assertRejects(() => input.key("a", deadline), NativeError);
    fake.nullNth(1);
    input.releaseAll();
  });
  assertEquals(posted.slice(2), [
    "tap:0 key-up key=0 flags=0x60000",
    "tap:0 key-up key=56 flags=0",
  ]);
});

test("points outside every screen are refused", async () => {
  await events((input) => {
    assertThrows(() => input.move({ x: 2_000_000, y: 0 }), AppError);
    assertThrows(() => input.move({ x: NaN, y: 0 }), AppError);
    return Promise.resolve();
  });
});

test("without permission no event is posted, because it would vanish", async () => {
  for (const trust of [{ accessibility: false }, { post: false }]) {
    const { platform, finish } = usePlatform(fake, { ...mail, trust });
    const error = await assertRejects(() => platform.input(), AppError);
    assertEquals(error.code, "PERM_DENIED");
    finish();
  }
});
