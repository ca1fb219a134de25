/** How lists and results print a window. */
import type { WindowInfo } from "../platform/platform.ts";
import type { Rect } from "../tree/node.ts";

/** One window, as printed. */
export interface WindowItem {
  id: string;
  title: string;
  app_name: string;
  pid: number;
  process_instance?: string;
  /** In screen points. */
  bounds?: Rect;
  is_focused: boolean;
  minimized?: boolean;
  visible?: boolean;
  accessible: boolean;
  /** Why it is not. */
  unreachable?: NonNullable<WindowInfo["unreachable"]>;
}

/** A window as lists and results print it. */
export function windowItem(window: WindowInfo): WindowItem {
  const item: WindowItem = {
    id: window.id,
    title: window.title,
    app_name: window.appName,
    pid: window.pid,
    is_focused: window.isFocused,
    accessible: window.accessible,
  };
  if (window.unreachable !== undefined) item.unreachable = window.unreachable;
  if (window.processInstance !== undefined) item.process_instance = window.processInstance;
  if (window.bounds !== undefined) item.bounds = window.bounds;
  if (window.minimized !== undefined) item.minimized = window.minimized;
  if (window.visible !== undefined) item.visible = window.visible;
  return item;
}
