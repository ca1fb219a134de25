/** Writing a value, in the type the element has. Secure fields are written, never read. */
import { answered, type Value } from "../../../ffi/macos/accessibility.ts";
import type { Ref } from "../../../ffi/macos/core_foundation.ts";
import { AppError } from "../../errors.ts";
import type { Step } from "../platform.ts";
import type { ActionTarget, Delivery } from "./delivery.ts";

/** Most increments or decrements sent for one value. */
const MAX_STEPS = 1_024;
/** A control that moves in steps has reached a value when it is nearer than this. */
const HALF_STEP = 0.5;

/** A number written with a decimal point; `undefined` for any other text. */
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
export async function setValue(d: Delivery, target: ActionTarget, text: string): Promise<Step[]> {
  const { element, actions } = target;
  const current = target.basics.secrecy.value === "open" ? currentValue(d, element) : undefined;
  const settable = d.settable(element, "AXValue");
  if (settable) {
    using value = valueLike(d, target, current, text);
    if (await d.set(element, "AXValue", value.pointer) === "delivered") return d.steps;
  }
  if (
    current?.kind === "number" &&
    (actions.includes("AXIncrement") || actions.includes("AXDecrement"))
  ) {
    return await stepTo(d, target, current.value, text);
  }
  throw d.unsupported("have its value set");
}

/** The value as it is now; `undefined` when it has none or does not tell. */
export function currentValue(d: Delivery, element: Ref): Value | undefined {
  const answer = d.elements.attribute(element, "AXValue", d.deadline, d.arena);
  return answered(answer) ? answer.value : undefined;
}

function valueLike(
  d: Delivery,
  target: ActionTarget,
  current: Value | undefined,
  text: string,
): Ref {
  const { cf } = d.elements;
  if (current?.kind === "number") {
    const number = parseNumber(text);
    if (number === undefined) throw notANumber();
    mustBeInRange(d, target.element, number);
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
  const min = d.elements.number(element, "AXMinValue", d.deadline);
  const max = d.elements.number(element, "AXMaxValue", d.deadline);
  if ((min === undefined || value >= min) && (max === undefined || value <= max)) return;
  throw new AppError("ACTION_FAILED", `The value is outside the element's range`, {
    suggestion: "Pass a value inside the range.",
    details: { ...(min === undefined ? {} : { min }), ...(max === undefined ? {} : { max }) },
  });
}

async function stepTo(
  d: Delivery,
  target: ActionTarget,
  start: number,
  text: string,
): Promise<Step[]> {
  const wanted = parseNumber(text);
  if (wanted === undefined) throw notANumber();
  mustBeInRange(d, target.element, wanted);
  let now = start;
  for (let i = 0; i < MAX_STEPS && Math.abs(wanted - now) >= HALF_STEP; i++) {
    const action = wanted > now ? "AXIncrement" : "AXDecrement";
    if (!target.actions.includes(action)) break;
    if (await d.perform(target.element, action) !== "delivered") break;
    const next = d.elements.number(target.element, "AXValue", d.deadline);
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
  // Reported as one step with its count, instead of many equal ones.
  const reached = Math.abs(wanted - now) < HALF_STEP;
  const label = `${wanted > start ? "AXIncrement" : "AXDecrement"} ×${sent}`;
  return [{ label, outcome: "succeeded", mechanism: "semantic_api", verified: reached }];
}

function refuse(d: Delivery): never {
  throw d.unsupported("have its value set");
}
