/** `drag` (docs/acting.md, "Pointer"). */
import { SINGLE_ATTEMPT_MS } from "../act/action_context.ts";
import { drag, type Endpoint } from "../act/pointer_commands.ts";
import { requireHeaded } from "../act/refusals.ts";
import type { Deadline } from "../deadline.ts";
import type { Platform, Point } from "../platform/platform.ts";
import type { SavedRef } from "../refs/entry.ts";
import { lookUp } from "../refs/resolve.ts";
import {
  ACTION_PRIVILEGES,
  ACTION_TIMEOUT_ARG,
  actionContext,
  actionTimeout,
  targetRef,
  withWait,
} from "./action_command.ts";
import { integer, ref, REF_EXPECTED } from "./arg_values.ts";
import { type Args, describe, type Zod } from "./command.ts";
import type { Context } from "./context.ts";
import { point, xyArg } from "./pointer_args.ts";
import { appOfEntry, appOfQuery } from "./watched_app.ts";

/** Longest travel of a drag, in milliseconds (docs/contract.md, "Argument values"). */
const MAX_DRAG_MS = 60_000;
/** Longest time over the destination before the button is released, in milliseconds (same place). */
const MAX_DROP_DELAY_MS = 10_000;
/** The ends of a drag. */
const ENDS = ["from", "to"] as const;

const dragSchema = (z: Zod) =>
  z.strictObject({
    from: z.optional(ref(z)),
    from_xy: z.optional(point(z)),
    to: z.optional(ref(z)),
    to_xy: z.optional(point(z)),
    duration: z._default(integer(z, 0, MAX_DRAG_MS), 300),
    drop_delay: z._default(integer(z, 0, MAX_DROP_DELAY_MS), 500),
    wait_for_scope: z._default(z.enum(ENDS), "to"),
    timeout_ms: actionTimeout(z),
  }).check(
    z.refine((args) => (args.from === undefined) !== (args.from_xy === undefined), {
      error: "Give either --from or --from-xy",
    }),
    z.refine((args) => (args.to === undefined) !== (args.to_xy === undefined), {
      error: "Give either --to or --to-xy",
    }),
  );
type DragArgs = Args<typeof dragSchema>;

export const COMMAND = describe({
  group: "Keyboard and pointer",
  summary: "Drag from one element or point to another",
  args: {
    from: {
      kind: "string",
      flag: "from",
      value: "REF",
      help: "Where the drag begins",
      expected: REF_EXPECTED,
    },
    from_xy: xyArg("from-xy", "Where the drag begins, as a screen position"),
    to: {
      kind: "string",
      flag: "to",
      value: "REF",
      help: "Where it ends",
      expected: REF_EXPECTED,
    },
    to_xy: xyArg("to-xy", "Where it ends, as a screen position"),
    duration: {
      kind: "integer",
      flag: "duration",
      value: "MS",
      help: "Time of the movement",
      default: 300,
      expected: `an integer from 0 to ${MAX_DRAG_MS}`,
    },
    drop_delay: {
      kind: "integer",
      flag: "drop-delay",
      value: "MS",
      help: "Time over the destination before the button is released",
      default: 500,
      expected: `an integer from 0 to ${MAX_DROP_DELAY_MS}`,
    },
    wait_for_scope: {
      kind: "string",
      flag: "wait-for-scope",
      value: "END",
      help: "Which end's window the wait flags look at: from, to",
      default: "to",
      expected: `one of ${ENDS.join(", ")}`,
    },
    timeout_ms: ACTION_TIMEOUT_ARG,
  },
  schema: dragSchema,
  example: "--from @s8f3k2p9:e1 --to @s8f3k2p9:e5 --headed",
  waits: true,
  headedOnly: true,
  privileges: ACTION_PRIVILEGES,
  permission: "accessibility",
  budgetMs: SINGLE_ATTEMPT_MS,
  run,
});

/** Drags from one element or point to another. Throws what the pointer resolver raises. */
async function run(args: DragArgs, context: Context, deadline: Deadline): Promise<unknown> {
  requireHeaded("drag", context.globals.headed);
  const from = args.from === undefined ? undefined : lookUp(context.store(), args.from);
  const to = args.to === undefined ? undefined : lookUp(context.store(), args.to);
  const acting = await actionContext(context, deadline);
  const { platform } = acting;
  // A point has no window of its own to watch: the other end stands in, then the focused window.
  const watched = args.wait_for_scope === "from" ? from ?? to : to ?? from;
  return await withWait(
    context,
    platform,
    () => watched === undefined ? appOfQuery(platform) : appOfEntry(platform, watched.entry),
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
