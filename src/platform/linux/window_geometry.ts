/** Where windows are on the screen, for toolkits that do not say it in device pixels. */
import type { Rect } from "../../tree/node.ts";
import type { Point } from "../platform.ts";
import type { LinuxWindow } from "./inventory.ts";
import { sharedX11 } from "./display.ts";
import { describeWindow } from "./focus.ts";
import {
  managedWindows,
  matchWindow,
  withoutShadow,
  type X11Window,
  x11Windows,
} from "./x11_windows.ts";

/** How a window's toolkit coordinates lie on the screen. */
export interface Placement {
  /** What shows of it, without its shadow, in device pixels. */
  outer: Rect;
  /** Where the toolkit's window coordinate (0, 0) is, in device pixels. */
  origin: Point;
  /** Device pixels of one toolkit unit: 1, or what GDK_SCALE and its like say. */
  scale: number;
  /** The window's rectangle in its own coordinates, when it does not begin at (0, 0) there. */
  own?: Rect;
}

// Title bar, borders and shadow (pixels), which one side counts and the other does not.
const DECORATION = 72;
const SCALES = [1, 1.25, 1.5, 1.75, 2, 2.5, 3, 4];
// The widest border (toolkit units) drawn around a window's content where no shadow can be.
const MAX_BORDER = 12;

/**
 * Finds windows on the X server, in one look for all of them; `own` are their rectangles in their
 * own coordinates, where known. `undefined` for a window that is not found there or could be
 * several, and for all without an X server.
 */
export function placeWindows(
  windows: readonly LinuxWindow[],
  own: readonly (Rect | undefined)[],
): (Placement | undefined)[] {
  const x = sharedX11();
  if (x === undefined || windows.length === 0) return windows.map(() => undefined);
  const all = managedWindows(x, new Set(windows.map((window) => window.pid)));
  return windows.map((window, i) => {
    // A scaled window has another size there than its toolkit says, so the size decides nothing.
    const { size: _, ...description } = describeWindow(window);
    const found = matchWindow(all, describeWindow(window)) ?? matchWindow(all, description);
    return found && placementOf(found, window, own[i]);
  });
}

function placementOf(
  found: X11Window,
  window: LinuxWindow,
  own: Rect | undefined,
): Placement | undefined {
  const { size } = window;
  const scale = size === undefined ? 1 : scaleOf(found, size);
  if (scale === undefined) return undefined;
  const { outer } = found;
  // GTK measures from the visible edge: the shadow is outside its coordinates.
  const visible = withoutShadow(found, found.frameExtents);
  if (own !== undefined && (own.x < 0 || own.y < 0)) {
    // GTK from 4.10 on puts the corner of a window's border at a negative place, and takes that
    // off every element once more although they count from inside the border.
    const origin = { x: visible.x - 2 * own.x * scale, y: visible.y - 2 * own.y * scale };
    return { outer, origin, scale, own };
  }
  const border = size === undefined ? 0 : borderOf(visible, size, scale);
  return { outer, origin: { x: visible.x + border, y: visible.y + border }, scale };
}

/** The border in device pixels that the toolkit leaves out of its size (GTK before 4.10). */
function borderOf(visible: Rect, size: { width: number; height: number }, scale: number): number {
  const across = visible.width - size.width * scale;
  const down = visible.height - size.height * scale;
  return across === down && across > 0 && across <= 2 * MAX_BORDER * scale ? across / 2 : 0;
}

/** Whether a window of that size in its toolkit's units may be this one, at any usual scale. */
export function fitsSize(found: X11Window, size: { width: number; height: number }): boolean {
  return scaleOf(found, size) !== undefined;
}

/**
 * The scale that brings the toolkit's size nearest to the X window's; `undefined` when even that
 * is far off, because then it is another window.
 */
function scaleOf(found: X11Window, size: { width: number; height: number }): number | undefined {
  const off = (scale: number) =>
    Math.max(
      Math.abs(found.width - size.width * scale),
      Math.abs(found.height - size.height * scale),
    );
  const best = SCALES.reduce((a, b) => off(b) < off(a) ? b : a);
  return off(best) <= DECORATION ? best : undefined;
}

/** The one popup (menu, popover) of a process that shows now; `undefined` when none or several. */
export function onlyPopup(pid: number): X11Window | undefined {
  const popups = x11Windows().filter((window) =>
    window.overrideRedirect && window.viewable && window.pid === pid
  );
  return popups.length === 1 ? popups[0] : undefined;
}

/** Whether a process has a window on the X server; `undefined` without one. */
export function hasX11Window(pid: number): boolean | undefined {
  const x = sharedX11();
  if (x === undefined) return undefined;
  return managedWindows(x, new Set([pid])).some((window) => window.pid === pid);
}
