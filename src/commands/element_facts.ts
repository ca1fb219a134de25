/** What `get`, `is` and `wait` read of a live element. */
import type { Deadline } from "../deadline.ts";
import type { Platform } from "../platform/platform.ts";
import type { Resolved } from "../refs/resolve.ts";
import type { Action } from "../tree/actions.ts";
import { evidenceBounds, type Node } from "../tree/node.ts";
import { hasTrait } from "../tree/roles.ts";
import type { State } from "../tree/states.ts";

/** UTF-8 bytes of a text read whole (docs/observation.md, "Long text"). */
const MAX_WHOLE_BYTES = 8 * 1_048_576;

/** A property as read. */
export interface Reading {
  value: unknown;
  live?: true;
  truncated?: true;
}

/** The value in full; `undefined` when it cannot be read. Never that of a secure field. */
export async function wholeValue(
  platform: Platform,
  { node, entry, handle }: Resolved,
  deadline: Deadline,
): Promise<Reading | undefined> {
  if (node.states.includes("secure") || entry.states?.includes("secure")) return undefined;
  if (node.valueLength !== undefined) {
    const whole = await platform.wholeValue(handle, MAX_WHOLE_BYTES, deadline);
    if (whole !== undefined) {
      return { value: whole.text, ...(whole.truncated && { truncated: true as const }) };
    }
  }
  return node.value === undefined ? undefined : { value: node.value };
}

/** States that `is` tells. */
export const IS_PROPERTIES = [
  "visible",
  "enabled",
  "checked",
  "focused",
  "expanded",
  "selected",
] as const;
export type IsProperty = typeof IS_PROPERTIES[number];

/** Whether an element is in a state, and whether the question fits it. */
export function stateAnswer(
  node: Node,
  property: IsProperty,
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
