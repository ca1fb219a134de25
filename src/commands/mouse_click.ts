/** `mouse-click` (interaction §8). */
import { OPERATION_MS } from "../act/action_context.ts";
import { mouseClick } from "../act/pointer_commands.ts";
import { requireHeaded } from "../act/refusals.ts";
import type { Context } from "../cli/context.ts";
import type { MouseClickArgs } from "../cli/table/input.ts";
import { actionContext } from "./ref_action.ts";

/** Clicks at a point of the screen. Throws `POLICY_DENIED` without `--headed`. */
export async function run(args: MouseClickArgs, context: Context): Promise<unknown> {
  requireHeaded("mouse-click", context.globals.headed);
  const acting = await actionContext(context, OPERATION_MS);
  return await mouseClick(args.xy, args.button, args.count, args.modifiers, acting);
}
