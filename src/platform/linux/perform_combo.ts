/**
 * Choosing an option of a combo box or drop-down. Its options may be below it, in a list that it
 * says it controls, in one that its window shows, or come only once it is open. What counts is what
 * the control itself shows as its choice afterwards (docs/acting.md, "Choosing an option").
 */
import type { Deadline } from "../../deadline.ts";
import { AppError, type Details } from "../../errors.ts";
import type { Handle } from "../../tree/node.ts";
import type { Step } from "../platform.ts";
import { method, toHandle } from "./accessible.ts";
import { ACTION_NAMES, actionIndex } from "./actions.ts";
import { hasState, ROLE, STATE } from "./atspi.ts";
import { controlledLists, shownLists, windowLists } from "./combo_lists.ts";
import { choiceOf, findOpener, type Opener } from "./choice.ts";
import { afterPreparing, delivered, preparatory } from "./delivery.ts";
import { doAction } from "./do_action.ts";
import {
  actionNames,
  type Element,
  indexInParent,
  interfacesOf,
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
  type Options,
  plain,
  readOptions,
  requireEnabled,
} from "./options.ts";
import { MENU_ROLES } from "./perform_menu.ts";

// How long, in milliseconds, a list that was opened may take to show its options, to close again,
// and the control to show its new choice (`unsure`: where what it shows proves nothing).
const WAITS = { open: 750, close: 500, taken: 1_000, unsure: 500 };
// A loaded browser was seen to take two seconds.
const LATE_WAITS = { open: 3_000, close: 3_000, taken: 5_000, unsure: 3_000 };
// Once the first options are there, the others are as long in coming as this.
const FILLING_MS = 500;
const POLL_MS = 25;

const CLICKING = [...ACTION_NAMES.click, ...ACTION_NAMES.select];

function waitsOf({ toolkit }: Element): typeof WAITS {
  return toolkit.showsLate ? LATE_WAITS : WAITS;
}

/** An option, and whether it is below its control or in another list. */
interface ComboOption extends Option {
  isBelow: boolean;
}

interface ComboOptions {
  named: ComboOption[];
  complete: boolean;
}

/**
 * Chooses an option; the control is opened only when that is the way to its options.
 *
 * @returns the steps; the last one is verified when the control shows the option
 * @throws AppError `ELEMENT_NOT_FOUND` with the options there are; `ACTION_FAILED` when the control
 * shows another choice afterwards. What was done on the way is in `details.prepared`.
 */
export function chooseInCombo(combo: Element, wanted: string, deadline: Deadline): Step[] {
  const options = readComboOptions(combo, deadline);
  const found = findOption(options.named, wanted) as ComboOption | undefined;
  const text = found?.name ?? wanted;
  if (shows(combo, text, deadline).chosen) {
    return [{ label: "AlreadyInState", outcome: "skipped", verified: true }];
  }
  if (found !== undefined) requireEnabled(found);
  if (found !== undefined && !isWindowListNeeded(combo, found)) {
    return [choose(combo, found, deadline)];
  }
  // What can be read of a closed control is all of it.
  if (found === undefined && options.named.length > 0) throw optionAbsent(options);
  const opener = findOpener(combo, deadline);
  if (opener === undefined) throw optionAbsent(options);
  return chooseOpened(combo, opener, text, deadline);
}

/** Opens the control and chooses in what it shows then; closes it again when that fails. */
function chooseOpened(
  combo: Element,
  opener: Opener,
  wanted: string,
  deadline: Deadline,
): Step[] {
  const steps: Step[] = [];
  return afterPreparing(steps, () => {
    const before = shownLists(combo, deadline)?.map(toHandle);
    if (isOpen(combo, opener, deadline) !== true) {
      steps.push({
        ...preparatory(doAction(opener.part, opener.index, deadline)),
        label: "OpenOptions",
      });
    }
    try {
      const found = waitForOption(combo, wanted, before, deadline);
      return [...steps, choose(combo, found, deadline)];
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      const open = closeAgain(combo, opener, steps, deadline);
      // A late toolkit that has shown nothing yet may open it still.
      const unseen = combo.toolkit.showsLate && isEmpty(error.details?.["options"]);
      error.details = { ...error.details, ...open, ...(unseen ? { left_open: true } : {}) };
      throw error;
    }
  });
}

function isEmpty(list: unknown): boolean {
  return Array.isArray(list) && list.length === 0;
}

/**
 * The option, once the open control shows it.
 *
 * @param before handles of the lists that the window showed when the control was closed;
 * `undefined` when that is not known
 */
function waitForOption(
  combo: Element,
  wanted: string,
  before: readonly Handle[] | undefined,
  deadline: Deadline,
): ComboOption {
  const until = deadline.within(waitsOf(combo).open);
  let filled: Deadline | undefined;
  while (true) {
    let options = readComboOptions(combo, deadline);
    if (options.named.length === 0 && before !== undefined) {
      // A control may say nothing of its list: one that has come into the window with it is it.
      const shown = shownLists(combo, deadline) ?? [];
      const come = shown.filter((list) => !before.includes(toHandle(list)));
      if (come.length === 1) options = itemsOf(readOptions(combo, come, deadline), false);
    }
    const open = options.named.filter((option) => !isWindowListNeeded(combo, option));
    const found = findOption(open, wanted) as ComboOption | undefined;
    if (found !== undefined) {
      requireEnabled(found);
      return found;
    }
    if (open.length > 0) filled ??= deadline.within(FILLING_MS);
    if (until.expired || filled?.expired) throw optionAbsent({ ...options, named: open });
    sleepSync(Math.min(POLL_MS, until.remaining));
  }
}

