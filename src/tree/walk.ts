/**
 * One visiting order for every pass. The application decides how deep its tree is, so no pass calls
 * itself for the children of a node: the order is laid out once as a list, and read forwards for
 * "parents first" and backwards for "children first".
 */
import type { Node } from "./node.ts";

/** One node of a walk. */
export interface Visit {
  node: Node;
  /** Index of the parent's visit in the same array; -1 for the root. */
  parent: number;
  /** Levels below the root. */
  depth: number;
}

/** All nodes in document order: a parent comes before its children, siblings in their order. */
export function documentOrder(root: Node): Visit[] {
  const order: Visit[] = [];
  const open: Visit[] = [{ node: root, parent: -1, depth: 0 }];
  for (let visit = open.pop(); visit !== undefined; visit = open.pop()) {
    const parent = order.push(visit) - 1;
    const { children } = visit.node;
    for (let i = children.length - 1; i >= 0; i--) {
      open.push({ node: children[i]!, parent, depth: visit.depth + 1 });
    }
  }
  return order;
}

/** The nodes above a visit, the root first. */
export function ancestors(order: readonly Visit[], visit: Visit): Node[] {
  const above: Node[] = [];
  for (let at = visit.parent; at >= 0; at = order[at]!.parent) above.push(order[at]!.node);
  return above.reverse();
}

/** Document order of two nodes, told by the child indexes that lead to each from one root. */
export function comparePaths(a: readonly number[], b: readonly number[]): number {
  for (let i = 0; i < Math.min(a.length, b.length); i++) {
    if (a[i] !== b[i]) return a[i]! - b[i]!;
  }
  return a.length - b.length;
}

/**
 * Builds a tree anew from its leaves up. `rebuild` gets a node and what became of its children
 * (dropped ones left out) and returns what the node becomes, or `undefined` to drop it with
 * everything below. Nodes are never changed; those whose children stay the same may be shared.
 */
export function rebuildTree(
  root: Node,
  rebuild: (node: Node, children: Node[], isRoot: boolean) => Node | undefined,
): Node | undefined {
  const order = documentOrder(root);
  const kept: Node[][] = order.map(() => []);
  let result: Node | undefined;
  for (let i = order.length - 1; i >= 0; i--) {
    const { node, parent } = order[i]!;
    // Collected from last to first.
    const made = rebuild(node, kept[i]!.reverse(), parent < 0);
    if (parent < 0) result = made;
    else if (made !== undefined) kept[parent]!.push(made);
  }
  return result;
}

/** The node with these children; the node itself when they are the ones it has. */
export function withChildren(node: Node, children: Node[]): Node {
  const same = children.length === node.children.length &&
    children.every((child, i) => child === node.children[i]);
  return same ? node : { ...node, children };
}
