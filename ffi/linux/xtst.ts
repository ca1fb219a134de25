/** libXtst: fake input events on an X11 connection. Coordinates are those of the root window. */
import { type Calls, openLibrary } from "../library.ts";
import type { X11 } from "./x11.ts";

const SYMBOLS = {
  XTestQueryExtension: {
    parameters: ["pointer", "buffer", "buffer", "buffer", "buffer"],
    result: "i32",
  },
  XTestFakeKeyEvent: { parameters: ["pointer", "u32", "i32", "u64"], result: "i32" },
  XTestFakeButtonEvent: { parameters: ["pointer", "u32", "i32", "u64"], result: "i32" },
  XTestFakeMotionEvent: { parameters: ["pointer", "i32", "i32", "i32", "u64"], result: "i32" },
  // Lets fake events through while another client has grabbed the server.
  XTestGrabControl: { parameters: ["pointer", "i32"], result: "i32", optional: true },
} as const;

type Library = Calls<typeof SYMBOLS>;

/** Fake keyboard and pointer events. */
export class XTest {
  readonly #t: Library;
  readonly #x: X11;

  private constructor(symbols: Library, x: X11) {
    this.#t = symbols;
    this.#x = x;
  }

  /** Throws `Error` when the library or the server's extension is missing. */
  static open(x: X11): XTest {
    const symbols = openLibrary("libXtst.so.6", SYMBOLS);
    const out = [0, 0, 0, 0].map(() => new Int32Array(1));
    if (symbols.XTestQueryExtension(x.display, out[0]!, out[1]!, out[2]!, out[3]!) === 0) {
      throw new Error("the X server lacks the XTEST extension");
    }
    if (symbols.XTestGrabControl !== null) symbols.XTestGrabControl(x.display, 1);
    return new XTest(symbols, x);
  }

  /** Presses or releases a keycode. */
  key(keycode: number, down: boolean): void {
    this.#t.XTestFakeKeyEvent(this.#x.display, keycode, down ? 1 : 0, 0n);
    this.#x.sync();
  }

  /** Presses or releases a button (1 left, 2 middle, 3 right, 4..7 wheel). */
  button(button: number, down: boolean): void {
    this.#t.XTestFakeButtonEvent(this.#x.display, button, down ? 1 : 0, 0n);
    this.#x.sync();
  }

  /** Moves the pointer. */
  move(x: number, y: number): void {
    this.#t.XTestFakeMotionEvent(this.#x.display, this.#x.screen, x, y, 0n);
    this.#x.sync();
  }
}
