/**
 * Reads one element: the one request of `basics.ts`, then what that leaves open. The value is asked
 * for only once role and subrole are known not to be those of a secure field.
 */
import { answered, type Value } from "../../../ffi/macos/accessibility.ts";
import { Arena, type Ref } from "../../../ffi/macos/core_foundation.ts";
import type { Deadline } from "../../deadline.ts";
import { completeTree, LABEL_CHILDREN } from "../../tree/complete_tree.ts";
import type { Handle, Node, Rect } from "../../tree/node.ts";
import { isBlank } from "../../tree/node.ts";
import { hasTrait, type Role } from "../../tree/roles.ts";
import { OBSERVE_LIMITS } from "../platform.ts";
import { cutUtf8, utf8Length } from "../../tree/utf8.ts";
import { AX, type Elements, isAbsent, notTrusted } from "./accessible.ts";
import { actionsOf, canBeReadonly, MAX_ACTION_NAMES, settableProbes } from "./actions.ts";
import { type Basics, readBasics } from "./basics.ts";
import { hasValueState, statesOf } from "./states.ts";

/** Roles that can have a value; asking the others costs a request for nothing. */
const VALUE_READ: ReadonlySet<Role> = new Set<Role>([
  "button",
  "checkbox",
  "colorwell",
  "combobox",
  "datefield",
  "disclosure",
  "document",
  "handle",
  "heading",
  "incrementor",
  "levelindicator",
  "progressbar",
  "radiobutton",
  "relevanceindicator",
  "scrollbar",
  "slider",
  "splitter",
  "statictext",
  "status",
  "switch",
  "tab",
  "textfield",
  "timefield",
  "timer",
  "unknown",
]);

/** What the states of an element depend on besides the element itself. */
export interface Scene {
  /** Element the application says has the keyboard focus. */
  focused: Ref | undefined;
  /** Of the window the element is in; `undefined` where nothing is off screen for lying outside. */
  windowBounds: Rect | undefined;
}

/** Whether the value is worth a request, and may be asked for at all. */
function mayHaveValue(basics: Basics): boolean {
  if (basics.secrecy.value !== "open" || !VALUE_READ.has(basics.role)) return false;
  // Only buttons that stay down have one.
  return basics.role !== "button" || basics.axSubrole === "AXToggleButton";
}

/** A value as read: text of it, or why there is none. */
type ReadValue = {
  text?: string;
  /** UTF-16 units of the value that were not read. */
  more?: number;
  unreadable?: boolean;
};

/** The text of a value; `undefined` for types that are no value. */
export function valueText(value: Value): string | undefined {
  switch (value.kind) {
    case "text":
      return value.text;
    case "number":
      // NaN or an infinity says that there is no number.
      return Number.isFinite(value.value) ? value.text : undefined;
    case "bool":
      return String(value.value);
    case "date":
      return new Date(value.seconds * 1000).toISOString();
    default:
      return undefined;
  }
}

/**
 * AXValue of an element that is known not to be secure.
 *
 * @param textLimit UTF-16 units that are read of it
 */
export function readValue(
  elements: Elements,
  element: Ref,
  deadline: Deadline,
  textLimit?: number,
): ReadValue {
  using arena = new Arena();
  const answer = elements.attribute(element, "AXValue", deadline, arena, textLimit);
  if (!answered(answer)) return isAbsent(answer.error) ? {} : { unreadable: true };
  if (answer.value.kind === "none") return {};
  const text = valueText(answer.value);
  if (text === undefined) return { unreadable: true };
  const more = answer.value.kind === "text" ? answer.value.length - text.length : 0;
  return more > 0 ? { text, more } : { text };
}

/**
 * The second step: value, actions, label; the node without children.
 *
 * @param fieldBytes UTF-8 bytes of one field
 */
export function readDetails(
  elements: Elements,
  element: Ref,
  basics: Basics,
  index: number,
  scene: Scene,
  fieldBytes: number,
  deadline: Deadline,
): Node {
  const { role, secrecy, flags } = basics;
  const unreadable = new Set(basics.unreadable);
  const value: ReadValue = mayHaveValue(basics)
    ? readValue(elements, element, deadline)
    : { unreadable: secrecy.value === "unknown" };
  if (value.unreadable) {
    unreadable.add("value");
    if (hasValueState(role)) unreadable.add("states");
    if (role === "statictext") unreadable.add("name");
  }
  const offered = readActions(elements, element, basics, deadline);
  if (offered.unreadable) unreadable.add("actions");
  const label = isBlank(basics.title) || basics.titleElement
    ? labelText(elements, basics.titleElement, deadline)
    : undefined;
  const isFocused = flags.focused === true ||
    (scene.focused !== undefined && elements.equal(scene.focused, element));
  const node: Node = {
    role,
    states: statesOf({
      ...flags,
      role,
      secure: secrecy.value === "secure",
      focused: isFocused,
      value: value.text,
      readonly: offered.readonly,
      bounds: basics.bounds,
      windowBounds: scene.windowBounds,
    }),
    actions: actionsOf(role, offered.names, offered.settable, basics.hasScrollBar),
    index,
    children: [],
    handle: elements.hold(element),
  };
  putTexts(node, basics, label, value, fieldBytes);
  if (basics.nativeId) node.nativeId = basics.nativeId;
  if (basics.bounds) node.bounds = basics.bounds;
  if (unreadable.size > 0) node.unreadable = [...unreadable];
  return node;
}

