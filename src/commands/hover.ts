/** `hover` (interaction §1, §8). */
import { hover } from "../act/pointer_commands.ts";
import { requireHeaded } from "../act/refusals.ts";
import type { Context } from "../cli/context.ts";
import type { HoverArgs } from "../cli/table/input.ts";
import { lookUp } from "../refs/resolve.ts";
import { actionContext, queryTarget, targetRef, withWait } from "./ref_action.ts";
import { entryTarget } from "./wait_for.ts";

/** Moves the pointer over an element or a point. Throws what the pointer resolver raises. */
export async function run(args: HoverArgs, context: Context): Promise<unknown> {
  requireHeaded("hover", context.globals.headed);
  const stored = args.ref_id === undefined ? undefined : lookUp(context.store(), args.ref_id);
  const acting = await actionContext(context, args.timeout_ms);
  const { platform } = acting;
  const target = stored === undefined ? { point: args.xy! } : { ref: targetRef(platform, stored) };
  return await withWait(
    context,
    platform,
    () => stored === undefined ? queryTarget(platform) : entryTarget(platform, stored.entry),
    () => hover(target, args.timeout_ms, acting),
  );
}
