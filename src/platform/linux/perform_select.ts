/** Choosing an option of a combo box, list, menu, tab list or tree by its displayed text. */
import type { Deadline } from "../../deadline.ts";
import { AppError } from "../../errors.ts";
import type { Step } from "../platform.ts";
import { method } from "./accessible.ts";
import { ACTION_NAMES, actionIndex } from "./actions.ts";
import { climb } from "./ancestors.ts";
import { hasState, ROLE, STATE } from "./atspi.ts";
import { delivered } from "./delivery.ts";
import { doAction } from "./do_action.ts";
import {
  actionNames,
  type Element,
  indexInParent,
  interfacesOf,
  nameOf,
  parentOf,
  roleNumberOf,
  sibling,
  sleepSync,
  stateWords,
} from "./element.ts";
import {
  findOption,
  type Option,
  optionAbsent,
  plain,
  readOptions,
  requireEnabled,
} from "./options.ts";
import { isComboBox } from "./combo_lists.ts";
import { chooseInCombo } from "./perform_combo.ts";
import { activateMenuItem, chooseInMenu, MENU_ROLES } from "./perform_menu.ts";

// How long a selection may take to show.
const SEEN_MS = 200;
const POLL_MS = 25;
// An option of a combo box lies this near below it.
const COMBO_ABOVE = 3;

/** Chooses an option, or the element itself when it has that text. */
export function selectOption(element: Element, wanted: string, deadline: Deadline): Step[] {
  if (isComboBox(element, deadline)) return chooseInCombo(element, wanted, deadline);
  const isMenu = isOfMenu(element, deadline);
  if (plain(nameOf(element, deadline)) === plain(wanted)) {
    const steps = selectItself(element, isMenu, wanted, deadline);
    if (steps !== undefined) return steps;
  }
  if (isMenu) return chooseInMenu(element, wanted, deadline);
  const options = readOptions(element, [element.object], deadline);
  const found = findOption(options.named, wanted);
  if (found === undefined) throw optionAbsent(options);
  requireEnabled(found);
  // A menu button holds its menu.
  if (found.item !== undefined && MENU_ROLES.has(found.item.roleNumber)) {
    return [activateMenuItem(sibling(element, found.item.object), deadline)];
  }
  return [choose(element, found, deadline)];
}

/** An option named by its own ref; `undefined` when it is none. */
function selectItself(
  element: Element,
  isMenu: boolean,
  name: string,
  deadline: Deadline,
): Step[] | undefined {
  if (isMenu) {
    const combo = comboAbove(element, deadline);
    return combo === undefined
      ? [activateMenuItem(element, deadline)]
      : chooseInCombo(combo, name, deadline);
  }
  if (!hasState(stateWords(element, deadline) ?? [], STATE.selectable)) return undefined;
  const step = selectItem(element, deadline);
  return step && [step];
}

/** The combo box that an item's menu belongs to. */
function comboAbove(item: Element, deadline: Deadline): Element | undefined {
  let levels = 0;
  for (const { parent } of climb(item.bus, item.object, deadline)) {
    if (parent === undefined || levels++ === COMBO_ABOVE) return undefined;
    const above = sibling(item, parent);
    if (isComboBox(above, deadline)) return above;
  }
  return undefined;
}

function isOfMenu(element: Element, deadline: Deadline): boolean {
  return MENU_ROLES.has(roleNumberOf(element, deadline) ?? ROLE.invalid);
}

/** Selects an item by the first way there is; `undefined` when there is none. */
export function selectItem(item: Element, deadline: Deadline): Step | undefined {
  return selectByContainer(item, deadline) ?? toggleSelection(item, deadline);
}

/** By the item's own action, else in its container. */
function selectByContainer(item: Element, deadline: Deadline): Step | undefined {
  const select = actionIndex(actionNames(item, deadline), ACTION_NAMES.select);
  return select >= 0
    ? seen(doAction(item, select, deadline), item, deadline)
    : selectIn(item, deadline);
}

/** In Qt an item's toggle is its selection, and the only way to it. */
function toggleSelection(item: Element, deadline: Deadline): Step | undefined {
  const toggle = actionIndex(actionNames(item, deadline), ACTION_NAMES.toggle);
  const words = stateWords(item, deadline) ?? [];
  if (toggle < 0 || !hasState(words, STATE.selectable)) return undefined;
  if (hasState(words, STATE.selected)) {
    return { label: "AlreadyInState", outcome: "skipped", verified: true };
  }
  return seen(doAction(item, toggle, deadline), item, deadline);
}

/** Selects the option by the first way it has; only that one is sent. */
function choose(element: Element, option: Option, deadline: Deadline): Step {
  for (const object of [option.object, ...option.above]) {
    const step = selectItem(sibling(element, object), deadline);
    if (step !== undefined) return step;
  }
  const item = sibling(element, option.object);
  const click = actionIndex(actionNames(item, deadline), ACTION_NAMES.click);
  if (click >= 0) return seen(doAction(item, click, deadline), item, deadline);
  throw new AppError("ACTION_NOT_SUPPORTED", "The option can be neither selected nor clicked", {
    suggestion: "Take a snapshot and use an action the option offers.",
  });
}

/**
 * Selects an item in its parent; `undefined` when the parent offers no selection. That of a menu
 * only highlights, and does not count.
 */
function selectIn(item: Element, deadline: Deadline): Step | undefined {
  const container = parentOf(item, deadline);
  if (container === undefined || isOfMenu(container, deadline)) return undefined;
  if (!interfacesOf(container, deadline).has("Selection")) return undefined;
  const index = indexInParent(item, deadline);
  return index === undefined ? undefined : selectChild(container, index, item, deadline);
}

function selectChild(
  container: Element,
  index: number,
  item: Element,
  deadline: Deadline,
): Step {
  const { bus, object } = container;
  const step = delivered(
    "Selection.SelectChild",
    bus.call(method(object, "Selection", "SelectChild", "i", index), deadline),
  );
  return seen(step, item, deadline, () => {
    const reply = bus.call(method(object, "Selection", "IsChildSelected", "i", index), deadline);
    return reply.ok && reply.values[0] === true;
  });
}

/** The step, verified when the item is seen selected. */
function seen(step: Step, item: Element, deadline: Deadline, also?: () => boolean): Step {
  const until = deadline.within(SEEN_MS);
  while (true) {
    const words = stateWords(item, until) ?? [];
    if (hasState(words, STATE.selected) || also?.()) return { ...step, verified: true };
    if (until.expired) return step;
    sleepSync(Math.min(POLL_MS, until.remaining));
  }
}
