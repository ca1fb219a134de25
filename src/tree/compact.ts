/** `--compact`: takes empty wrappers out of the tree (docs/observation.md, "Compact"). */
import { isBlank, type Node } from "./node.ts";
import { hasTrait } from "./roles.ts";
import { rebuildTree, withChildren } from "./walk.ts";

/**
 * Puts the only child of an empty `group` or `unknown` in its wrapper's place. A wrapper's name is
 * never handed down: a node with any text is no wrapper. The root stays. Takes an allocated tree
 * before it is pruned, because "only child" means the child the application has, not the one that
 * pruning left; returns a new tree.
 */
export function compact(root: Node): Node {
  const result = rebuildTree(root, (node, children, isRoot) => {
    const only = children[0];
    if (!isRoot && only !== undefined && isEmptyWrapper(node)) return only;
    return withChildren(node, children);
  });
  return result ?? root;
}

function isEmptyWrapper(node: Node): boolean {
  const only = node.children.length === 1 ? node.children[0] : undefined;
  if (only === undefined || !hasTrait(node.role, "wrapper")) return false;
  // Children were lost here and not further down: the one that is left may not be the only one.
  if (node.truncated && !only.truncated) return false;
  return node.ref === undefined && node.childrenCount === undefined &&
    isBlank(node.name) && isBlank(node.value) && isBlank(node.description) && isBlank(node.hint) &&
    node.nativeId === undefined && node.states.length === 0 && node.actions.length === 0 &&
    // What could not be read might say something; only bounds never matter.
    !(node.unreadable ?? []).some((field) => field !== "bounds");
}
