/**
 * libX11: one connection to an X server, with every call this program makes of it. Pointers and
 * C structures stay in here; what the answers mean is the caller's business. Errors of the server
 * (a window that has just gone) never end the process, as the library's own handlers would.
 */

import { type Calls, openLibrary } from "../library.ts";

const SYMBOLS = {
  XOpenDisplay: { parameters: ["buffer"], result: "pointer" },
  XCloseDisplay: { parameters: ["pointer"], result: "i32" },
  XDefaultRootWindow: { parameters: ["pointer"], result: "u64" },
  XDefaultScreen: { parameters: ["pointer"], result: "i32" },
  XDisplayWidth: { parameters: ["pointer", "i32"], result: "i32" },
  XDisplayHeight: { parameters: ["pointer", "i32"], result: "i32" },
  XInternAtom: { parameters: ["pointer", "buffer", "i32"], result: "u64" },
  XFree: { parameters: ["pointer"], result: "i32" },
  XSync: { parameters: ["pointer", "i32"], result: "i32" },
  XGetWindowProperty: {
    parameters: [
      "pointer", // display
      "u64", // window
      "u64", // property
      "i64", // offset, in 32-bit units
      "i64", // length, in 32-bit units
      "i32", // delete
      "u64", // wanted type, 0 for any
      "buffer", // type
      "buffer", // format: 8, 16 or 32
      "buffer", // number of items
      "buffer", // bytes after
      "buffer", // data
    ],
    result: "i32",
  },
  XGetWindowAttributes: { parameters: ["pointer", "u64", "buffer"], result: "i32" },
  XTranslateCoordinates: {
    parameters: ["pointer", "u64", "u64", "i32", "i32", "buffer", "buffer", "buffer"],
    result: "i32",
  },
  XQueryTree: {
    parameters: ["pointer", "u64", "buffer", "buffer", "buffer", "buffer"],
    result: "i32",
  },
  XQueryPointer: {
    parameters: [
      "pointer",
      "u64",
      "buffer",
      "buffer",
      "buffer",
      "buffer",
      "buffer",
      "buffer",
      "buffer",
    ],
    result: "i32",
  },
  XDisplayKeycodes: { parameters: ["pointer", "buffer", "buffer"], result: "i32" },
  XGetKeyboardMapping: { parameters: ["pointer", "u8", "i32", "buffer"], result: "pointer" },
  XChangeKeyboardMapping: {
    parameters: ["pointer", "i32", "i32", "buffer", "i32"],
    result: "i32",
  },
  XGetInputFocus: { parameters: ["pointer", "buffer", "buffer"], result: "i32" },
  XSetInputFocus: { parameters: ["pointer", "u64", "i32", "u64"], result: "i32" },
  XRaiseWindow: { parameters: ["pointer", "u64"], result: "i32" },
  XMapWindow: { parameters: ["pointer", "u64"], result: "i32" },
  XSendEvent: { parameters: ["pointer", "u64", "i32", "i64", "buffer"], result: "i32" },
  XSetErrorHandler: { parameters: ["pointer"], result: "pointer" },
  XSetIOErrorHandler: { parameters: ["pointer"], result: "pointer" },
  XkbKeycodeToKeysym: {
    parameters: ["pointer", "u8", "i32", "i32"],
    result: "u64",
    optional: true,
  },
  XkbGetState: { parameters: ["pointer", "u32", "buffer"], result: "i32", optional: true },
  // libX11 1.7 and later; without it a lost server ends the process inside the library.
  XSetIOErrorExitHandler: {
    parameters: ["pointer", "pointer", "pointer"],
    result: "void",
    optional: true,
  },
} as const;

type Library = Calls<typeof SYMBOLS>;

const ERROR_HANDLER = { parameters: ["pointer", "pointer"], result: "i32" } as const;
const IO_ERROR_HANDLER = { parameters: ["pointer"], result: "i32" } as const;
const IO_EXIT_HANDLER = { parameters: ["pointer", "pointer"], result: "void" } as const;

/** A server error: its code, and the request that caused it (X protocol numbers). */
export interface X11Error {
  code: number;
  request: number;
}

/** What `XGetWindowAttributes` tells of a window. */
export interface WindowAttributes {
  /** Relative to the parent, border outside. */
  x: number;
  y: number;
  width: number;
  height: number;
  border: number;
  inputOnly: boolean;
  /** Mapped, and so are all its ancestors. */
  viewable: boolean;
  overrideRedirect: boolean;
}

