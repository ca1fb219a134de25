/** `drag` (interaction §1, §8). */
import { drag, type Endpoint } from "../act/pointer_commands.ts";
import { requireHeaded } from "../act/refusals.ts";
import type { Context } from "../cli/context.ts";
import type { DragArgs } from "../cli/table/input.ts";
import type { Platform, Point } from "../platform/platform.ts";
import type { SavedRef } from "../refs/entry.ts";
import { lookUp } from "../refs/resolve.ts";
import { actionContext, queryTarget, targetRef, withWait } from "./ref_action.ts";
import { entryTarget } from "./wait_for.ts";

/** Drags from one element or point to another. Throws what the pointer resolver raises. */
export async function run(args: DragArgs, context: Context): Promise<unknown> {
  requireHeaded("drag", context.globals.headed);
  const from = args.from === undefined ? undefined : lookUp(context.store(), args.from);
  const to = args.to === undefined ? undefined : lookUp(context.store(), args.to);
  const acting = await actionContext(context, args.timeout_ms);
  const { platform } = acting;
  // A point has no window of its own to watch: the other end stands in, then the focused window.
  const watched = args.wait_for_scope === "from" ? from ?? to : to ?? from;
  return await withWait(
    context,
    platform,
    () => watched === undefined ? queryTarget(platform) : entryTarget(platform, watched.entry),
    () =>
      drag({
        from: endpoint(platform, from, args.from_xy),
        to: endpoint(platform, to, args.to_xy),
        duration: args.duration,
        dropDelay: args.drop_delay,
        timeoutMs: args.timeout_ms,
      }, acting),
  );
}

function endpoint(
  platform: Platform,
  stored: SavedRef | undefined,
  point: Point | undefined,
): Endpoint {
  return stored === undefined ? { point: point! } : { ref: targetRef(platform, stored) };
}
