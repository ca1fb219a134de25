/**
 * Post-action verification (interaction §5): what a stateful action promised, compared with one
 * settled reading of the element afterwards.
 */
import type { Deadline } from "../deadline.ts";
import { AppError, type Details } from "../errors.ts";
import type { Platform, SemanticRequest, TextRange } from "../platform/platform.ts";
import type { Handle, Node } from "../tree/node.ts";
import { hasTrait } from "../tree/roles.ts";
import type { Budgets } from "./action_budgets.ts";

/** A condition that must hold after the action. */
export type Expectation =
  | { kind: "toggled"; wanted: boolean }
  | { kind: "expanded"; wanted: boolean }
  | { kind: "value"; wanted: string };

/** Outcome of a verification that did not contradict the request. */
export interface Verified {
  /** `undefined`: no evidence either way. */
  verified: boolean | undefined;
  node?: Node;
  details: Details;
}

/** A reading that contradicts the request; the flow turns it into an error. */
export interface Contradiction {
  contradicted: true;
  node: Node;
  /** Set when an expansion never settled: the error is a `TIMEOUT`. */
  unsettled?: { wanted_expanded: boolean; observed_expanded: boolean };
}

// Value controls compare as numbers: "7" and "7.0" are the same position.
const NUMERIC_TOLERANCE = 1e-6;
const POLL_MS = 16;
// A browser under load shows the last of many keys this late.
const KEYS_SETTLE_MS = 2_000;
// Whole texts up to this many bytes are compared; the same bound as `get` (decision 7).
const TEXT_LIMIT = 8 * 1_048_576;

/** Whether the element is on; `undefined` when its kind does not say. */
export function toggledState(node: Node): boolean | undefined {
  if (node.unreadable?.includes("states")) return undefined;
  if (node.states.includes("checked") || node.states.includes("pressed")) return true;
  if (hasTrait(node.role, "toggleable") || node.actions.includes("Toggle")) return false;
  return undefined;
}

/** Whether the element is expanded; `undefined` when unreadable. */
export function expandedState(node: Node): boolean | undefined {
  if (node.unreadable?.includes("states")) return undefined;
  return node.states.includes("expanded");
}

/** The whole text of a node: what was read, or a second read when that was only its beginning. */
export async function wholeText(
  platform: Platform,
  handle: Handle,
  node: Node,
  deadline: Deadline,
): Promise<string | undefined> {
  if (node.unreadable?.includes("value")) return undefined;
  if (node.valueLength === undefined) return node.value;
  const whole = await platform.wholeValue(handle, TEXT_LIMIT, deadline);
  return whole === undefined || whole.truncated ? undefined : whole.text;
}

/** The text that typing must leave: the old one with the selected characters replaced. */
export function textAfterTyping(old: string, range: TextRange, text: string): string {
  const characters = [...old];
  const start = Math.min(range.start, range.end);
  const end = Math.max(range.start, range.end);
  return characters.slice(0, start).join("") + text + characters.slice(end).join("");
}

/** What a request promises about an element that read `before`; `undefined` when nothing. */
export function expectationOf(
  request: SemanticRequest,
  before: Node,
  typed: string | undefined,
): Expectation | undefined {
  switch (request.kind) {
    case "set-value":
      return { kind: "value", wanted: request.value };
    case "clear":
      return { kind: "value", wanted: "" };
    case "type":
      return typed === undefined ? undefined : { kind: "value", wanted: typed };
    case "check":
      return { kind: "toggled", wanted: true };
    case "uncheck":
      return { kind: "toggled", wanted: false };
    case "toggle": {
      const on = toggledState(before);
      return on === undefined ? undefined : { kind: "toggled", wanted: !on };
    }
    case "expand":
      return { kind: "expanded", wanted: true };
    case "collapse":
      return { kind: "expanded", wanted: false };
    default:
      return undefined;
  }
}

/** Whether verification applies to an action at all. */
export function isStateful(request: SemanticRequest): boolean {
  return ["set-value", "type", "clear", "check", "uncheck", "toggle", "expand", "collapse"]
    .includes(request.kind);
}

/** Whether the request is met already, so that nothing needs to be sent. */
export function alreadySatisfied(request: SemanticRequest, node: Node): boolean {
  switch (request.kind) {
    case "check":
      return toggledState(node) === true && !node.states.includes("indeterminate");
    case "uncheck":
      return toggledState(node) === false && !node.states.includes("indeterminate");
    case "expand":
      return expandedState(node) === true;
    case "collapse":
      return expandedState(node) === false;
    default:
      return false;
  }
}

