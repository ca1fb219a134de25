/** `hover` (docs/acting.md, "Pointer"). */
import { SINGLE_ATTEMPT_MS } from "../act/action_context.ts";
import { hover } from "../act/pointer_commands.ts";
import { requireHeaded } from "../act/refusals.ts";
import type { Deadline } from "../deadline.ts";
import { lookUp } from "../refs/resolve.ts";
import {
  ACTION_PRIVILEGES,
  ACTION_TIMEOUT_ARG,
  actionContext,
  actionTimeout,
  targetRef,
  withWait,
} from "./action_command.ts";
import { integer, ref, REF_ARG } from "./arg_values.ts";
import { type Args, describe, type Zod } from "./command.ts";
import type { Context } from "./context.ts";
import { point, xyArg } from "./pointer_args.ts";
import { appOfEntry, appOfQuery } from "./watched_app.ts";

const hoverSchema = (z: Zod) =>
  z.strictObject({
    ref_id: z.optional(ref(z)),
    xy: z.optional(point(z)),
    duration: z._default(integer(z, 0, 0), 0),
    timeout_ms: actionTimeout(z),
  }).check(z.refine((args) => (args.ref_id === undefined) !== (args.xy === undefined), {
    error: "Give either a ref or --xy",
  }));
type HoverArgs = Args<typeof hoverSchema>;

export const COMMAND = describe({
  group: "Keyboard and pointer",
  summary: "Move the pointer over an element or a point",
  args: {
    ref_id: { ...REF_ARG, optional: true },
    xy: xyArg("xy", "Screen position instead of a ref"),
    duration: {
      kind: "integer",
      flag: "duration",
      value: "MS",
      help: "Only 0: the pointer stays where it is afterwards",
      default: 0,
      expected: "0: the pointer stays over the target, a longer hover is the caller's pause",
    },
    timeout_ms: ACTION_TIMEOUT_ARG,
  },
  schema: hoverSchema,
  example: "@s8f3k2p9:e1 --headed",
  waits: true,
  headedOnly: true,
  privileges: ACTION_PRIVILEGES,
  permission: "accessibility",
  budgetMs: SINGLE_ATTEMPT_MS,
  run,
});

/** Moves the pointer over an element or a point. Throws what the pointer resolver raises. */
async function run(args: HoverArgs, context: Context, deadline: Deadline): Promise<unknown> {
  requireHeaded("hover", context.globals.headed);
  const stored = args.ref_id === undefined ? undefined : lookUp(context.store(), args.ref_id);
  const acting = await actionContext(context, deadline);
  const { platform } = acting;
  const target = stored === undefined ? { point: args.xy! } : { ref: targetRef(platform, stored) };
  return await withWait(
    context,
    platform,
    () => stored === undefined ? appOfQuery(platform) : appOfEntry(platform, stored.entry),
    () => hover(target, args.timeout_ms, acting),
  );
}
