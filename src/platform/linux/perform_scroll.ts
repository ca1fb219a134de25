/** Scrolling: a pane through its bars, an element by asking it to show itself. */
import type { Deadline } from "../../deadline.ts";
import { AppError } from "../../errors.ts";
import type { Rect } from "../../tree/node.ts";
import type { SemanticRequest, Step } from "../platform.ts";
import { extents, method, objectList } from "./accessible.ts";
import { childReplies, listChildren } from "./children.ts";
import { climb } from "./ancestors.ts";
import { COORDS, hasState, ROLE, SCROLL, STATE } from "./atspi.ts";
import { delivered } from "./delivery.ts";
import {
  childrenOf,
  type Element,
  interfacesOf,
  numberOf,
  roleNumberOf,
  sibling,
  sleepSync,
  stateWords,
} from "./element.ts";
import { rangeOf, setCurrentValue } from "./perform_value.ts";

// A page leaves a little of what was seen before, as page keys do.
const PAGE_PART = 0.9;
// Where bars count lines or items instead of pixels, a page is this many small steps.
const STEPS_PER_PAGE = 10;
const SEEN_MS = 150;
const SEEN_POLL_MS = 15;
const MAX_PAGES = 200;
// Errors that say the method is not there (Qt denies the object then); nothing was done.
const REFUSED = /UnknownMethod|UnknownInterface|UnknownObject|NotSupported/;
const FRAMES_MS = 50;
// A browser scrolls smoothly and tells its new places later still.
const SCROLLED_MS = 1_000;

type ScrollRequest = Extract<SemanticRequest, { kind: "scroll" }>;

/** Turns a scroll pane's pages by its bar in that direction. */
export function scroll(element: Element, request: ScrollRequest, deadline: Deadline): Step {
  const vertical = request.direction === "up" || request.direction === "down";
  const bar = findBar(element, vertical, deadline);
  if (bar === undefined) {
    throw new AppError(
      "ACTION_NOT_SUPPORTED",
      `The area has no ${vertical ? "vertical" : "horizontal"} scroll bar to move`,
      { suggestion: "Retry with --headed to turn the wheel over it, or use scroll-to." },
    );
  }
  const current = numberOf(bar, "Value", "CurrentValue", deadline);
  const range = rangeOf(bar, deadline);
  const atEnd: Step = { label: "AlreadyAtEnd", outcome: "skipped", verified: true };
  // Without a range there is nothing to scroll: everything shows.
  if (current === undefined || range === undefined) return atEnd;
  const forward = request.direction === "down" || request.direction === "right";
  const way = pageOf(element, bar, vertical, deadline) * request.amount * (forward ? 1 : -1);
  const target = Math.min(range.maximum, Math.max(range.minimum, current + way));
  if (target === current) return atEnd;
  const step = delivered(
    "Value.SetCurrentValue",
    bar.bus.call(setCurrentValue(bar.object, target), deadline),
  );
  return { ...step, verified: moved(bar, current, deadline) };
}

/** Whether the bar left its old place; bars snap to lines, so the exact value proves nothing. */
function moved(bar: Element, from: number, deadline: Deadline): boolean {
  const until = deadline.within(SEEN_MS);
  while (true) {
    const now = numberOf(bar, "Value", "CurrentValue", deadline);
    if (now !== undefined && now !== from) return true;
    if (until.expired) return false;
    sleepSync(Math.min(SEEN_POLL_MS, until.remaining));
  }
}

/** One page in the bar's own unit. */
function pageOf(pane: Element, bar: Element, vertical: boolean, deadline: Deadline): number {
  if (pane.toolkit.scrollBarsCountPixels) {
    const { bus, object } = pane;
    const reply = bus.call(method(object, "Component", "GetExtents", "u", COORDS.window), deadline);
    const rect = reply.ok ? extents(reply.values[0]) : undefined;
    if (rect !== undefined) return (vertical ? rect.height : rect.width) * PAGE_PART;
  }
  const step = numberOf(bar, "Value", "MinimumIncrement", deadline) ?? 1;
  return Math.max(1, step) * STEPS_PER_PAGE;
}

