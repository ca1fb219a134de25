/** Keyboard and pointer on X11 through the XTEST extension. */
import { XTest } from "../../../ffi/linux/xtst.ts";
import type { X11 } from "../../../ffi/linux/x11.ts";
import type { Deadline } from "../../deadline.ts";
import { AppError } from "../../errors.ts";
import { mutterInput } from "./mutter.ts";
import type { Input, Modifier, Point, PointerButton } from "../platform.ts";
import { requireX11 } from "./display.ts";
import { refuseControls, typedKeysym } from "./input_text.ts";
import { characterKeysym, Keymap, type KeyStroke, keysymOf, MODIFIER_KEYSYMS } from "./keymap.ts";

// X protocol button numbers.
const BUTTONS: Readonly<Record<PointerButton, number>> = { left: 1, middle: 2, right: 3 };
const WHEEL = { up: 4, down: 5, left: 6, right: 7 } as const;
// X protocol modifier bits.
const LOCK_MASK = 1 << 1;
// Characters the layout lacks are typed by giving a spare key their keysym for a while. After such a
// change applications fetch the whole keyboard anew, and only then handle presses: they get this long.
const REMAP_SETTLE_MS = 60;
// An application looks up what a key makes when it comes to the press, not when the press happened.
// A spare key is not given another character, or emptied, until it has had this long to come to it.
const WORKED_OFF_MS = 400;
// Turns of the event loop while typing, so that a signal is seen while a key may be down.
const KEYS_PER_TURN = 8;
const KEY_PAUSE_MS = 2;

/**
 * The input devices of this session: Mutter's in a Wayland session, the X server's else. X11 input
 * in a Wayland session would reach the X11 applications in it at best.
 *
 * @throws AppError `PLATFORM_NOT_SUPPORTED` where there are none
 */
export function openInput(): Input {
  return Deno.env.get("WAYLAND_DISPLAY") ? mutterInput() : x11Input();
}

/**
 * The input devices of the X server.
 *
 * @throws AppError `PLATFORM_NOT_SUPPORTED` without an X server, libXtst or its extension
 */
function x11Input(): Input {
  const x = requireX11("Keyboard and pointer input");
  try {
    return new X11Input(x, XTest.open(x));
  } catch (error) {
    throw new AppError("PLATFORM_NOT_SUPPORTED", "The X server takes no synthetic input", {
      suggestion: "Install libxtst6 and use an X server with the XTEST extension.",
      platformDetail: error instanceof Error ? error.message : String(error),
    });
  }
}

class X11Input implements Input {
  readonly #x: X11;
  readonly #test: XTest;
  /** What this process holds down, in the order it went down. */
  readonly #keys = new Set<number>();
  readonly #buttons = new Set<number>();
  /** Spare keycodes that have been given a character; `releaseAll` empties them again. */
  readonly #borrowed = new Set<number>();

  constructor(x: X11, test: XTest) {
    this.#x = x;
    this.#test = test;
  }

  position(): Point {
    const { x, y } = this.#x.pointer();
    return { x, y };
  }

  move(to: Point): void {
    this.#test.move(Math.round(to.x), Math.round(to.y));
  }

  button(button: PointerButton, down: boolean): void {
    this.#button(BUTTONS[button], down);
  }

