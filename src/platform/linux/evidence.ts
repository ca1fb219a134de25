/**
 * The second step of reading an accessible: once `basics.ts` has told what it is, only what such an
 * element can have is asked for. Here too every request goes out at once.
 */
import { type Field, isBlank, type Node } from "../../tree/node.ts";
import { type Action, hasPrimaryAction } from "../../tree/actions.ts";
import { hasTrait } from "../../tree/roles.ts";
import { OBSERVE_LIMITS } from "../platform.ts";
import { cutUtf8, utf8Length } from "../../tree/utf8.ts";
import { extents, formatNumber, method, type ObjectRef, property, toHandle } from "./accessible.ts";
import { ACTION_NAMES, actionIndex, actionsOf, MAX_ACTIONS } from "./actions.ts";
import { COORDS, hasState, ROLE, STATE } from "./atspi.ts";
import { type Basics, readBasics, stringOf } from "./basics.ts";
import { type Bus, NO_ANSWER, type Reply } from "./bus.ts";
import { askChoice } from "./combo_choice.ts";
import { askEmbedded, fillIn, hasEmbedded, webValue } from "./embedded_text.ts";
import { Join } from "./join.ts";
import { askLabels } from "./labels.ts";
import type { Profile } from "./profile.ts";
import { roleOf } from "./roles.ts";
import { statesOf } from "./states.ts";

/** What is to be found out. */
export interface Wants {
  bounds: "all" | "identity" | "none";
  /** Bytes of UTF-8 kept of one field. */
  fieldBytes: number;
}

// A whole text is read up to here to tell its length (docs/observation.md, "Long text").
const MAX_TEXT_CHARACTERS = 8 * 1_048_576;
/**
 * Completes an element from its basics: value, actions, native id, name from elsewhere, bounds.
 * `index` is its position in its parent. Calls `done` with the node once everything asked is in.
 */
export function readDetails(
  bus: Bus,
  basics: Basics,
  index: number,
  profile: Profile,
  wants: Wants,
  done: (node: Node) => void,
): void {
  new ElementReader(bus, basics, index, profile, wants, done).start();
}

/** One element's second step. */
class ElementReader {
  readonly #node: Node;
  readonly #actionNames: string[] = [];
  #boundsAsked = false;
  #attributes: Record<string, string> = {};

