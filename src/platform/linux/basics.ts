/**
 * The first step of reading an accessible: the basics that decide what it is (role, states,
 * interfaces, child count, name). Every request goes out at once and the answer comes through a
 * callback, so that hundreds of elements are under way together.
 */
import type { Field } from "../../tree/node.ts";
import { interfaceSet, method, type ObjectRef, property } from "./accessible.ts";
import { hasState, ROLE, STATE } from "./atspi.ts";
import { type Bus, NO_ANSWER, type Reply } from "./bus.ts";
import { Join } from "./join.ts";
import type { Profile } from "./profile.ts";

/** What an element is. */
export interface Basics {
  object: ObjectRef;
  roleNumber: number;
  states: readonly number[];
  interfaces: ReadonlySet<string>;
  /** As reported, absurd values included; `undefined` when unreadable. */
  childCount: number | undefined;
  name: string;
  description: string;
  unreadable: Field[];
  /** Inside a secure field: no text of it is ever asked for. */
  secure: boolean;
}

/** `gone`: no such element any more. `silent`: no answer before the deadline. */
export type BasicsResult = Basics | "gone" | "silent";

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

/**
 * Asks for the basics of `object`. In a secure subtree (`inSecret`) nothing that could be text is
 * asked.
 */
export function readBasics(
  bus: Bus,
  object: ObjectRef,
  profile: Profile,
  inSecret: boolean,
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
    } else askNature(join, basics, profile, inSecret);
  });
  if (!roleDecides) askNature(join, basics, profile, inSecret);
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
): void {
  join.ask(property(basics.object, "Accessible", "ChildCount"), (reply) => {
    const count = reply.ok ? reply.values[0] : undefined;
    if (typeof count === "number") basics.childCount = count;
  });
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

/** The text of a reply; `undefined` when it has none. */
export function stringOf(reply: Reply): string | undefined {
  return reply.ok && typeof reply.values[0] === "string" ? reply.values[0] : undefined;
}
