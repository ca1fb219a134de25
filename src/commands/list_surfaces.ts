/** `list-surfaces`: the layers and overlays an application has open. */
import type { Context } from "../cli/context.ts";
import type { AppOnlyArgs } from "../cli/table/mod.ts";
import { Deadline } from "../deadline.ts";
import type { SurfaceInfo } from "../platform/platform.ts";
import { LIST_TIMEOUT_MS } from "./list_apps.ts";
import { focusedApp, resolveApp } from "./target.ts";

/** One surface, as printed. */
export interface SurfaceItem {
  id: string;
  type: string;
  title?: string;
  item_count?: number;
  unclassified?: string[];
}

/** The surfaces of the application `args.app` names, or of the focused one. */
export async function run(
  args: AppOnlyArgs,
  context: Context,
): Promise<{ pid: number; surfaces: SurfaceItem[] }> {
  const platform = await context.platform();
  const deadline = Deadline.after(LIST_TIMEOUT_MS);
  const { app } = args.app === undefined
    ? await focusedApp(platform, deadline)
    : await resolveApp(platform, args.app, deadline);
  const surfaces = await platform.openSurfaces(app.pid, deadline);
  return { pid: app.pid, surfaces: surfaces.map(surfaceItem) };
}

function surfaceItem(surface: SurfaceInfo): SurfaceItem {
  const item: SurfaceItem = { id: surface.id, type: surface.type };
  if (surface.title !== undefined) item.title = surface.title;
  if (surface.itemCount !== undefined) item.item_count = surface.itemCount;
  if (surface.unclassified !== undefined) item.unclassified = surface.unclassified;
  return item;
}
