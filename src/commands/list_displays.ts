/** `list-displays`: where the displays are. */
import type { Context } from "../cli/context.ts";
import { Deadline } from "../deadline.ts";
import type { Rect } from "../tree/node.ts";
import { LIST_TIMEOUT_MS } from "./list_apps.ts";

/** One display, as printed. */
export interface DisplayItem {
  id: string;
  /** In screen points. */
  bounds: Rect;
  is_primary: boolean;
  scale: number;
}

/** The displays, the primary one first. */
export async function run(_args: unknown, context: Context): Promise<DisplayItem[]> {
  const platform = await context.platform();
  const displays = await platform.displays(Deadline.after(LIST_TIMEOUT_MS));
  return displays
    .toSorted((a, b) => Number(b.isPrimary) - Number(a.isPrimary))
    .map(({ id, bounds, isPrimary, scale }) => ({ id, bounds, is_primary: isPrimary, scale }));
}
