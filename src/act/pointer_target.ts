/** Where the pointer goes for an endpoint that is a ref (hover, drag). */
import type { Deadline } from "../deadline.ts";
import { AppError, staleRef } from "../errors.ts";
import type { Platform, Point } from "../platform/platform.ts";
import { putOnScreen } from "../platform/screen_bounds.ts";
import { evidenceBounds, type Node } from "../tree/node.ts";
import type { TargetRef } from "./action_context.ts";
import { type Check, type CheckedElement, checkVisible } from "./checks.ts";
import { centreOf, checkReceivesEvents, checkStable } from "./screen_checks.ts";

// Between two looks at an element the pointer cannot reach yet.
const POLL_MS = 100;

/** How long to look, and whether the element may be scrolled. */
export interface LocateOptions {
  /** A single look, without waiting. */
  single: boolean;
  /** Allows the one scroll attempt; it changes the application, so only under the lease. */
  mayScroll: boolean;
}

/**
 * The screen point at which a press would reach the element: on screen, at rest, and not covered.
 *
 * @throws AppError `TIMEOUT` or, for a single look, `ACTION_FAILED` with the checks that failed;
 * what resolution raises
 */
export async function locate(
  ref: TargetRef,
  platform: Platform,
  options: LocateOptions,
  deadline: Deadline,
): Promise<Point> {
  let scrolled = !options.mayScroll;
  while (true) {
    let failed: { node?: Node; check?: Check; error?: AppError };
    try {
      const element = await ref.resolve(deadline);
      const node = element.node ?? await platform.inspect(element.handle, deadline);
      if (node === undefined) throw gone();
      const visible = checkVisible(node);
      if (visible.status === "fail" && !scrolled && !node.states.includes("hidden")) {
        scrolled = true;
        if (await platform.scrollIntoView(element.handle, deadline)) continue;
      }
      const found = visible.status === "pass"
        ? await aim(platform, { ...element, node }, deadline)
        : visible;
      if ("x" in found) return found;
      failed = { node, check: found };
    } catch (error) {
      if (!(error instanceof AppError) || !error.retryable) throw error;
      failed = { error };
    }
    if (!options.single) await deadline.sleep(POLL_MS);
    if (options.single || deadline.expired) throw failed.error ?? blocked(failed, options.single);
  }
}

/** The point of a visible element at which the pointer reaches it, or the check that fails. */
async function aim(
  platform: Platform,
  element: CheckedElement,
  deadline: Deadline,
): Promise<Point | Check> {
  const { node, handle } = element;
  const stable = await checkStable(platform, handle, evidenceBounds(node), deadline);
  if (stable.status !== "pass") return stable;
  await putOnScreen(platform, node, deadline);
  const { bounds } = node;
  if (bounds === undefined) {
    return { check: "visible", status: "unknown", reason: "screen position unknown" };
  }
  const hit = await checkReceivesEvents(platform, element, deadline);
  if (hit.point !== undefined) return hit.point;
  if (!hit.inconclusive) return hit.check;
  return centreOf(bounds);
}

function gone(): AppError {
  return staleRef("The element went away while it was looked at", { retryable: true });
}

function blocked(failed: { node?: Node; check?: Check }, single: boolean): AppError {
  const reason = failed.check?.reason ?? failed.check?.check ?? "not ready";
  const details = { actionable: false, checks: failed.check === undefined ? [] : [failed.check] };
  return new AppError(
    single ? "ACTION_FAILED" : "TIMEOUT",
    `The pointer cannot reach the ${failed.node?.role ?? "element"}: ${reason}`,
    {
      suggestion: "Bring the element on screen and uncover it, then retry.",
      delivery: "not_delivered",
      details: single
        ? details
        : { kind: "actionability_timeout", last_report: { phase: "preflight", ...details } },
    },
  );
}