  constructor(
    private readonly bus: Bus,
    private readonly basics: Basics,
    index: number,
    private readonly profile: Profile,
    private readonly wants: Wants,
    private readonly done: (node: Node) => void,
  ) {
    this.#node = {
      role: roleOf(basics.roleNumber, basics.states),
      states: statesOf(basics.states, basics.roleNumber, profile.reportsShowing),
      actions: [],
      handle: toHandle(basics.object),
      index,
      children: [],
    };
    if (basics.unreadable.length > 0) this.#node.unreadable = [...basics.unreadable];
    if (basics.unreadable.includes("states")) this.#node.states = [];
  }

  start(): void {
    const { basics, profile } = this;
    const { object, interfaces } = basics;
    const join = new Join(this.bus, () => this.#second());
    this.#setText("name", basics.name);
    this.#setText("description", basics.description);
    if (interfaces.has("Action") && !profile.actionlessRoles.has(basics.roleNumber)) {
      if (profile.menuEverywhere) this.#askWebActions(join);
      else if (this.#hasFirstActionOnly) this.#askFirstAction(join);
      else join.ask(property(object, "Action", "NActions"), (r) => this.#askActions(join, r));
    }
    if (!basics.secure) this.#askValue(join);
    if (this.#node.role === "combobox" && !basics.secure) this.#askChoice(join);
    if (profile.accessibleIds) {
      join.ask(property(object, "Accessible", "AccessibleId"), (reply) => this.#setId(reply));
    }
    if (basics.roleNumber === ROLE.landmark) this.#askAttributes(join);
    if (isBlank(basics.name) && this.#isControl) {
      askLabels(join, basics.object, (name) => this.#setText("name", name));
    }
    if (this.#wantsBounds(hasTrait(this.#node.role, "interactive"))) this.#askBounds(join);
    join.close();
  }

  #wantsBounds(mayHaveRef: boolean): boolean {
    const { bounds } = this.wants;
    return bounds === "all" || (bounds === "identity" && mayHaveRef);
  }

  #askBounds(join: Join): void {
    if (this.#boundsAsked || !this.basics.interfaces.has("Component")) return;
    this.#boundsAsked = true;
    askBounds(join, this.#node, this.basics.object, this.profile);
  }

  get #isControl(): boolean {
    return hasTrait(this.#node.role, "interactive") || this.#node.role === "progressbar";
  }

  #unreadable(field: Field): void {
    (this.#node.unreadable ??= []).push(field);
  }

  #setText(field: "name" | "description", text: string): void {
    if (isBlank(text)) return;
    const part = cutUtf8(text, this.wants.fieldBytes);
    this.#node[field] = part;
    // Only values can tell their length; of a cut name it must at least be seen that it is.
    if (part !== text) this.#node.truncated = true;
  }

  #askActions(join: Join, reply: Reply): void {
    const count = reply.ok ? reply.values[0] : undefined;
    if (typeof count !== "number") return this.#unreadable("actions");
    for (let i = 0; i < Math.min(count, MAX_ACTIONS); i++) {
      join.ask(method(this.basics.object, "Action", "GetName", "i", i), (name) => {
        const text = stringOf(name);
        if (text === undefined) this.#unreadable("actions");
        this.#actionNames[i] = text ?? "";
      });
    }
  }

  /** What can be expanded offers that behind the first action (GTK 4's buttons of tree rows). */
  get #hasFirstActionOnly(): boolean {
    const { roleNumber, states } = this.basics;
    return this.profile.firstActionRoles.has(roleNumber) && !hasState(states, STATE.expandable);
  }

  /** The only action that can mean something; an element without one answers with an error. */
  #askFirstAction(join: Join): void {
    join.ask(method(this.basics.object, "Action", "GetName", "i", 0), (reply) => {
      const name = stringOf(reply);
      if (name === undefined && (reply.ok || reply.error === NO_ANSWER)) {
        this.#unreadable("actions");
      }
      this.#actionNames[0] = name ?? "";
    });
  }

  /** The element's own action comes first; the context menu is behind it, or alone. */
  #askWebActions(join: Join): void {
    const ask = (index: number, then: (name: string) => void) =>
      join.ask(method(this.basics.object, "Action", "GetName", "i", index), (reply) => {
        const name = stringOf(reply);
        if (name === undefined && index === 0) this.#unreadable("actions");
        else then(name ?? "");
      });
    ask(0, (own) => {
      const isMenu = actionIndex([own], ACTION_NAMES.rightClick) >= 0;
      if (!isMenu) this.#actionNames[0] = own;
      if (!this.#mayHaveRef()) return;
      if (isMenu) this.#actionNames[0] = own;
      else ask(1, (second) => this.#actionNames[1] = second);
    });
  }

  #derivedActions(): Action[] {
    const { roleNumber, states, interfaces } = this.basics;
    return actionsOf({
      role: this.#node.role,
      roleNumber,
      states,
      interfaces,
      clickNames: this.profile.clickActions.get(roleNumber),
      takesText: !this.profile.ignoresEditableText,
      actionNames: this.#actionNames,
    });
  }

  #mayHaveRef(): boolean {
    return hasTrait(this.#node.role, "interactive") || hasPrimaryAction(this.#derivedActions());
  }

  #askValue(join: Join): void {
    const { basics, profile } = this;
    const { object, interfaces, roleNumber, states } = basics;
    const node = this.#node;
    if (interfaces.has("Value")) {
      join.ask(property(object, "Value", "CurrentValue"), (reply) => {
        const value = reply.ok ? reply.values[0] : undefined;
        if (typeof value !== "number") this.#unreadable("value");
        // Toolkits say with NaN or an infinity that there is no number: a fact, not a failed read.
        else if (Number.isFinite(value)) node.value ??= formatNumber(value);
      });
    }
    if (!interfaces.has("Text")) return;
    const holdsText = node.role === "textfield" || hasState(states, STATE.editable);
    const isContainer = profile.textInContainers && !hasTrait(node.role, "interactive") &&
      isBlank(basics.name);
    if (holdsText && roleNumber !== ROLE.spinButton) {
      this.#askText(join, (text, bytes) => {
        node.value = text;
        if (bytes !== undefined) node.valueLength = bytes;
      });
    } else if (isContainer || (node.role === "statictext" && isBlank(basics.name))) {
      const named = (text: string) => this.#setText("name", node.embedded ? text.trim() : text);
      this.#askText(join, named, isContainer);
    }
  }

  /**
   * The choice of a combo box is its value. Where its name is nothing but the choice, it is named by
   * its label, or has no name.
   */
  #askChoice(join: Join): void {
    const { basics } = this;
    const node = this.#node;
    askChoice(join, basics, this.profile, ({ text, certain }) => {
      const value = cutUtf8(text, this.wants.fieldBytes);
      if (certain && basics.name === text) {
        delete node.name;
        askLabels(join, basics.object, (name) => this.#setText("name", name));
      }
      // What an editable one holds is read whole.
      if (isBlank(node.value) && !hasState(basics.states, STATE.editable)) node.value = value;
    });
  }

  /**
   * The text of the element, cut to the field limit; `bytes` is given when it was cut. With `own`
   * only a text that is not all in other elements counts.
   */
  #askText(join: Join, then: (text: string, bytes?: number) => void, own = false): void {
    const { object } = this.basics;
    const limit = this.wants.fieldBytes;
    join.ask(property(object, "Text", "CharacterCount"), (reply) => {
      const count = reply.ok ? reply.values[0] : undefined;
      if (typeof count !== "number" || count < 0) return this.#unreadable("value");
      if (count === 0) return;
      const end = Math.min(count, MAX_TEXT_CHARACTERS);
      join.ask(method(object, "Text", "GetText", "ii", 0, end), (text) => {
        const read = stringOf(text);
        if (read === undefined) return this.#unreadable("value");
        if (own && isBlank(fillIn(read, []))) return;
        // A count that is above what the text turns out to be was wrong.
        const more = read.length < end ? 0 : count - end;
        askEmbedded(join, object, read, (whole, lost) => {
          if (hasEmbedded(read)) this.#node.embedded = lost ? "lost" : "filled";
          const part = cutUtf8(whole, limit);
          if (part !== whole || more > 0) then(part, utf8Length(whole) + more);
          else then(whole);
        });
      });
    });
  }

  #setId(reply: Reply): void {
    const id = stringOf(reply);
    // A toolkit without the property says so: having no id is a fact then, not a failed read.
    if (!reply.ok && reply.error !== NO_ANSWER) return;
    if (id === undefined) this.#unreadable("native_id");
    else if (!isBlank(id)) this.#node.nativeId = { kind: "ax_identifier", value: id };
  }

  #askAttributes(join: Join): void {
    join.ask(method(this.basics.object, "Accessible", "GetAttributes"), (reply) => {
      if (!reply.ok || !Array.isArray(reply.values[0])) return;
      this.#attributes = Object.fromEntries(reply.values[0] as [string, string][]);
    });
  }

  /** Everything that depends on the actions. */
  #second(): void {
    const node = this.#node;
    node.actions = this.#derivedActions();
    const mayHaveRef = hasTrait(node.role, "interactive") || hasPrimaryAction(node.actions);
    const join = new Join(this.bus, () => this.#finish());
    if (mayHaveRef && this.profile.webAttributes) this.#askAttributes(join);
    if (this.#wantsBounds(mayHaveRef)) this.#askBounds(join);
    join.close();
  }

  #finish(): void {
    const node = this.#node;
    const attributes = this.#attributes;
    if (this.basics.roleNumber === ROLE.landmark) {
      node.role = roleOf(ROLE.landmark, this.basics.states, attributes["xml-roles"]);
    }
    if (!isBlank(attributes["id"])) {
      node.nativeId ??= { kind: "ax_dom_identifier", value: attributes["id"]! };
    }
    if (node.value !== undefined && this.profile.webAttributes) {
      // What is no field of its own is part of the page.
      const tag = node.role === "textfield" ? attributes["tag"] : "p";
      if (node.valueLength === undefined) node.value = webValue(node.value, tag);
    }
    if (isBlank(node.name) && !isBlank(attributes["placeholder-text"])) {
      node.name = attributes["placeholder-text"]!;
    }
    this.done(node);
  }
}

