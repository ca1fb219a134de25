/** `mouse-wheel` (interaction §8). */
import { OPERATION_MS } from "../act/action_context.ts";
import { mouseWheel } from "../act/pointer_commands.ts";
import { requireHeaded } from "../act/refusals.ts";
import type { Context } from "../cli/context.ts";
import type { MouseWheelArgs } from "../cli/table/input.ts";
import { actionContext } from "./ref_action.ts";

/** Turns the wheel over a point of the screen. Throws `POLICY_DENIED` without `--headed`. */
export async function run(args: MouseWheelArgs, context: Context): Promise<unknown> {
  requireHeaded("mouse-wheel", context.globals.headed);
  const acting = await actionContext(context, OPERATION_MS);
  const { x, y, dx, dy, modifiers } = args;
  return await mouseWheel({ x, y }, dx, dy, modifiers, acting);
}
