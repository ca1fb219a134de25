/** Which nodes pass the filters of `find`, and how sure that is (docs/observation.md, "Find"). */
import type { Field, Node } from "./node.ts";
import type { Role } from "./roles.ts";
import type { State } from "./states.ts";
import { normalText } from "./text.ts";
import { documentOrder, type Visit } from "./walk.ts";

/** All filters have to pass; without any, every node does. */
export interface Filters {
  role?: Role;
  /** Parts of the text, compared after `normalText`. */
  name?: string;
  description?: string;
  value?: string;
  /** Part of name, value or description of the node or of anything below it. */
  text?: string;
  /** The application's id, exactly. */
  nativeId?: string;
  /** Compare texts as wholes. */
  exact?: boolean;
  states?: readonly { state: State; present: boolean }[];
}

/** Whether a node passes. `unknown`: what decides could not be read. */
export type Answer = "yes" | "no" | "unknown";

export interface Matches {
  order: readonly Visit[];
  /** One for each visit of `order`. */
  answers: readonly Answer[];
  /** Indexes into `order` of the sure matches, in document order. */
  indexes: readonly number[];
  /** Whether some node's answer is unknown. */
  uncertain: boolean;
}

/** Tries every node of a tree. */
export function findMatches(root: Node, filters: Filters): Matches {
  const order = documentOrder(root);
  const inText = filters.text === undefined
    ? undefined
    : textAnswers(order, normalText(filters.text), filters.exact ?? false);
  const own = ownTests(filters);
  const answers = order.map(({ node }, i) => {
    let answer: Answer = inText === undefined ? "yes" : inText[i]!;
    for (const test of own) {
      if (answer === "no") break;
      answer = both(answer, test(node));
    }
    return answer;
  });
  const indexes: number[] = [];
  answers.forEach((answer, i) => {
    if (answer === "yes") indexes.push(i);
  });
  return { order, answers, indexes, uncertain: answers.includes("unknown") };
}

/** The roles of a tree, each once, in alphabetical order. */
export function rolesPresent(order: readonly Visit[]): Role[] {
  return [...new Set(order.map(({ node }) => node.role))].sort();
}

/**
 * Whether nothing before `order[index]` in document order could be a match, given that parts of
 * the tree may be missing: no unknown answer, and no node lost anything that would come earlier.
 */
export function nothingEarlier(matches: Matches, index: number): boolean {
  const { order, answers } = matches;
  const above = new Map<Node, Node>();
  for (let at = index; at >= 0; at = order[at]!.parent) {
    const parent = order[at]!.parent;
    if (parent >= 0) above.set(order[parent]!.node, order[at]!.node);
  }
  for (let i = 0; i < index; i++) {
    const { node } = order[i]!;
    if (answers[i] === "unknown") return false;
    if (!node.truncated) continue;
    const branch = above.get(node);
    if (branch === undefined) return false;
    // Children may have been lost here; gaps in the native indexes show where.
    const upTo = node.children.indexOf(branch);
    if (node.children.slice(0, upTo + 1).some((child, at) => child.index !== at)) return false;
  }
  return true;
}

type Test = (node: Node) => Answer;

function ownTests(filters: Filters): Test[] {
  const tests: Test[] = [];
  const { role, nativeId, exact = false } = filters;
  if (role !== undefined) tests.push((node) => orUnread(node.role === role, node, "role"));
  for (const field of ["name", "description", "value"] as const) {
    const wanted = filters[field];
    if (wanted === undefined) continue;
    const normal = normalText(wanted);
    tests.push((node) => orUnread(textHolds(node[field], normal, exact), node, field));
  }
  if (nativeId !== undefined) {
    tests.push((node) => orUnread(node.nativeId?.value === nativeId, node, "native_id"));
  }
  for (const { state, present } of filters.states ?? []) {
    tests.push((node) =>
      node.unreadable?.includes("states")
        ? "unknown"
        : node.states.includes(state) === present
        ? "yes"
        : "no"
    );
  }
  return tests;
}

function textHolds(text: string | undefined, wanted: string, exact: boolean): boolean {
  const normal = normalText(text);
  return exact ? normal === wanted : normal.includes(wanted);
}

/** A test that failed on a field which could not be read has not failed. */
function orUnread(holds: boolean, node: Node, field: Field): Answer {
  if (node.unreadable?.includes(field)) return "unknown";
  return holds ? "yes" : "no";
}

function both(one: Answer, other: Answer): Answer {
  if (one === "no" || other === "no") return "no";
  return one === "unknown" || other === "unknown" ? "unknown" : "yes";
}

/** Answers to the `text` filter: the node itself or any descendant, so from the leaves up. */
function textAnswers(order: readonly Visit[], wanted: string, exact: boolean): Answer[] {
  const answers: Answer[] = order.map(({ node }) => ownText(node, wanted, exact));
  for (let i = order.length - 1; i > 0; i--) {
    const { parent } = order[i]!;
    if (answers[i] === "yes") answers[parent] = "yes";
    else if (answers[i] === "unknown" && answers[parent] === "no") answers[parent] = "unknown";
  }
  return answers;
}

function ownText(node: Node, wanted: string, exact: boolean): Answer {
  const fields = ["name", "value", "description"] as const;
  if (fields.some((field) => textHolds(node[field], wanted, exact))) return "yes";
  // What was lost below could hold the text.
  const unread = node.truncated || fields.some((field) => node.unreadable?.includes(field));
  return unread ? "unknown" : "no";
}
