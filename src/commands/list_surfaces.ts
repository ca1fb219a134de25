/** `list-surfaces`: the layers and overlays an application has open. */
import type { Deadline } from "../deadline.ts";
import type { SurfaceInfo } from "../platform/platform.ts";
import { APP_ARG, type AppOnlyArgs, appOnlySchema } from "./arg_values.ts";
import { describe } from "./command.ts";
import type { Context } from "./context.ts";
import { READ_BUDGET_MS } from "./limits.ts";
import { focusedApp, resolveApp } from "./target.ts";

export const COMMAND = describe({
  group: "Observe",
  summary: "List the menus, popovers, dialogs and other layers that are open",
  args: { app: { ...APP_ARG, help: "Application (the focused one when not given)" } },
  schema: appOnlySchema,
  example: "--app gnome-calculator",
  privileges: ["read", "ffi", "env"],
  settles: true,
  permission: "accessibility",
  budgetMs: READ_BUDGET_MS,
  run,
});

/** One surface, as printed. */
interface SurfaceItem {
  id: string;
  type: string;
  title?: string;
  item_count?: number;
  unclassified?: string[];
}

/** The surfaces of the application `args.app` names, or of the focused one. */
async function run(
  args: AppOnlyArgs,
  context: Context,
  deadline: Deadline,
): Promise<{ pid: number; surfaces: SurfaceItem[] }> {
  const platform = await context.platform();
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
