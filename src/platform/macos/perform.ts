/** Semantic delivery: each operation tries its ways in order and stops when one was delivered. */
import { Arena, type Ref } from "../../../ffi/macos/core_foundation.ts";
import type { Deadline } from "../../deadline.ts";
import type { SemanticRequest, Step } from "../platform.ts";
import type { Elements } from "./accessible.ts";
import { click, setExpanded, toggle } from "./perform_click.ts";
import { rightClick } from "./perform_menu.ts";
import { type ActionTarget, Delivery } from "./delivery.ts";
import { scroll, scrollToVisible } from "./perform_scroll.ts";
import { selectOption } from "./perform_select.ts";
import { clearText, typeText } from "./perform_text.ts";
import { setValue } from "./perform_value.ts";

/** How long an application may take to give an element the focus, and how often that is looked at. */
const FOCUS_WAIT_MS = 400;
const FOCUS_POLL_MS = 40;

/** Delivers one request. Throws `AppError` with the delivery reached. */
export async function perform(
  elements: Elements,
  element: Ref,
  request: SemanticRequest,
  deadline: Deadline,
): Promise<Step[]> {
  using arena = new Arena();
  const delivery = new Delivery(elements, arena, deadline);
  return await dispatch(delivery, delivery.target(element), request);
}

async function dispatch(
  d: Delivery,
  target: ActionTarget,
  request: SemanticRequest,
): Promise<Step[]> {
  switch (request.kind) {
    case "click":
      return await click(d, target);
    case "right-click":
      return await rightClick(d, target);
    case "set-value":
      return await setValue(d, target, request.value);
    case "type":
      return await typeText(d, target, request.text);
    case "clear":
      return await clearText(d, target);
    case "focus":
      return await focus(d, target);
    case "select":
      return await selectOption(d, target, request.option);
    case "toggle":
      return await toggle(d, target, undefined);
    case "check":
      return await toggle(d, target, true);
    case "uncheck":
      return await toggle(d, target, false);
    case "expand":
      return await setExpanded(d, target, true);
    case "collapse":
      return await setExpanded(d, target, false);
    case "scroll":
      return await scroll(d, target, request.direction, request.amount);
    case "scroll-to":
      if (await scrollToVisible(d, target.element)) return d.steps;
      throw d.unsupported("be scrolled to");
  }
}

/** Gives the keyboard focus to an element of its application. */
async function focus(d: Delivery, target: ActionTarget): Promise<Step[]> {
  const { element } = target;
  const focused = () => d.elements.bool(element, "AXFocused", d.deadline) === true;
  if (target.basics.flags.focused) return d.skip("AlreadyInState");
  if (!d.settable(element, "AXFocused")) throw d.unsupported("take the focus");
  if (await d.set(element, "AXFocused", d.elements.cf.true, focused) !== "delivered") {
    throw d.unsupported("take the focus");
  }
  d.verified(await d.until(focused, FOCUS_WAIT_MS, FOCUS_POLL_MS));
  return d.steps;
}

/** Asks the application to bring an element into view. `false`: it cannot. */
export async function scrollIntoView(
  elements: Elements,
  element: Ref,
  deadline: Deadline,
): Promise<boolean> {
  using arena = new Arena();
  return await scrollToVisible(new Delivery(elements, arena, deadline), element);
}
