/**
 * Whether an action can be delivered to an element now. The checks only read; the flow decides
 * whether to wait, refuse or go on (docs/acting.md, "Actionability").
 */
import type { Deadline } from "../deadline.ts";
import { AppError, type Details } from "../errors.ts";
import type { Platform, Point } from "../platform/platform.ts";
import { evidenceBounds, type Node } from "../tree/node.ts";
import {
  isSinglePointerAction,
  needsPointer,
  offers,
  type RefAction,
  ruleOf,
} from "./action_rules.ts";
import { type Check, type CheckedElement, checkReading, opensWithFocus, pass } from "./checks.ts";
import { cursorRefusal } from "./refusals.ts";
import { checkReceivesEvents, checkStable } from "./screen_checks.ts";

/** `details` of an error that an unmet check raises. */
export interface CheckReport {
  actionable: boolean;
  checks: Check[];
  /** Screen point at which the hit test reached the target. */
  verified_point?: Point;
}

/** What the checks found, and on which evidence. */
export interface Evaluation {
  report: CheckReport;
  /** Live element, as read for the checks. */
  node: Node;
  /** First check that blocks; absent when actionable. */
  blocker?: Check;
  /** Set when waiting cannot help: the error to raise at once. */
  refusal?: AppError;
}

/**
 * Runs the checks of an action on a live element, cheap ones first, and stops reading at the
 * first that blocks.
 *
 * @throws AppError what the platform's reads raise
 */
export async function evaluate(
  platform: Platform,
  element: CheckedElement,
  action: RefAction,
  headed: boolean,
  deadline: Deadline,
): Promise<Evaluation> {
  const { node } = element;
  const report: CheckReport = { actionable: false, checks: checkReading(element, action, headed) };
  let blocker = report.checks.find((check) => check.status !== "pass");
  if (blocker !== undefined) {
    const refusal = refusalOf(blocker, node, action, headed, report);
    return { report, node, blocker, ...(refusal === undefined ? {} : { refusal }) };
  }
  // A click by the element's own method does not travel through the screen: where the element is,
  // and what lies over it, does not matter.
  const isOnScreen = headed || !isSinglePointerAction(action) || !offers(node, action);
  if (isOnScreen) blocker = await lookAtScreen(platform, element, action, report, deadline);
  if (blocker !== undefined) return { report, node, blocker };
  report.actionable = true;
  return { report, node };
}

/** Adds the checks that look at the screen to the report; returns the first that blocks. */
async function lookAtScreen(
  platform: Platform,
  element: CheckedElement,
  action: RefAction,
  report: CheckReport,
  deadline: Deadline,
): Promise<Check | undefined> {
  const { node, handle } = element;
  const { checks } = report;
  const wanted = ruleOf(action).checks;
  if (wanted.has("stable")) {
    const stable = action === "scroll-to" && isNowhere(node)
      ? pass("stable")
      : await checkStable(platform, handle, evidenceBounds(node), deadline);
    checks.splice(checks.findIndex((check) => check.check === "visible") + 1, 0, stable);
    if (stable.status !== "pass") return stable;
  }
  if (wanted.has("receives_events")) {
    const hit = await checkReceivesEvents(platform, element, deadline);
    checks.push(hit.check);
    if (hit.point !== undefined) report.verified_point = hit.point;
    if (hit.check.status !== "pass" && !hit.inconclusive) return hit.check;
  }
  return undefined;
}

/** What is out of view may have no bounds at all (GTK 3): it cannot move either. */
function isNowhere(node: Node): boolean {
  return evidenceBounds(node) === undefined && !node.unreadable?.includes("bounds");
}

/** The error when no waiting would help against an unmet check; `undefined` when it might. */
function refusalOf(
  blocker: Check,
  node: Node,
  action: RefAction,
  headed: boolean,
  report: CheckReport,
): AppError | undefined {
  const details = { ...report };
  if (blocker.check === "supported_action" && blocker.status === "fail") {
    return unsupported(node, action, headed, details);
  }
  if (blocker.check === "policy") {
    return new AppError(
      "POLICY_DENIED",
      "The element's window does not have the focus, and headless mode moves the focus only inside " +
        "the window that has it",
      {
        suggestion: "Run focus again with --headed to permit raising the window.",
        details,
      },
    );
  }
  if (blocker.check === "editable") {
    return new AppError(
      "ACTION_NOT_SUPPORTED",
      `${action} needs an editable element; this ${node.role} is not (${blocker.reason})`,
      {
        suggestion: "Choose a text field, or an element whose available_actions have SetValue.",
        details,
      },
    );
  }
  return undefined;
}

/** The error behind an unsupported action: what `--headed` would cure, or nothing. */
function unsupported(node: Node, action: RefAction, headed: boolean, details: Details): AppError {
  if (!headed) {
    if (needsPointer(action)) {
      return cursorRefusal(action, details);
    }
    if (isSinglePointerAction(action) && evidenceBounds(node) !== undefined) {
      const refusal = cursorRefusal(`${action} on this element`, details);
      return node.actions.includes("Toggle") ? withToggleHint(refusal, action) : refusal;
    }
    if (opensWithFocus(node, action)) {
      return new AppError(
        "POLICY_DENIED",
        `${action} works on this ${node.role} only while it has the keyboard focus, and in ` +
          `headless mode only focus moves it`,
        { suggestion: `Run ${action} again with --headed to permit the focus change.`, details },
      );
    }
  }
  const offered = node.actions.length === 0 ? "no action" : node.actions.join(", ");
  return new AppError(
    "ACTION_NOT_SUPPORTED",
    `The ${node.role} does not offer what ${action} needs; it offers ${offered}`,
    {
      suggestion:
        "Take a snapshot and choose an element whose available_actions include the action.",
      details,
    },
  );
}

function withToggleHint(refusal: AppError, action: RefAction): AppError {
  return new AppError(refusal.code, refusal.message, {
    suggestion:
      `Use toggle, check or uncheck, which the element offers, or ${action} with --headed.`,
    ...(refusal.details === undefined ? {} : { details: refusal.details }),
  });
}
