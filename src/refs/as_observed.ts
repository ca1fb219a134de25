/**
 * One element read on its own, made comparable with what an observation stores: there a control
 * without a name takes the text of its labels, which are children, and every text is cleaned.
 */
import type { Deadline } from "../deadline.ts";
import type { Platform } from "../platform/platform.ts";
import { completeTree, LABEL_CHILDREN, lacksName } from "../tree/complete_tree.ts";
import type { Node } from "../tree/node.ts";
import { normalise } from "../tree/normalise.ts";

/** Whether the element's name may be in its children. */
export function mayBeNamedByChildren(node: Node): boolean {
  return lacksName(node) && node.handle !== undefined && !node.unreadable?.includes("name");
}

/** The element as an observation would have stored it; without children. */
export async function asObserved(
  platform: Platform,
  node: Node,
  deadline: Deadline,
): Promise<Node> {
  const copy = normalise(node);
  if (mayBeNamedByChildren(copy)) {
    const children = await platform.children(copy.handle!, deadline);
    const labels = await Promise.all(
      children.slice(0, LABEL_CHILDREN).map((child) => platform.inspect(child, deadline)),
    );
    copy.children = labels.filter((label) => label !== undefined);
    completeTree(copy);
    copy.children = [];
  }
  return copy;
}
