/**
 * The one dispatch of an action (interaction §2, step 7): the platform's semantic method, or in
 * headed mode pointer and keyboard where they are the documented route. The route is chosen before
 * anything is sent; there is never a second one after a first may have reached the application.
 */
import type { Deadline } from "../deadline.ts";
import type { Evaluation } from "./actionability.ts";
import type { ActionCall } from "./action_context.ts";
import { afterFocus, typeKeys } from "./keyboard_delivery.ts";
import { type Delivered, pointerClick, wheel } from "./pointer_delivery.ts";
import { offers, ruleOf } from "./action_rules.ts";
import { semantic } from "./platform_delivery.ts";
import type { ActionContext, LiveElement } from "./action_context.ts";

/**
 * Sends the action once.
 *
 * @throws AppError with the delivery it reached
 */
export async function deliver(
  call: ActionCall,
  context: ActionContext,
  target: LiveElement,
  evaluation: Evaluation,
  deadline: Deadline,
): Promise<Delivered> {
  const { platform } = context;
  const { action, headed } = call;
  const { node } = evaluation;
  if (headed) {
    const clicks = ruleOf(action).clicks;
    // A click that only the container could stand in for is made by the pointer here.
    const byItself = !platform.pointerFirst &&
      ruleOf(action).capability.some((wanted) => node.actions.includes(wanted));
    if (clicks > 1 || (clicks === 1 && !byItself)) {
      return await pointerClick(call, context, evaluation, clicks, deadline);
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
