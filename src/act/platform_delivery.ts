/** Delivery by the platform's own method. */
import type { Deadline } from "../deadline.ts";
import { AppError } from "../errors.ts";
import type { Platform } from "../platform/platform.ts";
import type { Node } from "../tree/node.ts";
import type { ActionCall } from "./action_context.ts";
import { type Delivered, uncertain } from "./pointer_delivery.ts";
import type { LiveElement } from "./action_context.ts";
import { textAfterTyping, wholeText } from "./verify.ts";

/**
 * Sends the request once.
 *
 * @throws AppError with the delivery it reached
 */
export async function semantic(
  call: ActionCall,
  platform: Platform,
  target: LiveElement,
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

/** What the element must read after typing, from its text and selection now. */
export async function expectTyped(
  platform: Platform,
  target: LiveElement,
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
