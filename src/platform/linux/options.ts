/** The options of a control: reading them, finding one by its text, naming them in a refusal. */
import type { Deadline } from "../../deadline.ts";
import { AppError } from "../../errors.ts";
import { isBlank } from "../../tree/node.ts";
import { isSameObject, type ObjectRef, property } from "./accessible.ts";
import { hasState, ROLE, STATE } from "./atspi.ts";
import type { Element } from "./element.ts";
import { Join } from "./join.ts";
import { askLabels } from "./labels.ts";
import { type Seen, StructureReader } from "./structure.ts";

// Elements that are looked at below one control, and how deep below it they may lie.
const MAX_NODES = 5_000;
const MAX_DEPTH = 12;
// A refusal names so many options, and so much of each (characters).
const MAX_NAMED = 50;
const MAX_NAME = 120;

const ITEM_ROLES: ReadonlySet<number> = new Set([
  ROLE.checkMenuItem,
  ROLE.listItem,
  ROLE.menuItem,
  ROLE.pageTab,
  ROLE.radioMenuItem,
  ROLE.tableCell,
  ROLE.tearoffMenuItem,
  ROLE.treeItem,
]);
// Whatever stands directly in one of these is one of its items (Java lists labels, menus menus).
const LIST_ROLES: ReadonlySet<number> = new Set([
  ROLE.list,
  ROLE.listBox,
  ROLE.menu,
  ROLE.menuBar,
  ROLE.popupMenu,
]);
const NO_ITEMS: ReadonlySet<number> = new Set([ROLE.scrollBar, ROLE.separator]);

/** An element below a control that has a text. */
export interface Option {
  name: string;
  object: ObjectRef;
  /** What holds it, nearest first, up to (not including) the control. */
  above: ObjectRef[];
  /** The item it is or is in; absent where the control does not say what its items are. */
  item?: Seen;
}

/** What was read of a control's options. */
export interface Options {
  named: Option[];
  /** Whether everything below the control was read. */
  complete: boolean;
}

/** A text as options are compared by it. */
export function plain(text: string): string {
  return text.normalize("NFC").trim().replace(/\s+/g, " ");
}

/** Everything below the roots that has a name, also what does not show, in document order. */
export function readOptions(
  element: Element,
  roots: readonly ObjectRef[],
  deadline: Deadline,
): Options {
  const { bus } = element;
  const found: { seen: Seen; name?: string }[] = [];
  // Menu items of GTK 4 are named by a label outside of the tree.
  const askLabel = (one: { seen: Seen; name?: string }) => {
    const join = new Join(bus, () => {});
    askLabels(join, one.seen.object, (name) => one.name = name);
    join.close();
  };
  const readers = roots.map(() =>
    new StructureReader(bus, {
      maxDepth: MAX_DEPTH,
      maxNodes: MAX_NODES,
      hidden: true,
      visit: (seen) => {
        if (seen.parent === undefined) return true;
        const one: { seen: Seen; name?: string } = { seen };
        found.push(one);
        bus.send(property(seen.object, "Accessible", "Name"), (reply) => {
          const name = reply.ok ? reply.values[0] : undefined;
          if (typeof name === "string" && !isBlank(name)) one.name = name;
          else if (seen.roleNumber === ROLE.menuItem) askLabel(one);
        });
        return true;
      },
    })
  );
  readers.forEach((reader, index) => reader.start(roots[index]!));
  const answered = bus.run(deadline);
  const named = found.flatMap(({ seen, name }) => name === undefined ? [] : [optionOf(seen, name)]);
  return { named, complete: answered && readers.every((reader) => reader.complete) };
}

function optionOf(seen: Seen, name: string): Option {
  const above: ObjectRef[] = [];
  let item: Seen | undefined;
  for (let at: Seen = seen; at.parent !== undefined; at = at.parent) {
    if (at !== seen) above.push(at.object);
    if (item === undefined && isItem(at)) item = at;
  }
  return { name, object: seen.object, above, ...(item === undefined ? {} : { item }) };
}

function isItem({ roleNumber, parent }: Seen): boolean {
  if (ITEM_ROLES.has(roleNumber)) return true;
  return parent !== undefined && LIST_ROLES.has(parent.roleNumber) && !NO_ITEMS.has(roleNumber);
}

/**
 * The one option with the text: as it is written, else in any case of letters.
 *
 * @throws AppError `AMBIGUOUS_TARGET` when several options have it
 */
export function findOption(options: readonly Option[], wanted: string): Option | undefined {
  const text = plain(wanted);
  const exact = options.filter(({ name }) => plain(name) === text);
  const matches = exact.length > 0
    ? exact
    : options.filter(({ name }) => plain(name).toLowerCase() === text.toLowerCase());
  // A row and the label inside it carry the same text: the outermost is the option.
  const outer = matches.filter((one) =>
    !matches.some((other) => one.above.some((above) => isSameObject(above, other.object)))
  );
  if (outer.length > 1) {
    throw new AppError("AMBIGUOUS_TARGET", `${outer.length} options have that text`, {
      suggestion: "Take a snapshot and click the option's own ref.",
      details: { candidate_count: outer.length },
    });
  }
  return outer[0];
}

/** Refuses an option that takes no input. Throws `ACTION_FAILED`. */
export function requireEnabled({ item }: Option): void {
  if (item === undefined) return;
  if (hasState(item.states, STATE.enabled) || hasState(item.states, STATE.sensitive)) return;
  throw new AppError("ACTION_FAILED", "The option is disabled", {
    suggestion: "Bring the application into a state that enables the option, then retry.",
    details: { kind: "option_disabled" },
  });
}

/** The refusal when no option has the text; it names those that there are, as far as read. */
export function optionAbsent({ named, complete }: Options): AppError {
  const texts: string[] = [];
  let last: Seen | undefined;
  for (const { name, item } of named) {
    // Of the texts in one item the first is told.
    if (item === undefined || item === last) continue;
    last = item;
    texts.push(plain(name).slice(0, MAX_NAME));
  }
  const cut = texts.length > MAX_NAMED || !complete;
  const message = complete
    ? "The control has no option with that text"
    : "No option with that text is among those that could be read";
  return new AppError("ELEMENT_NOT_FOUND", message, {
    suggestion: texts.length > 0
      ? "Choose one of details.options, with its whole text."
      : "Expand the control and take a snapshot to see its options' texts.",
    details: {
      kind: "option_absent",
      options: texts.slice(0, MAX_NAMED),
      ...(cut ? { options_truncated: true } : {}),
    },
  });
}
