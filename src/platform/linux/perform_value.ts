/** Numbers: spin buttons, sliders, dials and scroll bars, through the Value interface. */
import type { Deadline } from "../../deadline.ts";
import { AppError } from "../../errors.ts";
import type { Step } from "../platform.ts";
import type { ObjectRef } from "./accessible.ts";
import { delivered } from "./delivery.ts";
import { type Element, interfacesOf, numberOf, roleNumberOf } from "./element.ts";
import { SETTABLE_VALUE_ROLES } from "./roles.ts";
import { type MethodCall, Variant } from "./wire.ts";

/** The limits a control tells; a side without one is absent. */
interface Limits {
  minimum?: number;
  maximum?: number;
}

/** The smallest and largest value; none when the control contradicts itself. */
function limitsOf(element: Element, deadline: Deadline): Limits {
  const minimum = numberOf(element, "Value", "MinimumValue", deadline);
  const maximum = numberOf(element, "Value", "MaximumValue", deadline);
  if (minimum !== undefined && maximum !== undefined && minimum > maximum) return {};
  return {
    ...(minimum === undefined ? {} : { minimum }),
    ...(maximum === undefined ? {} : { maximum }),
  };
}

/** The values between which something can be moved; `undefined` where there is no room. */
export function rangeOf(
  element: Element,
  deadline: Deadline,
): { minimum: number; maximum: number } | undefined {
  const { minimum, maximum } = limitsOf(element, deadline);
  if (minimum === undefined || maximum === undefined || minimum === maximum) return undefined;
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
  const limits = limitsOf(element, deadline);
  const { minimum = -Infinity, maximum = Infinity } = limits;
  if (value < minimum || value > maximum) {
    const range = [
      ...(limits.minimum === undefined ? [] : [`from ${minimum}`]),
      ...(limits.maximum === undefined ? [] : [`to ${maximum}`]),
    ].join(" ");
    throw new AppError(
      "ACTION_FAILED",
      `The value is outside the element's range ${range}`,
      { suggestion: "Choose a value inside the range.", details: { ...limits } },
    );
  }
  return delivered(
    "Value.SetCurrentValue",
    element.bus.call(setCurrentValue(element.object, value), deadline),
  );
}
