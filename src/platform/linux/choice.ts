/** What a combo box shows as its choice: the only thing that tells whether an option was taken. */
import type { Deadline } from "../../deadline.ts";
import { ACTION_NAMES, actionIndex } from "./actions.ts";
import { askChoice, type Choice } from "./combo_choice.ts";
import {
  actionNames,
  childrenOf,
  type Element,
  interfacesOf,
  nameOf,
  numberOf,
} from "./element.ts";
import { Join } from "./join.ts";
import { readOptions } from "./options.ts";

// What opens a control lies this near to it.
const OPENER_DEPTH = 3;
const MAX_PARTS = 8;
const OPENING = [...ACTION_NAMES.click, "togglepopup"];

/** What opens a control: the control itself, or a button inside of it (GTK 4). */
export interface Opener {
  part: Element;
  /** Of the action. */
  index: number;
}

/** What a control shows. */
export interface Shown {
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
export function choiceOf(combo: Element, deadline: Deadline): Shown | undefined {
  const choice = choiceTold(combo, deadline);
  if (choice?.certain) return { texts: [choice.text], certain: true };
  const opener = findOpener(combo, deadline);
  if (opener !== undefined && opener.part !== combo) {
    const { named } = readOptions(combo, [opener.part.object], deadline);
    if (named.length > 0) return { texts: named.map(({ name }) => name), certain: true };
  }
  return choice && { texts: [choice.text], certain: false };
}

function choiceTold(combo: Element, deadline: Deadline): Choice | undefined {
  const { bus, object, toolkit } = combo;
  const name = nameOf(combo, deadline);
  const interfaces = interfacesOf(combo, deadline);
  let choice: Choice | undefined;
  let answered = false;
  const join = new Join(bus, () => answered = true);
  const childCount = numberOf(combo, "Accessible", "ChildCount", deadline);
  askChoice(join, { object, name, interfaces, childCount }, toolkit, (told) => choice = told);
  join.close();
  bus.run(deadline, () => answered);
  return choice;
}
