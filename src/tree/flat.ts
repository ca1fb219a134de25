/** `--flat`: the elements with refs and nothing else (docs/observation.md, "Flat"). */
import { isBlank, type Node } from "./node.ts";
import type { Role } from "./roles.ts";
import type { State } from "./states.ts";
import { shortLabel } from "./text.ts";
import { ancestors, documentOrder } from "./walk.ts";

/** One element; keys in alphabetical order. */
export interface FlatElement {
  name?: string;
  /** Names of the ancestors that have one, from the root down. */
  path: string[];
  ref_id: string;
  role: Role;
  states?: State[];
  value?: string;
  value_length?: number;
}

/** Lists the refs of an allocated tree in document order. */
export function flatElements(root: Node, refPrefix: string): FlatElement[] {
  const order = documentOrder(root);
  const elements: FlatElement[] = [];
  for (const visit of order) {
    const { node } = visit;
    if (node.ref === undefined) continue;
    elements.push({
      ...(node.name ? { name: node.name } : {}),
      path: ancestors(order, visit).filter(({ name }) => !isBlank(name))
        .map(({ name }) => shortLabel(name!)),
      ref_id: `${refPrefix}${node.ref}`,
      role: node.role,
      ...(node.states.length > 0 ? { states: [...node.states] } : {}),
      ...(node.value ? { value: node.value } : {}),
      ...(node.valueLength !== undefined ? { value_length: node.valueLength } : {}),
    });
  }
  return elements;
}