/** A window property: 8-bit items as bytes, 16- and 32-bit items as numbers. */
export interface WindowProperty {
  type: bigint;
  format: number;
  bytes: Uint8Array<ArrayBuffer>;
  /** Items of 16- and 32-bit formats; empty for 8-bit ones. */
  items: number[];
}

/** Where the pointer is and which buttons and modifiers are down. */
export interface PointerState {
  x: number;
  y: number;
  /** Modifier and button bits of the X protocol: button 1 is bit 8. */
  mask: number;
}

/** Keysyms of the keycodes from `first` on, `perCode` each. */
export interface KeyboardMapping {
  first: number;
  perCode: number;
  keysyms: number[];
}

// From X.h and Xlib.h; sizes are those of 64-bit systems.
const ATTRIBUTES_BYTES = 136;
const INPUT_ONLY = 2;
const IS_VIEWABLE = 2;
const XEVENT_BYTES = 192;
const CLIENT_MESSAGE = 33;
const SUBSTRUCTURE_MASKS = 0x80000n | 0x100000n; // SubstructureNotify | SubstructureRedirect
const XKB_USE_CORE_KEYBOARD = 0x100;
// A property longer than this (in 32-bit units) is read only so far.
const PROPERTY_UNITS = 65_536n;

let library: Library | undefined;
let lastError: X11Error | undefined;
let connectionLost = false;
// Callbacks the library keeps; they live as long as the process.
const handlers: unknown[] = [];

/** Opens the library. Throws `Error` when it is not installed. */
function libX11(): Library {
  if (library !== undefined) return library;
  const symbols = openLibrary("libX11.so.6", SYMBOLS);
  const onError = new Deno.UnsafeCallback(ERROR_HANDLER, (_display, event) => {
    if (event !== null) {
      // XErrorEvent: error_code at byte 32, request_code at 33.
      const view = new Deno.UnsafePointerView(event);
      lastError = { code: view.getUint8(32), request: view.getUint8(33) };
    }
    return 0;
  });
  const onLost = new Deno.UnsafeCallback(IO_ERROR_HANDLER, () => {
    connectionLost = true;
    return 0;
  });
  symbols.XSetErrorHandler(onError.pointer);
  symbols.XSetIOErrorHandler(onLost.pointer);
  handlers.push(onError, onLost);
  library = symbols;
  return symbols;
}

function cString(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(new TextEncoder().encode(text + "\0"));
}

function pointerOf(address: bigint | undefined): Deno.PointerObject | null {
  return address === undefined ? null : Deno.UnsafePointer.create(address);
}

/** A connection to an X server. */
export class X11 implements Disposable {
  readonly #x: Library;
  readonly #display: Deno.PointerObject;
  readonly #atoms = new Map<string, bigint>();
  readonly root: number;
  readonly screen: number;
  #closed = false;

  private constructor(symbols: Library, display: Deno.PointerObject) {
    this.#x = symbols;
    this.#display = display;
    this.root = Number(symbols.XDefaultRootWindow(display));
    this.screen = symbols.XDefaultScreen(display);
    if (symbols.XSetIOErrorExitHandler !== null) {
      const survive = new Deno.UnsafeCallback(IO_EXIT_HANDLER, () => {
        connectionLost = true;
      });
      handlers.push(survive);
      symbols.XSetIOErrorExitHandler(display, survive.pointer, null);
    }
  }

  /** Connects to the display of that name. Throws `Error` without library or server. */
  static open(name: string): X11 {
    const symbols = libX11();
    const display = symbols.XOpenDisplay(cString(name));
    if (display === null) throw new Error(`cannot open display ${name}`);
    return new X11(symbols, display);
  }

  /** The native `Display`, for the libraries that extend this one. */
  get display(): Deno.PointerObject {
    return this.#display;
  }

  /** Whether the server has gone away; every answer after that is empty. */
  get lost(): boolean {
    return connectionLost;
  }

  /** Width and height of the screen in pixels. */
  get size(): { width: number; height: number } {
    return {
      width: this.#x.XDisplayWidth(this.#display, this.screen),
      height: this.#x.XDisplayHeight(this.#display, this.screen),
    };
  }

  /** Waits until the server has handled everything; returns the first error since the last call. */
  sync(): X11Error | undefined {
    // Discarding: nobody reads events here, and the library has noted keyboard changes by then.
    if (!this.lost) this.#x.XSync(this.#display, 1);
    const error = lastError;
    lastError = undefined;
    return error;
  }