function findBar(pane: Element, vertical: boolean, deadline: Deadline): Element | undefined {
  const { bus, object } = pane;
  let level = listChildren(bus, object, deadline);
  // Qt keeps each bar in a container of its own.
  for (let depth = 0; depth < 2; depth++) {
    const bars = level.map((child) => sibling(pane, child)).filter((child) =>
      roleNumberOf(child, deadline) === ROLE.scrollBar
    );
    const found = bars.find((bar) => isVertical(bar, deadline) === vertical);
    if (found !== undefined) return withValue(found, deadline);
    level = childReplies(bus, level.slice(0, 8), deadline)
      .flatMap((children) => children.ok ? objectList(children.values[0]).slice(0, 8) : []);
  }
  return undefined;
}

/** The bar, or the part of it that has the value (GTK 4: a range inside). */
function withValue(bar: Element, deadline: Deadline): Element | undefined {
  const parts = childrenOf(bar, deadline).slice(0, 4);
  return [bar, ...parts].find((part) => interfacesOf(part, deadline).has("Value"));
}

/** By its states, or by its shape where the toolkit sets neither. */
function isVertical(bar: Element, deadline: Deadline): boolean {
  const words = stateWords(bar, deadline) ?? [];
  if (hasState(words, STATE.vertical)) return true;
  if (hasState(words, STATE.horizontal)) return false;
  const { bus, object } = bar;
  const reply = bus.call(method(object, "Component", "GetExtents", "u", COORDS.window), deadline);
  const rect = reply.ok ? extents(reply.values[0]) : undefined;
  return rect !== undefined && rect.height > rect.width;
}

/**
 * Brings the element into view: by its own method, else (the toolkit has refused that one) by the
 * bars of the panes around it.
 */
export function scrollTo(element: Element, deadline: Deadline): Step {
  const { bus, object } = element;
  const reply = bus.call(method(object, "Component", "ScrollTo", "u", SCROLL.anywhere), deadline);
  const refused = reply.ok ? reply.values[0] === false : REFUSED.test(reply.error);
  if (!refused) {
    const step = delivered("Component.ScrollTo", reply);
    return { ...step, verified: showsSoon(element, deadline.within(SCROLLED_MS)) };
  }
  const result = scrollByBars(element, deadline);
  if (result === "moved") {
    return {
      label: "Value.SetCurrentValue",
      outcome: "succeeded",
      mechanism: "semantic_api",
      verified: true,
    };
  }
  if (result === "inside") {
    return { label: "AlreadyInView", outcome: "skipped", verified: true };
  }
  throw new AppError(
    "ACTION_NOT_SUPPORTED",
    "The toolkit has no way to bring the element to view",
    {
      suggestion: "Scroll the area around it with scroll, or turn the wheel over it with --headed.",
    },
  );
}

/** Brings an element into view before an action. `false`: it cannot be. */
export function scrollIntoView(element: Element, deadline: Deadline): boolean {
  const { bus, object } = element;
  const reply = bus.call(method(object, "Component", "ScrollTo", "u", SCROLL.anywhere), deadline);
  if (reply.ok && reply.values[0] === true) return true;
  return scrollByBars(element, deadline) === "moved";
}

/**
 * For toolkits without ScrollTo: moves the bars of the panes around the element. `inside`: it lay
 * inside all of them already; `unable`: no pane, or none that could bring it to view.
 */
function scrollByBars(element: Element, deadline: Deadline): "moved" | "inside" | "unable" {
  const panes = panesAround(element, deadline);
  let moved = false;
  for (const pane of panes) {
    for (const vertical of [true, false]) {
      const aligned = alignInPane(element, pane, vertical, deadline);
      if (aligned === undefined) {
        if (!searchInPane(element, pane, vertical, deadline)) return "unable";
        moved = true;
        // Found at the pane's edge, perhaps; now that it has a place it can be put in the middle.
        alignInPane(element, pane, vertical, deadline);
      } else if (aligned) {
        moved = true;
      }
    }
  }
  if (panes.length === 0 || !panes.every((pane) => liesInside(element, pane, deadline))) {
    return "unable";
  }
  return moved ? "moved" : "inside";
}

