/** CoreGraphics: the window list, displays, and synthetic events. */
import { type CoreFoundation, type Pointer, Ref } from "./core_foundation.ts";
import type { Calls } from "../library.ts";
import { NativeError, open, POINT, point, RECT } from "./library.ts";

const asks = { parameters: [], result: "u8", optional: true } as const;

/** Declarations, checked against the stand-in's own table by the tests. */
export const CORE_GRAPHICS = {
  CGWindowListCopyWindowInfo: { parameters: ["u32", "u32"], result: "pointer" },
  CGWindowListCreateDescriptionFromArray: { parameters: ["pointer"], result: "pointer" },
  CGRectMakeWithDictionaryRepresentation: { parameters: ["pointer", "buffer"], result: "u8" },
  CGMainDisplayID: { parameters: [], result: "u32" },
  CGGetActiveDisplayList: { parameters: ["u32", "buffer", "buffer"], result: "i32" },
  CGDisplayBounds: { parameters: ["u32"], result: RECT },
  CGDisplayCopyDisplayMode: { parameters: ["u32"], result: "pointer" },
  CGDisplayModeGetWidth: { parameters: ["pointer"], result: "usize" },
  CGDisplayModeGetPixelWidth: { parameters: ["pointer"], result: "usize" },
  CGDisplayModeRelease: { parameters: ["pointer"], result: "void" },
  CGPreflightScreenCaptureAccess: asks,
  CGRequestScreenCaptureAccess: asks,
  CGPreflightPostEventAccess: asks,
  CGEventSourceCreate: { parameters: ["i32"], result: "pointer" },
  CGEventCreate: { parameters: ["pointer"], result: "pointer" },
  CGEventCreateMouseEvent: { parameters: ["pointer", "u32", POINT, "u32"], result: "pointer" },
  CGEventCreateKeyboardEvent: { parameters: ["pointer", "u16", "u8"], result: "pointer" },
  CGEventCreateScrollWheelEvent2: {
    parameters: ["pointer", "u32", "u32", "i32", "i32", "i32"],
    result: "pointer",
  },
  CGEventKeyboardSetUnicodeString: { parameters: ["pointer", "usize", "buffer"], result: "void" },
  CGEventGetFlags: { parameters: ["pointer"], result: "u64" },
  CGEventSetFlags: { parameters: ["pointer", "u64"], result: "void" },
  CGEventSetIntegerValueField: { parameters: ["pointer", "u32", "i64"], result: "void" },
  CGEventGetLocation: { parameters: ["pointer"], result: POINT },
  CGEventPost: { parameters: ["u32", "pointer"], result: "void" },
  CGEventPostToPid: { parameters: ["i32", "pointer"], result: "void" },
} as const satisfies Deno.ForeignLibraryInterface;

/** CGEventType. */
export const EVENT = {
  leftDown: 1,
  leftUp: 2,
  rightDown: 3,
  rightUp: 4,
  moved: 5,
  leftDrag: 6,
  rightDrag: 7,
  otherDown: 25,
  otherUp: 26,
  otherDrag: 27,
} as const;

/** CGEventFlags of the modifier keys. */
export const FLAG = { shift: 0x20000n, ctrl: 0x40000n, alt: 0x80000n, meta: 0x100000n } as const;

/**
 * CGEventFlags that the system puts on an event for the key it is: numeric pad and secondary
 * function key (arrows, F keys, Home, …), help, and that no event was merged into it.
 */
const KEY_FLAGS = 0x200000n | 0x800000n | 0x400000n | 0x100n;

/** CGMouseButton. */
export const MOUSE_BUTTON = { left: 0, right: 1, middle: 2 } as const;

/** CoreGraphics' other constants, by the names in its headers. */
export const CG = {
  kCGMouseEventClickState: 1,
  /** Where hardware events enter. */
  kCGHIDEventTap: 0,
  kCGEventSourceStateHIDSystemState: 1,
  kCGScrollEventUnitLine: 1,
  kCGWindowListOptionAll: 0,
  kCGWindowListExcludeDesktopElements: 16,
  kCGNullWindowID: 0,
} as const;
/** CGEventKeyboardSetUnicodeString keeps no more UTF-16 units of one event than this. */
export const TEXT_UNITS_PER_EVENT = 20;

