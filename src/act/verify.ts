/**
 * Verification: what a stateful action promised, compared with one settled reading of the element
 * afterwards (docs/acting.md, "Verification").
 */
import type { Deadline } from "../deadline.ts";
import { AppError, type Details } from "../errors.ts";
import type { Node } from "../tree/node.ts";
import type { Budgets } from "./action_budgets.ts";
import { expandedState, type Expectation, isSameValue, toggledState } from "./expectation.ts";
import type { FollowedElement } from "./followed_element.ts";

/** Outcome of a verification that did not contradict the request. */
export interface Verified {
  /** Whether the wanted state was seen; else there is no evidence either way. */
  verified: boolean;
  node: Node;
  details: Details;
}

/** A reading that contradicts the request; it becomes an error. */
export interface Contradiction {
  contradicted: true;
  node: Node;
  /** Set when an expansion never settled: the error is a `TIMEOUT`. */
  unsettled?: { wanted_expanded: boolean; observed_expanded: boolean };
}

/** What to verify, and how patiently. */
export interface Verification {
  element: Pick<FollowedElement, "read" | "text">;
  /** Absent: the action promised nothing that can be seen. */
  expected: Expectation | undefined;
  /** Whether keystrokes were sent, which the application works off in its own time. */
  byKeys: boolean;
  budgets: Budgets;
  deadline: Deadline;
}

// One frame at 60 Hz.
const POLL_MS = 16;
// A browser under load shows the last of many keys this late.
const KEYS_SETTLE_MS = 2_000;

/**
 * Reads the element until the expectation holds, or its settling time is over.
 *
 * @throws AppError what the reads raise
 */
export async function verify(asked: Verification): Promise<Verified | Contradiction> {
  const { element, expected, budgets, deadline } = asked;
  let node = await element.read(deadline);
  if (node.states.includes("secure")) return withoutEvidence(node, "secure_field");
  if (expected === undefined) return withoutEvidence(node, "insufficient_evidence");

  const settle = deadline.within(settleTime(expected, asked.byKeys, budgets));
  // A toggle may bounce back (an application that refuses it does so in its own handler), so the
  // new state has to hold for a while; text and expansion are taken as soon as they are seen.
  const hold = expected.kind === "toggled" ? budgets.toggleStable : 0;
  let heldSince: number | undefined;
  while (true) {
    const met = await meets(element, node, expected, deadline);
    if (met === undefined) return withoutEvidence(node, "insufficient_evidence");
    if (met) {
      heldSince ??= performance.now();
      // Out of time while it holds: seen for a shorter while than wanted, but never contradicted.
      if (performance.now() - heldSince >= hold || settle.expired) break;
    } else {
      heldSince = undefined;
      if (settle.expired) return contradiction(node, expected);
    }
    await settle.sleep(POLL_MS);
    const next = await readAgain(element, deadline);
    if (next === undefined) {
      if (met) break;
      return contradiction(node, expected);
    }
    node = next;
  }
  return { verified: true, node, details: {} };
}

function withoutEvidence(node: Node, reason: string): Verified {
  const details = { verification_scope: "unavailable", verification_reason: reason };
  return { verified: false, node, details };
}

/** Another reading; `undefined` when the time for it ran out, so that the last one counts. */
async function readAgain(
  element: Verification["element"],
  deadline: Deadline,
): Promise<Node | undefined> {
  if (deadline.expired) return undefined;
  try {
    return await element.read(deadline);
  } catch (error) {
    if (deadline.expired && error instanceof AppError && error.code === "APP_UNRESPONSIVE") {
      return undefined;
    }
    throw error;
  }
}

/** How long the element may take to show what is expected, in milliseconds. */
function settleTime(expected: Expectation, byKeys: boolean, budgets: Budgets): number {
  if (expected.kind === "expanded") return budgets.chain;
  return (byKeys ? KEYS_SETTLE_MS : 0) + budgets.toggle + budgets.toggleStable;
}

function contradiction(node: Node, expected: Expectation): Contradiction {
  if (expected.kind !== "expanded") return { contradicted: true, node };
  const unsettled = { wanted_expanded: expected.wanted, observed_expanded: !expected.wanted };
  return { contradicted: true, node, unsettled };
}

/** Whether a reading keeps the promise; `undefined` when it does not tell. */
async function meets(
  element: Verification["element"],
  node: Node,
  expected: Expectation,
  deadline: Deadline,
): Promise<boolean | undefined> {
  if (expected.kind === "value") {
    const text = await element.text(node, deadline);
    return text === undefined ? undefined : isSameValue(node, text, expected.wanted);
  }
  const state = expected.kind === "toggled" ? toggledState(node) : expandedState(node);
  return state === undefined ? undefined : state === expected.wanted;
}

/** The error of an action that was sent and contradicted by what the element shows. */
export function verificationError(
  action: string,
  found: Contradiction,
  details: Details,
): AppError {
  const suggestion = "Take a snapshot to see the element's state before you act again.";
  const delivery = "delivered_unverified";
  if (found.unsettled !== undefined) {
    return new AppError("TIMEOUT", `${action} was sent, but the element did not follow`, {
      suggestion,
      delivery,
      details: { kind: "chain_deadline", ...found.unsettled, ...details },
    });
  }
  return new AppError(
    "ACTION_FAILED",
    `${action} was sent, but the element does not show the requested state`,
    {
      suggestion,
      delivery,
      details: { kind: "post_action_verification", postcondition_satisfied: false, ...details },
    },
  );
}
