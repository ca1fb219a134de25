/** How toolkits count places inside their windows. */
import type { Rect } from "../../tree/node.ts";
import type { Point } from "../platform.ts";

// GTK before 4.10 gives its popovers their type's name; from then on they have none, and their
// elements count from the window's corner like all others.
const POPOVER_TYPE = /^(Gtk|Adw)\w*Popover\w*$/;

/** Whether a name is that of a popover's type, and places in it count from its own corner. */
export function isPopoverType(name: string): boolean {
  return POPOVER_TYPE.test(name);
}

/**
 * How far GTK (from 4.10 on) misplaces what is on a page of a stack or notebook: a page is no
 * widget, reports its content's place as its own, and so that place is added twice. Such pages are
 * the only elements without an Action interface.
 */
export function pageOffset(page: Rect | undefined, content: Rect | undefined): Point {
  if (page === undefined || content === undefined) return { x: 0, y: 0 };
  return { x: content.x - page.x, y: content.y - page.y };
}
