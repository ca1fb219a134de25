/** libXrandr: the monitors of an X server. */
import { openLibrary } from "../library.ts";
import type { X11 } from "./x11.ts";

const SYMBOLS = {
  XRRGetMonitors: { parameters: ["pointer", "u64", "i32", "buffer"], result: "pointer" },
  XRRFreeMonitors: { parameters: ["pointer"], result: "void" },
} as const;

// XRRMonitorInfo on 64-bit systems: Atom name (8), primary, automatic, noutput, x, y, width,
// height, mwidth, mheight (4 each), padding, outputs pointer (8).
const MONITOR_BYTES = 56;
const OFFSET = { name: 0, primary: 8, x: 20, y: 24, width: 28, height: 32 } as const;
// More monitors than any graphics card drives.
const MAX_MONITORS = 64;

/** One monitor, in pixels of the root window. */
export interface Monitor {
  /** Atom of its name; unique on the server. */
  name: bigint;
  isPrimary: boolean;
  x: number;
  y: number;
  width: number;
  height: number;
}

/** The active monitors. Throws `Error` when the library is missing. */
export function monitors(x: X11): Monitor[] {
  const library = openLibrary("libXrandr.so.2", SYMBOLS);
  const count = new Int32Array(1);
  const list = library.XRRGetMonitors(x.display, BigInt(x.root), 1, count);
  if (list === null) return [];
  const view = new Deno.UnsafePointerView(list);
  const found = Array.from({ length: Math.min(count[0]!, MAX_MONITORS) }, (_, i) => {
    const at = i * MONITOR_BYTES;
    return {
      name: view.getBigUint64(at + OFFSET.name),
      isPrimary: view.getInt32(at + OFFSET.primary) !== 0,
      x: view.getInt32(at + OFFSET.x),
      y: view.getInt32(at + OFFSET.y),
      width: view.getInt32(at + OFFSET.width),
      height: view.getInt32(at + OFFSET.height),
    };
  });
  library.XRRFreeMonitors(list);
  return found;
}
