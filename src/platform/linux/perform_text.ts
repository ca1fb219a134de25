/** Text through the EditableText interface. */
import type { Deadline } from "../../deadline.ts";
import { AppError } from "../../errors.ts";
import type { Step } from "../platform.ts";
import { method } from "./accessible.ts";
import { delivered, preparatory } from "./delivery.ts";
import { type Element, interfacesOf } from "./element.ts";
import { isNumberControl } from "./perform_value.ts";
import { nativeRange } from "./text_range.ts";

function requireEditable(element: Element, deadline: Deadline): void {
  if (interfacesOf(element, deadline).has("EditableText")) return;
  throw new AppError("ACTION_NOT_SUPPORTED", "The element takes no text now", {
    suggestion: "Some fields take text only while they have the focus: retry with --headed.",
  });
}

function refuseNul(text: string): void {
  if (!text.includes("\0")) return;
  throw new AppError("INVALID_ARGS", "The text holds a NUL character, which no field can take", {
    suggestion: "Remove the NUL character.",
  });
}

/** Replaces the whole text. */
export function setText(element: Element, text: string, deadline: Deadline): Step {
  refuseNul(text);
  requireEditable(element, deadline);
  const { bus, object } = element;
  return delivered(
    "EditableText.SetTextContents",
    bus.call(method(object, "EditableText", "SetTextContents", "s", text), deadline),
  );
}

/** Empties the text. A number control cannot be empty: it would show its last number again. */
export function clearText(element: Element, deadline: Deadline): Step {
  if (isNumberControl(element, deadline)) {
    throw new AppError("ACTION_NOT_SUPPORTED", "A number control cannot be emptied", {
      suggestion: "Use set-value with the number it shall show.",
    });
  }
  return setText(element, "", deadline);
}

/** Inserts text at the caret, or in place of the selection. */
export function typeText(element: Element, text: string, deadline: Deadline): Step[] {
  refuseNul(text);
  requireEditable(element, deadline);
  const { bus, object, toolkit } = element;
  const range = nativeRange(element, deadline);
  if (range === undefined) {
    throw new AppError("ACTION_FAILED", "The element does not tell where its caret is", {
      suggestion: "Use set-value to replace the whole text, or focus the element first.",
    });
  }
  const steps: Step[] = [];
  if (range.end > range.start) {
    steps.push(preparatory(delivered(
      "EditableText.DeleteText",
      bus.call(
        method(object, "EditableText", "DeleteText", "ii", range.start, range.end),
        deadline,
      ),
    )));
  }
  try {
    const length = toolkit.insertLength(text);
    steps.push(delivered(
      "EditableText.InsertText",
      bus.call(
        method(object, "EditableText", "InsertText", "isi", range.start, text, length),
        deadline,
      ),
    ));
  } catch (error) {
    // The selection is gone already: something did reach the application.
    if (steps.length > 0 && error instanceof AppError && error.delivery === "not_delivered") {
      error.delivery = "delivered_unverified";
    }
    throw error;
  }
  // As with keys, the caret ends behind what was typed; toolkits leave it before, or at the end.
  const units = toolkit.utf16Offsets ? text.length : [...text].length;
  bus.call(method(object, "Text", "SetCaretOffset", "i", range.start + units), deadline);
  return steps;
}
