/** Delivery by the platform's own method. */
import { AppError } from "../errors.ts";
import type { Node } from "../tree/node.ts";
import { type Delivered, deliveryBrokeOff, type Dispatch } from "./dispatch.ts";
import { expectTyped } from "./text_evidence.ts";

/**
 * Sends the request once.
 *
 * @param node the latest reading of the element
 * @throws AppError with the delivery it reached
 */
export async function platformDelivery(dispatch: Dispatch, node: Node): Promise<Delivered> {
  const { call, platform, element, deadline } = dispatch;
  const expectedText = call.request.kind === "type"
    ? await expectTyped(platform, element.handle, node, call.request.text, deadline)
    : undefined;
  try {
    const permits = { focus: call.headed };
    const steps = await platform.perform(element.handle, call.request, permits, deadline);
    return expectedText === undefined ? { steps } : { steps, expectedText };
  } catch (error) {
    throw error instanceof AppError ? error : deliveryBrokeOff(call.action, error);
  }
}
