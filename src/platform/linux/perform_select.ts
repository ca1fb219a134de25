/** Choosing an option of a combo box, list, menu, tab list or tree by its displayed text. */
import type { Deadline } from "../../deadline.ts";
import { AppError } from "../../errors.ts";
import type { Step } from "../platform.ts";
import {
  isSameObject,
  method,
  objectList,
  type ObjectRef,
  objectRef,
  property,
  toHandle,
} from "./accessible.ts";
import { ACTION_NAMES, actionIndex } from "./actions.ts";
import { hasState, ROLE, STATE } from "./atspi.ts";
import { delivered, doAction, preparatory } from "./delivery.ts";
import {
  actionNames,
  type Element,
  interfacesOf,
  roleNumberOf,
  sibling,
  sleepSync,
  stateWords,
} from "./element.ts";
import { roleOf } from "./roles.ts";

// Options of one control that are looked at, and how deep below it they may lie.
const MAX_OPTIONS = 5_000;
const MAX_DEPTH = 8;
// The button that opens a control lies this near to it.
const OPENER_DEPTH = 3;
const MAX_PARTS = 8;
// How long a popup that was opened for its options may take to fill, and a selection to show.
const OPEN_MS = 750;
const SEEN_MS = 200;
const POLL_MS = 25;

/** An option with its ancestors up to (not including) the control. */
interface Option {
  object: ObjectRef;
  /** Nearest first. */
  above: ObjectRef[];
}

/** Chooses an option; opens the control for it when its options are not there otherwise. */
export function selectOption(element: Element, wanted: string, deadline: Deadline): Step[] {
  const itself = selectItself(element, wanted, deadline);
  if (itself !== undefined) return [itself];
  const found = findOption(element, wanted, deadline);
  if (found !== undefined) return [choose(element, found, deadline)];
  if (!isComboBox(element, deadline)) throw absent();
  return selectInPopup(element, wanted, deadline);
}

