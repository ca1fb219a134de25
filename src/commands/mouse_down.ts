/** `mouse-down` (interaction §1): always refused, because a button must never stay down. */
import { heldRefusal, requireHeaded } from "../act/refusals.ts";
import type { Context } from "../cli/context.ts";
import type { MouseButtonArgs } from "../cli/table/input.ts";

/** Throws `POLICY_DENIED` without `--headed`, else `ACTION_NOT_SUPPORTED`. */
export async function run(_args: MouseButtonArgs, context: Context): Promise<unknown> {
  requireHeaded("mouse-down", context.globals.headed);
  throw heldRefusal("mouse-down", "Use mouse-click, or drag to hold a button while moving.");
}
