/** From what an action recorded to the `data` of its envelope (docs/acting.md, "Result"). */
import { type Delivery, type Details, type Disposition, disposition } from "../errors.ts";
import type { Step, SurfaceInfo } from "../platform/platform.ts";
import type { Node } from "../tree/node.ts";

/** How the waiting went; reported with every ref action. */
export interface AutoWait {
  read_only_resolve_attempts: number;
  read_only_preflight_attempts: number;
  lease_contention_count: number;
  lease_hold_ms: number;
}

/** A fresh counter. */
export function newAutoWait(): AutoWait {
  return {
    read_only_resolve_attempts: 0,
    read_only_preflight_attempts: 0,
    lease_contention_count: 0,
    lease_hold_ms: 0,
  };
}

/** What an element looked like after the action. */
export interface PostState {
  role: string;
  states?: string[];
  value?: string;
  enabled?: boolean;
  hidden?: boolean;
  offscreen?: boolean;
}

/** An overlay that is open after the action. */
export interface SurfaceSummary {
  id: string;
  type: string;
  title?: string;
  item_count?: number;
}

/** `data` of a ref action and of `press`. */
export interface ActionResult {
  action: string;
  disposition: Disposition;
  steps?: Step[];
  post_state?: PostState;
  surfaces?: SurfaceSummary[];
  details?: Details;
}

/**
 * How far an action got, by its steps: nothing succeeded means nothing was sent; verified only
 * when every succeeded step that says so was verified, and at least one does.
 */
export function deliveryOfSteps(steps: readonly Step[]): Delivery {
  const succeeded = steps.filter((step) => step.outcome === "succeeded");
  if (succeeded.length === 0) return "not_delivered";
  const stated = succeeded.filter((step) => step.verified !== undefined);
  return stated.length > 0 && stated.every((step) => step.verified)
    ? "delivered_verified"
    : "delivered_unverified";
}

/** What a result shows of a node read after an action; never the value of a secure field. */
export function postState(node: Node): PostState {
  const state: PostState = { role: node.role };
  if (!node.unreadable?.includes("states")) {
    if (node.states.length > 0) state.states = [...node.states];
    state.enabled = !node.states.includes("disabled");
    state.hidden = node.states.includes("hidden");
    state.offscreen = node.states.includes("offscreen");
  }
  if (node.value !== undefined && !node.states.includes("secure")) state.value = node.value;
  return state;
}

/** An overlay as results print it. */
export function surfaceSummary(surface: SurfaceInfo): SurfaceSummary {
  return {
    id: surface.id,
    type: surface.type,
    ...(surface.title === undefined ? {} : { title: surface.title }),
    ...(surface.itemCount === undefined ? {} : { item_count: surface.itemCount }),
  };
}

/** Puts a result together; empty parts are left out. */
export function actionResult(
  action: string,
  steps: Step[],
  rest: { postState?: Node; surfaces?: SurfaceInfo[]; details?: Details } = {},
): ActionResult {
  const result: ActionResult = { action, disposition: disposition(deliveryOfSteps(steps)) };
  if (steps.length > 0) result.steps = steps;
  if (rest.postState !== undefined) result.post_state = postState(rest.postState);
  if (rest.surfaces !== undefined && rest.surfaces.length > 0) {
    result.surfaces = rest.surfaces.map(surfaceSummary);
  }
  if (rest.details !== undefined) result.details = rest.details;
  return result;
}
