/** Text in fields: emptying them, inserting at the caret. Secure fields are written, never read. */
import { AppError } from "../../errors.ts";
import type { Step } from "../platform.ts";
import type { ActionTarget, Delivery } from "./delivery.ts";
import { currentValue } from "./perform_value.ts";

/** Empties a text element. */
export async function clearText(d: Delivery, target: ActionTarget): Promise<Step[]> {
  if (!d.settable(target.element, "AXValue")) throw d.unsupported("be cleared");
  const current = target.basics.secrecy.value === "open"
    ? currentValue(d, target.element)
    : undefined;
  if (current?.kind === "number" || current?.kind === "bool") {
    throw new AppError("ACTION_NOT_SUPPORTED", "The element holds no text that could be cleared", {
      suggestion: "Use set-value with the value it should have.",
    });
  }
  using empty = d.elements.cf.string("");
  if (await d.set(target.element, "AXValue", empty.pointer) === "delivered") return d.steps;
  throw d.unsupported("be cleared");
}

/** Inserts text at the caret, over the selection. */
export async function typeText(d: Delivery, target: ActionTarget, text: string): Promise<Step[]> {
  if (!d.settable(target.element, "AXSelectedText")) throw d.unsupported("take text");
  using value = d.elements.cf.string(text);
  if (await d.set(target.element, "AXSelectedText", value.pointer) === "delivered") {
    return d.steps;
  }
  throw d.unsupported("take text");
}
