/** `list-displays`: where the displays are. */
import type { Deadline } from "../deadline.ts";
import type { Rect } from "../tree/node.ts";
import type { Description } from "./command.ts";
import type { Context } from "./context.ts";
import { READ_BUDGET_MS } from "./limits.ts";

export const COMMAND: Description = {
  group: "Observe",
  summary: "List the displays, the primary one first",
  args: {},
  example: "",
  privileges: ["read", "ffi", "env"],
  permission: "none",
  budgetMs: READ_BUDGET_MS,
  run,
};

/** One display, as printed. */
interface DisplayItem {
  id: string;
  /** In screen points. */
  bounds: Rect;
  is_primary: boolean;
  scale: number;
}

/** The displays, the primary one first. */
async function run(
  _args: unknown,
  context: Context,
  deadline: Deadline,
): Promise<DisplayItem[]> {
  const platform = await context.platform();
  const displays = await platform.displays(deadline);
  return displays
    .toSorted((a, b) => Number(b.isPrimary) - Number(a.isPrimary))
    .map(({ id, bounds, isPrimary, scale }) => ({ id, bounds, is_primary: isPrimary, scale }));
}
