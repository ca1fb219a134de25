/**
 * `--since`: what became different between two trees of the same window
 * (docs/observation.md, "Since").
 */
import { type Field, isBlank, type Node } from "./node.ts";
import { renderTree, type TreeNode } from "./render.ts";
import type { State } from "./states.ts";
import type { Action } from "./actions.ts";
import { pathLabels } from "./text.ts";
import { ancestors, documentOrder, type Visit } from "./walk.ts";

/** A node that is new, with everything below it. */
export type Added = TreeNode & { path: string[] };

/** A node that is gone; what was below it went too and is only counted. */
export type Removed = Omit<TreeNode, "children"> & { path: string[]; descendants?: number };

/** The fields of one node that differ, before and after. Absent means the node had none. */
export interface Changed {
  after: ChangedFields;
  before: ChangedFields;
  name?: string;
  path: string[];
  ref_id?: string;
  role: string;
}

export interface ChangedFields {
  available_actions?: Action[];
  description?: string;
  name?: string;
  states?: State[];
  value?: string;
  value_length?: number;
}

export interface Changes {
  added: Added[];
  changed: Changed[];
  removed: Removed[];
  /** Nodes that are in both trees and read the same. */
  unchanged_count: number;
}

/** A tree with what stands before the number in its refs. */
export interface Side {
  root: Node;
  refPrefix: string;
}

/**
 * Compares two allocated trees. A node counts as the same one when its parent does and, in this
 * order of trust, its native id, its role and name, or its live handle agree; nodes without any of
 * them are paired by role and position. Order among siblings is no change. Where either tree was cut
 * or could not be read to the end, what the other has more is neither added nor removed.
 */
export function changesBetween(before: Side, after: Side): Changes {
  const old = indexed(before.root);
  const now = indexed(after.root);
  const pairs = pairUp(before.root, after.root);
  const changes: Changes = { added: [], changed: [], removed: [], unchanged_count: 0 };
  for (const [i, visit] of now.order.entries()) {
    const partner = pairs.ofNew.get(visit.node);
    if (partner !== undefined) {
      const changed = compare(partner, visit.node);
      if (changed === undefined) changes.unchanged_count++;
      else changes.changed.push(describeChange(changed, now.order, i, after.refPrefix));
    } else if (isTopmost(now.order, visit, pairs.ofNew) && !pairs.uncomparable.has(visit.node)) {
      const rendered = renderTree(visit.node, { refPrefix: after.refPrefix });
      changes.added.push({ ...rendered, path: pathLabels(ancestors(now.order, visit)) });
    }
  }
  for (const visit of old.order) {
    if (pairs.ofOld.has(visit.node) || pairs.uncomparable.has(visit.node)) continue;
    if (!isTopmost(old.order, visit, pairs.ofOld)) continue;
    const { children: _, ...rendered } = renderTree(visit.node, { refPrefix: before.refPrefix });
    const below = documentOrder(visit.node).length - 1;
    changes.removed.push({
      ...rendered,
      path: pathLabels(ancestors(old.order, visit)),
      ...(below > 0 ? { descendants: below } : {}),
    });
  }
  return changes;
}

interface Pairs {
  ofOld: Map<Node, Node>;
  ofNew: Map<Node, Node>;
  /** Unpaired nodes whose absence on the other side proves nothing. */
  uncomparable: Set<Node>;
}

function indexed(root: Node): { order: Visit[] } {
  return { order: documentOrder(root) };
}

function isTopmost(
  order: readonly Visit[],
  visit: Visit,
  paired: ReadonlyMap<Node, Node>,
): boolean {
  // Children of unpaired nodes are never paired, so looking one level up is enough.
  return visit.parent < 0 || paired.has(order[visit.parent]!.node);
}