export interface NativeRect {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** One entry of the window server's list. */
export interface NativeWindow {
  number: number;
  pid: number;
  owner: string;
  layer: number;
  bounds: NativeRect;
  /** Absent for untitled windows and without the screen recording permission. */
  title?: string;
  onScreen: boolean;
  /** 0 for a window that nobody can see; absent when it does not say. */
  alpha?: number;
}

export interface NativeDisplay {
  id: number;
  bounds: NativeRect;
  isMain: boolean;
  /** Pixels per point. */
  scale: number;
}

/** Where an event goes: the system, or one process. */
export type Destination = { pid?: number };

/** CoreGraphics behind plain JavaScript values. */
export class CoreGraphics {
  readonly #s: Calls<typeof CORE_GRAPHICS>;
  readonly #cf: CoreFoundation;
  #source: Ref | undefined;

  constructor(path: string, cf: CoreFoundation) {
    this.#s = open(path, CORE_GRAPHICS);
    this.#cf = cf;
  }

  // ---- permissions ----

  /** Whether the screen may be captured; `undefined` where the system cannot tell. */
  screenCapture(): boolean | undefined {
    const answer = this.#s.CGPreflightScreenCaptureAccess?.();
    return answer === undefined ? undefined : answer !== 0;
  }

  /** Shows the system's dialog the first time; it answers later. */
  requestScreenCapture(): void {
    this.#s.CGRequestScreenCaptureAccess?.();
  }

  /** Whether synthetic events are let through; they vanish silently otherwise. */
  postEvents(): boolean | undefined {
    const answer = this.#s.CGPreflightPostEventAccess?.();
    return answer === undefined ? undefined : answer !== 0;
  }

  // ---- windows ----

  /** Every window, front to back; `undefined` without a window server. */
  windows(): NativeWindow[] | undefined {
    const options = CG.kCGWindowListOptionAll | CG.kCGWindowListExcludeDesktopElements;
    return this.#windowList(this.#s.CGWindowListCopyWindowInfo(options, CG.kCGNullWindowID));
  }

  /** The windows that exist among these numbers. */
  windowsByNumber(numbers: readonly number[]): NativeWindow[] | undefined {
    using ids = this.#cf.rawArray(numbers);
    return this.#windowList(this.#s.CGWindowListCreateDescriptionFromArray(ids.pointer));
  }

