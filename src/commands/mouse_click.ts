/** `mouse-click` (interaction §8). */
import { mouseClick, requireHeaded } from "../act/pointer_commands.ts";
import type { Context } from "../cli/context.ts";
import type { MouseClickArgs } from "../cli/table/input.ts";
import { actServices } from "./ref_action.ts";

/** Clicks at a point of the screen. Throws `POLICY_DENIED` without `--headed`. */
export async function run(args: MouseClickArgs, context: Context): Promise<unknown> {
  requireHeaded("mouse-click", context.globals.headed);
  const services = await actServices(context);
  return await mouseClick(args.xy, args.button, args.count, args.modifiers, services);
}
