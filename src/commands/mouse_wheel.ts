/** `mouse-wheel` (interaction §8). */
import { mouseWheel, requireHeaded } from "../act/pointer_commands.ts";
import type { Context } from "../cli/context.ts";
import type { MouseWheelArgs } from "../cli/table/input.ts";
import { actServices } from "./ref_action.ts";

/** Turns the wheel over a point of the screen. Throws `POLICY_DENIED` without `--headed`. */
export async function run(args: MouseWheelArgs, context: Context): Promise<unknown> {
  requireHeaded("mouse-wheel", context.globals.headed);
  const services = await actServices(context);
  const { x, y, dx, dy, modifiers } = args;
  return await mouseWheel({ x, y }, dx, dy, modifiers, services);
}