  #button(number: number, down: boolean): void {
    if (down) this.#buttons.add(number);
    this.#test.button(number, down);
    if (!down) this.#buttons.delete(number);
  }

  wheel(dx: number, dy: number): void {
    this.#notches(dy > 0 ? WHEEL.up : WHEEL.down, Math.abs(dy));
    this.#notches(dx > 0 ? WHEEL.left : WHEEL.right, Math.abs(dx));
  }

  #notches(button: number, count: number): void {
    for (let notch = 0; notch < Math.round(count); notch++) {
      this.#button(button, true);
      this.#button(button, false);
    }
  }

  modifier(modifier: Modifier, down: boolean): void {
    this.#key(this.#modifierKey(modifier), down);
  }

  #modifierKey(modifier: keyof typeof MODIFIER_KEYSYMS): number {
    this.#map ??= new Keymap(this.#x);
    const stroke = this.#map.findAnywhere(MODIFIER_KEYSYMS[modifier]);
    if (stroke !== undefined) return stroke.keycode;
    throw new AppError("ACTION_NOT_SUPPORTED", `The keyboard has no ${modifier} key`, {
      suggestion: "Check the keyboard layout of the X server (setxkbmap -query).",
    });
  }

  #key(keycode: number, down: boolean): void {
    if (down) this.#keys.add(keycode);
    this.#test.key(keycode, down);
    if (!down) this.#keys.delete(keycode);
  }

  #map: Keymap | undefined;

  /** The keyboard as it is now: another client may have changed it since the last time. */
  #keymap(): Keymap {
    this.#map = new Keymap(this.#x);
    return this.#map;
  }

  #tap(stroke: KeyStroke): void {
    const held: number[] = [];
    const hold = (modifier: "shift" | "altGr") => {
      const keycode = this.#modifierKey(modifier);
      if (this.#keys.has(keycode)) return;
      held.push(keycode);
      this.#key(keycode, true);
    };
    if (stroke.altGr) hold("altGr");
    if (stroke.shift) hold("shift");
    this.#key(stroke.keycode, true);
    this.#key(stroke.keycode, false);
    for (const keycode of held.reverse()) this.#key(keycode, false);
  }

  async key(name: string, deadline: Deadline): Promise<boolean> {
    const keysym = keysymOf(name);
    if (keysym === undefined) return false;
    const stroke = this.#keymap().findAnywhere(keysym);
    if (stroke !== undefined) this.#tap(stroke);
    else if ([...name].length !== 1) return false;
    else if (await this.#borrow([name], deadline)) {
      this.#tap(this.#loans.get(name)!);
      await deadline.sleep(WORKED_OFF_MS);
      this.#giveBack();
    } else return false;
    await deadline.sleep(KEY_PAUSE_MS);
    return true;
  }

  /** How to type the characters that spare keys have been given. */
  readonly #loans = new Map<string, KeyStroke>();

  /**
   * Puts characters the layout lacks on keys that make nothing, two on each: every change of a key
   * costs each client of the X server a look at the whole keyboard. `false`: there are too few.
   */
  async #borrow(characters: readonly string[], deadline: Deadline): Promise<boolean> {
    const { spare } = this.#keymap();
    if (spare.length * 2 < characters.length) return false;
    for (let index = 0; index < characters.length; index += 2) {
      const keycode = spare[index / 2]!;
      const plain = characters[index]!;
      const shifted = characters[index + 1] ?? plain;
      this.#borrowed.add(keycode);
      this.#loans.set(shifted, { keycode, shift: true, altGr: false });
      this.#loans.set(plain, { keycode, shift: false, altGr: false });
      // Always a pair: a lone upper-case letter would be taken as the shifted one of its own.
      this.#x.changeKey(keycode, [characterKeysym(plain), characterKeysym(shifted)]);
    }
    this.#x.sync();
    await deadline.sleep(REMAP_SETTLE_MS);
    return true;
  }

  #giveBack(): void {
    for (const keycode of this.#borrowed) this.#x.changeKey(keycode, [0, 0]);
    if (this.#borrowed.size > 0) this.#x.sync();
    this.#borrowed.clear();
    this.#loans.clear();
  }

  async text(text: string, deadline: Deadline): Promise<void> {
    const characters = [...text.replaceAll("\r\n", "\n")];
    refuseControls(characters);
    const capsLock = (this.#x.pointer().mask & LOCK_MASK) !== 0;
    let sent = 0;
    // Each part needs at most as many foreign characters as there are spare keys.
    let start = 0;
    while (start < characters.length) {
      const keymap = this.#keymap();
      const { end, foreign } = partOf(characters, start, keymap);
      if (foreign.length > 0 && !await this.#borrow(foreign, deadline)) {
        throw stopped(sent, "The keyboard has no spare key for a character its layout lacks");
      }
      for (let index = start; index < end; index++) {
        if (deadline.expired) throw stopped(sent, "Typing did not finish in time");
        this.#tap(this.#strokeOf(characters[index]!, keymap, capsLock));
        sent++;
        if (sent % KEYS_PER_TURN === 0) await deadline.sleep(KEY_PAUSE_MS);
      }
      start = end;
      // After the last part the keys keep their characters until the caller, who can see whether the
      // text has arrived, calls `releaseAll`.
      if (foreign.length > 0 && start < characters.length) {
        await deadline.sleep(WORKED_OFF_MS);
        this.#giveBack();
      }
    }
    await deadline.sleep(KEY_PAUSE_MS);
  }

  #strokeOf(character: string, keymap: Keymap, capsLock: boolean): KeyStroke {
    const loan = this.#loans.get(character);
    if (loan !== undefined) return loan;
    const stroke = layoutStroke(character, keymap)!;
    const isLetter = character.toLowerCase() !== character.toUpperCase();
    return capsLock && isLetter && !stroke.altGr ? { ...stroke, shift: !stroke.shift } : stroke;
  }

  get lends(): boolean {
    return this.#borrowed.size > 0;
  }

  releaseAll(): void {
    for (const button of [...this.#buttons]) this.#button(button, false);
    for (const keycode of [...this.#keys].reverse()) this.#key(keycode, false);
    this.#giveBack();
  }
}

function layoutStroke(character: string, keymap: Keymap): KeyStroke | undefined {
  return keymap.find(typedKeysym(character));
}

/** The longest part from `start` whose foreign characters fit on the spare keys. */
function partOf(
  characters: readonly string[],
  start: number,
  keymap: Keymap,
): { end: number; foreign: string[] } {
  const foreign = new Set<string>();
  let end = start;
  for (; end < characters.length; end++) {
    const character = characters[end]!;
    if (layoutStroke(character, keymap) !== undefined || foreign.has(character)) continue;
    if (foreign.size > 0 && foreign.size >= keymap.spare.length * 2) break;
    foreign.add(character);
  }
  return { end, foreign: [...foreign] };
}

function stopped(sent: number, message: string): AppError {
  return new AppError(sent === 0 ? "ACTION_FAILED" : "TIMEOUT", message, {
    suggestion: sent === 0
      ? "Use set-value, or type without --headed where the field offers it."
      : "Read the field before you go on: the first part of the text may be there.",
    delivery: sent === 0 ? "not_delivered" : "delivered_unverified",
    details: { characters_sent: sent },
  });
}
