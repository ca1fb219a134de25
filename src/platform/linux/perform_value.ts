/** Numbers: spin buttons, sliders, dials and scroll bars, through the Value interface. */
import type { Deadline } from "../../deadline.ts";
import { AppError } from "../../errors.ts";
import type { Step } from "../platform.ts";
import type { ObjectRef } from "./accessible.ts";
import { delivered } from "./delivery.ts";
import { type Element, interfacesOf, numberOf, roleNumberOf } from "./element.ts";
import { SETTABLE_VALUE_ROLES } from "./roles.ts";
import { type MethodCall, Variant } from "./wire.ts";

/** The smallest and largest value; `undefined` when the control does not say or contradicts. */
export function rangeOf(
  element: Element,
  deadline: Deadline,
): { minimum: number; maximum: number } | undefined {
  const minimum = numberOf(element, "Value", "MinimumValue", deadline);
  const maximum = numberOf(element, "Value", "MaximumValue", deadline);
  if (minimum === undefined || maximum === undefined || !(minimum < maximum)) return undefined;
  return { minimum, maximum };
}

/** Whether the value is a number that must not be set as text (spin buttons have both). */
export function isNumberControl(element: Element, deadline: Deadline): boolean {
  const role = roleNumberOf(element, deadline);
  return role !== undefined && SETTABLE_VALUE_ROLES.has(role) &&
    interfacesOf(element, deadline).has("Value");
}

/** The call that sets the value. */
export function setCurrentValue(object: ObjectRef, value: number): MethodCall {
  return {
    destination: object.bus,
    path: object.path,
    interface: "org.freedesktop.DBus.Properties",
    member: "Set",
    signature: "ssv",
    args: ["org.a11y.atspi.Value", "CurrentValue", new Variant("d", value)],
  };
}

/**
 * Sets a number, written with a decimal point whatever the locale.
 *
 * @throws AppError `INVALID_ARGS` for what is no number, `ACTION_FAILED` for one out of range
 */
export function setNumber(element: Element, text: string, deadline: Deadline): Step {
  const wanted = text.trim();
  if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(wanted) || !Number.isFinite(Number(wanted))) {
    throw new AppError("INVALID_ARGS", "The element takes a number; the value is none", {
      suggestion: "Write the value with digits and a decimal point.",
    });
  }
  const value = Number(wanted);
  const range = rangeOf(element, deadline);
  if (range !== undefined && (value < range.minimum || value > range.maximum)) {
    throw new AppError(
      "ACTION_FAILED",
      `The value is outside the element's range of ${range.minimum} to ${range.maximum}`,
      { suggestion: "Choose a value inside the range.", details: { ...range } },
    );
  }
  return delivered(
    "Value.SetCurrentValue",
    element.bus.call(setCurrentValue(element.object, value), deadline),
  );
}
