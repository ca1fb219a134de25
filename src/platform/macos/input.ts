/** Synthetic pointer and keyboard events. Whatever is down is known and can be lifted at once. */
import {
  type CoreGraphics,
  type Destination,
  EVENT,
  FLAG,
  MOUSE_BUTTON,
  TEXT_UNITS_PER_EVENT,
} from "../../../ffi/macos/core_graphics.ts";
import { NativeError } from "../../../ffi/macos/library.ts";
import type { Deadline } from "../../deadline.ts";
import type { Handle } from "../../tree/node.ts";
import { AppError } from "../../errors.ts";
import type { Input, Modifier, Point, PointerButton } from "../platform.ts";
import { keyCode, MODIFIER_CODE } from "./keymap.ts";

/** Time between a key going down and up (ms); a key released at once is not seen by all. */
const KEY_HOLD_MS = 4;
/** Clicks nearer than this in time count as one multiple click (AppKit's usual 500 ms). */
const MULTI_CLICK_MS = 500;
/** Lines one wheel event carries at most; longer ways are sent as several events. */
const WHEEL_LINES = 10;
/** The system's own limit on coordinates that mean a place. */
const COORDINATE_MAX = 1_000_000;

interface ButtonEvents {
  number: number;
  down: number;
  up: number;
  drag: number;
}

const BUTTONS: Readonly<Record<PointerButton, ButtonEvents>> = {
  left: { number: MOUSE_BUTTON.left, down: EVENT.leftDown, up: EVENT.leftUp, drag: EVENT.leftDrag },
  right: {
    number: MOUSE_BUTTON.right,
    down: EVENT.rightDown,
    up: EVENT.rightUp,
    drag: EVENT.rightDrag,
  },
  middle: {
    number: MOUSE_BUTTON.middle,
    down: EVENT.otherDown,
    up: EVENT.otherUp,
    drag: EVENT.otherDrag,
  },
};

/** Text in pieces that one event can carry, no surrogate pair split. */
export function textChunks(text: string): string[] {
  const chunks: string[] = [];
  let chunk = "";
  for (const character of text) {
    if (chunk.length + character.length > TEXT_UNITS_PER_EVENT) {
      chunks.push(chunk);
      chunk = "";
    }
    chunk += character;
  }
  if (chunk) chunks.push(chunk);
  return chunks;
}

/** Tells which element gets what is typed. */
export type FocusProbe = (deadline: Deadline) => Handle | undefined;

export class MacInput implements Input {
  readonly #cg: CoreGraphics;
  readonly #keysTo: Destination;
  readonly #focused: FocusProbe;
  readonly #modifiers = new Set<Modifier>();
  readonly #buttons = new Map<PointerButton, number>();
  readonly #keys = new Set<number>();
  #last: { button: PointerButton; time: number; clicks: number } | undefined;
  #place: Point | undefined;

  /**
   * @param focused tells which element gets what is typed; `undefined` when that cannot be told
   * @param pid keys go to this process instead of the one with the focus
   */
  constructor(cg: CoreGraphics, focused: FocusProbe, pid?: number) {
    this.#cg = cg;
    this.#focused = focused;
    this.#keysTo = pid === undefined ? {} : { pid };
  }

  get #flags(): bigint {
    let flags = 0n;
    for (const modifier of this.#modifiers) flags |= FLAG[modifier];
    return flags;
  }

  position(): Point {
    return this.#cg.pointer();
  }

  move(to: Point): void {
    if (!(Math.abs(to.x) <= COORDINATE_MAX && Math.abs(to.y) <= COORDINATE_MAX)) {
      throw new AppError("INVALID_ARGS", "The point is outside every screen", {
        suggestion: "Use list-displays to see where the screens are.",
      });
    }
    this.#place = to;
    // A click after a movement is never the second one of a double click.
    this.#last = undefined;
    const [held] = this.#buttons;
    if (held) {
      const events = BUTTONS[held[0]];
      this.#cg.mouse(events.drag, to, events.number, held[1], this.#flags);
    } else {
      this.#cg.mouse(EVENT.moved, to, 0, 0, this.#flags);
    }
  }

