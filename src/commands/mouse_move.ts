/** `mouse-move` (interaction §8). */
import { OPERATION_MS } from "../act/action_context.ts";
import { mouseMove } from "../act/pointer_commands.ts";
import { requireHeaded } from "../act/refusals.ts";
import type { Context } from "../cli/context.ts";
import type { MouseMoveArgs } from "../cli/table/input.ts";
import { actionContext } from "./ref_action.ts";

/** Moves the pointer. Throws `POLICY_DENIED` without `--headed`. */
export async function run(args: MouseMoveArgs, context: Context): Promise<unknown> {
  requireHeaded("mouse-move", context.globals.headed);
  return await mouseMove(args.xy, await actionContext(context, OPERATION_MS));
}
