/**
 * Items whose `activate` is answered by the list they are in: the application may do it to the
 * list's current item (its cursor, its selection) whatever item was named. So the item is made the
 * current one first, and that is seen, or nothing is activated (docs/acting.md, "Items of lists").
 */
import type { Deadline } from "../../deadline.ts";
import { AppError } from "../../errors.ts";
import type { Step } from "../platform.ts";
import { isSameObject, method, type ObjectRef, objectRef } from "./accessible.ts";
import { climb } from "./ancestors.ts";
import { hasState, STATE } from "./atspi.ts";
import { afterPreparing, delivered, preparatory } from "./delivery.ts";
import { doAction } from "./do_action.ts";
import {
  type Element,
  interfacesOf,
  numberOf,
  roleNumberOf,
  sibling,
  sleepSync,
  stateWords,
} from "./element.ts";

// An item of several parts (an icon and a text) lies this near below its list.
const LIST_ABOVE = 4;
// Columns whose cells are asked whether the cursor is on them.
const MAX_COLUMNS = 64;
// How long cursor and selection may take to show: one turn of the application's main loop.
const SEEN_MS = 250;
const POLL_MS = 20;

/** An item's place in its list. */
interface Place {
  list: Element;
  /** Row of a table, else the position among the list's children. */
  at: number;
  isTable: boolean;
}

/**
 * Activates an item, once it is the only selected one and has the cursor.
 *
 * @param index The action's.
 * @param mayMoveFocus Whether the list may get the keyboard focus for it.
 * @throws AppError `POLICY_DENIED` when that is needed and not permitted; `ACTION_FAILED` when
 * another item stayed the current one. The action is not sent then.
 */
export function activateItem(
  item: Element,
  index: number,
  mayMoveFocus: boolean,
  deadline: Deadline,
): Step[] {
  const place = placeOf(item, deadline);
  if (place === undefined) return [doAction(item, index, deadline)];
  const steps: Step[] = [];
  if (!hasCursor(item, place, deadline)) {
    if (!mayMoveFocus) throw focusNeeded();
    steps.push(moveCursor(item, place, deadline));
  }
  return afterPreparing(steps, () => {
    if (selectedHere(place, deadline) !== "only it") steps.push(selectOnly(place, deadline));
    const isCurrent = selectedHere(place, deadline) !== "others" &&
      hasCursor(item, place, deadline);
    if (!isCurrent) throw notCurrent();
    return [...steps, doAction(item, index, deadline)];
  });
}

/** Whether the toolkit lets this action of the element act on its list's current item. */
export function actsOnCurrentItem(element: Element, name: string, deadline: Deadline): boolean {
  const { currentItemRoles } = element.toolkit;
  if (currentItemRoles.size === 0 || name !== "activate") return false;
  const role = roleNumberOf(element, deadline);
  // What does not tell what it is may be such an item: `placeOf` finds out.
  return role === undefined || currentItemRoles.has(role);
}

/** Where the item is in the nearest list above it; `undefined` when it is in none. */
function placeOf(item: Element, deadline: Deadline): Place | undefined {
  let levels = 0;
  for (const { object, parent } of climb(item.bus, item.object, deadline)) {
    if (parent === undefined) throw unknownPlace();
    if (++levels > LIST_ABOVE) break;
    const list = sibling(item, parent);
    const interfaces = interfacesOf(list, deadline);
    const isTable = interfaces.has("Table");
    if (!isTable && !interfaces.has("Selection")) continue;
    const child = sibling(item, object);
    const at = isTable ? rowOf(list, child, deadline) : indexInParent(child, deadline);
    if (at === undefined) throw unknownPlace();
    return { list, at, isTable };
  }
  return undefined;
}

function indexInParent({ bus, object }: Element, deadline: Deadline): number | undefined {
  return nonNegative(bus.call(method(object, "Accessible", "GetIndexInParent"), deadline));
}

