/**
 * Reads one element. Nearly everything comes in one request for many attributes; the value is
 * asked for only once role and subrole are known not to be those of a secure field.
 */
import { answered, type Value } from "../../../ffi/macos/accessibility.ts";
import { Arena, type Ref } from "../../../ffi/macos/core_foundation.ts";
import type { Deadline } from "../../deadline.ts";
import { finish } from "../../tree/finish.ts";
import type { Field, NativeId, Node, Rect } from "../../tree/node.ts";
import { isBlank } from "../../tree/node.ts";
import { INTERACTIVE_ROLES, type Role } from "../../tree/roles.ts";
import { AX, type Elements, isAbsent } from "./accessible.ts";
import { actionsOf, canBeReadonly, MAX_ACTION_NAMES, settableProbes } from "./actions.ts";
import { isSecure, roleOf } from "./roles.ts";
import { hasValueState, statesOf } from "./states.ts";
import { cutUtf8, utf8Length } from "./text.ts";

/** The attributes of the one request, in order. AXChildren stands last so that it can be left out. */
const BATCH = [
  "AXRole",
  "AXSubrole",
  "AXTitle",
  "AXDescription",
  "AXEnabled",
  "AXFocused",
  "AXExpanded",
  "AXDisclosing",
  "AXSelected",
  "AXHidden",
  "AXElementBusy",
  "AXModal",
  "AXRequired",
  "AXIdentifier",
  "AXDOMIdentifier",
  "AXPlaceholderValue",
  "AXTitleUIElement",
  "AXPosition",
  "AXSize",
  "AXVerticalScrollBar",
  "AXHorizontalScrollBar",
  "AXChildren",
] as const;
type BatchName = typeof BATCH[number];
const WITHOUT_CHILDREN = BATCH.slice(0, -1);

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

/** Children whose texts make the name of an unnamed control. */
export const LABEL_CHILDREN = 5;

// Errors of a slot that mean "it has none"; a slot with any other error is unknown.
const SLOT_ABSENT: ReadonlySet<number> = new Set([AX.attributeUnsupported, AX.noValue]);

/** What the one request said. */
export interface Basics {
  axRole: string | undefined;
  axSubrole: string | undefined;
  role: Role;
  secure: boolean;
  title: string | undefined;
  description: string | undefined;
  placeholder: string | undefined;
  /** Belongs to the arena of the reading. */
  titleElement: Ref | undefined;
  flags: Readonly<Record<Flag, boolean | undefined>>;
  nativeId: NativeId | undefined;
  bounds: Rect | undefined;
  hasScrollBar: boolean;
  /** Children as the request brought them; they belong to the arena of the reading. */
  children: Ref[] | undefined;
  /** The children could not be read, which is not the same as having none. */
  childrenFailed: boolean;
  unreadable: Set<Field>;
}

const FLAGS = {
  enabled: "AXEnabled",
  focused: "AXFocused",
  expanded: "AXExpanded",
  disclosing: "AXDisclosing",
  selected: "AXSelected",
  hidden: "AXHidden",
  busy: "AXElementBusy",
  modal: "AXModal",
  required: "AXRequired",
} as const;
type Flag = keyof typeof FLAGS;

/** Why an element could not be read. */
export type Lost = "gone" | "silent" | "denied";

/** What the error of a reading as a whole means. */
export function lostBy(code: number): Lost {
  if (code === AX.invalidElement) return "gone";
  return code === AX.apiDisabled ? "denied" : "silent";
}

/** The first step. Element references in the result belong to `arena`. */
export function readBasics(
  elements: Elements,
  element: Ref,
  wants: { children: boolean; attempts?: number },
  deadline: Deadline,
  arena: Arena,
): Basics | Lost {
  const names = wants.children ? BATCH : WITHOUT_CHILDREN;
  const answer = elements.attributes(element, names, deadline, arena, wants.attempts);
  if (!answered(answer)) return lostBy(answer.error);
  return new Slots(answer.value).basics(wants.children);
}

