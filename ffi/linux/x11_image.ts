/**
 * Pixels of the X server: libX11's images, and libXcomposite for windows that others cover. Pointers
 * and C structures stay in here.
 */
import { type Calls, openLibrary } from "../library.ts";
import type { X11 } from "./x11.ts";

const IMAGE_SYMBOLS = {
  XGetImage: {
    parameters: ["pointer", "u64", "i32", "i32", "u32", "u32", "u64", "i32"],
    result: "pointer",
  },
  XDestroyImage: { parameters: ["pointer"], result: "i32" },
  XGetSelectionOwner: { parameters: ["pointer", "u64"], result: "u64" },
  XFreePixmap: { parameters: ["pointer", "u64"], result: "i32" },
} as const;

const COMPOSITE_SYMBOLS = {
  XCompositeQueryExtension: { parameters: ["pointer", "buffer", "buffer"], result: "i32" },
  XCompositeNameWindowPixmap: { parameters: ["pointer", "u64"], result: "u64" },
} as const;

// From X.h and Xlib.h: every plane, whole pixels; least significant byte first.
const ALL_PLANES = 0xffff_ffff_ffff_ffffn;
const Z_PIXMAP = 2;
const LSB_FIRST = 0;

/** A picture: four bytes a pixel (red, green, blue, opaque), rows from top to bottom. */
export interface Pixels {
  width: number;
  height: number;
  rgba: Uint8Array<ArrayBuffer>;
}

let images: Calls<typeof IMAGE_SYMBOLS> | undefined;

/** Reads pixels of windows and of the screen. */
export class X11Images {
  readonly #i: Calls<typeof IMAGE_SYMBOLS>;

  /** @throws Error when libX11 is missing */
  constructor(private readonly x: X11) {
    this.#i = images ??= openLibrary("libX11.so.6", IMAGE_SYMBOLS);
  }

  /**
   * A rectangle of a window, as it is on the screen: what covers the window is in the picture.
   * `undefined` when the rectangle is not all inside the screen, the window is gone or not shown, or
   * the server's pixels are of a kind this reader does not know (24 or 32 bits of depth only).
   */
  read(
    window: number,
    x: number,
    y: number,
    width: number,
    height: number,
  ): Pixels | undefined {
    if (this.x.lost) return undefined;
    const image = this.#i.XGetImage(
      this.x.display,
      BigInt(window),
      x,
      y,
      width,
      height,
      ALL_PLANES,
      Z_PIXMAP,
    );
    this.x.sync();
    if (image === null) return undefined;
    try {
      return decode(image);
    } finally {
      this.#i.XDestroyImage(image);
    }
  }

  /**
   * The whole of a window as its application drew it, whatever lies above it. `undefined` where no
   * compositor keeps such a picture, or the window is not shown.
   */
  readCovered(window: number, width: number, height: number): Pixels | undefined {
    if (this.x.lost || !this.composited) return undefined;
    const composite = openComposite(this.x);
    if (composite === undefined) return undefined;
    const pixmap = composite.XCompositeNameWindowPixmap(this.x.display, BigInt(window));
    if (this.x.sync() !== undefined) return undefined;
    try {
      return this.read(Number(pixmap), 0, 0, width, height);
    } finally {
      this.#i.XFreePixmap(this.x.display, pixmap);
      this.x.sync();
    }
  }

  /** Whether a compositing manager runs: it owns the selection that EWMH names for it. */
  get composited(): boolean {
    if (this.x.lost) return false;
    const selection = this.x.atom(`_NET_WM_CM_S${this.x.screen}`);
    return this.#i.XGetSelectionOwner(this.x.display, selection) !== 0n;
  }
}

/** The extension's library; `undefined` when it or the server's part is missing. */
function openComposite(x: X11): Calls<typeof COMPOSITE_SYMBOLS> | undefined {
  try {
    const symbols = openLibrary("libXcomposite.so.1", COMPOSITE_SYMBOLS);
    const [event, error] = [new Int32Array(1), new Int32Array(1)];
    return symbols.XCompositeQueryExtension(x.display, event, error) === 0 ? undefined : symbols;
  } catch {
    return undefined;
  }
}

/** XImage of 64-bit systems: the fields at their offsets. */
function decode(image: Deno.PointerObject): Pixels | undefined {
  const view = new Deno.UnsafePointerView(image);
  const [width, height] = [view.getInt32(0), view.getInt32(4)];
  const data = view.getPointer(16);
  const byteOrder = view.getInt32(24);
  const stride = view.getInt32(44);
  const bitsPerPixel = view.getInt32(48);
  const masks = [view.getBigUint64(56), view.getBigUint64(64), view.getBigUint64(72)];
  if (data === null || bitsPerPixel !== 32 || byteOrder !== LSB_FIRST) return undefined;
  const known = masks[0] === 0xff0000n && masks[1] === 0xff00n && masks[2] === 0xffn;
  // A pixmap has no visual, so the library gives no masks; depth 24 and 32 are laid out the same.
  if (!known && masks.some((mask) => mask !== 0n)) return undefined;
  const source = new Uint32Array(Deno.UnsafePointerView.getArrayBuffer(data, stride * height));
  const rgba = new Uint8Array(width * height * 4);
  const target = new Uint32Array(rgba.buffer);
  const perRow = stride / 4;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const pixel = source[y * perRow + x]!;
      target[y * width + x] = 0xff00_0000 | ((pixel & 0xff) << 16) | (pixel & 0xff00) |
        ((pixel >>> 16) & 0xff);
    }
  }
  return { width, height, rgba };
}
