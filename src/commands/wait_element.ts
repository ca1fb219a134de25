/** `wait --element`: until an element is there, or is as wanted. */
import { evaluate } from "../act/actionability.ts";
import type { Deadline } from "../deadline.ts";
import type { Platform } from "../platform/platform.ts";
import { lookUp, resolve, type Resolved } from "../refs/resolve.ts";
import type { Context } from "./context.ts";
import { stateAnswer, wholeValue } from "./element_facts.ts";
import { watch } from "./wait_poll.ts";

/** What an element may be waited for to be. */
export const WAIT_PREDICATES = ["exists", "enabled", "visible", "actionable", "value"] as const;
export type WaitPredicate = typeof WAIT_PREDICATES[number];

/** Actions that `actionable` may be asked about. */
export const WAIT_ACTIONS = ["click", "type", "set-value", "clear"] as const;
export type WaitAction = typeof WAIT_ACTIONS[number];

const POLL_MS = 100;

/** What is asked of the element. */
export interface ElementWait {
  predicate?: WaitPredicate | undefined;
  value?: string | undefined;
  action?: WaitAction | undefined;
  timeout: number;
}

/**
 * Waits for the element of a ref. An element that is gone for good ends the wait at once, unless it
 * is waited for to exist.
 *
 * @throws AppError as `lookUp` and `watch`
 */
export async function waitForElement(
  ref: string,
  { predicate = "exists", value, action = "click", timeout }: ElementWait,
  context: Context,
  deadline: Deadline,
): Promise<unknown> {
  const saved = lookUp(context.store(), ref);
  const platform = await context.platform();
  let observed: unknown = null;
  return await watch({
    predicate,
    timeoutMs: timeout,
    everyMs: POLL_MS,
    lastSeen: () => ({ ref, last_observed: observed }),
    async look(limit) {
      const element = await resolve(platform, saved, limit);
      const { met, seen } = await judge(platform, element, predicate, value, action, limit);
      observed = seen;
      return met ? { found: true, ref, predicate, observed: seen } : undefined;
    },
  }, deadline);
}

async function judge(
  platform: Platform,
  element: Resolved,
  predicate: WaitPredicate,
  value: string | undefined,
  action: WaitAction,
  deadline: Deadline,
): Promise<{ met: boolean; seen: unknown }> {
  const { node, handle, window } = element;
  switch (predicate) {
    case "exists":
      return { met: true, seen: { role: node.role, states: node.states } };
    case "enabled":
    case "visible": {
      const { result } = stateAnswer(node, predicate);
      return { met: result, seen: { states: node.states } };
    }
    case "value": {
      const now = (await wholeValue(platform, element, deadline))?.value ?? null;
      return { met: now === value, seen: { value: now } };
    }
    case "actionable": {
      const checked = { handle, node, ...(window === undefined ? {} : { window }) };
      const { report } = await evaluate(platform, checked, action, false, deadline);
      return { met: report.actionable, seen: report };
    }
  }
}
