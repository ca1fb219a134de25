/** `list-windows`: the open windows and their ids. */
import type { Context } from "../cli/context.ts";
import type { AppOnlyArgs } from "../cli/table/mod.ts";
import { Deadline } from "../deadline.ts";
import type { WindowInfo } from "../platform/platform.ts";
import type { Rect } from "../tree/node.ts";
import { LIST_TIMEOUT_MS } from "./list_apps.ts";
import { findApps, foldName, matchApps, parsePid } from "./target.ts";

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
}

/**
 * The windows of all applications, or of those that `args.app` names (name, alias or pid).
 *
 * @throws AppError `APP_NOT_FOUND` when no application is called that, `APP_UNRESPONSIVE` when it
 * does not answer
 */
export async function run(args: AppOnlyArgs, context: Context): Promise<WindowItem[]> {
  const platform = await context.platform();
  const deadline = Deadline.after(LIST_TIMEOUT_MS);
  const windows = await platform.windows(undefined, deadline, { placed: true });
  if (args.app === undefined) return windows.map(windowItem);
  // A number is a pid and nothing else, even where an application is called that.
  const wanted = parsePid(args.app) === undefined ? foldName(args.app) : undefined;
  const isNamed = (window: WindowInfo) => foldName(window.appName) === wanted;
  const apps = windows.some(isNamed)
    ? matchApps(await platform.apps(deadline), args.app)
    : await findApps(platform, args.app, deadline);
  const pids = new Set(apps.map((app) => app.pid));
  const found = windows.filter((window) => pids.has(window.pid) || isNamed(window));
  // Silent applications are left out of the list of all; one that is asked for has to answer.
  if (found.length === 0) {
    for (const { pid } of apps) {
      found.push(...await platform.windows(pid, deadline, { placed: true }));
    }
  }
  return found.map(windowItem);
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
  if (window.processInstance !== undefined) item.process_instance = window.processInstance;
  if (window.bounds !== undefined) item.bounds = window.bounds;
  if (window.minimized !== undefined) item.minimized = window.minimized;
  if (window.visible !== undefined) item.visible = window.visible;
  return item;
}
