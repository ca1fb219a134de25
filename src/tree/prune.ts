/**
 * `-i`: leaves out what leads to nothing that can be acted on
 * (docs/observation.md, "Interactive only").
 */
import { isRefable } from "./actions.ts";
import type { Node } from "./node.ts";
import { rebuildTree, withChildren } from "./walk.ts";

/**
 * Drops, from the leaves up, every node without ref, remaining children and `childrenCount` that
 * could not have a ref either. The root stays. Takes an allocated tree; returns a new one.
 */
export function prune(root: Node): Node {
  const result = rebuildTree(root, (node, children, isRoot) => {
    const keep = isRoot || node.ref !== undefined || children.length > 0 ||
      node.childrenCount !== undefined || isRefable(node);
    return keep ? withChildren(node, children) : undefined;
  });
  return result ?? root;
}
