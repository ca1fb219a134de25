/** The name an element has from the labels that its application relates it to. */
import { isBlank } from "../../tree/node.ts";
import { method, objectList, type ObjectRef, property } from "./accessible.ts";
import { hasState, RELATION, ROLE, STATE } from "./atspi.ts";
import type { Join } from "./join.ts";

const MAX_LABELS = 4;
// No label is longer (characters).
const MAX_LABEL = 1_024;
// Roles whose text may be read as a label: one that is kept out of the tree (GTK 4.18 labels its
// menu items so), label, static. Anything else may be a field, and its text a secret.
const LABEL_ROLES: ReadonlySet<number> = new Set([ROLE.invalid, ROLE.label, ROLE.static]);

/** Asks for the labels of `object`; `then` is called with each better version of the name. */
export function askLabels(join: Join, object: ObjectRef, then: (name: string) => void): void {
  join.ask(method(object, "Accessible", "GetRelationSet"), (reply) => {
    if (!reply.ok || !Array.isArray(reply.values[0])) return;
    const relations = reply.values[0] as [number, unknown][];
    const targets = relations.find(([kind]) => kind === RELATION.labelledBy)?.[1];
    const names: string[] = [];
    objectList(targets).slice(0, MAX_LABELS).forEach((label, i) => {
      askLabel(join, label, (text) => {
        names[i] = text.trim();
        then(names.filter((part) => part).join(" "));
      });
    });
  });
}

/** The name of one label, or else its text. */
function askLabel(join: Join, label: ObjectRef, then: (text: string) => void): void {
  join.ask(property(label, "Accessible", "Name"), (reply) => {
    const name = reply.ok ? reply.values[0] : undefined;
    if (typeof name !== "string") return;
    if (!isBlank(name)) return then(name);
    join.ask(method(label, "Accessible", "GetRole"), (role) => {
      if (!role.ok || !LABEL_ROLES.has(role.values[0] as number)) return;
      join.ask(method(label, "Accessible", "GetState"), (state) => {
        const words = state.ok ? state.values[0] : undefined;
        if (!Array.isArray(words) || hasState(words, STATE.editable)) return;
        join.ask(method(label, "Text", "GetText", "ii", 0, MAX_LABEL), (text) => {
          if (text.ok && typeof text.values[0] === "string") then(text.values[0]);
        });
      });
    });
  });
}