/** One reply, by attribute. */
class Slots {
  readonly #unreadable = new Set<Field>();

  constructor(private readonly values: readonly Value[]) {}

  basics(withChildren: boolean): Basics | Lost {
    const axRole = this.#text("AXRole");
    const axSubrole = this.#text("AXSubrole");
    // Without both nobody can tell whether this is a secure field: nothing of it may be read.
    if (axRole === null || axSubrole === null) return "silent";
    const role = roleOf(axRole, axSubrole);
    const flags = {} as Record<Flag, boolean | undefined>;
    for (const flag of Object.keys(FLAGS) as Flag[]) flags[flag] = this.#flag(FLAGS[flag]);
    const list = withChildren ? this.#at("AXChildren") : undefined;
    return {
      axRole,
      axSubrole,
      role,
      secure: isSecure(axRole, axSubrole),
      title: this.#known("AXTitle", "name"),
      description: this.#known("AXDescription", "description"),
      placeholder: this.#known("AXPlaceholderValue", "name"),
      titleElement: this.#element("AXTitleUIElement", "name"),
      flags,
      nativeId: this.#nativeId(),
      bounds: this.#bounds(),
      hasScrollBar: this.#element("AXVerticalScrollBar", "actions") !== undefined ||
        this.#element("AXHorizontalScrollBar", "actions") !== undefined,
      children: list?.kind === "list" ? list.elements : undefined,
      childrenFailed: list !== undefined && list.kind !== "list" && !this.#isAbsent(list),
      unreadable: this.#unreadable,
    };
  }

  #at(name: BatchName): Value {
    return this.values[BATCH.indexOf(name)] ?? { kind: "other" };
  }

  #isAbsent(value: Value): boolean {
    return value.kind === "none" || (value.kind === "error" && SLOT_ABSENT.has(value.code));
  }

  /** `undefined`: has none; `null`: not known. */
  #text(name: BatchName): string | undefined | null {
    const value = this.#at(name);
    if (value.kind === "text") return value.text;
    return this.#isAbsent(value) ? undefined : null;
  }

  #known(name: BatchName, field: Field): string | undefined {
    const text = this.#text(name);
    if (text === null) this.#unreadable.add(field);
    return text ?? undefined;
  }

  #flag(name: BatchName): boolean | undefined {
    const value = this.#at(name);
    if (value.kind === "bool") return value.value;
    if (!this.#isAbsent(value)) this.#unreadable.add("states");
    return undefined;
  }

  #element(name: BatchName, field: Field): Ref | undefined {
    const value = this.#at(name);
    if (value.kind === "element") return value.element;
    if (!this.#isAbsent(value)) this.#unreadable.add(field);
    return undefined;
  }

  #nativeId(): NativeId | undefined {
    const own = this.#known("AXIdentifier", "native_id");
    if (!isBlank(own)) return { kind: "ax_identifier", value: own! };
    const dom = this.#known("AXDOMIdentifier", "native_id");
    return isBlank(dom) ? undefined : { kind: "ax_dom_identifier", value: dom! };
  }

  #bounds(): Rect | undefined {
    const at = this.#at("AXPosition");
    const size = this.#at("AXSize");
    if (at.kind === "point" && size.kind === "size") {
      return validRect({ x: at.x, y: at.y, width: size.x, height: size.y });
    }
    if (!this.#isAbsent(at) || !this.#isAbsent(size)) {
      if (at.kind !== "point" || size.kind !== "size") this.#unreadable.add("bounds");
    }
    return undefined;
  }
}

/** Largest coordinate that can be meant; beyond it sentinels begin. */
const COORDINATE_MAX = 1_000_000;

