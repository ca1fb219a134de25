/** How lists and results print an application. */
import type { AppInfo } from "../platform/platform.ts";

/** One application, as printed. */
export interface AppItem {
  name: string;
  pid: number;
  bundle_id?: string;
  process_instance?: string;
  presentation?: "foreground" | "background";
}

/** An application as lists and results print it. */
export function appItem(app: AppInfo): AppItem {
  const item: AppItem = { name: app.name, pid: app.pid };
  if (app.bundleId !== undefined) item.bundle_id = app.bundleId;
  if (app.processInstance !== undefined) item.process_instance = app.processInstance;
  if (app.presentation !== undefined) item.presentation = app.presentation;
  return item;
}
