/**
 * Reads one accessible. Two steps: the basics that decide what it is (role, states, interfaces,
 * child count, name), then only what such an element can have. Every request goes out at once and
 * the answer comes through a callback, so that hundreds of elements are under way together.
 */
import type { Field, Node } from "../../tree/node.ts";
import { isBlank } from "../../tree/node.ts";
import { type Action, hasPrimaryAction } from "../../tree/actions.ts";
import { hasTrait } from "../../tree/roles.ts";
import { cutUtf8, utf8Length } from "../../tree/utf8.ts";
import {
  extents,
  formatNumber,
  interfaceSet,
  method,
  objectList,
  type ObjectRef,
  property,
  toHandle,
} from "./accessible.ts";
import { COORDS, hasState, ROLE, STATE } from "./atspi.ts";
import type { Profile } from "./profile.ts";
import { ACTION_NAMES, actionIndex, actionsOf } from "./actions.ts";
import { type Bus, NO_ANSWER, type Reply } from "./bus.ts";
import { askLabels } from "./labels.ts";
import { roleOf } from "./roles.ts";
import { statesOf } from "./states.ts";
import type { MethodCall } from "./wire.ts";

/** The first step's result. */
export interface Basics {
  object: ObjectRef;
  roleNumber: number;
  states: readonly number[];
  interfaces: ReadonlySet<string>;
  /** As reported, absurd values included; `undefined` when unreadable. */
  childCount: number | undefined;
  /** The children themselves, where they have been read. */
  children?: ObjectRef[];
  name: string;
  description: string;
  unreadable: Field[];
  /** Inside a secure field: no text of it is ever asked for. */
  secure: boolean;
}

/** `gone`: no such element any more. `silent`: no answer before the deadline. */
export type BasicsResult = Basics | "gone" | "silent";

/** What the second step is to find out. */
export interface Wants {
  bounds: "all" | "identity" | "none";
  /** Bytes of UTF-8 kept of one field. */
  fieldBytes: number;
}

// More actions on one element than any toolkit offers; a liar must not make us ask for millions.
const MAX_ACTIONS = 64;
// A whole text is read up to here to tell its length (docs/observation.md, "Long text").
const MAX_TEXT_CHARACTERS = 8 * 1_048_576;
// Inside a password field only these are shown: an icon or button that reveals or clears. Anything
// else may be a text leaf that spells the secret, and as many leaves as characters tell its length.
const SHOWN_INSIDE_SECRETS: ReadonlySet<number> = new Set([
  ROLE.checkBox,
  ROLE.icon,
  ROLE.image,
  ROLE.menuItem,
  ROLE.pushButton,
  ROLE.toggleButton,
]);

/** Whether an element of this role is shown although it is inside a password field. */
export function isShownInsideSecrets(roleNumber: number): boolean {
  return SHOWN_INSIDE_SECRETS.has(roleNumber);
}

/** Counts down several requests to one continuation. */
class Join {
  #left = 1;
  constructor(private readonly bus: Bus, private readonly done: () => void) {}

  ask(call: MethodCall, then: (reply: Reply) => void): void {
    this.#left++;
    this.bus.send(call, (reply) => {
      then(reply);
      this.close();
    });
  }

