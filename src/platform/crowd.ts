/** Crowds of nameless containers where a walk stops: in an overview their parent stands for them. */
import { hasPrimaryAction } from "../tree/actions.ts";
import { isBlank, type Node } from "../tree/node.ts";
import { hasTrait } from "../tree/roles.ts";

/** More nameless siblings than this are a crowd; so many of them are looked at for all. */
export const CROWD = 16;

/** What a walk knows of an element it has read. */
interface Seen {
  node?: Node;
  /** Its children, when the walk did not go into them. */
  childrenCount?: number;
}

/** Whether an element is nothing but a container that the walk did not go into. */
export function isNamelessCut(item: Seen): boolean {
  return item.childrenCount !== undefined && item.node !== undefined && !isNamed(item) &&
    isBlank(item.node.value) && !hasTrait(item.node.role, "interactive") &&
    !hasPrimaryAction(item.node.actions);
}

/** Whether an element can be told by a name, a description or an id. */
export function isNamed({ node }: Seen): boolean {
  return node !== undefined &&
    (!isBlank(node.name) || !isBlank(node.description) || node.nativeId !== undefined);
}
