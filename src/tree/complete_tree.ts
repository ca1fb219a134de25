/** What a freshly read tree still lacks: facts that follow from several nodes together. */
import { isBlank, type Node } from "./node.ts";
import { hasTrait } from "./roles.ts";
import { documentOrder } from "./walk.ts";

/** Children in which a control's own label is looked for: it sits in the first few. */
export const LABEL_CHILDREN = 5;

/** Whether a control without a name may take its name from its children or its description. */
export function lacksName(node: Node): boolean {
  return isBlank(node.name) && hasTrait(node.role, "interactive") &&
    !node.states.includes("secure");
}

/**
 * Completes a tree in place: `truncated` reaches every ancestor, children of a splitter get their
 * hint, an unnamed control takes the text of its labels as its name. Returns whether anything
 * was truncated.
 */
export function completeTree(root: Node): boolean {
  const order = documentOrder(root);
  // Children first: they tell their parent what was lost below it.
  for (let i = order.length - 1; i >= 0; i--) {
    const { node, parent } = order[i]!;
    if (node.truncated && parent >= 0) order[parent]!.node.truncated = true;
    const columns = node.role === "splitter" ? node.children.length : 0;
    if (columns >= 2) {
      node.children.forEach((child, at) => child.hint = `column ${at + 1} of ${columns}`);
    }
    if (lacksName(node)) nameByLabels(node);
  }
  return root.truncated === true;
}

/** Names a control by the static texts in it, else by its description, which it then loses. */
function nameByLabels(node: Node): void {
  const label = hasTrait(node.role, "childrenAreValue") ? "" : childLabel(node);
  if (label) node.name = label;
  else if (!isBlank(node.description)) {
    node.name = node.description!;
    delete node.description;
  }
}

function childLabel(node: Node): string {
  const parts = new Set<string>();
  for (const child of node.children.slice(0, LABEL_CHILDREN)) {
    if (child.role === "statictext" && !isBlank(child.name)) parts.add(child.name!.trim());
  }
  return [...parts].join(" ");
}
