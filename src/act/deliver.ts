/**
 * The one delivery of an action: by the platform's own method, or in headed mode by pointer and
 * keyboard where they are the documented route. The route is chosen before anything is sent; there
 * is never a second one after a first may have reached the application.
 */
import { offers, ruleOf } from "./action_rules.ts";
import type { Delivered, Dispatch } from "./dispatch.ts";
import { afterFocus, typeKeys } from "./keyboard_delivery.ts";
import { platformDelivery } from "./platform_delivery.ts";
import { pointerClick, wheel } from "./pointer_delivery.ts";

/**
 * Sends the action once.
 *
 * @throws AppError with the delivery it reached
 */
export async function deliver(dispatch: Dispatch): Promise<Delivered> {
  const { platform } = dispatch;
  const { action, headed } = dispatch.call;
  const { node } = dispatch.evaluation;
  if (headed) {
    const { clicks, capability } = ruleOf(action);
    // A click that only the container could stand in for is made by the pointer here.
    const byItself = !platform.pointerFirst &&
      capability.some((wanted) => node.actions.includes(wanted));
    if (clicks > 1 || (clicks === 1 && !byItself)) return await pointerClick(dispatch, clicks);
    if (action === "scroll") return await wheel(dispatch);
    if (action === "type" && (node.actions.includes("SetFocus") || !offers(node, action))) {
      return await typeKeys(dispatch);
    }
    if ((action === "set-value" || action === "clear") && !offers(node, action)) {
      return await afterFocus(dispatch);
    }
  }
  return await platformDelivery(dispatch, node);
}
