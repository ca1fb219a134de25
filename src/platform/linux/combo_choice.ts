/** The choice of a combo box, as it tells it: its value (docs/linux.md, "Values and text"). */
import { isBlank } from "../../tree/node.ts";
import { method, type ObjectRef, objectRef, property } from "./accessible.ts";
import { ROLE } from "./atspi.ts";
import { stringOf } from "./basics.ts";
import { hasEmbedded } from "./embedded_text.ts";
import type { Join } from "./join.ts";
import type { Toolkit } from "./toolkits/toolkit.ts";

// No option is longer (characters).
const MAX_TEXT = 1_024;
// Children of an editable combo box of Qt.
const LIST_AND_FIELD = 2;

/** What is known of a combo box already. */
export interface ComboBasics {
  object: ObjectRef;
  name: string;
  interfaces: ReadonlySet<string>;
  childCount: number | undefined;
}

/** A choice. */
export interface Choice {
  text: string;
  /** Whether it is an option for sure; a text may be anything (a web page's "2 chosen"). */
  certain: boolean;
}

/** Asks for the choice, which is its name or its selected option, else its text; `then` gets it. */
export function askChoice(
  join: Join,
  combo: ComboBasics,
  toolkit: Toolkit,
  then: (choice: Choice) => void,
): void {
  const tell = (text: string, certain: boolean) => {
    if (!isBlank(text)) then({ text, certain });
  };
  const chosen = (name: string) => tell(name, true);
  if (toolkit.comboNameIsChoice) {
    // One with a field beside its list has what the field holds; an empty one has its own name.
    if (combo.childCount === LIST_AND_FIELD) askFieldText(join, combo.object, chosen);
    else chosen(combo.name);
    return;
  }
  const askText = () => {
    if (!combo.interfaces.has("Text")) return;
    join.ask(method(combo.object, "Text", "GetText", "ii", 0, MAX_TEXT), (reply) => {
      const text = stringOf(reply) ?? "";
      if (!hasEmbedded(text)) tell(text, false);
    });
  };
  if (combo.interfaces.has("Selection")) {
    askSelected(join, combo.object, chosen, askText);
  } else if (toolkit.webAttributes) {
    // The menu of a page's drop-down knows the choice as its selection.
    join.ask(method(combo.object, "Accessible", "GetChildAtIndex", "i", 0), (reply) => {
      const menu = reply.ok ? objectRef(reply.values[0]) : undefined;
      if (menu === undefined) return askText();
      join.ask(method(menu, "Accessible", "GetRole"), (role) => {
        if (!role.ok || role.values[0] !== ROLE.menu) return askText();
        askSelected(join, menu, chosen, askText);
      });
    });
  } else {
    askText();
  }
}

function askFieldText(join: Join, combo: ObjectRef, then: (text: string) => void): void {
  join.ask(method(combo, "Accessible", "GetChildAtIndex", "i", 1), (reply) => {
    const field = reply.ok ? objectRef(reply.values[0]) : undefined;
    if (field === undefined) return;
    join.ask(method(field, "Accessible", "GetRole"), (role) => {
      if (!role.ok || role.values[0] !== ROLE.text) return;
      join.ask(method(field, "Text", "GetText", "ii", 0, MAX_TEXT), (text) => {
        then(stringOf(text) ?? "");
      });
    });
  });
}

function askSelected(
  join: Join,
  container: ObjectRef,
  then: (name: string) => void,
  otherwise: () => void,
): void {
  join.ask(method(container, "Selection", "GetSelectedChild", "i", 0), (reply) => {
    const option = reply.ok ? objectRef(reply.values[0]) : undefined;
    if (option === undefined) return otherwise();
    join.ask(property(option, "Accessible", "Name"), (name) => {
      const text = stringOf(name) ?? "";
      if (isBlank(text)) otherwise();
      else then(text);
    });
  });
}
