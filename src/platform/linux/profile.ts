/** How one application is read and acted on: its toolkit's ways, and what its session adds. */
import type { Rect } from "../../tree/node.ts";
import type { AppRoot } from "./inventory.ts";
import { DEFAULT, type Toolkit } from "./toolkits/toolkit.ts";

/** A toolkit as one application of it is talked to. */
export interface Profile extends Toolkit {
  /**
   * Turns the toolkit's coordinates into device pixels of the screen; absent as long as nobody
   * needs the bounds, for toolkits that need the window system for it.
   */
  toScreen?: ((toolkitBounds: Rect) => Rect | undefined) | undefined;
}

/** Whether a process has a window on the X server; `undefined` without one. */
export type HasX11Window = (pid: number) => boolean | undefined;

/**
 * How the elements of an application are read. In a Wayland session `hasX11Window` is given: an
 * application without a window on the X server draws on a Wayland surface, and then says where
 * its elements are in its window as if that were the screen.
 */
export function profileOf(
  root: AppRoot | undefined,
  hasX11Window: HasX11Window | undefined,
): Profile {
  if (root === undefined) return DEFAULT;
  const { toolkit, pid } = root;
  const onWaylandSurface = hasX11Window !== undefined && toolkit.windowIsScreenOnWayland &&
    hasX11Window(pid) !== true;
  if (!onWaylandSurface) return toolkit;
  return { ...toolkit, screenPixels: false, windowCoordinates: true, hitTestFindsFirst: false };
}
