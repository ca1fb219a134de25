/** What a combo box shows as its choice: the only thing that tells whether an option was taken. */
import type { Deadline } from "../../deadline.ts";
import { method, objectRef } from "./accessible.ts";
import { ACTION_NAMES, actionIndex } from "./actions.ts";
import { ROLE } from "./atspi.ts";
import {
  actionNames,
  childrenOf,
  type Element,
  interfacesOf,
  nameOf,
  roleNumberOf,
  sibling,
} from "./element.ts";
import { readOptions } from "./options.ts";

// What opens a control lies this near to it.
const OPENER_DEPTH = 3;
const MAX_PARTS = 8;
const OPENING = [...ACTION_NAMES.click, "togglepopup"];
// No option is longer (characters).
const MAX_TEXT = 1_024;
// Web pages put this where an element stands in a text.
const EMBEDDED = "\ufffc";

/** What opens a control: the control itself, or a button inside of it (GTK 4). */
export interface Opener {
  part: Element;
  /** Of the action. */
  index: number;
}

/** What a control shows. */
export interface Choice {
  /** The texts that tell the choice; of a button with its parts there may be several. */
  texts: string[];
  /** Whether another text than that of an option proves that the option was not taken. */
  certain: boolean;
}

/** What opens the options of a control; `undefined` when nothing there does. */
export function findOpener(element: Element, deadline: Deadline): Opener | undefined {
  let level = [element];
  for (let depth = 0; depth < OPENER_DEPTH; depth++) {
    for (const part of level) {
      const index = actionIndex(actionNames(part, deadline), OPENING);
      if (index >= 0) return { part, index };
    }
    level = level.flatMap((part) => childrenOf(part, deadline).slice(0, MAX_PARTS));
  }
  return undefined;
}

/** The choice of a combo box as the control itself tells it; `undefined` when it does not. */
export function choiceOf(combo: Element, deadline: Deadline): Choice | undefined {
  if (combo.toolkit.comboNameIsChoice) {
    return { texts: [nameOf(combo, deadline)], certain: true };
  }
  const interfaces = interfacesOf(combo, deadline);
  const selected = interfaces.has("Selection")
    ? selectedIn(combo, deadline)
    : selectedInMenu(combo, deadline);
  if (selected !== undefined) return { texts: [selected], certain: true };
  const opener = findOpener(combo, deadline);
  if (opener !== undefined && opener.part !== combo) {
    const { named } = readOptions(combo, [opener.part.object], deadline);
    if (named.length > 0) return { texts: named.map(({ name }) => name), certain: true };
  }
  if (!interfaces.has("Text")) return undefined;
  const { bus, object } = combo;
  const reply = bus.call(method(object, "Text", "GetText", "ii", 0, MAX_TEXT), deadline);
  const text = reply.ok ? reply.values[0] : undefined;
  if (typeof text !== "string" || text.includes(EMBEDDED)) return undefined;
  return { texts: [text], certain: false };
}

/** Of a web page's drop-down: its menu knows the choice as its selection. */
function selectedInMenu(combo: Element, deadline: Deadline): string | undefined {
  const menu = childrenOf(combo, deadline).slice(0, MAX_PARTS)
    .find((child) => roleNumberOf(child, deadline) === ROLE.menu);
  return menu && selectedIn(menu, deadline);
}

function selectedIn(container: Element, deadline: Deadline): string | undefined {
  const { bus, object } = container;
  const reply = bus.call(method(object, "Selection", "GetSelectedChild", "i", 0), deadline);
  const child = reply.ok ? objectRef(reply.values[0]) : undefined;
  if (child === undefined) return undefined;
  const name = nameOf(sibling(container, child), deadline);
  return name === "" ? undefined : name;
}
