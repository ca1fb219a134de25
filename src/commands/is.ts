/** `is REF`: whether a live element is in a state (docs/observation.md, "Is"). */
import type { Deadline } from "../deadline.ts";
import { lookUp, resolve } from "../refs/resolve.ts";
import { choiceArg, ref, REF_ARG } from "./arg_values.ts";
import { type Args, describe, type Zod } from "./command.ts";
import type { Context } from "./context.ts";
import { IS_PROPERTIES, stateAnswer } from "./element_facts.ts";
import { READ_BUDGET_MS } from "./limits.ts";

const isSchema = (z: Zod) =>
  z.strictObject({ ref_id: ref(z), property: z._default(z.enum(IS_PROPERTIES), "visible") });
type IsArgs = Args<typeof isSchema>;

export const COMMAND = describe({
  group: "Observe",
  summary: "Tell whether an element is in a state, live",
  args: {
    ref_id: REF_ARG,
    property: choiceArg("property", "P", IS_PROPERTIES, "visible"),
  },
  schema: isSchema,
  example: "@s8f3k2p9:e1 --property enabled",
  privileges: ["read", "ffi", "env"],
  settles: true,
  permission: "accessibility",
  budgetMs: READ_BUDGET_MS,
  run,
});

/**
 * Resolves the ref and reads its states live.
 *
 * @returns `{property, ref, result, applicable}`.
 * @throws AppError as `lookUp` and `resolve`.
 */
async function run(args: IsArgs, context: Context, deadline: Deadline): Promise<unknown> {
  const stored = lookUp(context.store(), args.ref_id);
  const platform = await context.platform();
  const { node } = await resolve(platform, stored, deadline);
  return { property: args.property, ref: args.ref_id, ...stateAnswer(node, args.property) };
}
