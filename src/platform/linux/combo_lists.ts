/** Where the options of a combo box are when they are not below it. */
import type { Deadline } from "../../deadline.ts";
import { OBSERVE_LIMITS } from "../platform.ts";
import { isSameObject, method, objectList, type ObjectRef } from "./accessible.ts";
import { ancestorsOf } from "./ancestors.ts";
import { hasState, RELATION, ROLE, STATE } from "./atspi.ts";
import { childrenOf, type Element, roleNumberOf, sibling, stateWords } from "./element.ts";
import { roleOf } from "./roles.ts";
import { StructureReader } from "./structure.ts";

// Parts of a control that are asked which list it controls, and how many lists are taken.
const MAX_PARTS = 8;
const MAX_LISTS = 4;
// Lists that come up beside a control are looked for in windows of at most this size.
const MAX_WINDOW_NODES = 2_048;
const POPPING: ReadonlySet<number> = new Set([
  ROLE.list,
  ROLE.listBox,
  ROLE.menu,
  ROLE.popupMenu,
]);

/** Whether an element is a combo box or drop-down. */
export function isComboBox(element: Element, deadline: Deadline): boolean {
  return roleOf(roleNumberOf(element, deadline) ?? ROLE.invalid, []) === "combobox";
}

/** What the control, or a part of it (the field of a combo box), says that it controls. */
export function controlledLists(combo: Element, deadline: Deadline): ObjectRef[] {
  const parts = [combo, ...childrenOf(combo, deadline).slice(0, MAX_PARTS)];
  const replies = combo.bus.callAll(
    parts.map(({ object }) => method(object, "Accessible", "GetRelationSet")),
    deadline,
  );
  const lists = replies.flatMap((reply) => {
    const relations = reply.ok && Array.isArray(reply.values[0]) ? reply.values[0] : [];
    return (relations as [number, unknown][])
      .filter(([kind]) => kind === RELATION.controllerFor || kind === RELATION.popupFor)
      .flatMap(([, targets]) => objectList(targets));
  });
  return lists.filter(({ bus }) => bus === combo.object.bus).slice(0, MAX_LISTS);
}

/** The lists that the control's window shows for an open drop-down of a page. */
export function windowLists(combo: Element, deadline: Deadline): ObjectRef[] {
  if (!combo.toolkit.choosesInWindowList) return [];
  const window = ancestorsOf(combo.bus, combo.object, deadline).at(-2);
  if (window === undefined) return [];
  return childrenOf(sibling(combo, window), deadline)
    .filter((part) =>
      !isSameObject(part.object, combo.object) && isComboBox(part, deadline) &&
      hasState(stateWords(part, deadline) ?? [], STATE.expanded)
    )
    .map(({ object }) => object).slice(0, MAX_LISTS);
}

/**
 * The lists that the control's window shows outside of the control; `undefined` when not all of it
 * could be read.
 */
export function shownLists(combo: Element, deadline: Deadline): ObjectRef[] | undefined {
  const window = ancestorsOf(combo.bus, combo.object, deadline).at(-2);
  if (window === undefined) return undefined;
  const lists: ObjectRef[] = [];
  const reader = new StructureReader(combo.bus, {
    maxDepth: OBSERVE_LIMITS.rawDepth,
    maxNodes: MAX_WINDOW_NODES,
    visit: ({ object, roleNumber, states }) => {
      if (isSameObject(object, combo.object)) return false;
      if (!POPPING.has(roleNumber)) return true;
      if (hasState(states, STATE.showing)) lists.push(object);
      return false;
    },
  });
  reader.start(window);
  const answered = combo.bus.run(deadline);
  return answered && reader.complete ? lists : undefined;
}