/** An option named by its own ref: it is selected in its container. */
function selectItself(element: Element, wanted: string, deadline: Deadline): Step | undefined {
  const words = stateWords(element, deadline) ?? [];
  if (!hasState(words, STATE.selectable) || isComboBox(element, deadline)) return undefined;
  const reply = element.bus.call(property(element.object, "Accessible", "Name"), deadline);
  const name = reply.ok ? reply.values[0] : undefined;
  if (typeof name !== "string" || plain(name) !== plain(wanted)) return undefined;
  return selectItem(element, deadline);
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

function absent(): AppError {
  return new AppError("ELEMENT_NOT_FOUND", "The control has no option with that text", {
    suggestion: "Expand the control and take a snapshot to see its options' texts.",
    details: { kind: "option_absent" },
  });
}

function selectInPopup(element: Element, wanted: string, deadline: Deadline): Step[] {
  const opener = findOpener(element, deadline);
  if (opener === undefined) throw absent();
  const press = () => doAction(opener.part, opener.index, deadline);
  const opened: Step = { ...preparatory(press()), label: "OpenOptions" };
  const until = deadline.within(OPEN_MS);
  while (true) {
    const found = findOption(element, wanted, deadline);
    if (found !== undefined) {
      const step = choose(element, found, deadline);
      if (opener.part === element) return [opened, step];
      // A drop-down of GTK 4: its list takes the selection, the control need not take it over.
      if (!showsText(opener.part, wanted, deadline)) {
        press();
        throw notTaken();
      }
      return [opened, { ...step, verified: true }];
    }
    if (until.expired) break;
    sleepSync(Math.min(POLL_MS, until.remaining));
  }
  press(); // leaves the control as it was found
  throw absent();
}

/** Whether a text appears inside a part of the control soon. */
function showsText(part: Element, wanted: string, deadline: Deadline): boolean {
  const until = deadline.within(SEEN_MS);
  while (true) {
    if (readOptions(part, deadline).some(({ name }) => plain(name) === plain(wanted))) return true;
    if (until.expired) return false;
    sleepSync(Math.min(POLL_MS, until.remaining));
  }
}

function notTaken(): AppError {
  return new AppError("ACTION_FAILED", "The control did not take over the option", {
    suggestion: "Click the control and then its option, both with --headed.",
    delivery: "delivered_unverified",
  });
}

/** What opens the options: the control itself, or the button inside it (GTK 4). */
function findOpener(
  element: Element,
  deadline: Deadline,
): { part: Element; index: number } | undefined {
  let level = [element];
  for (let depth = 0; depth < OPENER_DEPTH; depth++) {
    for (const part of level) {
      const index = actionIndex(actionNames(part, deadline), ["click", "press", "open"]);
      if (index >= 0) return { part, index };
    }
    level = level.flatMap((part) => childrenOf(part, deadline));
  }
  return undefined;
}

function childrenOf(element: Element, deadline: Deadline): Element[] {
  const reply = element.bus.call(method(element.object, "Accessible", "GetChildren"), deadline);
  return (reply.ok ? objectList(reply.values[0]) : []).slice(0, MAX_PARTS)
    .map((object) => sibling(element, object));
}

/**
 * The one option with the text.
 *
 * @throws AppError `AMBIGUOUS_TARGET` when several options have it
 */
function findOption(element: Element, wanted: string, deadline: Deadline): Option | undefined {
  const named = readOptions(element, deadline);
  const exact = named.filter(({ name }) => plain(name) === plain(wanted));
  const matches = exact.length > 0
    ? exact
    : named.filter(({ name }) => plain(name).toLowerCase() === plain(wanted).toLowerCase());
  // A row and the label inside it carry the same text: the outermost is the option.
  const outer = matches.filter(({ option }) =>
    !matches.some((other) => option.above.some((above) => isSameObject(above, other.option.object)))
  );
  if (outer.length > 1) {
    throw new AppError("AMBIGUOUS_TARGET", `${outer.length} options have that text`, {
      suggestion: "Take a snapshot and click the option's own ref.",
      details: { candidate_count: outer.length },
    });
  }
  return outer[0]?.option;
}

function plain(text: string): string {
  return text.normalize("NFC").trim().replace(/\s+/g, " ");
}

/** Everything below the control that has a name, level by level. */
function readOptions(element: Element, deadline: Deadline): { name: string; option: Option }[] {
  const { bus } = element;
  const named: { name: string; option: Option }[] = [];
  const seen = new Set<string>();
  let level: Option[] = [{ object: element.object, above: [] }];
  for (let depth = 0; depth < MAX_DEPTH && level.length > 0; depth++) {
    const lists = bus.callAll(
      level.map(({ object }) => method(object, "Accessible", "GetChildren")),
      deadline,
    );
    const next = level.flatMap((parent, index) => {
      const reply = lists[index]!;
      const above = depth === 0 ? [] : [parent.object, ...parent.above];
      return (reply.ok ? objectList(reply.values[0]) : []).map((object) => ({ object, above }));
    }).filter(({ object }) => {
      const handle = toHandle(object);
      return seen.has(handle) || seen.size >= MAX_OPTIONS ? false : seen.add(handle);
    });
    const names = bus.callAll(
      next.map(({ object }) => property(object, "Accessible", "Name")),
      deadline,
    );
    next.forEach((option, index) => {
      const reply = names[index]!;
      const name = reply.ok ? reply.values[0] : undefined;
      if (typeof name === "string" && name.trim() !== "") named.push({ name, option });
    });
    level = next;
  }
  return named;
}

/** Selects the option by the first way it has; only that one is sent. */
function choose(element: Element, option: Option, deadline: Deadline): Step {
  const item = sibling(element, option.object);
  if (interfacesOf(element, deadline).has("Selection") && isComboBox(element, deadline)) {
    // A combo box selects by the position of the option in its list, without opening it.
    const index = indexInParent(item, deadline);
    if (index !== undefined) return selectChild(element, index, item, deadline);
  }
  // What is toggled in the list of a Qt combo box is not taken over by the box.
  const select = isComboBox(element, deadline) ? selectByContainer : selectItem;
  for (const object of [option.object, ...option.above]) {
    const step = select(sibling(element, object), deadline);
    if (step !== undefined) return step;
  }
  const click = actionIndex(actionNames(item, deadline), ACTION_NAMES.click);
  if (click >= 0) return seen(doAction(item, click, deadline), item, deadline);
  throw new AppError("ACTION_NOT_SUPPORTED", "The option can be neither selected nor clicked", {
    suggestion: "Take a snapshot and use an action the option offers.",
  });
}

function isComboBox(element: Element, deadline: Deadline): boolean {
  return roleOf(roleNumberOf(element, deadline) ?? ROLE.invalid, []) === "combobox";
}

/** Selects an item in its parent; `undefined` when the parent offers no selection. */
function selectIn(item: Element, deadline: Deadline): Step | undefined {
  const reply = item.bus.call(property(item.object, "Accessible", "Parent"), deadline);
  const parent = reply.ok ? objectRef(reply.values[0]) : undefined;
  if (parent === undefined) return undefined;
  const container = sibling(item, parent);
  if (!interfacesOf(container, deadline).has("Selection")) return undefined;
  const index = indexInParent(item, deadline);
  return index === undefined ? undefined : selectChild(container, index, item, deadline);
}

function indexInParent({ bus, object }: Element, deadline: Deadline): number | undefined {
  const reply = bus.call(method(object, "Accessible", "GetIndexInParent"), deadline);
  const index = reply.ok ? reply.values[0] : undefined;
  return typeof index === "number" && index >= 0 ? index : undefined;
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