/** Whether the middle of the element is inside the pane, once the pane has placed it anew. */
function liesInside(element: Element, pane: Element, deadline: Deadline): boolean {
  const until = deadline.within(SEEN_MS);
  while (true) {
    const [own, view] = rectsOf(element, pane, deadline);
    if (own !== undefined && view !== undefined) {
      const x = own.x + own.width / 2;
      const y = own.y + own.height / 2;
      if (
        x >= view.x && x <= view.x + view.width && y >= view.y && y <= view.y + view.height
      ) return true;
    }
    if (until.expired) return false;
    sleepSync(Math.min(SEEN_POLL_MS, until.remaining));
  }
}

function rectsOf(element: Element, pane: Element, deadline: Deadline): (Rect | undefined)[] {
  return element.bus.callAll(
    [element, pane].map(({ object }) =>
      method(object, "Component", "GetExtents", "u", COORDS.window)
    ),
    deadline,
  ).map((reply) => reply.ok ? extents(reply.values[0]) : undefined);
}

function isShowing(element: Element, deadline: Deadline): boolean {
  return hasState(stateWords(element, deadline) ?? [], STATE.showing);
}

/**
 * Turns pages until the element shows, for toolkits that give no place to what is out of view
 * (GTK 3): forward to the end, then back to the beginning. Leaves the bar as it was without success.
 */
function searchInPane(
  element: Element,
  pane: Element,
  vertical: boolean,
  deadline: Deadline,
): boolean {
  const bar = findBar(pane, vertical, deadline);
  const start = bar && numberOf(bar, "Value", "CurrentValue", deadline);
  const range = bar && rangeOf(bar, deadline);
  if (bar === undefined || start === undefined || range === undefined) return false;
  const page = pageOf(pane, bar, vertical, deadline);
  const stops = [
    ...stopsBetween(start, range.maximum, page),
    ...stopsBetween(start, range.minimum, -page),
  ].slice(0, MAX_PAGES);
  for (const stop of stops) {
    if (deadline.expired || !bar.bus.call(setCurrentValue(bar.object, stop), deadline).ok) break;
    if (showsSoon(element, deadline.within(FRAMES_MS))) return true;
  }
  bar.bus.call(setCurrentValue(bar.object, start), deadline);
  return false;
}

function stopsBetween(from: number, to: number, step: number): number[] {
  const count = Math.ceil(Math.abs(to - from) / Math.abs(step));
  return Array.from({ length: Math.min(count, MAX_PAGES) }, (_, index) => {
    const stop = from + step * (index + 1);
    return step > 0 ? Math.min(stop, to) : Math.max(stop, to);
  });
}

/** A pane places its content anew with the next frame. */
function showsSoon(element: Element, until: Deadline): boolean {
  while (true) {
    if (isShowing(element, until)) return true;
    if (until.expired) return false;
    sleepSync(Math.min(SEEN_POLL_MS, until.remaining));
  }
}

function panesAround({ bus, object, toolkit }: Element, deadline: Deadline): Element[] {
  const panes: Element[] = [];
  for (const { parent } of climb(bus, object, deadline)) {
    if (parent === undefined) break;
    const above = { bus, object: parent, toolkit };
    if (roleNumberOf(above, deadline) === ROLE.scrollPane) panes.push(above);
  }
  return panes;
}

/**
 * Moves one bar so that the element lies inside the pane; pixels are the bar's unit. `undefined`
 * when the toolkit does not say where the element is.
 */
function alignInPane(
  element: Element,
  pane: Element,
  vertical: boolean,
  deadline: Deadline,
): boolean | undefined {
  const [own, view] = rectsOf(element, pane, deadline);
  if (own === undefined || view === undefined) return undefined;
  const [start, size] = vertical ? [own.y, own.height] : [own.x, own.width];
  const [first, room] = vertical ? [view.y, view.height] : [view.x, view.width];
  if (start >= first && start + size <= first + room) return false;
  const bar = findBar(pane, vertical, deadline);
  const current = bar && numberOf(bar, "Value", "CurrentValue", deadline);
  const range = bar && rangeOf(bar, deadline);
  if (bar === undefined || current === undefined || range === undefined) return false;
  const middle = start + size / 2 - (first + room / 2);
  const target = Math.min(range.maximum, Math.max(range.minimum, current + middle));
  if (target === current) return false;
  const reply = bar.bus.call(setCurrentValue(bar.object, target), deadline);
  return reply.ok && moved(bar, current, deadline);
}
