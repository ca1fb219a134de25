/** After the delivery of a stateful action: what the element shows, and what that proves. */
import { AppError, type Details } from "../errors.ts";
import type { Node } from "../tree/node.ts";
import type { Budgets } from "./action_budgets.ts";
import { actionResult } from "./action_result.ts";
import type { Delivered, Dispatch } from "./dispatch.ts";
import { expectationOf } from "./expectation.ts";
import { FollowedElement } from "./followed_element.ts";
import { verificationError, verify } from "./verify.ts";

/**
 * Verifies a stateful action: adds to `details` and marks the step that delivered it.
 *
 * @param dispatch the delivery that was made; its deadline bounds the reading here
 * @returns the settled reading
 * @throws AppError when the element contradicts the request or cannot be read; always with a
 * delivery that says the action was sent
 */
export async function observeEffect(
  dispatch: Dispatch,
  delivered: Delivered,
  budgets: Budgets,
  details: Details,
): Promise<Node> {
  const { call, platform, element, evaluation, deadline } = dispatch;
  const { request } = call;
  const last = delivered.steps.findLast((step) => step.outcome === "succeeded");
  try {
    const found = await verify({
      element: new FollowedElement(platform, call.ref, element.handle),
      expected: expectationOf(request, evaluation.node, delivered.expectedText),
      byKeys: last?.mechanism === "physical_synthetic",
      budgets,
      deadline,
    });
    if ("contradicted" in found) {
      if (last !== undefined) last.verified = false;
      const after = actionResult(call.action, delivered.steps, {
        postState: found.node,
        details: { ...details },
      });
      throw verificationError(call.action, found, {
        post_state: after.post_state,
        after_action: after,
      });
    }
    Object.assign(details, found.details);
    if (found.verified && (request.kind === "set-value" || request.kind === "type")) {
      // The element holds the text; whether the application has taken it over is its own affair.
      details["verification_scope"] = "element_value";
      details["application_commit"] = "not_verified";
    }
    if (last !== undefined) last.verified = found.verified;
    return found.node;
  } catch (error) {
    throw error instanceof AppError ? afterDelivery(error) : error;
  }
}

/** An error of a reading after the delivery: it must not read as if nothing had been sent. */
function afterDelivery(error: AppError): AppError {
  if (error.delivery === "not_delivered" || error.delivery === "unknown") {
    error.delivery = "delivered_unverified";
    error.details = { ...error.details, kind: "post_action_verification" };
    delete error.details["retryable"];
  }
  return error;
}
