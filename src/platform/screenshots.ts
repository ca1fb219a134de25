/** Pictures of the screen, the same on every platform. */
import type { Deadline } from "../deadline.ts";
import type { Rect } from "../tree/node.ts";
import type { WindowInfo } from "./desktop_items.ts";

/** What to take a picture of: a display by its number in `list-displays`, or a window. */
export type ScreenshotTarget =
  | { kind: "display"; index: number }
  | { kind: "window"; window: WindowInfo };

/** A picture. */
export interface Screenshot {
  png: Uint8Array<ArrayBuffer>;
  /** Size of the picture in its own pixels. */
  width: number;
  height: number;
  /** What of the screen it shows, in the coordinates of `list-displays`. */
  bounds: Rect;
  /** Pixels of the picture for one unit of `bounds`. */
  scale: number;
  /** Titles of windows that cover part of the wanted one, in the picture too. */
  coveredBy?: string[];
}

/** Takes pictures of the screen. */
export interface Screenshots {
  /**
   * @throws AppError `INVALID_ARGS` for a display that is not there, `WINDOW_NOT_FOUND`,
   * `ACTION_FAILED` for a window of which nothing shows
   */
  take(target: ScreenshotTarget, deadline: Deadline): Promise<Screenshot>;
}