  button(button: PointerButton, down: boolean): void {
    const at = this.#place ?? this.position();
    const events = BUTTONS[button];
    if (down) {
      const clicks = this.#clicks(button);
      this.#buttons.set(button, clicks);
      this.#cg.mouse(events.down, at, events.number, clicks, this.#flags);
    } else {
      const clicks = this.#buttons.get(button) ?? 1;
      this.#buttons.delete(button);
      this.#cg.mouse(events.up, at, events.number, clicks, this.#flags);
    }
  }

  // The application is told whether this is the first, second or third click of one gesture.
  #clicks(button: PointerButton): number {
    const now = performance.now();
    const last = this.#last;
    const again = last?.button === button && now - last.time <= MULTI_CLICK_MS;
    const clicks = again ? last.clicks + 1 : 1;
    this.#last = { button, time: now, clicks };
    return clicks;
  }

  wheel(dx: number, dy: number): void {
    let [x, y] = [Math.trunc(dx), Math.trunc(dy)];
    while (x !== 0 || y !== 0) {
      const part = (left: number) => Math.max(-WHEEL_LINES, Math.min(WHEEL_LINES, left));
      this.#cg.wheel(part(x), part(y), this.#flags);
      x -= part(x);
      y -= part(y);
    }
  }

  modifier(modifier: Modifier, down: boolean): void {
    if (down) this.#modifiers.add(modifier);
    else this.#modifiers.delete(modifier);
    this.#cg.key(MODIFIER_CODE[modifier], down, this.#flags, this.#keysTo);
  }

  async key(name: string, deadline: Deadline): Promise<boolean> {
    const code = keyCode(name);
    if (code === undefined) return false;
    this.#keys.add(code);
    try {
      this.#cg.key(code, true, this.#flags, this.#keysTo);
      await deadline.sleep(KEY_HOLD_MS);
    } finally {
      this.#keys.delete(code);
      this.#cg.key(code, false, this.#flags, this.#keysTo);
    }
    return true;
  }

  async text(text: string, deadline: Deadline): Promise<void> {
    let typed = 0;
    const chunks = textChunks(text);
    const target = chunks.length > 1 ? this.#focused(deadline) : undefined;
    for (const chunk of chunks) {
      if (deadline.expired) {
        throw new AppError("TIMEOUT", "There was no time to type the whole text", {
          suggestion: "Read the element to see what has arrived.",
          details: { kind: "deadline", elapsed_ms: deadline.elapsed },
          delivery: typed > 0 ? "delivered_unverified" : "not_delivered",
        });
      }
      if (typed > 0 && target !== undefined) this.#mustBeFocused(target, deadline);
      try {
        this.#cg.textKey(chunk, true, this.#keysTo);
        await deadline.sleep(KEY_HOLD_MS);
      } finally {
        this.#cg.textKey(chunk, false, this.#keysTo);
      }
      typed += chunk.length;
    }
  }

  // A window that comes up while a long text is typed must not get the rest of it.
  #mustBeFocused(target: Handle, deadline: Deadline): void {
    const now = this.#focused(deadline);
    if (now === undefined || now === target) return;
    throw new AppError("ACTION_FAILED", "The focus went elsewhere while the text was typed", {
      suggestion: "Read the element to see what has arrived.",
      details: { kind: "focus_moved" },
      delivery: "delivered_unverified",
    });
  }

  releaseAll(): void {
    // One thing that cannot be lifted must not keep the others down.
    const lift = (work: () => void) => {
      try {
        work();
      } catch (error) {
        if (!(error instanceof NativeError)) throw error;
      }
    };
    for (const code of this.#keys) lift(() => this.#cg.key(code, false, 0n, this.#keysTo));
    this.#keys.clear();
    for (const button of [...this.#buttons.keys()]) lift(() => this.button(button, false));
    for (const modifier of [...this.#modifiers]) lift(() => this.modifier(modifier, false));
  }
}
