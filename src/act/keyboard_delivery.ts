/** Delivery by the keyboard: focus first, then keys, then a look whether they have arrived. */
import { Deadline } from "../deadline.ts";
import { AppError, staleRef } from "../errors.ts";
import type { Step } from "../platform/platform.ts";
import type { Node } from "../tree/node.ts";
import { isTextControl, offers } from "./action_rules.ts";
import { type Delivered, type Dispatch, physicalStep } from "./dispatch.ts";
import { withInput } from "./input_guard.ts";
import { platformDelivery } from "./platform_delivery.ts";
import { clickApart } from "./pointer_gestures.ts";
import { pointOf } from "./pointer_delivery.ts";
import { poll } from "./poll.ts";
import { expectTyped } from "./text_evidence.ts";

// How long an element may take to say that it has the focus.
const FOCUS_WAIT_MS = 500;
const POLL_MS = 20;
// How long typed text may take to arrive: a browser under load is this late.
const TEXT_ARRIVES_MS = 2_500;
// How long text is given to arrive where nobody can see whether it has (a password field).
const UNSEEN_TEXT_MS = 400;

/** The element once it has the keyboard focus, and the step that gave it. */
interface Focused {
  node: Node;
  step: Step;
}

/**
 * Gives the element the keyboard focus and waits until it says so: by its own method, else (a
 * text control of a toolkit without one) by a click on it.
 */
async function focusElement(dispatch: Dispatch): Promise<Focused> {
  try {
    return await grabFocus(dispatch);
  } catch (error) {
    if (!isUnsupported(error) || !isTextControl(dispatch.evaluation.node)) throw error;
  }
  const { call, platform, lease } = dispatch;
  const point = await pointOf(dispatch);
  await withInput(
    call.action,
    await platform.input(),
    (input) => clickApart(lease, input, { point, button: "left", count: 1 }),
  );
  const node = await focusSeen(dispatch);
  return { node, step: { ...physicalStep("Pointer.Focus"), verified: true } };
}

function isUnsupported(error: unknown): boolean {
  return error instanceof AppError && error.code === "ACTION_NOT_SUPPORTED";
}

/** Gives the focus by the element's own method; `ACTION_NOT_SUPPORTED` where it has none. */
async function grabFocus(dispatch: Dispatch): Promise<Focused> {
  const node = await readElement(dispatch);
  if (node.states.includes("focused")) {
    return { node, step: { label: "Focus", outcome: "skipped", verified: true } };
  }
  const { platform, element, deadline } = dispatch;
  await platform.perform(element.handle, { kind: "focus" }, { focus: true }, deadline);
  const step: Step = {
    label: "Focus",
    outcome: "succeeded",
    mechanism: "semantic_api",
    verified: true,
  };
  return { node: await focusSeen(dispatch), step };
}

/** Waits until the element says that it has the focus. Throws `ACTION_FAILED` when it does not. */
async function focusSeen(dispatch: Dispatch): Promise<Node> {
  const { call, evaluation, deadline } = dispatch;
  const until = deadline.within(FOCUS_WAIT_MS);
  await until.sleep(POLL_MS);
  let { role } = evaluation.node;
  const focused = await poll(until, POLL_MS, async () => {
    const node = await readElement(dispatch);
    role = node.role;
    return node.states.includes("focused") ? node : undefined;
  });
  if (focused !== undefined) return focused;
  throw new AppError(
    "ACTION_FAILED",
    `The ${role} did not take the keyboard focus, so ${call.action} was not sent`,
    { suggestion: "Click the element first, or take a snapshot and choose its text field." },
  );
}

async function readElement({ platform, element, deadline }: Dispatch): Promise<Node> {
  const node = await platform.inspect(element.handle, deadline);
  if (node !== undefined) return node;
  throw staleRef("The element went away before the action was sent");
}

/**
 * `type`: focus and keystrokes; where the toolkit takes no focus request but text, the text
 * itself.
 */
export async function typeKeys(dispatch: Dispatch): Promise<Delivered> {
  const { call, platform, element, evaluation, deadline } = dispatch;
  if (call.request.kind !== "type") throw new TypeError("keys without a type request");
  const { text } = call.request;
  // Where there is no input device this throws, before the focus moves.
  const device = await platform.input();
  let focused: Focused;
  try {
    focused = offers(evaluation.node, "type")
      ? await grabFocus(dispatch)
      : await focusElement(dispatch);
  } catch (error) {
    if (!isUnsupported(error) || !offers(evaluation.node, "type")) throw error;
    return await platformDelivery(dispatch, evaluation.node);
  }
  const { node, step } = focused;
  // Read after the focus change: many toolkits select everything in a field that gets the focus.
  const expectedText = await expectTyped(platform, element.handle, node, text, deadline);
  await withInput(call.action, device, async (input) => {
    await input.text(text, deadline);
    await textArrived(dispatch, expectedText);
  });
  const steps = [step, physicalStep("Keyboard.Type")];
  return expectedText === undefined ? { steps } : { steps, expectedText };
}

/**
 * Waits until typed text is in the element, or long enough where that cannot be read. The time of
 * the command does not cut this short: afterwards the keys that stood for characters the keyboard
 * layout lacks are given back, and were the application not done with them, it would read other
 * characters.
 */
async function textArrived(dispatch: Dispatch, expected: string | undefined): Promise<void> {
  if (expected === undefined) {
    return await Deadline.after(UNSEEN_TEXT_MS).sleep(UNSEEN_TEXT_MS);
  }
  const { platform, element } = dispatch;
  const until = Deadline.after(TEXT_ARRIVES_MS);
  await until.sleep(POLL_MS);
  await poll(until, POLL_MS, async () => {
    try {
      const node = await platform.inspect(element.handle, Deadline.after(TEXT_ARRIVES_MS));
      if (node === undefined || node.unreadable?.includes("value")) return true;
      const seen = node.valueLength !== undefined || (node.value ?? "") === expected;
      return seen ? true : undefined;
    } catch (error) {
      // The text is on its way: that it cannot be seen is for the verification to tell.
      if (error instanceof AppError) return true;
      throw error;
    }
  });
}

/**
 * `set-value` and `clear` on a text control that offers neither without the focus: by its method
 * once it has it, or (web fields) by selecting everything and typing over it.
 */
export async function afterFocus(dispatch: Dispatch): Promise<Delivered> {
  const { call, platform, deadline } = dispatch;
  const { node, step } = await focusElement(dispatch);
  if (offers(node, call.action)) {
    const delivered = await platformDelivery(dispatch, node);
    return { ...delivered, steps: [step, ...delivered.steps] };
  }
  const { request } = call;
  if (!isTextControl(node) || (request.kind !== "clear" && request.kind !== "set-value")) {
    throw new AppError(
      "ACTION_NOT_SUPPORTED",
      `The ${node.role} has the focus and still takes no value`,
      { suggestion: "Use an action that available_actions offers.", details: { focused: true } },
    );
  }
  await withInput(call.action, await platform.input(), async (input) => {
    input.modifier(platform.shortcutModifier, true);
    await input.key("a", deadline);
    input.modifier(platform.shortcutModifier, false);
    if (request.kind === "set-value" && request.value !== "") {
      await input.text(request.value, deadline);
      const secure = node.states.includes("secure");
      await textArrived(dispatch, secure ? undefined : request.value);
    } else {
      await input.key("delete", deadline);
    }
  });
  return { steps: [step, physicalStep("Keyboard.ReplaceAll")] };
}