  #windowList(list: Deno.PointerValue): NativeWindow[] | undefined {
    if (!list) return undefined;
    using owned = new Ref(this.#cf, list);
    const windows: NativeWindow[] = [];
    for (const item of this.#cf.items(owned.pointer)) {
      if (this.#cf.typeOf(item) !== this.#cf.types.dictionary) continue;
      const window = this.#window(item);
      if (window) windows.push(window);
    }
    return windows;
  }

  #number(dictionary: Pointer, key: string): number | undefined {
    const value = this.#cf.entry(dictionary, key);
    if (!value || this.#cf.typeOf(value) !== this.#cf.types.number) return undefined;
    return this.#cf.numberValue(value).value;
  }

  #text(dictionary: Pointer, key: string): string | undefined {
    const value = this.#cf.entry(dictionary, key);
    if (!value || this.#cf.typeOf(value) !== this.#cf.types.string) return undefined;
    return this.#cf.text(value).text;
  }

  // An entry without number, owner or bounds is of no use to anybody and is left out.
  #window(entry: Pointer): NativeWindow | undefined {
    const number = this.#number(entry, "kCGWindowNumber");
    const pid = this.#number(entry, "kCGWindowOwnerPID");
    const owner = this.#text(entry, "kCGWindowOwnerName");
    const box = this.#cf.entry(entry, "kCGWindowBounds");
    if (number === undefined || pid === undefined || owner === undefined || !box) return undefined;
    const memory = new Float64Array(4);
    if (!this.#s.CGRectMakeWithDictionaryRepresentation(box, memory)) return undefined;
    const shown = this.#cf.entry(entry, "kCGWindowIsOnscreen");
    const title = this.#text(entry, "kCGWindowName");
    const alpha = this.#number(entry, "kCGWindowAlpha");
    return {
      number,
      pid,
      owner,
      layer: this.#number(entry, "kCGWindowLayer") ?? 0,
      bounds: rect(memory),
      onScreen: shown !== null && this.#cf.typeOf(shown) === this.#cf.types.boolean &&
        this.#cf.booleanValue(shown),
      ...(title === undefined ? {} : { title }),
      ...(alpha === undefined ? {} : { alpha }),
    };
  }

  // ---- displays ----

  /** Active displays, the main one first, in the order `screencapture -D` counts them. */
  displays(): NativeDisplay[] {
    const count = new Uint32Array(1);
    // More displays than any Mac drives.
    const ids = new Uint32Array(32);
    if (this.#s.CGGetActiveDisplayList(ids.length, ids, count) !== 0) return [];
    const main = this.#s.CGMainDisplayID();
    const displays = [...ids.subarray(0, count[0])].map((id) => ({
      id,
      bounds: rect(new Float64Array(this.#s.CGDisplayBounds(id).buffer as ArrayBuffer)),
      isMain: id === main,
      scale: this.#scale(id),
    }));
    return displays.sort((a, b) => Number(b.isMain) - Number(a.isMain));
  }

  #scale(id: number): number {
    const mode = this.#s.CGDisplayCopyDisplayMode(id);
    if (!mode) return 1;
    try {
      const points = Number(this.#s.CGDisplayModeGetWidth(mode));
      const pixels = Number(this.#s.CGDisplayModeGetPixelWidth(mode));
      return points > 0 && pixels > 0 ? pixels / points : 1;
    } finally {
      this.#s.CGDisplayModeRelease(mode);
    }
  }

  // ---- events ----

  #eventSource(): Pointer {
    this.#source ??= this.#cf.adopt(
      this.#s.CGEventSourceCreate(CG.kCGEventSourceStateHIDSystemState),
      "CGEventSourceCreate",
    );
    return this.#source.pointer;
  }

  #post(event: Ref, flags: bigint, to: Destination): void {
    // A new event carries the modifiers that the person at the keyboard holds; they are replaced.
    const ofKey = this.#s.CGEventGetFlags(event.pointer) & KEY_FLAGS;
    this.#s.CGEventSetFlags(event.pointer, ofKey | flags);
    if (to.pid === undefined) this.#s.CGEventPost(CG.kCGHIDEventTap, event.pointer);
    else this.#s.CGEventPostToPid(to.pid, event.pointer);
  }

  /** Where the pointer is now. */
  pointer(): { x: number; y: number } {
    using event = this.#cf.adopt(this.#s.CGEventCreate(null), "CGEventCreate");
    const at = new Float64Array(this.#s.CGEventGetLocation(event.pointer).buffer as ArrayBuffer);
    return { x: at[0]!, y: at[1]! };
  }

  /**
   * Posts one mouse event.
   *
   * @param button one of `MOUSE_BUTTON`
   * @param clicks 1 for the first click, 2 for the second of a double click; 0 for none
   */
  mouse(
    type: number,
    at: { x: number; y: number },
    button: number,
    clicks: number,
    flags: bigint,
  ): void {
    using event = this.#cf.adopt(
      this.#s.CGEventCreateMouseEvent(this.#eventSource(), type, point(at.x, at.y), button),
      "CGEventCreateMouseEvent",
    );
    if (clicks > 0) {
      this.#s.CGEventSetIntegerValueField(
        event.pointer,
        CG.kCGMouseEventClickState,
        BigInt(clicks),
      );
    }
    this.#post(event, flags, {});
  }

  /** Posts one wheel event in lines: positive `dy` up, positive `dx` left. */
  wheel(dx: number, dy: number, flags: bigint): void {
    using event = this.#cf.adopt(
      this.#s.CGEventCreateScrollWheelEvent2(
        this.#eventSource(),
        CG.kCGScrollEventUnitLine,
        2,
        dy,
        dx,
        0,
      ),
      "CGEventCreateScrollWheelEvent2",
    );
    this.#post(event, flags, {});
  }

  /** Posts one key event by its virtual key code. */
  key(code: number, down: boolean, flags: bigint, to: Destination): void {
    using event = this.#cf.adopt(
      this.#s.CGEventCreateKeyboardEvent(this.#eventSource(), code, down ? 1 : 0),
      "CGEventCreateKeyboardEvent",
    );
    this.#post(event, flags, to);
  }

  /**
   * Posts a key press that carries text instead of a key, at most `TEXT_UNITS_PER_EVENT` units.
   *
   * @throws {NativeError} for empty or longer text
   */
  textKey(text: string, down: boolean, to: Destination): void {
    if (text.length === 0 || text.length > TEXT_UNITS_PER_EVENT) {
      throw new NativeError(`one key event carries 1 to ${TEXT_UNITS_PER_EVENT} characters`);
    }
    using event = this.#cf.adopt(
      this.#s.CGEventCreateKeyboardEvent(this.#eventSource(), 0, down ? 1 : 0),
      "CGEventCreateKeyboardEvent",
    );
    const units = new Uint16Array(text.length);
    for (let i = 0; i < text.length; i++) units[i] = text.charCodeAt(i);
    if (down) {
      this.#s.CGEventKeyboardSetUnicodeString(event.pointer, BigInt(text.length), units);
    }
    this.#post(event, 0n, to);
  }

  close(): void {
    this.#source?.[Symbol.dispose]();
    this.#source = undefined;
  }
}

function rect(memory: Float64Array): NativeRect {
  return { x: memory[0]!, y: memory[1]!, width: memory[2]!, height: memory[3]! };
}
