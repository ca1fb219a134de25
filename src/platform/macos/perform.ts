/** Semantic delivery: the chain of each operation, stopped at the first thing delivered. */
import { Arena, type Ref } from "../../../ffi/macos/core_foundation.ts";
import type { Deadline } from "../../deadline.ts";
import type { SemanticRequest, Step } from "../platform.ts";
import type { Elements } from "./accessible.ts";
import { click, rightClick, setExpanded, toggle } from "./perform_click.ts";
import { Delivery, type Subject } from "./delivery.ts";
import { scroll, scrollToVisible } from "./perform_scroll.ts";
import { selectOption } from "./perform_select.ts";
import { clear, focus, setValue, typeText } from "./perform_value.ts";

/** Delivers one request. Throws `AppError` with the delivery reached. */
export async function perform(
  elements: Elements,
  element: Ref,
  request: SemanticRequest,
  deadline: Deadline,
): Promise<Step[]> {
  using arena = new Arena();
  const delivery = new Delivery(elements, arena, deadline);
  return await dispatch(delivery, delivery.subject(element), request);
}

async function dispatch(d: Delivery, subject: Subject, request: SemanticRequest): Promise<Step[]> {
  switch (request.kind) {
    case "click":
      return await click(d, subject);
    case "right-click":
      return await rightClick(d, subject);
    case "set-value":
      return await setValue(d, subject, request.value);
    case "type":
      return await typeText(d, subject, request.text);
    case "clear":
      return await clear(d, subject);
    case "focus":
      return await focus(d, subject);
    case "select":
      return await selectOption(d, subject, request.option);
    case "toggle":
      return await toggle(d, subject, undefined);
    case "check":
      return await toggle(d, subject, true);
    case "uncheck":
      return await toggle(d, subject, false);
    case "expand":
      return await setExpanded(d, subject, true);
    case "collapse":
      return await setExpanded(d, subject, false);
    case "scroll":
      return await scroll(d, subject, request.direction, request.amount);
    case "scroll-to":
      if (await scrollToVisible(d, subject.element)) return d.steps;
      throw d.unsupported("be scrolled to");
  }
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
