/** Where an element is on the screen, for toolkits that say it in coordinates of their own. */
import type { Deadline } from "../deadline.ts";
import type { Node, Rect } from "../tree/node.ts";
import type { Platform } from "./platform.ts";

/**
 * The screen bounds of a node just read, in device pixels; the window system is asked only when the
 * toolkit's own coordinates are others. `undefined` when they cannot be told.
 */
export async function screenBounds(
  platform: Platform,
  node: Node,
  deadline: Deadline,
): Promise<Rect | undefined> {
  if (node.bounds !== undefined || node.toolkitBounds === undefined) return node.bounds;
  if (node.handle === undefined) return undefined;
  return await platform.toScreen?.(node.handle, node.toolkitBounds, deadline);
}

/** Fills in `bounds` of a node just read, where they can be found out. */
export async function putOnScreen(
  platform: Platform,
  node: Node,
  deadline: Deadline,
): Promise<void> {
  const bounds = await screenBounds(platform, node, deadline);
  if (bounds !== undefined) node.bounds = bounds;
}