  /** The atom of a name, created when unknown. */
  atom(name: string): bigint {
    let atom = this.#atoms.get(name);
    if (atom === undefined) {
      atom = this.#x.XInternAtom(this.#display, cString(name), 0);
      this.#atoms.set(name, atom);
    }
    return atom;
  }

  /** A property of a window; `undefined` when the window or the property is not there. */
  property(window: number, name: string): WindowProperty | undefined {
    if (this.lost) return undefined;
    const type = new BigUint64Array(1);
    const format = new Int32Array(1);
    const count = new BigUint64Array(1);
    const after = new BigUint64Array(1);
    const data = new BigUint64Array(1);
    const status = this.#x.XGetWindowProperty(
      this.#display,
      BigInt(window),
      this.atom(name),
      0n,
      PROPERTY_UNITS,
      0,
      0n,
      type,
      format,
      count,
      after,
      data,
    );
    const pointer = pointerOf(data[0]);
    try {
      if (status !== 0 || pointer === null || type[0] === 0n) return undefined;
      return decodeProperty(pointer, type[0]!, format[0]!, Number(count[0]!));
    } finally {
      if (pointer !== null) this.#x.XFree(pointer);
    }
  }

  /** Attributes of a window; `undefined` when it is gone. */
  attributes(window: number): WindowAttributes | undefined {
    if (this.lost) return undefined;
    const bytes = new Uint8Array(ATTRIBUTES_BYTES);
    if (this.#x.XGetWindowAttributes(this.#display, BigInt(window), bytes) === 0) return undefined;
    const view = new DataView(bytes.buffer);
    const int = (offset: number) => view.getInt32(offset, true);
    return {
      x: int(0),
      y: int(4),
      width: int(8),
      height: int(12),
      border: int(16),
      inputOnly: int(40) === INPUT_ONLY,
      viewable: int(92) === IS_VIEWABLE,
      overrideRedirect: int(120) !== 0,
    };
  }

  /** A point of a window in coordinates of the root; `undefined` when the window is gone. */
  toRoot(window: number, x: number, y: number): { x: number; y: number } | undefined {
    if (this.lost) return undefined;
    const rx = new Int32Array(1);
    const ry = new Int32Array(1);
    const child = new BigUint64Array(1);
    const same = this.#x.XTranslateCoordinates(
      this.#display,
      BigInt(window),
      BigInt(this.root),
      x,
      y,
      rx,
      ry,
      child,
    );
    return same === 0 ? undefined : { x: rx[0]!, y: ry[0]! };
  }

  /** Children of a window from bottom to top; empty when it has none or is gone. */
  children(window: number): number[] {
    if (this.lost) return [];
    const root = new BigUint64Array(1);
    const parent = new BigUint64Array(1);
    const list = new BigUint64Array(1);
    const count = new Uint32Array(1);
    const ok = this.#x.XQueryTree(this.#display, BigInt(window), root, parent, list, count);
    const pointer = pointerOf(list[0]);
    if (pointer === null) return [];
    try {
      return ok === 0 ? [] : readLongs(pointer, count[0]!);
    } finally {
      this.#x.XFree(pointer);
    }
  }

  /** Pointer position on the root, buttons and modifiers. */
  pointer(): PointerState {
    const root = new BigUint64Array(1);
    const child = new BigUint64Array(1);
    const [x, y, wx, wy] = [0, 0, 0, 0].map(() => new Int32Array(1));
    const mask = new Uint32Array(1);
    if (!this.lost) {
      const window = BigInt(this.root);
      this.#x.XQueryPointer(this.#display, window, root, child, x!, y!, wx!, wy!, mask);
    }
    return { x: x![0]!, y: y![0]!, mask: mask[0]! };
  }

  /** All keysyms of the keyboard. */
  keyboardMapping(): KeyboardMapping {
    if (this.lost) return { first: 0, perCode: 0, keysyms: [] };
    const low = new Int32Array(1);
    const high = new Int32Array(1);
    this.#x.XDisplayKeycodes(this.#display, low, high);
    const count = high[0]! - low[0]! + 1;
    const perCode = new Int32Array(1);
    const pointer = this.#x.XGetKeyboardMapping(this.#display, low[0]!, count, perCode);
    if (pointer === null) return { first: low[0]!, perCode: 0, keysyms: [] };
    try {
      const keysyms = readLongs(pointer, count * perCode[0]!);
      return { first: low[0]!, perCode: perCode[0]!, keysyms };
    } finally {
      this.#x.XFree(pointer);
    }
  }

  /**
   * The keysym of a keycode in a group (layout) and level; 0 for none. `undefined` without the
   * keyboard extension. Answers from the library's copy of the keyboard.
   */
  keysym(keycode: number, group: number, level: number): number | undefined {
    const { XkbKeycodeToKeysym } = this.#x;
    if (XkbKeycodeToKeysym === null || this.lost) return undefined;
    return Number(XkbKeycodeToKeysym(this.#display, keycode, group, level));
  }

  /** Replaces the keysyms of one keycode. */
  changeKey(keycode: number, keysyms: readonly number[]): void {
    if (this.lost) return;
    const values = BigUint64Array.from(keysyms, BigInt);
    this.#x.XChangeKeyboardMapping(this.#display, keycode, keysyms.length, values, 1);
  }

  /** The active keyboard group (layout), 0 to 3; 0 without the keyboard extension. */
  keyboardGroup(): number {
    const state = new Uint8Array(18); // XkbStateRec; its first byte is the effective group
    const { XkbGetState } = this.#x;
    if (XkbGetState === null || this.lost) return 0;
    return XkbGetState(this.#display, XKB_USE_CORE_KEYBOARD, state) === 0 ? state[0]! : 0;
  }

  /** The window that has the keyboard focus; 0 for none, 1 for "where the pointer is". */
  inputFocus(): number {
    const window = new BigUint64Array(1);
    const revert = new Int32Array(1);
    if (!this.lost) this.#x.XGetInputFocus(this.#display, window, revert);
    return Number(window[0]!);
  }

  /** Gives a window the keyboard focus, with its parent as fallback. */
  setInputFocus(window: number): void {
    const REVERT_TO_PARENT = 2;
    if (!this.lost) this.#x.XSetInputFocus(this.#display, BigInt(window), REVERT_TO_PARENT, 0n);
  }

  /** Puts a window on top of its siblings. */
  raise(window: number): void {
    if (!this.lost) this.#x.XRaiseWindow(this.#display, BigInt(window));
  }

  /** Maps a window. */
  map(window: number): void {
    if (!this.lost) this.#x.XMapWindow(this.#display, BigInt(window));
  }

  /** Sends a client message about `window` to the window manager, by way of the root. */
  tellWindowManager(window: number, type: string, data: readonly number[]): void {
    this.#send(this.root, SUBSTRUCTURE_MASKS, window, type, data);
  }

  /** Sends a client message to the application that made a window. */
  tellWindow(window: number, type: string, data: readonly number[]): void {
    this.#send(window, 0n, window, type, data);
  }

  #send(
    to: number,
    masks: bigint,
    window: number,
    type: string,
    data: readonly number[],
  ): void {
    if (this.lost) return;
    // XClientMessageEvent: type, serial, send_event, display, window, message_type, format, data.
    const bytes = new Uint8Array(XEVENT_BYTES);
    const view = new DataView(bytes.buffer);
    view.setInt32(0, CLIENT_MESSAGE, true);
    view.setInt32(16, 1, true);
    view.setBigUint64(32, BigInt(window), true);
    view.setBigUint64(40, this.atom(type), true);
    view.setInt32(48, 32, true);
    data.slice(0, 5).forEach((item, index) => {
      view.setBigInt64(56 + index * 8, BigInt(item), true);
    });
    this.#x.XSendEvent(this.#display, BigInt(to), 0, masks, bytes);
  }

  /** Ends the connection. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    if (!this.lost) this.#x.XCloseDisplay(this.#display);
  }

  [Symbol.dispose](): void {
    this.close();
  }
}

/** `count` C longs; X uses them for every 32-bit item. */
function readLongs(pointer: Deno.PointerObject, count: number): number[] {
  if (count === 0) return [];
  const buffer = Deno.UnsafePointerView.getArrayBuffer(pointer, count * 8);
  // Only the low half is meaningful; the server sends 32 bits.
  return Array.from(new BigUint64Array(buffer), (value) => Number(value & 0xffff_ffffn));
}

function decodeProperty(
  pointer: Deno.PointerObject,
  type: bigint,
  format: number,
  count: number,
): WindowProperty {
  const none = { type, format, bytes: new Uint8Array(0), items: [] };
  if (count === 0) return none;
  if (format === 32) return { ...none, items: readLongs(pointer, count) };
  const view = Deno.UnsafePointerView.getArrayBuffer(pointer, count * format / 8);
  if (format === 16) return { ...none, items: Array.from(new Uint16Array(view)) };
  return { ...none, bytes: new Uint8Array(view).slice() };
}