function askBounds(join: Join, node: Node, object: ObjectRef, profile: Profile): void {
  const space = profile.windowCoordinates ? COORDS.window : COORDS.screen;
  join.ask(method(object, "Component", "GetExtents", "u", space), (reply) => {
    if (!reply.ok) {
      (node.unreadable ??= []).push("bounds");
      return;
    }
    const rect = extents(reply.values[0]);
    if (!rect) return;
    if (profile.screenPixels) {
      node.bounds = rect;
      return;
    }
    node.toolkitBounds = rect;
    if (profile.windowCoordinates) node.boundsSpace = "window";
    const bounds = profile.toScreen?.(rect);
    if (bounds) node.bounds = bounds;
  });
}

/** Reads the bounds of nodes that have none yet. */
export function readBounds(
  bus: Bus,
  targets: readonly { node: Node; object: ObjectRef }[],
  profile: Profile,
): void {
  const join = new Join(bus, () => {});
  for (const { node, object } of targets) askBounds(join, node, object, profile);
  join.close();
}

/** Reads one element whole; `undefined` to `done` when it is gone or does not answer. */
export function readElement(
  bus: Bus,
  object: ObjectRef,
  profile: Profile,
  done: (node: Node | undefined, silent: boolean) => void,
): void {
  readBasics(bus, object, profile, false, (basics) => {
    if (basics === "gone" || basics === "silent") return done(undefined, basics === "silent");
    const wants = { bounds: "all", fieldBytes: OBSERVE_LIMITS.fieldBytes } as const;
    readDetails(bus, basics, 0, profile, wants, (node) => done(node, false));
  });
}
