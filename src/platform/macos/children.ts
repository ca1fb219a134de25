/**
 * Lists the native children of an element. Containers that claim more of them than can be listed
 * give what shows of them, else a first page.
 */
import { answered } from "../../../ffi/macos/accessibility.ts";
import { Arena, type Ref } from "../../../ffi/macos/core_foundation.ts";
import type { Deadline } from "../../deadline.ts";
import type { Handle } from "../../tree/node.ts";
import { AX, type Elements, isAbsent } from "./accessible.ts";
import { childAttributes } from "./roles.ts";

/** Children fetched in one request. */
const PAGE = 128;
/** Read of a virtual container when nothing tells which children show. */
const FIRST_PAGE = 100;
/** Read of a virtual container at most, however much shows. */
const VISIBLE_MAX = 400;
/** Attributes that name the children that show. */
const VISIBLE = ["AXVisibleRows", "AXVisibleChildren"] as const;

/** One child with its native index. */
export interface Child {
  handle: Handle;
  index: number;
}

/** Children as far as they could be listed. */
export interface ChildList {
  children: Child[];
  /** Native children, when more than are listed. */
  count?: number;
  /** Some could not be read. */
  incomplete: boolean;
}

const NONE: ChildList = { children: [], incomplete: false };
const UNREADABLE: ChildList = { children: [], incomplete: true };

/** What an earlier request brought already. */
export interface KnownChildren {
  children: readonly Ref[] | undefined;
  childrenFailed: boolean;
}

/**
 * The children of an element.
 *
 * @param known the AXChildren slot of a batch, when it was asked for
 * @param max most children listed; with more the container is virtual
 */
export function listChildren(
  elements: Elements,
  element: Ref,
  axRole: string | undefined,
  known: KnownChildren | undefined,
  max: number,
  deadline: Deadline,
): ChildList {
  const attributes = childAttributes(axRole);
  if (known?.children && attributes[0] === "AXChildren") {
    return holdAll(elements, element, known.children, "AXChildren", max, deadline);
  }
  if (known && !known.childrenFailed && attributes.length === 1) return NONE;
  for (const attribute of attributes) {
    const list = readList(elements, element, attribute, max, deadline);
    if (list) return list;
  }
  return NONE;
}

function holdAll(
  elements: Elements,
  element: Ref,
  refs: readonly Ref[],
  attribute: string,
  max: number,
  deadline: Deadline,
): ChildList {
  if (refs.length > max) return readVirtual(elements, element, attribute, refs.length, deadline);
  return {
    children: refs.map((ref, index) => ({ handle: elements.hold(ref), index })),
    incomplete: false,
  };
}

/** Longest wait for the number of children that are not shown (ms). */
const CUT_COUNT_MS = 25;

/** How many children there are, where they are not shown; `undefined` when it cannot be told soon. */
export function countChildren(
  elements: Elements,
  element: Ref,
  axRole: string | undefined,
  deadline: Deadline,
): number | undefined {
  for (const attribute of childAttributes(axRole)) {
    const answer = elements.count(element, attribute, deadline, CUT_COUNT_MS);
    if (answered(answer)) return answer.value;
    if (!isAbsent(answer.error)) return undefined;
  }
  return 0;
}

// `undefined`: the element has no such attribute.
function readList(
  elements: Elements,
  element: Ref,
  attribute: string,
  max: number,
  deadline: Deadline,
): ChildList | undefined {
  const counted = elements.count(element, attribute, deadline);
  if (!answered(counted)) {
    if (counted.error === AX.invalidElement) return UNREADABLE;
    if (counted.error === AX.attributeUnsupported || counted.error === AX.noValue) {
      return undefined;
    }
    // It cannot count; it may still list.
    return readPages(elements, element, attribute, max, deadline).list;
  }
  const count = counted.value;
  // An empty AXChildren is the truth; an empty other list says nothing about the next one.
  if (count === 0) return attribute === "AXChildren" ? NONE : undefined;
  if (count < 0 || count > max) {
    return readVirtual(elements, element, attribute, count, deadline);
  }
  let last = readPages(elements, element, attribute, count, deadline);
  // A list that changes under the reading is read once more; then it is called incomplete.
  for (let again = 0; again < 2; again++) {
    const now = elements.count(element, attribute, deadline);
    if (!answered(now) || now.value === last.read) return last.list;
    if (again > 0 || now.value < 0 || now.value > max) break;
    last = readPages(elements, element, attribute, now.value, deadline);
  }
  return { ...last.list, incomplete: true };
}

function readPages(
  elements: Elements,
  element: Ref,
  attribute: string,
  count: number,
  deadline: Deadline,
): { list: ChildList; read: number } {
  const children: Child[] = [];
  while (children.length < count) {
    using arena = new Arena();
    const size = Math.min(PAGE, count - children.length);
    const page = elements.page(element, attribute, children.length, size, deadline, arena);
    if (!answered(page)) {
      // Asking past the end is refused; that is the end of a list that could not be counted.
      const atEnd = page.error === AX.illegalArgument || isAbsent(page.error);
      const incomplete = !atEnd || children.length === 0;
      return { list: { children, incomplete }, read: children.length };
    }
    for (const ref of page.value) {
      children.push({ handle: elements.hold(ref), index: children.length });
    }
    if (page.value.length < size) break;
  }
  return { list: { children, incomplete: false }, read: children.length };
}

function readVirtual(
  elements: Elements,
  element: Ref,
  attribute: string,
  count: number,
  deadline: Deadline,
): ChildList {
  const total = count > 0 ? { count } : {};
  using arena = new Arena();
  for (const name of VISIBLE) {
    const shown = elements.elements(element, name, deadline, arena).slice(0, VISIBLE_MAX);
    if (shown.length === 0) continue;
    const children = shown.map((ref, i) => ({
      handle: elements.hold(ref),
      index: elements.number(ref, "AXIndex", deadline) ?? i,
    }));
    return { children, incomplete: true, ...total };
  }
  const size = count > 0 ? Math.min(count, FIRST_PAGE) : FIRST_PAGE;
  const page = elements.page(element, attribute, 0, size, deadline, arena);
  const children = answered(page)
    ? page.value.map((ref, index) => ({ handle: elements.hold(ref), index }))
    : [];
  return { children, incomplete: true, ...total };
}

/**
 * The child at one native index, put into `arena`; `undefined` when there is none or the element
 * does not tell: a search will look everywhere and say what it could not read.
 */
export function childAt(
  elements: Elements,
  element: Ref,
  axRole: string | undefined,
  index: number,
  deadline: Deadline,
  arena: Arena,
): Ref | undefined {
  for (const attribute of childAttributes(axRole)) {
    const answer = elements.page(element, attribute, index, 1, deadline, arena);
    if (answered(answer) && (answer.value[0] || attribute === "AXChildren")) return answer.value[0];
    if (!answered(answer) && answer.error === AX.cannotComplete) return undefined;
  }
  return undefined;
}
