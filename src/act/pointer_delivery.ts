/** Delivery by the pointer: where it aims, the click and the wheel. */
import { AppError } from "../errors.ts";
import { screenBounds } from "../platform/screen_bounds.ts";
import type { Point } from "../platform/platform.ts";
import { type Delivered, type Dispatch, physicalStep } from "./dispatch.ts";
import { withInput } from "./input_guard.ts";
import { PressGuard } from "./press_guard.ts";
import { clickApart, wheelAt } from "./pointer_gestures.ts";
import { centreOf } from "./screen_checks.ts";

/**
 * Where the pointer goes: the point the hit test confirmed, else the centre of the element.
 *
 * @throws AppError `ACTION_NOT_SUPPORTED` when nobody knows where on the screen the element is
 */
export async function pointOf(dispatch: Dispatch): Promise<Point> {
  const { call, platform, deadline } = dispatch;
  const { node, report } = dispatch.evaluation;
  if (report.verified_point !== undefined) return report.verified_point;
  const bounds = await screenBounds(platform, node, deadline);
  if (bounds !== undefined) return centreOf(bounds);
  throw new AppError(
    "ACTION_NOT_SUPPORTED",
    `The screen position of the ${node.role} is unknown, so ${call.action} cannot aim at it`,
    {
      suggestion: "Use an action the element offers in available_actions.",
      details: { ...report },
    },
  );
}

/** Clicks `clicks` times on the element. Throws what {@linkcode pointOf} and the input throw. */
export async function pointerClick(dispatch: Dispatch, clicks: number): Promise<Delivered> {
  const { call, platform, lease } = dispatch;
  const point = await pointOf(dispatch);
  const button = call.action === "right-click" ? "right" : "left";
  const guard = new PressGuard(dispatch, point);
  const confirm = guard.confirm.bind(guard);
  await withInput(
    call.action,
    await platform.input(),
    (input) => clickApart(lease, input, { point, button, count: clicks, confirm }),
  );
  return { steps: [physicalStep("Pointer.Click")] };
}

/** Turns the wheel over the element. Throws what {@linkcode pointOf} and the input throw. */
export async function wheel(dispatch: Dispatch): Promise<Delivered> {
  const { call, platform } = dispatch;
  if (call.request.kind !== "scroll") throw new TypeError("wheel without a scroll request");
  const { direction, amount } = call.request;
  const dy = direction === "up" ? amount : direction === "down" ? -amount : 0;
  const dx = direction === "left" ? amount : direction === "right" ? -amount : 0;
  const point = await pointOf(dispatch);
  await withInput(
    call.action,
    await platform.input(),
    (input) => wheelAt(input, { point, dx, dy }),
  );
  return { steps: [physicalStep("Pointer.Wheel")] };
}