  /** Ends the asking; `done` runs when the last reply is in. */
  close(): void {
    if (--this.#left === 0) this.done();
  }
}

/**
 * Asks for the basics of `object`. In a secure subtree (`inSecret`) nothing that could be text is
 * asked; `children`: they are read next.
 */
export function readBasics(
  bus: Bus,
  object: ObjectRef,
  profile: Profile,
  { inSecret, children }: { inSecret: boolean; children: boolean },
  done: (result: BasicsResult) => void,
): void {
  const basics: Basics = {
    object,
    roleNumber: 0,
    states: [],
    interfaces: new Set(),
    childCount: undefined,
    name: "",
    description: "",
    unreadable: [],
    secure: inSecret,
  };
  let alive = false;
  let silent = false;
  const join = new Join(bus, () => {
    if (!alive) return done(silent ? "silent" : "gone");
    if (basics.roleNumber === ROLE.passwordText) basics.secure = true;
    if (hasState(basics.states, STATE.defunct)) return done("gone");
    if (!inSecret || !isShownInsideSecrets(basics.roleNumber)) return done(basics);
    bus.send(property(object, "Accessible", "Name"), (reply) => {
      basics.name = stringOf(reply) ?? "";
      done(basics);
    });
  });
  join.ask(method(object, "Accessible", "GetState"), (reply) => {
    const words = reply.ok ? reply.values[0] : undefined;
    if (Array.isArray(words) && words.every((w) => typeof w === "number")) {
      basics.states = words;
      alive = true;
    } else basics.unreadable.push("states");
    if (!reply.ok && reply.error === NO_ANSWER) silent = true;
  });
  const roleDecides = profile.nameOnlyRoles.size > 0;
  join.ask(method(object, "Accessible", "GetRole"), (reply) => {
    const role = reply.ok ? reply.values[0] : undefined;
    if (typeof role === "number") {
      basics.roleNumber = role;
      alive = true;
    } else {
      basics.unreadable.push("role");
      // It may be a password field, so no text of it is asked for.
      basics.secure = true;
    }
    if (!roleDecides) return;
    if (profile.nameOnlyRoles.has(basics.roleNumber)) {
      basics.interfaces = PLAIN_INTERFACES;
      basics.childCount = 0;
      if (!inSecret) askText(join, basics, "name", "Name");
    } else askNature(join, basics, profile, inSecret, children);
  });
  if (!roleDecides) askNature(join, basics, profile, inSecret, children);
  join.close();
}

/** What a plain element can still be asked: where it is. */
const PLAIN_INTERFACES: ReadonlySet<string> = new Set(["Component"]);
/** What a structural element has that matters here. */
const STRUCTURAL_INTERFACES: ReadonlySet<string> = new Set(["Component", "Action"]);

function askNature(
  join: Join,
  basics: Basics,
  profile: Profile,
  inSecret: boolean,
  children: boolean,
): void {
  if (children && !inSecret && profile.fewChildrenRoles.has(basics.roleNumber)) {
    join.ask(method(basics.object, "Accessible", "GetChildren"), (reply) => {
      if (!reply.ok || !Array.isArray(reply.values[0])) return;
      basics.children = objectList(reply.values[0]);
      basics.childCount = basics.children.length;
    });
  } else {
    join.ask(property(basics.object, "Accessible", "ChildCount"), (reply) => {
      const count = reply.ok ? reply.values[0] : undefined;
      if (typeof count === "number") basics.childCount = count;
    });
  }
  if (profile.structuralRoles.has(basics.roleNumber) && !hasState(basics.states, STATE.editable)) {
    basics.interfaces = STRUCTURAL_INTERFACES;
  } else {
    join.ask(method(basics.object, "Accessible", "GetInterfaces"), (reply) => {
      if (reply.ok && Array.isArray(reply.values[0])) {
        basics.interfaces = interfaceSet(reply.values[0]);
      } else basics.unreadable.push("value", "actions", "bounds");
    });
  }
  if (inSecret) return;
  askText(join, basics, "name", "Name");
  askText(join, basics, "description", "Description");
}

function askText(join: Join, basics: Basics, field: "name" | "description", name: string): void {
  join.ask(property(basics.object, "Accessible", name), (reply) => {
    const text = stringOf(reply);
    if (text === undefined) basics.unreadable.push(field);
    else basics[field] = text;
  });
}

function stringOf(reply: Reply): string | undefined {
  return reply.ok && typeof reply.values[0] === "string" ? reply.values[0] : undefined;
}

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
      actionNames: this.#actionNames,
    });
  }

  #mayHaveRef(): boolean {
    return hasTrait(this.#node.role, "interactive") || hasPrimaryAction(this.#derivedActions());
  }

  #askValue(join: Join): void {
    const { object, interfaces, roleNumber, states } = this.basics;
    const node = this.#node;
    if (interfaces.has("Value")) {
      join.ask(property(object, "Value", "CurrentValue"), (reply) => {
        const value = reply.ok ? reply.values[0] : undefined;
        // Toolkits say with NaN that there is no number.
        if (Number.isFinite(value)) node.value ??= formatNumber(value as number);
        else this.#unreadable("value");
      });
    }
    if (!interfaces.has("Text")) return;
    const holdsText = node.role === "textfield" || hasState(states, STATE.editable);
    if (holdsText && roleNumber !== ROLE.spinButton) {
      this.#askText(join, (text, bytes) => {
        node.value = text;
        if (bytes !== undefined) node.valueLength = bytes;
      });
    } else if (node.role === "statictext" && isBlank(this.basics.name)) {
      this.#askText(join, (text) => this.#setText("name", text));
    }
  }

  /** The text of the element, cut to the field limit; `bytes` is given when it was cut. */
  #askText(join: Join, then: (text: string, bytes?: number) => void): void {
    const { object } = this.basics;
    const limit = this.wants.fieldBytes;
    join.ask(property(object, "Text", "CharacterCount"), (reply) => {
      const count = reply.ok ? reply.values[0] : undefined;
      if (typeof count !== "number" || count < 0) return this.#unreadable("value");
      if (count === 0) return;
      const end = Math.min(count, MAX_TEXT_CHARACTERS);
      join.ask(method(object, "Text", "GetText", "ii", 0, end), (text) => {
        const whole = stringOf(text);
        if (whole === undefined) return this.#unreadable("value");
        const part = cutUtf8(whole, limit);
        // A count that is above what the text turns out to be was wrong.
        const more = whole.length < end ? 0 : count - end;
        if (part !== whole || more > 0) then(part, utf8Length(whole) + more);
        else then(whole);
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
