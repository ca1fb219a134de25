/** `is REF`: whether a live element is in a state (docs/observation.md, "Is"). */
import type { Deadline } from "../deadline.ts";
import { lookUp, resolve } from "../refs/resolve.ts";
import type { Action } from "../tree/actions.ts";
import { evidenceBounds, type Node } from "../tree/node.ts";
import { hasTrait } from "../tree/roles.ts";
import type { State } from "../tree/states.ts";
import { choiceArg, ref, REF_ARG } from "./arg_values.ts";
import { type Args, describe, type Zod } from "./command.ts";
import type { Context } from "./context.ts";
import { READ_BUDGET_MS } from "./limits.ts";

const IS_PROPERTIES = ["visible", "enabled", "checked", "focused", "expanded", "selected"] as const;

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
  return { property: args.property, ref: args.ref_id, ...answer(node, args.property) };
}

function answer(
  node: Node,
  property: IsArgs["property"],
): { result: boolean; applicable: boolean } {
  const has = (state: State) => node.states.includes(state);
  const offers = (...actions: Action[]) => actions.some((action) => node.actions.includes(action));
  const statesKnown = !node.unreadable?.includes("states");
  switch (property) {
    case "visible": {
      // Where an element stands may be unknown; that it is hidden is an answer all the same.
      const isHidden = has("hidden") || has("offscreen");
      const bounds = evidenceBounds(node);
      const hasArea = bounds !== undefined && bounds.width > 0 && bounds.height > 0;
      return {
        result: statesKnown && hasArea && !isHidden,
        applicable: isHidden || (statesKnown && bounds !== undefined),
      };
    }
    case "enabled":
      return { result: statesKnown && !has("disabled"), applicable: statesKnown };
    case "focused":
      return { result: has("focused"), applicable: statesKnown };
    case "checked":
      return {
        result: has("checked"),
        applicable: statesKnown && (hasTrait(node.role, "toggleable") || has("checked") ||
          offers("Toggle", "Check", "Uncheck")),
      };
    case "expanded":
      return {
        result: has("expanded"),
        applicable: statesKnown && (hasTrait(node.role, "expandable") || has("expanded") ||
          offers("Expand", "Collapse")),
      };
    case "selected":
      return {
        result: has("selected"),
        applicable: statesKnown &&
          (has("selected") || offers("Select") || hasTrait(node.role, "selectable")),
      };
  }
}
