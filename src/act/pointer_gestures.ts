/** Pointer gestures made of the input primitives; each presses and releases what it presses. */
import { Deadline } from "../deadline.ts";
import type { Input, Modifier, Point, PointerButton } from "../platform/platform.ts";
import type { HeldLease } from "./action_context.ts";

// Toolkits need a turn of their main loop to notice where the pointer is before it presses.
const SETTLE_MS = 20;
// Between the presses of a double click: far below every system's limit (GTK 400, Qt 400 ms).
const BETWEEN_CLICKS_MS = 40;
// What a look at what is under the pointer may take of that limit.
const CONFIRM_MS = 300;
// The longest default double-click time of the toolkits in use (Chromium 500, GTK and Qt 400 ms).
const MULTI_CLICK_MS = 500;
// How long a button stays down in a click, and modifiers after a turn of the wheel.
const HOLD_MS = 10;
// Between two motions of a drag.
const DRAG_STEP_MS = 10;
// Over the drop target the pointer moves by a pixel this often, so that drag events go on.
const DROP_JIGGLE_MS = 50;

async function pause(ms: number): Promise<void> {
  await Deadline.after(ms).sleep(ms);
}

/** Runs `use` while modifiers are held down, and lifts them in reverse order. */
async function withModifiers<T>(
  input: Input,
  modifiers: readonly Modifier[],
  use: () => Promise<T>,
): Promise<T> {
  const held: Modifier[] = [];
  try {
    for (const modifier of modifiers) {
      held.push(modifier);
      input.modifier(modifier, true);
    }
    return await use();
  } finally {
    for (const modifier of held.reverse()) input.modifier(modifier, false);
  }
}

/** Moves the pointer and lets the application notice. Returns whether it arrived. */
export async function moveTo(input: Input, point: Point): Promise<boolean> {
  input.move(point);
  await pause(SETTLE_MS);
  const at = input.position();
  return Math.abs(at.x - point.x) <= 1 && Math.abs(at.y - point.y) <= 1;
}

/** One or several clicks at a point. */
export interface Click {
  point: Point;
  button: PointerButton;
  /** How many, as one multiple click. */
  count: number;
  /** Held down meanwhile. */
  modifiers?: readonly Modifier[];
  /** Called before each press, with how many have been made; throws when it must not be made. */
  confirm?: (made: number, deadline: Deadline) => Promise<void>;
}

/**
 * Clicks, but never so soon after the last click of an earlier command that the two would count as
 * a double click.
 */
export async function clickApart(lease: HeldLease, input: Input, click: Click): Promise<void> {
  const left = MULTI_CLICK_MS - lease.msSinceClick();
  if (left > 0) await pause(left);
  await moveTo(input, click.point);
  let made = 0;
  try {
    await withModifiers(input, click.modifiers ?? [], async () => {
      for (; made < click.count; made++) {
        if (made > 0) await pause(BETWEEN_CLICKS_MS);
        await click.confirm?.(made, Deadline.after(CONFIRM_MS));
        input.button(click.button, true);
        await pause(HOLD_MS);
        input.button(click.button, false);
      }
    });
  } finally {
    if (made > 0) lease.noteClick();
  }
}

/** A turn of the wheel over a point. */
export interface WheelTurn {
  point: Point;
  /** Whole notches; positive is left. */
  dx: number;
  /** Whole notches; positive is up. */
  dy: number;
  /** Held down meanwhile. */
  modifiers?: readonly Modifier[];
}

/** Turns the wheel. */
export async function wheelAt(input: Input, turn: WheelTurn): Promise<void> {
  await moveTo(input, turn.point);
  await withModifiers(input, turn.modifiers ?? [], async () => {
    input.wheel(turn.dx, turn.dy);
    await pause(HOLD_MS);
  });
}

/** Timing of a drag in milliseconds. */
export interface DragTiming {
  /** From press to arrival. */
  duration: number;
  /** Over the destination, before the release. */
  dropDelay: number;
}

/**
 * Drags from one point to another with the left button: press, move in small steps, stay over the
 * destination while drag events go on, release. `beforePress` is called before the button goes
 * down: from then on the drag may have had an effect.
 */
export async function dragBetween(
  input: Input,
  from: Point,
  to: Point,
  timing: DragTiming,
  beforePress: () => void,
): Promise<void> {
  await moveTo(input, from);
  beforePress();
  input.button("left", true);
  try {
    await pause(SETTLE_MS);
    // At least a few steps even for a duration of 0, so that the drag threshold is crossed while
    // the button is down.
    const steps = Math.max(4, Math.round(timing.duration / DRAG_STEP_MS));
    const start = performance.now();
    for (let step = 1; step <= steps; step++) {
      const part = step / steps;
      input.move({
        x: Math.round(from.x + (to.x - from.x) * part),
        y: Math.round(from.y + (to.y - from.y) * part),
      });
      const due = start + timing.duration * part - performance.now();
      await pause(Math.max(1, due));
    }
    await holdOver(input, to, timing.dropDelay);
  } finally {
    input.button("left", false);
  }
}

/** Keeps a drag over its destination for `ms` milliseconds. */
async function holdOver(input: Input, at: Point, ms: number): Promise<void> {
  const until = Deadline.after(ms);
  let offset = 1;
  while (!until.expired) {
    input.move({ x: at.x + offset, y: at.y });
    offset = offset === 0 ? 1 : 0;
    await until.sleep(DROP_JIGGLE_MS);
  }
  input.move(at);
  await pause(SETTLE_MS);
}
