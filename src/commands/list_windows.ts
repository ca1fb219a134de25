/** `list-windows`: the open windows and their ids. */
import type { Deadline } from "../deadline.ts";
import type { WindowInfo } from "../platform/platform.ts";
import { foldName, matchApps, parsePid } from "./app_query.ts";
import { APP_ARG, type AppOnlyArgs, appOnlySchema } from "./arg_values.ts";
import { describe } from "./command.ts";
import type { Context } from "./context.ts";
import { READ_BUDGET_MS } from "./limits.ts";
import { findApps } from "./target.ts";
import { type WindowItem, windowItem } from "./window_item.ts";

export const COMMAND = describe({
  group: "Observe",
  summary: "List the open windows and their ids",
  args: { app: { ...APP_ARG, help: "Only those of this application (name or pid)" } },
  schema: appOnlySchema,
  example: "--app gnome-calculator",
  privileges: ["read", "ffi", "env"],
  settles: true,
  permission: "none",
  budgetMs: READ_BUDGET_MS,
  run,
});

/**
 * The windows of all applications, or of those that `args.app` names (name, alias or pid).
 *
 * @throws AppError `APP_NOT_FOUND` when no application is called that, `APP_UNRESPONSIVE` when it
 * does not answer
 */
async function run(
  args: AppOnlyArgs,
  context: Context,
  deadline: Deadline,
): Promise<WindowItem[]> {
  const platform = await context.platform();
  const windows = await platform.windows(undefined, deadline, { placed: true, unreachable: true });
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
      found.push(...await platform.windows(pid, deadline, { placed: true, unreachable: true }));
    }
  }
  return found.map(windowItem);
}
