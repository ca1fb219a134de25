/** Delivery by the keyboard: focus first, then keys, then a look whether they have arrived. */
import { Deadline } from "../deadline.ts";
import { AppError } from "../errors.ts";
import type { Platform, Step } from "../platform/platform.ts";
import type { Node } from "../tree/node.ts";
import type { Evaluation } from "./actionability.ts";
import type { ActionCall } from "./action_context.ts";
import { type Delivered, physically, physicalStep, pointOf } from "./pointer_delivery.ts";
import { clickApart } from "./pointer_gestures.ts";
import { isTextControl, offers } from "./action_rules.ts";
import { expectTyped, semantic } from "./platform_delivery.ts";
import type { LiveElement } from "./action_context.ts";

const FOCUS_WAIT_MS = 500;
const FOCUS_POLL_MS = 20;
// How long typed text may take to arrive: a browser under load is this late.
const TEXT_ARRIVES_MS = 2_500;
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
async function focusElement(
  call: ActionCall,
  platform: Platform,
  target: LiveElement,
  evaluation: Evaluation,
  deadline: Deadline,
): Promise<Focused> {
  try {
    return await grabFocus(call, platform, target, deadline);
  } catch (error) {
    if (!isUnsupported(error) || !isTextControl(evaluation.node)) throw error;
  }
  const point = await pointOf(call, platform, evaluation, deadline);
  await physically(
    call.action,
    platform,
    (input) => clickApart(undefined, input, point, "left", 1),
  );
  const node = await focusSeen(call, platform, target, deadline);
  return { node, step: { ...physicalStep("Pointer.Focus"), verified: true } };
}

function isUnsupported(error: unknown): boolean {
  return error instanceof AppError && error.code === "ACTION_NOT_SUPPORTED";
}

async function grabFocus(
  call: ActionCall,
  platform: Platform,
  target: LiveElement,
  deadline: Deadline,
): Promise<Focused> {
  const node = await readTarget(platform, target, deadline);
  if (node.states.includes("focused")) {
    return { node, step: { label: "Focus", outcome: "skipped", verified: true } };
  }
  await platform.perform(target.handle, { kind: "focus" }, deadline);
  const step: Step = {
    label: "Focus",
    outcome: "succeeded",
    mechanism: "semantic_api",
    verified: true,
  };
  return { node: await focusSeen(call, platform, target, deadline), step };
}

async function focusSeen(
  call: ActionCall,
  platform: Platform,
  target: LiveElement,
  deadline: Deadline,
): Promise<Node> {
  const until = deadline.within(FOCUS_WAIT_MS);
  let node: Node;
  do {
    await until.sleep(FOCUS_POLL_MS);
    node = await readTarget(platform, target, deadline);
    if (node.states.includes("focused")) return node;
  } while (!until.expired);
  throw new AppError(
    "ACTION_FAILED",
    `The ${node.role} did not take the keyboard focus, so ${call.action} was not sent`,
    { suggestion: "Click the element first, or take a snapshot and choose its text field." },
  );
}

async function readTarget(
  platform: Platform,
  target: LiveElement,
  deadline: Deadline,
): Promise<Node> {
  const node = await platform.inspect(target.handle, deadline);
  if (node !== undefined) return node;
  throw new AppError("STALE_REF", "The element went away before the action was sent", {
    suggestion: "Take a new snapshot and use the qualified ref it prints.",
  });
}

/** Focus and keystrokes; where the toolkit takes no focus request but text, the text itself. */
export async function typeKeys(
  call: ActionCall,
  platform: Platform,
  target: LiveElement,
  evaluation: Evaluation,
  deadline: Deadline,
): Promise<Delivered> {
  if (call.request.kind !== "type") throw new TypeError("keys without a type request");
  const { text } = call.request;
  await platform.input(); // refused here, before the focus moves, where there is none
  let focused: Focused;
  try {
    focused = offers(evaluation.node, "type")
      ? await grabFocus(call, platform, target, deadline)
      : await focusElement(call, platform, target, evaluation, deadline);
  } catch (error) {
    if (!isUnsupported(error) || !offers(evaluation.node, "type")) throw error;
    return await semantic(call, platform, target, evaluation.node, deadline);
  }
  const { node, step } = focused;
  // Read after the focus change: many toolkits select everything in a field that gets the focus.
  const expectedText = await expectTyped(platform, target, node, text, deadline);
  await physically(call.action, platform, async (input) => {
    await input.text(text, deadline);
    await arrived(platform, target, expectedText);
  });
  const steps = [step, physicalStep("Keyboard.Type")];
  return expectedText === undefined ? { steps } : { steps, expectedText };
}

/** Waits until typed text is in the element, or long enough where that cannot be read. */
async function arrived(
  platform: Platform,
  target: LiveElement,
  expected: string | undefined,
): Promise<void> {
  const until = Deadline.after(expected === undefined ? UNSEEN_TEXT_MS : TEXT_ARRIVES_MS);
  while (!until.expired) {
    await until.sleep(FOCUS_POLL_MS);
    if (expected === undefined) continue;
    try {
      const node = await platform.inspect(target.handle, Deadline.after(TEXT_ARRIVES_MS));
      if (node === undefined || node.unreadable?.includes("value")) return;
      if (node.valueLength !== undefined || (node.value ?? "") === expected) return;
    } catch (error) {
      // The text is on its way: that it cannot be seen is for the verification to tell.
      if (error instanceof AppError) return;
      throw error;
    }
  }
}

/**
 * `set-value` and `clear` on a text control that offers neither without the focus: by its method
 * once it has it, or (web fields) by selecting everything and typing over it.
 */
export async function afterFocus(
  call: ActionCall,
  platform: Platform,
  target: LiveElement,
  evaluation: Evaluation,
  deadline: Deadline,
): Promise<Delivered> {
  const { node, step } = await focusElement(call, platform, target, evaluation, deadline);
  if (offers(node, call.action)) {
    const delivered = await semantic(call, platform, target, node, deadline);
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
  await physically(call.action, platform, async (input) => {
    input.modifier(platform.shortcutModifier, true);
    await input.key("a", deadline);
    input.modifier(platform.shortcutModifier, false);
    if (request.kind === "set-value" && request.value !== "") {
      await input.text(request.value, deadline);
      const secure = node.states.includes("secure");
      await arrived(platform, target, secure ? undefined : request.value);
    } else {
      await input.key("delete", deadline);
    }
  });
  return { steps: [step, physicalStep("Keyboard.ReplaceAll")] };
}
