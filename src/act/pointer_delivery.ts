/** Delivery by the pointer, and what every physical delivery shares. */
import type { Deadline } from "../deadline.ts";
import { AppError } from "../errors.ts";
import type { Input, Platform, Point, Step } from "../platform/platform.ts";
import { screenBounds } from "../platform/place.ts";
import type { Evaluation } from "./actionability.ts";
import type { ActionCall } from "./action_context.ts";
import { withInput } from "./input_guard.ts";
import { clickApart, wheelAt } from "./pointer_gestures.ts";
import type { ActionContext } from "./action_context.ts";

/** What was sent. */
export interface Delivered {
  steps: Step[];
  /** For `type`: the text the element must hold now; absent when that cannot be known. */
  expectedText?: string;
}

/** An exception of unknown kind after something may have been sent. */
export function uncertain(action: string, cause: unknown): AppError {
  return new AppError("INTERNAL", `${action} failed while it was being delivered`, {
    suggestion: "Take a snapshot to see whether the action took effect.",
    delivery: "delivery_uncertain",
    cause,
  });
}

/** Runs physical input; an exception after the first event leaves the outcome uncertain. */
export async function physically(
  action: string,
  platform: Platform,
  use: (input: Input) => Promise<void>,
): Promise<void> {
  const input = await platform.input();
  try {
    await withInput(input, use);
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw uncertain(action, error);
  }
}

/** A step that real input made. */
export function physicalStep(label: string): Step {
  return { label, outcome: "succeeded", mechanism: "physical_synthetic", verified: false };
}

/** Where the pointer goes: the point the hit test confirmed, else the centre. */
export async function pointOf(
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

/** Clicks on the element. */
export async function pointerClick(
  call: ActionCall,
  context: ActionContext,
  evaluation: Evaluation,
  clicks: number,
  deadline: Deadline,
): Promise<Delivered> {
  const { platform } = context;
  const point = await pointOf(call, platform, evaluation, deadline);
  const button = call.action === "right-click" ? "right" : "left";
  await physically(
    call.action,
    platform,
    (input) => clickApart(context.held, input, point, button, clicks),
  );
  return { steps: [physicalStep("Pointer.Click")] };
}

/** Turns the wheel over the element. */
export async function wheel(
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
