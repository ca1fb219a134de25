/** `list-apps`: what runs and can be seen. */
import type { Context } from "../cli/context.ts";
import type { AppOnlyArgs } from "../cli/table/mod.ts";
import { Deadline } from "../deadline.ts";
import type { AppInfo } from "../platform/platform.ts";
import { foldName } from "./target.ts";

/** Budget of a command without a timeout flag, in milliseconds (contract §5). */
export const LIST_TIMEOUT_MS = 5000;

/** One application, as printed. */
export interface AppItem {
  name: string;
  pid: number;
  bundle_id?: string;
  process_instance?: string;
  presentation?: "foreground" | "background";
}

/** The applications, or those whose name contains `args.app` (case does not matter). */
export async function run(args: AppOnlyArgs, context: Context): Promise<{ apps: AppItem[] }> {
  const platform = await context.platform();
  const apps = await platform.apps(Deadline.after(LIST_TIMEOUT_MS));
  const part = args.app === undefined ? "" : foldName(args.app);
  return { apps: apps.filter((app) => foldName(app.name).includes(part)).map(appItem) };
}

function appItem(app: AppInfo): AppItem {
  const item: AppItem = { name: app.name, pid: app.pid };
  if (app.bundleId !== undefined) item.bundle_id = app.bundleId;
  if (app.processInstance !== undefined) item.process_instance = app.processInstance;
  if (app.presentation !== undefined) item.presentation = app.presentation;
  return item;
}