/** Name, value and description; a text that became the name is not said twice. */
function putTexts(
  node: Node,
  basics: Basics,
  label: string | undefined,
  { text: value, more = 0 }: ReadValue,
  fieldBytes: number,
): void {
  const cut = (text: string) => cutUtf8(text, fieldBytes);
  const isStatic = node.role === "statictext";
  const name = [label, basics.title, isStatic ? value : undefined, basics.placeholder]
    .find((text) => !isBlank(text));
  let description = basics.description;
  if (name !== undefined) node.name = cut(name);
  else if (!isBlank(description) && !hasTrait(node.role, "interactive")) {
    // A control's own children may still name it; anything else is named by its description.
    node.name = cut(description!);
    description = undefined;
  }
  if (!isBlank(value) && !(isStatic && name === value)) {
    node.value = cut(value!);
    // What was not read counts one byte a unit: no text is shorter.
    if (node.value !== value || more > 0) node.valueLength = utf8Length(value!) + more;
  }
  if (!isBlank(description)) node.description = cut(description!);
}

interface Offered {
  names: string[];
  settable: Set<string>;
  readonly: boolean;
  unreadable: boolean;
}

function readActions(
  elements: Elements,
  element: Ref,
  basics: Basics,
  deadline: Deadline,
): Offered {
  using arena = new Arena();
  const offered: Offered = { names: [], settable: new Set(), readonly: false, unreadable: false };
  const answer = elements.actions(element, deadline, arena);
  if (answered(answer)) offered.names = answer.value;
  else if (!isAbsent(answer.error) && answer.error !== AX.actionUnsupported) {
    offered.unreadable = true;
  }
  if (offered.names.length > MAX_ACTION_NAMES) {
    offered.names = [];
    offered.unreadable = true;
  }
  const { flags } = basics;
  const has = {
    expanded: flags.expanded !== undefined,
    selected: flags.selected !== undefined,
    focused: flags.focused !== undefined,
  };
  for (const name of settableProbes(basics.role, offered.names, has)) {
    const settable = elements.settable(element, name, deadline);
    if (answered(settable)) {
      if (settable.value) offered.settable.add(name);
      else if (name === "AXValue" && canBeReadonly(basics.axRole)) offered.readonly = true;
    } else if (!isAbsent(settable.error)) {
      offered.unreadable = true;
    }
  }
  return offered;
}

/** Text of the element that labels another one. */
function labelText(
  elements: Elements,
  label: Ref | undefined,
  deadline: Deadline,
): string | undefined {
  if (!label) return undefined;
  using arena = new Arena();
  const basics = readBasics(elements, label, { children: false }, deadline, arena);
  return typeof basics === "string" ? undefined : ownText(elements, label, basics, deadline);
}

/** Title, else the value of static text, else the description. */
function ownText(
  elements: Elements,
  element: Ref,
  basics: Basics,
  deadline: Deadline,
): string | undefined {
  if (basics.secrecy.value === "secure") return undefined;
  const isOpen = basics.secrecy.value === "open";
  const value = isBlank(basics.title) && basics.role === "statictext" && isOpen
    ? readValue(elements, element, deadline).text
    : undefined;
  return [basics.title, value, basics.description].find((text) => !isBlank(text));
}

/**
 * Names a control that has no name of its own after its labels, as a walk does once the children
 * are there; for elements that are read alone or whose children are not shown.
 */
export function nameFromChildren(
  elements: Elements,
  node: Node,
  children: () => readonly Ref[],
  deadline: Deadline,
): void {
  if (!isBlank(node.name) || !hasTrait(node.role, "interactive")) return;
  // What it draws may be what it hides.
  if (node.states.includes("secure") || node.unreadable?.includes("role")) return;
  const labels: Node[] = [];
  for (const child of children().slice(0, LABEL_CHILDREN)) {
    using arena = new Arena();
    const basics = readBasics(elements, child, { children: false }, deadline, arena);
    if (typeof basics === "string") continue;
    const name = basics.role === "statictext"
      ? ownText(elements, child, basics, deadline)
      : undefined;
    const label: Node = { role: basics.role, states: [], actions: [], index: 0, children: [] };
    labels.push(name === undefined ? label : { ...label, name });
  }
  // A walk names its controls by the same function.
  const whole: Node = { ...node, children: labels };
  completeTree(whole);
  if (whole.name !== undefined) node.name = whole.name;
  if (whole.description === undefined) delete node.description;
}

/** Reads one element whole, named after its children where it has no other name. */
export function readElement(
  elements: Elements,
  handle: Handle,
  index: number,
  scene: Scene,
  deadline: Deadline,
): Node | "gone" | "silent" {
  const element = elements.find(handle);
  if (!element) return "gone";
  using arena = new Arena();
  const basics = readBasics(elements, element, { children: false }, deadline, arena);
  if (basics === "denied") throw notTrusted();
  if (typeof basics === "string") return basics;
  const { fieldBytes } = OBSERVE_LIMITS;
  const node = readDetails(elements, element, basics, index, scene, fieldBytes, deadline);
  const children = () => {
    const page = elements.page(element, "AXChildren", 0, LABEL_CHILDREN, deadline, arena);
    return answered(page) ? page.value : [];
  };
  nameFromChildren(elements, node, children, deadline);
  return node;
}