/** Whether the control is open; `undefined` when it does not tell. */
function isOpen(combo: Element, opener: Opener, deadline: Deadline): boolean | undefined {
  if (windowLists(combo, deadline).length > 0) return true;
  const parts = opener.part === combo ? [combo] : [combo, opener.part];
  const words = parts.map((part) => stateWords(part, deadline) ?? []);
  const has = (state: number) => words.some((one) => hasState(one, state));
  if (has(STATE.expanded) || has(STATE.pressed)) return true;
  return has(STATE.expandable) || opener.part !== combo ? false : undefined;
}

/** Closes the control when it is open; tells whether it may be open still. */
function closeAgain(
  combo: Element,
  opener: Opener,
  steps: Step[],
  deadline: Deadline,
): Details {
  const open = isOpen(combo, opener, deadline);
  if (open === false) return {};
  // Whether a second time closes it is known only where it says that it is open.
  if (open === undefined) return { left_open: true };
  try {
    const closed = doAction(opener.part, opener.index, deadline);
    steps.push({ ...preparatory(closed), label: "CloseOptions" });
  } catch (error) {
    // Why the option was not chosen says more.
    if (error instanceof AppError) return { left_open: true };
    throw error;
  }
  const until = deadline.within(waitsOf(combo).close);
  while (isOpen(combo, opener, deadline) !== false) {
    if (until.expired) return { left_open: true };
    sleepSync(Math.min(POLL_MS, until.remaining));
  }
  return {};
}

/** The options below the control, in the lists it controls, and in one its window shows for it. */
function readComboOptions(
  combo: Element,
  deadline: Deadline,
): ComboOptions {
  const lists = [...controlledLists(combo, deadline), ...windowLists(combo, deadline)];
  const below = readOptions(combo, [combo.object], deadline);
  const elsewhere = lists.length > 0
    ? readOptions(combo, lists, deadline)
    : { named: [], complete: true };
  // A list that the control both holds and names is read once.
  const held = new Set(below.named.flatMap(({ item }) => item ? [item.object.path] : []));
  return {
    named: [
      ...itemsOf(below, true).named,
      ...itemsOf(elsewhere, false).named.filter(({ item }) => !held.has(item!.object.path)),
    ],
    complete: below.complete && elsewhere.complete,
  };
}

/** Of what was read, the items. */
function itemsOf({ named, complete }: Options, isBelow: boolean): ComboOptions {
  const items = named.filter(({ item }) => item !== undefined);
  return { named: items.map((option) => ({ ...option, isBelow })), complete };
}

/** Whether an option has to be chosen in a list that the window shows only once it is open. */
function isWindowListNeeded(combo: Element, { isBelow, item }: ComboOption): boolean {
  return combo.toolkit.choosesInWindowList && isBelow && item?.roleNumber === ROLE.menuItem;
}

/**
 * Takes an option by the first way it has; only that one is sent. Verified when the control shows
 * it.
 *
 * @throws AppError `ACTION_FAILED`, delivered, when it goes on showing another
 */
function choose(combo: Element, option: ComboOption, deadline: Deadline): Step {
  const step = send(combo, option, deadline);
  const waits = waitsOf(combo);
  const taken = deadline.within(waits.taken);
  const unsure = deadline.within(waits.unsure);
  while (true) {
    const { chosen, certain } = shows(combo, option.name, deadline);
    if (chosen) return { ...step, verified: true };
    if (!certain && unsure.expired) return { ...step, verified: false };
    if (certain && taken.expired) throw notTaken();
    sleepSync(Math.min(POLL_MS, taken.remaining));
  }
}

/** Whether the control shows a text as its choice, and whether another one would prove anything. */
function shows(
  combo: Element,
  text: string,
  deadline: Deadline,
): { chosen: boolean; certain: boolean } {
  const choice = choiceOf(combo, deadline);
  const chosen = choice?.texts.some((one) => plain(one) === plain(text)) ?? false;
  return { chosen, certain: choice?.certain ?? false };
}

function send(combo: Element, { item, isBelow }: ComboOption, deadline: Deadline): Step {
  const target = sibling(combo, item!.object);
  const names = actionNames(target, deadline);
  const select = actionIndex(names, ACTION_NAMES.select);
  if (select >= 0) return doAction(target, select, deadline);
  // A combo box selects by the position of the option in its list, without being opened.
  if (isBelow && interfacesOf(combo, deadline).has("Selection")) {
    const step = selectAt(combo, target, deadline);
    if (step !== undefined) return step;
  }
  const click = actionIndex(names, CLICKING);
  if (click >= 0) return doAction(target, click, deadline);
  const list = parentOf(target, deadline);
  if (
    list !== undefined && !MENU_ROLES.has(roleNumberOf(list, deadline) ?? ROLE.invalid) &&
    interfacesOf(list, deadline).has("Selection")
  ) {
    const step = selectAt(list, target, deadline);
    if (step !== undefined) return step;
  }
  throw new AppError("ACTION_NOT_SUPPORTED", "The control takes no option through accessibility", {
    suggestion: "Click the control and then its option, both with --headed.",
  });
}

function selectAt(container: Element, item: Element, deadline: Deadline): Step | undefined {
  const index = indexInParent(item, deadline);
  if (index === undefined) return undefined;
  const { bus, object } = container;
  return delivered(
    "Selection.SelectChild",
    bus.call(method(object, "Selection", "SelectChild", "i", index), deadline),
  );
}

function notTaken(): AppError {
  return new AppError("ACTION_FAILED", "The control did not take over the option", {
    suggestion: "Click the control and then its option, both with --headed.",
    delivery: "delivered_unverified",
    details: { kind: "option_not_taken" },
  });
}
