/** Where windows are on the screen, for toolkits that only know places inside a window. */
import type { Rect } from "../../tree/node.ts";
import type { Point } from "../platform.ts";
import type { LinuxWindow } from "./inventory.ts";
import { sharedX11 } from "./display.ts";
import { describeWindow } from "./focus.ts";
import { managedWindows, matchWindow } from "./x11_windows.ts";

/** Screen positions of a window whose toolkit reports none. */
export interface Placement {
  /** What shows of it, without its shadow. */
  outer: Rect;
  /** Where the toolkit's coordinate (0, 0) is. */
  origin: Point;
}

/**
 * Finds windows on the X server, in one look for all of them. `undefined` for a window that is
 * not found there or could be several, and for all without an X server.
 */
export function placeWindows(windows: readonly LinuxWindow[]): (Placement | undefined)[] {
  const x = sharedX11();
  if (x === undefined || windows.length === 0) return windows.map(() => undefined);
  const all = managedWindows(x, new Set(windows.map((window) => window.pid)));
  return windows.map((window) => {
    const found = matchWindow(all, describeWindow(window));
    // GTK measures from the visible edge: the shadow is outside its coordinates.
    return found && {
      outer: found.outer,
      origin: { x: found.x + found.frameExtents.left, y: found.y + found.frameExtents.top },
    };
  });
}