function pairUp(oldRoot: Node, newRoot: Node): Pairs {
  const pairs: Pairs = { ofOld: new Map(), ofNew: new Map(), uncomparable: new Set() };
  if (oldRoot.role !== newRoot.role) return pairs;
  const open: [Node, Node][] = [[oldRoot, newRoot]];
  for (let pair = open.pop(); pair !== undefined; pair = open.pop()) {
    const [old, now] = pair;
    pairs.ofOld.set(old, now);
    pairs.ofNew.set(now, old);
    const matched = pairChildren(old.children, now.children);
    open.push(...matched);
    const partial = [old, now].some((node) => node.childrenCount !== undefined || node.truncated);
    if (!partial) continue;
    const known = new Set(matched.flat());
    for (const child of [...old.children, ...now.children]) {
      if (!known.has(child)) pairs.uncomparable.add(child);
    }
  }
  return pairs;
}

/** Keys of growing vagueness; nodes pair within the first key both have. */
const KEYS: readonly ((node: Node, stable: boolean) => string | undefined)[] = [
  (node) =>
    node.nativeId &&
    JSON.stringify([node.role, node.nativeId.kind, node.nativeId.value, node.name ?? ""]),
  (node) => node.nativeId && JSON.stringify([node.role, node.nativeId.kind, node.nativeId.value]),
  (node) => isBlank(node.name) ? undefined : JSON.stringify([node.role, node.name]),
  (node) => node.handle && JSON.stringify([node.role, node.handle]),
  // Only the position among the siblings is left: trusted for unnamed nodes, and for named ones where
  // as many siblings are there as before.
  (node, stable) =>
    isBlank(node.name) || stable
      ? JSON.stringify([node.role, stable ? node.index : ""])
      : undefined,
];

function pairChildren(old: readonly Node[], now: readonly Node[]): [Node, Node][] {
  const pairs: [Node, Node][] = [];
  const stable = old.length === now.length;
  let oldLeft = [...old];
  let newLeft = [...now];
  for (const key of KEYS) {
    if (oldLeft.length === 0 || newLeft.length === 0) break;
    const waiting = new Map<string, Node[]>();
    for (const node of oldLeft) {
      const name = key(node, stable);
      if (name === undefined) continue;
      const queue = waiting.get(name);
      if (queue === undefined) waiting.set(name, [node]);
      else queue.push(node);
    }
    for (const queue of waiting.values()) queue.reverse();
    const taken = new Set<Node>();
    for (const node of newLeft) {
      const name = key(node, stable);
      const partner = name === undefined ? undefined : waiting.get(name)?.pop();
      if (partner === undefined) continue;
      pairs.push([partner, node]);
      taken.add(partner).add(node);
    }
    oldLeft = oldLeft.filter((node) => !taken.has(node));
    newLeft = newLeft.filter((node) => !taken.has(node));
  }
  return pairs;
}

type Difference = Pick<Changed, "before" | "after">;

/** The fields that differ; what either side could not read is not compared. */
function compare(old: Node, now: Node): Difference | undefined {
  const before: ChangedFields = {};
  const after: ChangedFields = {};
  const known = (field: Field) =>
    !old.unreadable?.includes(field) && !now.unreadable?.includes(field);
  if (known("actions") && old.actions.join() !== now.actions.join()) {
    before.available_actions = [...old.actions];
    after.available_actions = [...now.actions];
  }
  for (const field of ["description", "name", "value"] as const) {
    if (!known(field) || (old[field] ?? "") === (now[field] ?? "")) continue;
    if (old[field]) before[field] = old[field];
    if (now[field]) after[field] = now[field];
  }
  if (known("states") && old.states.join() !== now.states.join()) {
    before.states = [...old.states];
    after.states = [...now.states];
  }
  // Of a long value only the beginning is known; its length still tells of a change.
  if (known("value") && old.valueLength !== now.valueLength) {
    if (old.valueLength !== undefined) before.value_length = old.valueLength;
    if (now.valueLength !== undefined) after.value_length = now.valueLength;
  }
  return Object.keys(before).length + Object.keys(after).length > 0 ? { before, after } : undefined;
}

function describeChange(
  difference: Difference,
  order: readonly Visit[],
  index: number,
  refPrefix: string,
): Changed {
  const visit = order[index]!;
  const { node } = visit;
  return {
    ...difference,
    ...(node.name ? { name: node.name } : {}),
    path: pathLabels(ancestors(order, visit)),
    ...(node.ref !== undefined ? { ref_id: `${refPrefix}${node.ref}` } : {}),
    role: node.role,
  };
}