/** The rectangle, unless it is empty or absurd. */
export function validRect(rect: Rect): Rect | undefined {
  const { x, y, width, height } = rect;
  const sane = [x, y, width, height].every((v) =>
    Number.isFinite(v) && Math.abs(v) < COORDINATE_MAX
  );
  return sane && width > 0 && height > 0 ? rect : undefined;
}

/** What the second step needs to know of its surroundings. */
export interface Surroundings {
  /** UTF-8 bytes of one field. */
  fieldBytes: number;
  /** Element the application says has the keyboard focus. */
  focused: Ref | undefined;
  windowBounds: Rect | undefined;
}

/** Whether the value is worth a request, and may be asked for at all. */
function mayHaveValue(basics: Basics): boolean {
  if (basics.secure || !VALUE_READ.has(basics.role)) return false;
  // Only buttons that stay down have one.
  return basics.role !== "button" || basics.axSubrole === "AXToggleButton";
}

/** A value as read: text of it, or why there is none. */
type ReadValue = { text?: string; unreadable?: boolean };

/** The text of a value; `undefined` for types that are no value. */
export function valueText(value: Value): string | undefined {
  switch (value.kind) {
    case "text":
    case "number":
      return value.text;
    case "bool":
      return String(value.value);
    case "date":
      return new Date(value.seconds * 1000).toISOString();
    default:
      return undefined;
  }
}

/** AXValue of an element that is known not to be secure. */
export function readValue(elements: Elements, element: Ref, deadline: Deadline): ReadValue {
  using arena = new Arena();
  const answer = elements.attribute(element, "AXValue", deadline, arena);
  if (!answered(answer)) return isAbsent(answer.error) ? {} : { unreadable: true };
  if (answer.value.kind === "none") return {};
  const text = valueText(answer.value);
  return text === undefined ? { unreadable: true } : { text };
}

/** The second step: value, actions, label; the node without children. */
export function readDetails(
  elements: Elements,
  element: Ref,
  basics: Basics,
  index: number,
  around: Surroundings,
  deadline: Deadline,
): Node {
  const { role, secure, flags } = basics;
  const unreadable = new Set(basics.unreadable);
  const value = mayHaveValue(basics) ? readValue(elements, element, deadline) : {};
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
    (around.focused !== undefined && elements.equal(around.focused, element));
  const node: Node = {
    role,
    states: statesOf({
      ...flags,
      role,
      secure,
      focused: isFocused,
      value: value.text,
      readonly: offered.readonly,
      bounds: basics.bounds,
      windowBounds: around.windowBounds,
    }),
    actions: actionsOf(role, offered.names, offered.settable, basics.hasScrollBar),
    index,
    children: [],
    handle: elements.hold(element),
  };
  putTexts(node, basics, label, value.text, around.fieldBytes);
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
  value: string | undefined,
  fieldBytes: number,
): void {
  const cut = (text: string) => cutUtf8(text, fieldBytes);
  const isStatic = node.role === "statictext";
  const name = [label, basics.title, isStatic ? value : undefined, basics.placeholder]
    .find((text) => !isBlank(text));
  let description = basics.description;
  if (name !== undefined) node.name = cut(name);
  else if (!isBlank(description) && !INTERACTIVE_ROLES.has(node.role)) {
    // A control's own children may still name it; anything else is named by its description.
    node.name = cut(description!);
    description = undefined;
  }
  if (!isBlank(value) && !(isStatic && name === value)) {
    node.value = cut(value!);
    if (node.value !== value) node.valueLength = utf8Length(value!);
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
  if (basics.secure) return undefined;
  const value = isBlank(basics.title) && basics.role === "statictext"
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
  if (!isBlank(node.name) || !INTERACTIVE_ROLES.has(node.role)) return;
  if (node.states.includes("secure")) return;
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
  // The rule itself is the walk's own.
  const whole: Node = { ...node, children: labels };
  finish(whole);
  if (whole.name !== undefined) node.name = whole.name;
  if (whole.description === undefined) delete node.description;
}