function rowOf(table: Element, child: Element, deadline: Deadline): number | undefined {
  const index = indexInParent(child, deadline);
  if (index === undefined) return undefined;
  const { bus, object } = table;
  return nonNegative(bus.call(method(object, "Table", "GetRowAtIndex", "i", index), deadline));
}

function nonNegative(reply: ReturnType<Element["bus"]["call"]>): number | undefined {
  const value = reply.ok ? reply.values[0] : undefined;
  return typeof value === "number" && value >= 0 ? value : undefined;
}

/** Whether the list's cursor is on the item or on another cell of its row. */
function hasCursor(item: Element, place: Place, deadline: Deadline): boolean {
  if (hasState(stateWords(item, deadline) ?? [], STATE.focused)) return true;
  if (!place.isTable) return false;
  const { bus, object } = place.list;
  const columns = numberOf(place.list, "Table", "NColumns", deadline) ?? 0;
  const cells = bus.callAll(
    Array.from(
      { length: Math.min(Math.max(columns, 0), MAX_COLUMNS) },
      (_, column) => method(object, "Table", "GetAccessibleAt", "ii", place.at, column),
    ),
    deadline,
  ).flatMap((reply): ObjectRef[] => {
    const cell = reply.ok ? objectRef(reply.values[0]) : undefined;
    return cell === undefined || isSameObject(cell, item.object) ? [] : [cell];
  });
  return cells.some((cell) =>
    hasState(stateWords(sibling(item, cell), deadline) ?? [], STATE.focused)
  );
}

/** Gives the list the keyboard focus and puts its cursor on the item. */
function moveCursor(item: Element, place: Place, deadline: Deadline): Step {
  const { bus, object } = item;
  const step = delivered(
    "Component.GrabFocus",
    bus.call(method(object, "Component", "GrabFocus"), deadline),
  );
  const until = deadline.within(SEEN_MS);
  while (!hasCursor(item, place, deadline) && !until.expired) {
    sleepSync(Math.min(POLL_MS, until.remaining));
  }
  return preparatory(step);
}

/**
 * What the list has selected. That nothing is will do once the item has been selected: a list that
 * takes no selection cannot have its application act on one.
 */
function selectedHere(
  { list, at, isTable }: Place,
  deadline: Deadline,
): "only it" | "nothing" | "others" {
  const [face, total, isSelected] = isTable
    ? ["Table", "NSelectedRows", "IsRowSelected"] as const
    : ["Selection", "NSelectedChildren", "IsChildSelected"] as const;
  const count = numberOf(list, face, total, deadline);
  if (count === 0) return "nothing";
  const { bus, object } = list;
  const reply = bus.call(method(object, face, isSelected, "i", at), deadline);
  return count === 1 && reply.ok && reply.values[0] === true ? "only it" : "others";
}

/** Selects the item and nothing else. What came of it is for the caller to look at. */
function selectOnly({ list, at, isTable }: Place, deadline: Deadline): Step {
  const { bus, object } = list;
  bus.call(method(object, "Selection", "ClearSelection"), deadline);
  bus.call(
    isTable
      ? method(object, "Table", "AddRowSelection", "i", at)
      : method(object, "Selection", "SelectChild", "i", at),
    deadline,
  );
  return { label: "SelectItem", outcome: "succeeded", mechanism: "semantic_api" };
}

function focusNeeded(): AppError {
  return new AppError(
    "POLICY_DENIED",
    "Activating this item acts on its list's current item, and in headless mode only focus makes " +
      "another the current one, because that moves the keyboard focus",
    { suggestion: "Run the command again with --headed to permit the focus change." },
  );
}

function notCurrent(): AppError {
  return new AppError(
    "ACTION_FAILED",
    "The item did not become the current one of its list, so it was not activated",
    { suggestion: "Take a snapshot to see which item is selected, or use double-click --headed." },
  );
}

function unknownPlace(): AppError {
  return new AppError(
    "ACTION_FAILED",
    "Where the item is in its list could not be read, so it was not activated",
    { suggestion: "Take a new snapshot; the list may have changed." },
  );
}
