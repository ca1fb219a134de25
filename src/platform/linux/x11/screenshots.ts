/** Pictures of an X11 screen and its windows. */
import type { X11 } from "../../../../ffi/linux/x11.ts";
import { type Pixels, X11Images } from "../../../../ffi/linux/x11_image.ts";
import { AppError } from "../../../errors.ts";
import { encodePng } from "../../../image/png.ts";
import type { Rect } from "../../../tree/node.ts";
import type { WindowInfo } from "../../platform.ts";
import type { Screenshot, Screenshots, ScreenshotTarget } from "../../screenshots.ts";
import { requireX11 } from "../display.ts";
import { readDisplays } from "../displays.ts";
import { findX11Window } from "../focus.ts";
import { type X11Window, x11Windows } from "../x11_windows.ts";

// Titles named when other windows are in the picture.
const MAX_COVERING = 8;

/** Takes pictures by asking the X server for pixels. */
export class X11Screenshots implements Screenshots {
  async take(target: ScreenshotTarget): Promise<Screenshot> {
    const x = requireX11("A screenshot");
    const taken = target.kind === "display"
      ? ofDisplay(x, target.index)
      : ofWindow(x, target.window);
    const { pixels, bounds, coveredBy } = taken;
    const png = await encodePng(pixels);
    const { width, height } = pixels;
    return { png, width, height, bounds, scale: 1, ...(coveredBy.length > 0 && { coveredBy }) };
  }
}

interface Taken {
  pixels: Pixels;
  bounds: Rect;
  coveredBy: string[];
}

function ofDisplay(x: X11, index: number): Taken {
  const displays = readDisplays();
  const display = displays[index];
  if (display === undefined) {
    throw new AppError("INVALID_ARGS", `There is no display ${index}`, {
      suggestion: "Use list-displays and count from 0.",
      details: { display_count: displays.length, display_ids: displays.map(({ id }) => id) },
    });
  }
  return { ...ofScreen(x, display.bounds), coveredBy: [] };
}

function ofWindow(x: X11, wanted: WindowInfo): Taken {
  const window = findX11Window(wanted, x);
  if (window === undefined) {
    throw new AppError("WINDOW_NOT_FOUND", "The X server does not tell which window this is", {
      suggestion: "Run list-windows and choose a window by its id.",
    });
  }
  if (!window.viewable) throw notShown();
  const whole = compositedPicture(x, window);
  if (whole !== undefined) return { ...whole, coveredBy: [] };
  return { ...ofScreen(x, window.outer), coveredBy: coveringTitles(x, window) };
}

/** The window as its application drew it, also where others lie above it. */
function compositedPicture(
  x: X11,
  { frame, frameExtents, outer }: X11Window,
): { pixels: Pixels; bounds: Rect } | undefined {
  const attributes = x.attributes(frame);
  if (attributes === undefined) return undefined;
  const { width, height } = attributes;
  const pixels = new X11Images(x).readCovered(frame, width, height);
  if (pixels === undefined) return undefined;
  // Without the shadow, which is outside the visible rectangle.
  const crop = {
    x: frameExtents.left,
    y: frameExtents.top,
    width: outer.width,
    height: outer.height,
  };
  return { pixels: cropped(pixels, crop), bounds: outer };
}

function cropped(pixels: Pixels, { x, y, width, height }: Rect): Pixels {
  if (x === 0 && y === 0 && width === pixels.width && height === pixels.height) return pixels;
  const right = Math.min(pixels.width, x + width);
  const bottom = Math.min(pixels.height, y + height);
  const rgba = new Uint8Array((right - x) * (bottom - y) * 4);
  for (let row = y; row < bottom; row++) {
    const from = (row * pixels.width + x) * 4;
    rgba.set(pixels.rgba.subarray(from, from + (right - x) * 4), (row - y) * (right - x) * 4);
  }
  return { width: right - x, height: bottom - y, rgba };
}

/** A rectangle of the screen, as far as it is on the screen. */
function ofScreen(x: X11, rect: Rect): { pixels: Pixels; bounds: Rect } {
  const { width, height } = x.size;
  const left = Math.max(0, rect.x);
  const top = Math.max(0, rect.y);
  const bounds = {
    x: left,
    y: top,
    width: Math.min(width, rect.x + rect.width) - left,
    height: Math.min(height, rect.y + rect.height) - top,
  };
  if (bounds.width <= 0 || bounds.height <= 0) throw notShown();
  const pixels = new X11Images(x).read(x.root, left, top, bounds.width, bounds.height);
  if (pixels !== undefined) return { pixels, bounds };
  throw new AppError("PLATFORM_NOT_SUPPORTED", "The X server does not give its pixels", {
    suggestion: "Pictures need a screen of 24 or 32 bits of colour; see xdpyinfo.",
  });
}

function coveringTitles(x: X11, window: X11Window): string[] {
  const titles = x11Windows(x).filter((other) =>
    other.stacking > window.stacking && other.viewable && overlap(other.outer, window.outer)
  ).map((other) => other.title);
  return titles.slice(0, MAX_COVERING);
}

function overlap(a: Rect, b: Rect): boolean {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height &&
    b.y < a.y + a.height;
}

function notShown(): AppError {
  return new AppError("ACTION_FAILED", "Nothing of the window shows on the screen", {
    suggestion: "Run restore or focus-window with the same window, then take the picture.",
    details: { kind: "window_not_shown" },
  });
}
