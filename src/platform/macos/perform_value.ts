/** Writing: values, text at the caret, the keyboard focus. Secure fields are written, never read. */
import { answered, type Value } from "../../../ffi/macos/accessibility.ts";
import { Arena, type Ref } from "../../../ffi/macos/core_foundation.ts";
import { AppError } from "../../errors.ts";
import type { Step } from "../platform.ts";
import type { Delivery, Subject } from "./delivery.ts";

/** Steps of an increment or decrement at most. */
const MAX_STEPS = 1_024;
/** A value this near to the wanted one is there. */
const HALF_STEP = 0.5;
const FOCUS_WAIT_MS = 400;
const FOCUS_POLL_MS = 40;

function numberOf(d: Delivery, element: Ref, name: string): number | undefined {
  using arena = new Arena();
  const answer = d.elements.attribute(element, name, d.deadline, arena);
  return answered(answer) && answer.value.kind === "number" ? answer.value.value : undefined;
}

/** Dot-decimal, as everywhere in the program. */
function parseNumber(text: string): number | undefined {
  const trimmed = text.trim();
  if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(trimmed)) return undefined;
  const value = Number(trimmed);
  return Number.isFinite(value) ? value : undefined;
}

function notANumber(): AppError {
  return new AppError("INVALID_ARGS", "The element takes a number and the value is none", {
    suggestion: "Pass digits with an optional decimal point.",
  });
}

/** Sets the value, in the type the element has now; a number that cannot be set is stepped to. */
export async function setValue(d: Delivery, subject: Subject, text: string): Promise<Step[]> {
  const { element, actions } = subject;
  const current = subject.basics.secure ? undefined : currentValue(d, element);
  const settable = d.settable(element, "AXValue");
  if (settable) {
    using value = valueLike(d, subject, current, text);
    if (await d.set(element, "AXValue", value.pointer) === "delivered") return d.steps;
  }
  if (
    current?.kind === "number" &&
    (actions.includes("AXIncrement") || actions.includes("AXDecrement"))
  ) {
    return await stepTo(d, subject, current.value, text);
  }
  throw d.unsupported("have its value set");
}

function currentValue(d: Delivery, element: Ref): Value | undefined {
  const answer = d.elements.attribute(element, "AXValue", d.deadline, d.arena);
  return answered(answer) ? answer.value : undefined;
}

function valueLike(d: Delivery, subject: Subject, current: Value | undefined, text: string): Ref {
  const { cf } = d.elements;
  if (current?.kind === "number") {
    const number = parseNumber(text);
    if (number === undefined) throw notANumber();
    mustBeInRange(d, subject.element, number);
    return cf.number(number);
  }
  if (current?.kind === "bool") {
    const on = /^(1|true|on)$/i.test(text.trim());
    if (!on && !/^(0|false|off)$/i.test(text.trim())) {
      throw new AppError("INVALID_ARGS", "The element takes true or false", {
        suggestion: "Use check, uncheck or toggle.",
      });
    }
    return cf.retain(cf.boolean(on));
  }
  return cf.string(text);
}

function mustBeInRange(d: Delivery, element: Ref, value: number): void {
  const min = numberOf(d, element, "AXMinValue");
  const max = numberOf(d, element, "AXMaxValue");
  if ((min === undefined || value >= min) && (max === undefined || value <= max)) return;
  throw new AppError("ACTION_FAILED", `The value is outside the element's range`, {
    suggestion: "Pass a value inside the range.",
    details: { ...(min === undefined ? {} : { min }), ...(max === undefined ? {} : { max }) },
  });
}

async function stepTo(
  d: Delivery,
  subject: Subject,
  start: number,
  text: string,
): Promise<Step[]> {
  const wanted = parseNumber(text);
  if (wanted === undefined) throw notANumber();
  mustBeInRange(d, subject.element, wanted);
  let now = start;
  for (let i = 0; i < MAX_STEPS && Math.abs(wanted - now) >= HALF_STEP; i++) {
    const action = wanted > now ? "AXIncrement" : "AXDecrement";
    if (!subject.actions.includes(action)) break;
    if (await d.perform(subject.element, action) !== "delivered") break;
    const next = numberOf(d, subject.element, "AXValue");
    // It does not move, or it has jumped over the value: going on would swing for ever.
    if (next === undefined || next === now || (next - wanted) * (now - wanted) < 0) {
      now = next ?? now;
      break;
    }
    now = next;
  }
  const sent = d.steps.filter((step) => step.outcome === "succeeded").length;
  if (sent === 0) {
    return Math.abs(wanted - now) < HALF_STEP ? d.skip("AlreadyInState") : refuse(d);
  }
  // One step stands for all: a thousand equal entries help nobody.
  const reached = Math.abs(wanted - now) < HALF_STEP;
  const label = `${wanted > start ? "AXIncrement" : "AXDecrement"} ×${sent}`;
  return [{ label, outcome: "succeeded", mechanism: "semantic_api", verified: reached }];
}

function refuse(d: Delivery): never {
  throw d.unsupported("have its value set");
}

/** Empties a text element. */
export async function clear(d: Delivery, subject: Subject): Promise<Step[]> {
  if (!d.settable(subject.element, "AXValue")) throw d.unsupported("be cleared");
  const current = subject.basics.secure ? undefined : currentValue(d, subject.element);
  if (current?.kind === "number" || current?.kind === "bool") {
    throw new AppError("ACTION_NOT_SUPPORTED", "The element holds no text that could be cleared", {
      suggestion: "Use set-value with the value it should have.",
    });
  }
  using empty = d.elements.cf.string("");
  if (await d.set(subject.element, "AXValue", empty.pointer) === "delivered") return d.steps;
  throw d.unsupported("be cleared");
}

/** Inserts text at the caret, over the selection. */
export async function typeText(d: Delivery, subject: Subject, text: string): Promise<Step[]> {
  if (!d.settable(subject.element, "AXSelectedText")) throw d.unsupported("take text");
  using value = d.elements.cf.string(text);
  if (await d.set(subject.element, "AXSelectedText", value.pointer) === "delivered") {
    return d.steps;
  }
  throw d.unsupported("take text");
}

/** Gives the keyboard focus to an element of its application. */
export async function focus(d: Delivery, subject: Subject): Promise<Step[]> {
  const { element } = subject;
  const focused = () => d.elements.bool(element, "AXFocused", d.deadline) === true;
  if (subject.basics.flags.focused) return d.skip("AlreadyInState");
  if (!d.settable(element, "AXFocused")) throw d.unsupported("take the focus");
  if (await d.set(element, "AXFocused", d.elements.cf.true, focused) !== "delivered") {
    throw d.unsupported("take the focus");
  }
  d.verified(await d.until(focused, FOCUS_WAIT_MS, FOCUS_POLL_MS));
  return d.steps;
}
