/**
 * The request that the reading of an element begins with: role, flags, texts, place and children
 * at once. Neither it nor what stands here asks for a value, so nothing secret can come with it.
 */
import { answered, type Value } from "../../../ffi/macos/accessibility.ts";
import { Arena, type Ref } from "../../../ffi/macos/core_foundation.ts";
import type { Deadline } from "../../deadline.ts";
import type { Field, NativeId, Rect } from "../../tree/node.ts";
import { isBlank } from "../../tree/node.ts";
import type { Role } from "../../tree/roles.ts";
import { AX, type Elements } from "./accessible.ts";
import { roleOf, type Secrecy, secrecyOf } from "./roles.ts";

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

// Errors of a slot that mean "it has none"; a slot with any other error is unknown.
const SLOT_ABSENT: ReadonlySet<number> = new Set([AX.attributeUnsupported, AX.noValue]);

/** What the one request said. */
export interface Basics {
  axRole: string | undefined;
  axSubrole: string | undefined;
  role: Role;
  secrecy: Secrecy;
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

/** What the AXError of a whole reading means. */
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

/** Whether a slot of a reply says that the element has no such attribute. */
export function isAbsentSlot(value: Value): boolean {
  return value.kind === "none" || (value.kind === "error" && SLOT_ABSENT.has(value.code));
}

/** A text in a reply: `undefined` when the element has none, `null` when it could not be read. */
export function textSlot(value: Value | undefined): string | undefined | null {
  if (value?.kind === "text") return value.text;
  return value && isAbsentSlot(value) ? undefined : null;
}

/**
 * What a reply says of the element as a whole, although it came: the role tells that the element is
 * gone or access denied, or no slot was answered. A single slot that failed only leaves that open.
 */
function lostSlots(values: readonly Value[]): Lost | undefined {
  const [role] = values;
  if (role?.kind !== "error") return undefined;
  const lost = lostBy(role.code);
  if (lost !== "silent") return lost;
  const unanswered = values.every((value) =>
    value.kind === "error" && value.code === AX.cannotComplete
  );
  return unanswered ? "silent" : undefined;
}

/** One reply, by attribute. */
class Slots {
  readonly #unreadable = new Set<Field>();

  constructor(private readonly values: readonly Value[]) {}

  basics(withChildren: boolean): Basics | Lost {
    const lost = lostSlots(this.values);
    if (lost) return lost;
    const axRole = textSlot(this.#at("AXRole"));
    const axSubrole = textSlot(this.#at("AXSubrole"));
    if (axRole === null || axSubrole === null) this.#unreadable.add("role");
    const role = roleOf(axRole ?? undefined, axSubrole ?? undefined);
    const flags = {} as Record<Flag, boolean | undefined>;
    for (const flag of Object.keys(FLAGS) as Flag[]) flags[flag] = this.#flag(FLAGS[flag]);
    const list = withChildren ? this.#at("AXChildren") : undefined;
    return {
      axRole: axRole ?? undefined,
      axSubrole: axSubrole ?? undefined,
      role,
      secrecy: secrecyOf(axRole, axSubrole),
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
      childrenFailed: list !== undefined && list.kind !== "list" && !isAbsentSlot(list),
      unreadable: this.#unreadable,
    };
  }

  #at(name: BatchName): Value {
    return this.values[BATCH.indexOf(name)] ?? { kind: "other" };
  }

  #known(name: BatchName, field: Field): string | undefined {
    const text = textSlot(this.#at(name));
    if (text === null) this.#unreadable.add(field);
    return text ?? undefined;
  }

  #flag(name: BatchName): boolean | undefined {
    const value = this.#at(name);
    if (value.kind === "bool") return value.value;
    if (!isAbsentSlot(value)) this.#unreadable.add("states");
    return undefined;
  }

  #element(name: BatchName, field: Field): Ref | undefined {
    const value = this.#at(name);
    if (value.kind === "element") return value.element;
    if (!isAbsentSlot(value)) this.#unreadable.add(field);
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
    if (!isAbsentSlot(at) || !isAbsentSlot(size)) {
      if (at.kind !== "point" || size.kind !== "size") this.#unreadable.add("bounds");
    }
    return undefined;
  }
}

/** Largest coordinate of a real place; what has none is often put further out than this. */
const COORDINATE_MAX = 1_000_000;

/** The rectangle, unless it is empty or absurd. */
export function validRect(rect: Rect): Rect | undefined {
  const { x, y, width, height } = rect;
  const sane = [x, y, width, height].every((v) =>
    Number.isFinite(v) && Math.abs(v) < COORDINATE_MAX
  );
  return sane && width > 0 && height > 0 ? rect : undefined;
}

/** Where an element is now; `undefined` when it does not say. */
export function readBounds(elements: Elements, element: Ref, deadline: Deadline): Rect | undefined {
  using arena = new Arena();
  const basics = readBasics(elements, element, { children: false }, deadline, arena);
  return typeof basics === "string" ? undefined : basics.bounds;
}

/** What decides whether and how the content of an element may be read. */
export interface RoleProbe {
  axRole: string | undefined;
  secrecy: Secrecy;
}

/** Asks for role and subrole only; the AXError when there is no answer. */
export function probeRole(
  elements: Elements,
  element: Ref,
  deadline: Deadline,
): RoleProbe | { error: number } {
  using arena = new Arena();
  const answer = elements.attributes(element, ["AXRole", "AXSubrole"], deadline, arena);
  if (!answered(answer)) return { error: answer.error };
  const [axRole, axSubrole] = answer.value.map(textSlot);
  return { axRole: axRole ?? undefined, secrecy: secrecyOf(axRole, axSubrole) };
}
