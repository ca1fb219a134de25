/** What a freshly read tree still lacks: facts that follow from several nodes together. */
import { isBlank, type Node } from "./node.ts";
import { hasTrait } from "./roles.ts";

// A control's own label sits in its first few children (observation §11.3, "child label").
const LABEL_CHILDREN = 5;

/**
 * Completes a tree in place: `truncated` reaches every ancestor, children of a splitter get their
 * hint, an unnamed control takes the text of its labels as its name. Returns whether anything
 * was truncated.
 */
export function finish(node: Node): boolean {
  let truncated = node.truncated === true;
  const columns = node.role === "splitter" ? node.children.length : 0;
  node.children.forEach((child, i) => {
    if (columns >= 2) child.hint = `column ${i + 1} of ${columns}`;
    if (finish(child)) truncated = true;
  });
  if (truncated) node.truncated = true;
  if (isBlank(node.name) && hasTrait(node.role, "interactive") && !node.states.includes("secure")) {
    const label = hasTrait(node.role, "childrenAreValue") ? "" : childLabel(node);
    if (label) node.name = label;
    else if (!isBlank(node.description)) {
      node.name = node.description!;
      delete node.description;
    }
  }
  return truncated;
}

function childLabel(node: Node): string {
  const parts = new Set<string>();
  for (const child of node.children.slice(0, LABEL_CHILDREN)) {
    if (child.role === "statictext" && !isBlank(child.name)) parts.add(child.name!.trim());
  }
  return [...parts].join(" ");
}
