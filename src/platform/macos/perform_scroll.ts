/** Scrolling without the wheel: pages, scroll bars, bringing an element into view. */
import type { Ref } from "../../../ffi/macos/core_foundation.ts";
import type { Step } from "../platform.ts";
import { children } from "./perform_click.ts";
import { ancestorsOf } from "./ancestors.ts";
import type { ActionTarget, Delivery } from "./delivery.ts";
import { readBounds } from "./basics.ts";
import { disjoint } from "./states.ts";

/** Ancestors looked at for the area that scrolls. */
const ANCESTORS = 5;
/** Part of the whole range one unit moves a scroll bar that only takes a value. */
const BAR_STEP = 0.1;
/** How long content may take to move, and an element to come into view; how often both are read (ms). */
const MOVE_WAIT_MS = 300;
const VISIBLE_WAIT_MS = 800;
const POLL_MS = 40;
/** Scrolls at most that bring an element into view which cannot be asked to show itself. */
const STEPS_INTO_VIEW = 10;
/** Scroll bars have few parts: arrows, page areas, the knob. */
const BAR_PARTS = 8;

type Direction = "up" | "down" | "left" | "right";

const PAGE_ACTION: Readonly<Record<Direction, string>> = {
  up: "AXScrollUpByPage",
  down: "AXScrollDownByPage",
  left: "AXScrollLeftByPage",
  right: "AXScrollRightByPage",
};

/** An area that can scroll in the wanted direction. */
interface Area {
  element: Ref;
  pages: boolean;
  bar: Ref | undefined;
}

function findArea(d: Delivery, element: Ref, direction: Direction): Area | undefined {
  const barName = direction === "up" || direction === "down"
    ? "AXVerticalScrollBar"
    : "AXHorizontalScrollBar";
  const look = (at: Ref): Area | undefined => {
    const pages = d.actions(at).includes(PAGE_ACTION[direction]);
    const bar = d.elements.element(at, barName, d.deadline, d.arena);
    return pages || bar ? { element: at, pages, bar } : undefined;
  };
  const own = look(element);
  if (own) return own;
  for (const at of ancestorsOf(d.elements, element, ANCESTORS, d.deadline, d.arena)) {
    const area = look(at);
    if (area) return area;
  }
  return undefined;
}

function barValue(d: Delivery, bar: Ref | undefined): number | undefined {
  return bar && d.elements.number(bar, "AXValue", d.deadline);
}

/** Where the content stands: the scroll bar, else the place of the first child. */
function position(d: Delivery, area: Area): string {
  const bar = barValue(d, area.bar);
  if (bar !== undefined) return String(bar);
  const first = children(d, area.element, 1)[0];
  const bounds = first && readBounds(d.elements, first, d.deadline);
  return bounds ? `${bounds.x},${bounds.y}` : "";
}

/** Scrolls by `amount` pages. */
export async function scroll(
  d: Delivery,
  target: ActionTarget,
  direction: Direction,
  amount: number,
): Promise<Step[]> {
  const area = findArea(d, target.element, direction);
  if (!area) throw d.unsupported("scroll");
  const before = position(d, area);
  const moved = () => position(d, area) !== before;
  const sent = await byPages(d, area, direction, amount, moved) ??
    await byBar(d, area.bar, direction, amount, moved);
  if (!sent) throw d.unsupported(`scroll ${direction}`);
  const seen = await d.until(moved, MOVE_WAIT_MS, POLL_MS);
  return [{ label: sent, outcome: "succeeded", mechanism: "semantic_api", verified: seen }];
}

/** Repeats one action; how often it was delivered. */
async function repeat(
  d: Delivery,
  element: Ref,
  action: string,
  amount: number,
  moved: () => boolean,
): Promise<string | undefined> {
  let sent = 0;
  while (sent < amount && await d.perform(element, action, moved) === "delivered") sent++;
  return sent > 0 ? `${action} ×${sent}` : undefined;
}

