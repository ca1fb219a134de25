/** Semantic delivery: exactly one method for each operation, sent exactly once. */
import type { Deadline } from "../../deadline.ts";
import { AppError } from "../../errors.ts";
import type { Permits, SemanticRequest, Step } from "../platform.ts";
import { method } from "./accessible.ts";
import { ACTION_NAMES, actionIndex } from "./actions.ts";
import { hasState, ROLE, STATE } from "./atspi.ts";
import { delivered } from "./delivery.ts";
import { doAction } from "./do_action.ts";
import { actionNames, type Element, roleNumberOf, sleepSync, stateWords } from "./element.ts";
import { activateItem, actsOnCurrentItem } from "./perform_current.ts";
import { scroll, scrollTo } from "./perform_scroll.ts";
import { selectItem, selectOption } from "./perform_select.ts";
import { clearText, setText, typeText } from "./perform_text.ts";
import { isNumberControl, setNumber } from "./perform_value.ts";

// How long a focus change is watched for; it needs one turn of the application's main loop.
const FOCUS_SEEN_MS = 200;
const FOCUS_POLL_MS = 20;

const { expandOrContract, open, close } = ACTION_NAMES;

/** Delivers one request. Throws `AppError` with the delivery reached. */
export function perform(
  element: Element,
  request: SemanticRequest,
  permits: Permits,
  deadline: Deadline,
): Step[] {
  const named = (wanted: readonly string[]) => doNamed(element, wanted, permits, deadline);
  switch (request.kind) {
    case "click":
      return click(element, permits, deadline);
    case "right-click":
      return named(ACTION_NAMES.rightClick);
    case "toggle":
      return named([...ACTION_NAMES.toggle, ...ACTION_NAMES.click]);
    case "check":
      return named(["toggle", "check", ...ACTION_NAMES.click]);
    case "uncheck":
      return named(["toggle", "uncheck", ...ACTION_NAMES.click]);
    case "expand":
      return [openOrClose(element, [...ACTION_NAMES.expand, ...expandOrContract], open, deadline)];
    case "collapse":
      return [
        openOrClose(element, [...ACTION_NAMES.collapse, ...expandOrContract], close, deadline),
      ];
    case "set-value":
      return isNumberControl(element, deadline)
        ? [setNumber(element, request.value, deadline)]
        : [setText(element, request.value, deadline)];
    case "clear":
      return [clearText(element, deadline)];
    case "type":
      return typeText(element, request.text, deadline);
    case "focus":
      return [focus(element, deadline)];
    case "select":
      return selectOption(element, request.option, deadline);
    case "scroll":
      return [scroll(element, request, deadline)];
    case "scroll-to":
      return [scrollTo(element, deadline)];
  }
}

function noSuchAction(): AppError {
  return new AppError("ACTION_NOT_SUPPORTED", "The element offers no such action", {
    suggestion: "Read available_actions of the element and choose another command.",
  });
}

/** Runs the first action with one of the names. */
function doNamed(
  element: Element,
  wanted: readonly string[],
  permits: Permits,
  deadline: Deadline,
): Step[] {
  const names = actionNames(element, deadline);
  const index = actionIndex(names, wanted);
  if (index < 0) throw noSuchAction();
  if (actsOnCurrentItem(element, names[index]!, deadline)) {
    return activateItem(element, index, permits.focus, deadline);
  }
  return [doAction(element, index, deadline)];
}

/** By the element's own action; an item without one is selected in its container. */
function click(element: Element, permits: Permits, deadline: Deadline): Step[] {
  const own = element.toolkit.clickActions.size === 0
    ? undefined
    : element.toolkit.clickActions.get(roleNumberOf(element, deadline) ?? -1);
  const wanted = [...ACTION_NAMES.click, ...own ?? []];
  if (actionIndex(actionNames(element, deadline), wanted) >= 0) {
    return doNamed(element, wanted, permits, deadline);
  }
  const step = selectItem(element, deadline);
  if (step === undefined) throw noSuchAction();
  // To select a tab is to open it; of other items a click may want more than that.
  if (roleNumberOf(element, deadline) === ROLE.pageTab) return [step];
  return [{ ...step, verified: false, effect: "selected" }];
}

/** `open` and `close` count only as a pair: `open` alone is a way of clicking. */
function openOrClose(
  element: Element,
  wanted: readonly string[],
  half: readonly string[],
  deadline: Deadline,
): Step {
  const names = actionNames(element, deadline);
  const pair = actionIndex(names, open) >= 0 && actionIndex(names, close) >= 0;
  const index = actionIndex(names, pair ? [...wanted, ...half] : wanted);
  if (index < 0) throw noSuchAction();
  return doAction(element, index, deadline);
}

function focus(element: Element, deadline: Deadline): Step {
  const { bus, object } = element;
  const step = delivered(
    "Component.GrabFocus",
    bus.call(method(object, "Component", "GrabFocus"), deadline),
  );
  const until = deadline.within(FOCUS_SEEN_MS);
  while (true) {
    if (hasState(stateWords(element, until) ?? [], STATE.focused)) {
      return { ...step, verified: true };
    }
    if (until.expired) return step;
    sleepSync(Math.min(FOCUS_POLL_MS, until.remaining));
  }
}
