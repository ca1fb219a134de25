/** `is REF`: whether a live element is in a state (observation §16). */
import type { Context } from "../cli/context.ts";
import type { IsArgs } from "../cli/table/mod.ts";
import { Deadline } from "../deadline.ts";
import { lookUp, resolve } from "../refs/resolve.ts";
import type { Action } from "../tree/actions.ts";
import { evidenceBounds, type Node } from "../tree/node.ts";
import { hasTrait } from "../tree/roles.ts";
import type { State } from "../tree/states.ts";
import { READ_DEADLINE_MS } from "./get.ts";

/**
 * Resolves the ref and reads its states live.
 *
 * @returns `{property, ref, result, applicable}`.
 * @throws AppError as `lookUp` and `resolve`.
 */
export async function run(args: IsArgs, context: Context): Promise<unknown> {
  const stored = lookUp(context.store(), args.ref_id);
  const platform = await context.platform();
  const { node } = await resolve(platform, stored, Deadline.after(READ_DEADLINE_MS));
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
