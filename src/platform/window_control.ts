/** Changing windows, the same on every platform. */
import type { Deadline } from "../deadline.ts";
import type { Rect } from "../tree/node.ts";
import type { WindowInfo } from "./desktop_items.ts";

/** A place asked for, in device pixels of the visible rectangle; absent parts stay as they are. */
export interface WindowPlace {
  x?: number;
  y?: number;
  width?: number;
  height?: number;
}

/** What a window operation came to. */
export interface WindowOutcome {
  /** The effect was seen. */
  verified: boolean;
  /** Where the window is now, without its shadow; absent when that is not known. */
  bounds?: Rect;
}

/** Changes windows of the desktop. Every effect is looked for before the call returns. */
export interface WindowControl {
  /** Moves and resizes. */
  place(window: WindowInfo, place: WindowPlace, deadline: Deadline): Promise<WindowOutcome>;
  /** Minimises a window, or brings it back. */
  setMinimized(
    window: WindowInfo,
    minimized: boolean,
    deadline: Deadline,
  ): Promise<WindowOutcome>;
  /** Fills the usable part of the display the window is on. */
  maximize(window: WindowInfo, deadline: Deadline): Promise<WindowOutcome>;
}