async function byPages(
  d: Delivery,
  area: Area,
  direction: Direction,
  amount: number,
  moved: () => boolean,
): Promise<string | undefined> {
  if (!area.pages) return undefined;
  return await repeat(d, area.element, PAGE_ACTION[direction], amount, moved);
}

async function byBar(
  d: Delivery,
  bar: Ref | undefined,
  direction: Direction,
  amount: number,
  moved: () => boolean,
): Promise<string | undefined> {
  if (!bar) return undefined;
  const forward = direction === "down" || direction === "right";
  const value = barValue(d, bar);
  if (value !== undefined && d.settable(bar, "AXValue")) {
    const step = (forward ? BAR_STEP : -BAR_STEP) * amount;
    const target = Math.min(1, Math.max(0, value + step));
    using number = d.elements.cf.number(target);
    if (
      await d.set(bar, "AXValue", number.pointer, moved, "AXValue of scroll bar") === "delivered"
    ) {
      return "AXValue of scroll bar";
    }
  }
  const action = forward ? "AXIncrement" : "AXDecrement";
  if (d.actions(bar).includes(action)) {
    const sent = await repeat(d, bar, action, amount, moved);
    if (sent) return sent;
  }
  const wanted = forward
    ? ["AXIncrementPage", "AXIncrementArrow"]
    : ["AXDecrementPage", "AXDecrementArrow"];
  for (const part of children(d, bar, BAR_PARTS)) {
    const subrole = d.elements.text(part, "AXSubrole", d.deadline);
    if (!subrole || !wanted.includes(subrole) || !d.actions(part).includes("AXPress")) continue;
    return await repeat(d, part, "AXPress", amount, moved);
  }
  return undefined;
}

/**
 * Brings an element into view: by asking it, else by scrolling what is around it towards it.
 *
 * @returns `false` when nothing was sent because there is no way
 */
export async function scrollToVisible(d: Delivery, element: Ref): Promise<boolean> {
  const visible = () => wayTo(d, element) === "in view";
  if (d.actions(element).includes("AXScrollToVisible")) {
    const sent = await d.perform(element, "AXScrollToVisible", visible);
    const seen = sent === "delivered" && await d.until(visible, VISIBLE_WAIT_MS, POLL_MS);
    if (sent === "delivered") d.verified(seen);
    if (seen) return true;
  }
  for (let step = 0; step < STEPS_INTO_VIEW; step++) {
    const way = wayTo(d, element);
    if (way === "in view" || way === "unknown") break;
    const area = findArea(d, element, way);
    if (!area) break;
    const before = position(d, area);
    const moved = () => position(d, area) !== before;
    const sent = await byPages(d, area, way, 1, moved) ?? await byBar(d, area.bar, way, 1, moved);
    if (!sent) break;
    // An end that is reached is one step too many; content that does not move is never there.
    if (!await d.until(moved, MOVE_WAIT_MS, POLL_MS)) break;
    d.verified(visible());
  }
  return d.steps.some((step) => step.outcome === "succeeded");
}

/** In which direction the content has to be scrolled to show the element. */
function wayTo(d: Delivery, element: Ref): Direction | "in view" | "unknown" {
  const own = readBounds(d.elements, element, d.deadline);
  if (!own) return "unknown";
  for (const at of ancestorsOf(d.elements, element, ANCESTORS, d.deadline, d.arena)) {
    const role = d.elements.text(at, "AXRole", d.deadline);
    if (role !== "AXScrollArea" && role !== "AXWebArea" && role !== "AXWindow") continue;
    const around = readBounds(d.elements, at, d.deadline);
    if (!around) return "unknown";
    if (!disjoint(own, around)) return "in view";
    if (own.y >= around.y + around.height) return "down";
    if (own.y + own.height <= around.y) return "up";
    return own.x >= around.x + around.width ? "right" : "left";
  }
  return "in view";
}