const UNAVAILABLE = { verification_scope: "unavailable" };

/**
 * Reads the element until the expectation holds, or its settling time is over.
 *
 * @param read a fresh reading of the element
 * @param byKeys whether keystrokes were sent, which the application works off in its own time
 * @throws AppError what the reads raise
 */
export async function verify(
  platform: Platform,
  handle: Handle,
  request: SemanticRequest,
  expected: Expectation | undefined,
  read: (deadline: Deadline) => Promise<Node>,
  byKeys: boolean,
  budgets: Budgets,
  deadline: Deadline,
): Promise<Verified | Contradiction> {
  let node = await read(deadline);
  if (node.states.includes("secure")) {
    const details = { ...UNAVAILABLE, verification_reason: "secure_field" };
    return { verified: undefined, node, details };
  }
  const insufficient = (): Verified => ({
    verified: undefined,
    node,
    details: { ...UNAVAILABLE, verification_reason: "insufficient_evidence" },
  });
  if (expected === undefined) return insufficient();

  const settle = deadline.within(settleTime(expected, byKeys, budgets));
  // A toggle may bounce back (an application that refuses it does so in its own handler), so the
  // new state has to hold for a while; text and expansion are taken as soon as they are seen.
  const hold = expected.kind === "toggled" ? budgets.toggleStable : 0;
  let heldSince: number | undefined;
  while (true) {
    const met = await meets(platform, handle, node, expected, deadline);
    if (met === undefined) return insufficient();
    if (met) {
      heldSince ??= performance.now();
      if (performance.now() - heldSince >= hold) break;
    } else {
      heldSince = undefined;
    }
    if (settle.expired) {
      if (met) break;
      return contradiction(node, expected);
    }
    await settle.sleep(POLL_MS);
    const next = await readAgain(read, deadline);
    if (next === undefined) return contradiction(node, expected);
    node = next;
  }
  const text = request.kind === "set-value" || request.kind === "type";
  const details: Details = text
    ? { verification_scope: "element_value", application_commit: "not_verified" }
    : {};
  return { verified: true, node, details };
}

/** Another reading; `undefined` when the time for it ran out, so that the last one counts. */
async function readAgain(
  read: (deadline: Deadline) => Promise<Node>,
  deadline: Deadline,
): Promise<Node | undefined> {
  if (deadline.expired) return undefined;
  try {
    return await read(deadline);
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

async function meets(
  platform: Platform,
  handle: Handle,
  node: Node,
  expected: Expectation,
  deadline: Deadline,
): Promise<boolean | undefined> {
  if (expected.kind === "toggled") {
    const on = toggledState(node);
    return on === undefined ? undefined : on === expected.wanted;
  }
  if (expected.kind === "expanded") {
    const expanded = expandedState(node);
    return expanded === undefined ? undefined : expanded === expected.wanted;
  }
  if (node.unreadable?.includes("value")) return undefined;
  // A text control that holds nothing may read as no value at all: ask it for its whole text.
  const text = await wholeText(platform, handle, node, deadline) ??
    (await platform.wholeValue(handle, TEXT_LIMIT, deadline))?.text;
  if (text === undefined) return undefined;
  if (text === expected.wanted) return true;
  if (node.role !== "textfield" && isNumber(text) && isNumber(expected.wanted)) {
    return Math.abs(Number(text) - Number(expected.wanted)) <= NUMERIC_TOLERANCE;
  }
  return false;
}

function isNumber(text: string): boolean {
  return text.trim() !== "" && Number.isFinite(Number(text));
}

/** Marks what the actions did as observed. */
export function verificationError(
  action: string,
  found: Contradiction,
  details: Details,
): AppError {
  if (found.unsettled !== undefined) {
    return new AppError("TIMEOUT", `${action} was sent, but the element did not follow`, {
      suggestion: "Take a snapshot to see the element's state before you act again.",
      delivery: "delivered_unverified",
      details: { kind: "chain_deadline", ...found.unsettled, ...details },
    });
  }
  return new AppError(
    "ACTION_FAILED",
    `${action} was sent, but the element does not show the requested state`,
    {
      suggestion: "Take a snapshot to see the element's state before you act again.",
      delivery: "delivered_unverified",
      details: { kind: "post_action_verification", postcondition_satisfied: false, ...details },
    },
  );
}
