/**
 * The one dispatch of an action (interaction §2, step 7): the platform's semantic method, or in
 * headed mode pointer and keyboard where they are the documented route. The route is chosen before
 * anything is sent; there is never a second one after a first may have reached the application.
 */
import type { Deadline } from "../deadline.ts";
import { AppError } from "../errors.ts";
import type { Input, Platform, Point, Step } from "../platform/platform.ts";
import { screenBounds } from "../platform/place.ts";
import type { Node } from "../tree/node.ts";
import type { Evaluation } from "./actionability.ts";
import type { ActionCall } from "./flow.ts";
import { withInput } from "./guard.ts";
import { clickApart, wheelAt } from "./pointer.ts";
import { isTextControl, offers, ruleOf } from "./policy.ts";
import type { Services, Target } from "./services.ts";
import { textAfterTyping, wholeText } from "./verify.ts";

/** What was sent. */
export interface Delivered {
  steps: Step[];
  /** For `type`: the text the element must hold now; absent when that cannot be known. */
  expectedText?: string;
}

const FOCUS_WAIT_MS = 500;
const FOCUS_POLL_MS = 20;

/**
 * Sends the action once.
 *
 * @throws AppError with the delivery it reached
 */
export async function deliver(
  call: ActionCall,
  services: Services,
  target: Target,
  evaluation: Evaluation,
  deadline: Deadline,
): Promise<Delivered> {
  const { platform } = services;
  const { action, headed } = call;
  const { node } = evaluation;
  if (headed) {
    const clicks = ruleOf(action).clicks;
    // A click that only the container could stand in for is made by the pointer here.
    const byItself = ruleOf(action).capability.some((wanted) => node.actions.includes(wanted));
    if (clicks > 1 || (clicks === 1 && !byItself)) {
      return await pointerClick(call, services, evaluation, clicks, deadline);
    }
    if (action === "scroll") return await wheel(call, platform, evaluation, deadline);
    if (action === "type" && (node.actions.includes("SetFocus") || !offers(node, action))) {
      return await typeKeys(call, platform, target, evaluation, deadline);
    }
    if ((action === "set-value" || action === "clear") && !offers(node, action)) {
      return await afterFocus(call, platform, target, evaluation, deadline);
    }
  }
  return await semantic(call, platform, target, node, deadline);
}

async function semantic(
  call: ActionCall,
  platform: Platform,
  target: Target,
  node: Node,
  deadline: Deadline,
): Promise<Delivered> {
  const expectedText = call.request.kind === "type"
    ? await expectTyped(platform, target, node, call.request.text, deadline)
    : undefined;
  try {
    const steps = await platform.perform(target.handle, call.request, deadline);
    return expectedText === undefined ? { steps } : { steps, expectedText };
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw uncertain(call.action, error);
  }
}

function uncertain(action: string, cause: unknown): AppError {
  return new AppError("INTERNAL", `${action} failed while it was being delivered`, {
    suggestion: "Take a snapshot to see whether the action took effect.",
    delivery: "delivery_uncertain",
    cause,
  });
}

/** Where the pointer goes: the point the hit test confirmed, else the centre. */
async function pointOf(
  call: ActionCall,
  platform: Platform,
  evaluation: Evaluation,
  deadline: Deadline,
): Promise<Point> {
  const { node, report } = evaluation;
  if (report.verified_point !== undefined) return report.verified_point;
  const bounds = await screenBounds(platform, node, deadline);
  if (bounds !== undefined) {
    return {
      x: Math.floor(bounds.x + bounds.width / 2),
      y: Math.floor(bounds.y + bounds.height / 2),
    };
  }
  throw new AppError(
    "ACTION_NOT_SUPPORTED",
    `The screen position of the ${node.role} is unknown, so ${call.action} cannot aim at it`,
    {
      suggestion: "Use an action the element offers in available_actions.",
      details: { ...report },
    },
  );
}

/** Runs physical input; an exception after the first event leaves the outcome uncertain. */
async function physically(
  action: string,
  platform: Platform,
  use: (input: Input) => Promise<void>,
): Promise<void> {
  const input = platform.input();
  try {
    await withInput(input, use);
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw uncertain(action, error);
  }
}

function physicalStep(label: string): Step {
  return { label, outcome: "succeeded", mechanism: "physical_synthetic", verified: false };
}

async function pointerClick(
  call: ActionCall,
  services: Services,
  evaluation: Evaluation,
  clicks: number,
  deadline: Deadline,
): Promise<Delivered> {
  const { platform } = services;
  const point = await pointOf(call, platform, evaluation, deadline);
  const button = call.action === "right-click" ? "right" : "left";
  await physically(
    call.action,
    platform,
    (input) => clickApart(services.held, input, point, button, clicks),
  );
  return { steps: [physicalStep("Pointer.Click")] };
}

async function wheel(
  call: ActionCall,
  platform: Platform,
  evaluation: Evaluation,
  deadline: Deadline,
): Promise<Delivered> {
  if (call.request.kind !== "scroll") throw new TypeError("wheel without a scroll request");
  const { direction, amount } = call.request;
  const dy = direction === "up" ? amount : direction === "down" ? -amount : 0;
  const dx = direction === "left" ? amount : direction === "right" ? -amount : 0;
  const point = await pointOf(call, platform, evaluation, deadline);
  await physically(call.action, platform, (input) => wheelAt(input, point, dx, dy));
  return { steps: [physicalStep("Pointer.Wheel")] };
}

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
  target: Target,
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
  target: Target,
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
  target: Target,
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

async function readTarget(platform: Platform, target: Target, deadline: Deadline): Promise<Node> {
  const node = await platform.inspect(target.handle, deadline);
  if (node !== undefined) return node;
  throw new AppError("STALE_REF", "The element went away before the action was sent", {
    suggestion: "Take a new snapshot and use the qualified ref it prints.",
  });
}

/** Focus and keystrokes; where the toolkit takes no focus request but text, the text itself. */
async function typeKeys(
  call: ActionCall,
  platform: Platform,
  target: Target,
  evaluation: Evaluation,
  deadline: Deadline,
): Promise<Delivered> {
  if (call.request.kind !== "type") throw new TypeError("keys without a type request");
  const { text } = call.request;
  platform.input(); // refused here, before the focus moves, where there is none
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
  await physically(call.action, platform, (input) => input.text(text, deadline));
  const steps = [step, physicalStep("Keyboard.Type")];
  return expectedText === undefined ? { steps } : { steps, expectedText };
}

/** What the element must read after typing, from its text and selection now. */
async function expectTyped(
  platform: Platform,
  target: Target,
  node: Node,
  text: string,
  deadline: Deadline,
): Promise<string | undefined> {
  if (node.states.includes("secure")) return undefined;
  const old = await wholeText(platform, target.handle, node, deadline);
  if (old === undefined || old === "") {
    return node.unreadable?.includes("value") ? undefined : text;
  }
  const range = await platform.textRange?.(target.handle, deadline);
  return range === undefined ? undefined : textAfterTyping(old, range, text);
}

/**
 * `set-value` and `clear` on a text control that offers neither without the focus: by its method
 * once it has it, or (web fields) by selecting everything and typing over it.
 */
async function afterFocus(
  call: ActionCall,
  platform: Platform,
  target: Target,
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
    input.modifier("ctrl", true);
    await input.key("a", deadline);
    input.modifier("ctrl", false);
    if (request.kind === "set-value" && request.value !== "") {
      await input.text(request.value, deadline);
    } else {
      await input.key("delete", deadline);
    }
  });
  return { steps: [step, physicalStep("Keyboard.ReplaceAll")] };
}
