/**
 * The commands that move the cursor: lease, delivery and their results
 * (docs/acting.md, "Pointer").
 */
import { AppError, type Disposition, disposition } from "../errors.ts";
import type { Input, Point, PointerButton, Step } from "../platform/platform.ts";
import { withInput } from "./input_guard.ts";
import {
  type Click,
  clickApart,
  dragBetween,
  moveTo,
  wheelAt,
  type WheelTurn,
} from "./pointer_gestures.ts";
import { locate, type LocateOptions } from "./pointer_target.ts";
import { deliveryOfSteps } from "./action_result.ts";
import type { ActionContext, HeldLease, TargetRef } from "./action_context.ts";
import { noteOf } from "./settle.ts";
import { focusSourceWindow } from "./window_focus.ts";

/** A point of the screen, or the element a ref names. */
export type Endpoint = { point: Point } | { ref: TargetRef };

/** Result of a pointer command; the keys of each command stand beside these. */
export interface OperationReport {
  action: string;
  disposition: Disposition;
  steps: Step[];
  pointer: { x: number; y: number; button?: PointerButton };
  [key: string]: unknown;
}

/** The result of a command that made one step. */
function report(
  action: string,
  step: Pick<Step, "label" | "verified">,
  pointer: OperationReport["pointer"],
  keys: Record<string, unknown>,
): OperationReport {
  const steps: Step[] = [{ ...step, outcome: "succeeded", mechanism: "physical_synthetic" }];
  return { action, disposition: disposition(deliveryOfSteps(steps)), steps, pointer, ...keys };
}

/** Runs pointer input under the lease; a device that fails half-way leaves the outcome open. */
async function operate(
  action: string,
  context: ActionContext,
  use: (input: Input, lease: HeldLease) => Promise<void>,
): Promise<void> {
  const input = await context.platform.input();
  using lease = await context.lease(context.deadline);
  try {
    await withInput(action, input, (device) => use(device, lease));
  } finally {
    context.note(noteOf(context.platform, undefined));
  }
}

/** `mouse-move`. */
export async function mouseMove(point: Point, context: ActionContext): Promise<OperationReport> {
  let arrived = false;
  await operate("mouse-move", context, async (input) => {
    arrived = await moveTo(input, point);
  });
  const step = { label: "Pointer.Move", verified: arrived };
  return report("mouse-move", step, point, { moved: true, ...point });
}

/** `mouse-click`. */
export async function mouseClick(click: Click, context: ActionContext): Promise<OperationReport> {
  await operate("mouse-click", context, (input, lease) => clickApart(lease, input, click));
  const { point, button, count } = click;
  const step = { label: "Pointer.Click", verified: false };
  return report("mouse-click", step, { ...point, button }, { clicked: true, ...point, count });
}

/** `mouse-wheel`. */
export async function mouseWheel(
  turn: WheelTurn,
  context: ActionContext,
): Promise<OperationReport> {
  await operate("mouse-wheel", context, (input) => wheelAt(input, turn));
  const { point, dx, dy } = turn;
  const step = { label: "Pointer.Wheel", verified: false };
  return report("mouse-wheel", step, point, { scrolled: true, dy, dx });
}

/** The point of an endpoint, waiting for an element as long as the deadline allows. */
async function endpointPoint(
  endpoint: Endpoint,
  { platform, deadline }: ActionContext,
  options: LocateOptions,
): Promise<Point> {
  if ("point" in endpoint) return endpoint.point;
  return await locate(endpoint.ref, platform, options, deadline);
}

/** `hover` over a point or a ref, whose window is focused first; 0 ms: a single look. */
export async function hover(
  target: Endpoint,
  timeoutMs: number,
  context: ActionContext,
): Promise<OperationReport> {
  const { platform, deadline } = context;
  const single = timeoutMs === 0;
  let at: Point = { x: 0, y: 0 };
  let arrived = false;
  await operate("hover", context, async (input) => {
    if ("ref" in target) {
      await focusSourceWindow(target.ref.entry, "hover", platform, deadline);
    }
    at = await endpointPoint(target, context, { single, mayScroll: true });
    arrived = await moveTo(input, at);
  });
  const focused = "ref" in target ? { focused: true } : {};
  const step = { label: "Pointer.Move", verified: arrived };
  return report("hover", step, at, { hovered: true, ...at, ...focused });
}

/** A drag as asked for; times in milliseconds. */
export interface DragRequest {
  from: Endpoint;
  to: Endpoint;
  duration: number;
  dropDelay: number;
  timeoutMs: number;
}

/** `drag`: only the window of a source ref is focused. */
export async function drag(request: DragRequest, context: ActionContext): Promise<OperationReport> {
  const { platform, deadline } = context;
  const { from, to, duration, dropDelay } = request;
  const single = request.timeoutMs === 0;
  let start: Point = { x: 0, y: 0 };
  let end: Point = start;
  let pressed = false;
  try {
    await operate("drag", context, async (input) => {
      if ("ref" in from) {
        await focusSourceWindow(from.ref.entry, "drag", platform, deadline);
      }
      // The destination first: bringing it into view may move the source, never the other way.
      await endpointPoint(to, context, { single, mayScroll: true });
      start = await endpointPoint(from, context, { single, mayScroll: true });
      end = await endpointPoint(to, context, { single, mayScroll: false });
      await dragBetween(input, start, end, { duration, dropDelay }, () => pressed = true);
    });
  } catch (error) {
    if (pressed && error instanceof AppError && error.delivery === "not_delivered") {
      error.delivery = "delivered_unverified";
    }
    throw error;
  }
  const focused = "ref" in from ? { focused: true } : {};
  const delay = dropDelay > 0 ? { drop_delay_ms: dropDelay } : {};
  return report("drag", { label: "Pointer.Drag", verified: false }, { ...end, button: "left" }, {
    dragged: true,
    from: start,
    to: end,
    ...delay,
    ...focused,
  });
}
