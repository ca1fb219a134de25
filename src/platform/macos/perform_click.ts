/** Clicking, toggling, opening and closing, without pointer or keyboard. */
import type { Ref } from "../../../ffi/macos/core_foundation.ts";
import { hasTrait } from "../../tree/roles.ts";
import type { Step } from "../platform.ts";
import { ACTIVATION } from "./actions.ts";
import { ancestorsOf } from "./ancestors.ts";
import type { ActionTarget, Delivery } from "./delivery.ts";
import { readValue } from "./evidence.ts";

/** Children looked at for the one that can be pressed in the element's place. */
const PRESSABLE_CHILDREN = 4;
/** Children looked at for an open menu. */
const MENU_CHILDREN = 5;
/** Containers asked to select an element, from the inside out. */
const SELECT_ANCESTORS = 6;
/** Selected items among which the element is looked for afterwards. */
const SELECTION_CHECKED = 64;
/** How long a new state may take to show, and how often it is looked for (ms). */
const SETTLE_MS = 200;
const SETTLE_POLL_MS = 20;

/** Clicks: press, open, the one pressable child, selection in the container, confirm. */
export async function click(d: Delivery, target: ActionTarget): Promise<Step[]> {
  for (const action of ["AXPress", "AXOpen"]) {
    if (!target.actions.includes(action)) continue;
    if (await d.perform(target.element, action) === "delivered") return d.steps;
  }
  const child = pressableChild(d, target);
  if (
    child &&
    await d.perform(child.element, child.action, undefined, `${child.action} of child`) ===
      "delivered"
  ) {
    return d.steps;
  }
  if (hasTrait(target.role, "selectable") && await choose(d, target.element)) {
    // To select a tab is to open it; of other items a click may want more than that.
    if (target.role !== "tab") d.onlySelected();
    return d.steps;
  }
  if (
    target.actions.includes("AXConfirm") &&
    await d.perform(target.element, "AXConfirm") === "delivered"
  ) {
    return d.steps;
  }
  throw d.unsupported("be clicked");
}

// Two pressable children mean two different things: then nobody can say which one is meant.
function pressableChild(
  d: Delivery,
  target: ActionTarget,
): { element: Ref; action: string } | undefined {
  const found: { element: Ref; action: string }[] = [];
  for (const element of children(d, target.element, PRESSABLE_CHILDREN)) {
    const actions = d.actions(element);
    const action = ACTIVATION.find((name) => actions.includes(name));
    if (action) found.push({ element, action });
  }
  return found.length === 1 ? found[0] : undefined;
}

/** The first children of an element. */
export function children(d: Delivery, element: Ref, max: number): Ref[] {
  const page = d.elements.page(element, "AXChildren", 0, max, d.deadline, d.arena);
  return page.value ?? [];
}

/** Selects an element in its container; whether something was delivered. */
export async function choose(d: Delivery, element: Ref): Promise<boolean> {
  const selected = () => d.elements.bool(element, "AXSelected", d.deadline) === true;
  if (d.settable(element, "AXSelected")) {
    if (await d.set(element, "AXSelected", d.elements.cf.true, selected) === "delivered") {
      d.verified(await d.until(selected, SETTLE_MS, SETTLE_POLL_MS));
      return true;
    }
  }
  for (const container of ancestorsOf(d.elements, element, SELECT_ANCESTORS, d.deadline, d.arena)) {
    for (const name of ["AXSelectedRows", "AXSelectedChildren"]) {
      if (!d.settable(container, name)) continue;
      const holds = () =>
        d.elements.elements(container, name, d.deadline, d.arena).slice(0, SELECTION_CHECKED)
          .some((item) => d.elements.equal(item, element));
      using list = d.elements.cf.array([element.pointer]);
      if (await d.set(container, name, list.pointer, holds) === "delivered") {
        d.verified(await d.until(holds, SETTLE_MS, SETTLE_POLL_MS));
        return true;
      }
    }
  }
  return false;
}

function isOn(d: Delivery, target: ActionTarget): boolean | undefined {
  const { text } = readValue(d.elements, target.element, d.deadline);
  if (text === "1" || text === "true") return true;
  return text === "0" || text === "false" ? false : undefined;
}

/**
 * Switches an element on, off, or over. Pressing comes before writing the value: many controls act
 * on a press only.
 *
 * @param wanted `undefined`: whatever it is not now
 */
export async function toggle(
  d: Delivery,
  target: ActionTarget,
  wanted: boolean | undefined,
): Promise<Step[]> {
  const now = isOn(d, target);
  if (wanted !== undefined && now === wanted) return d.skip("AlreadyInState");
  if (ACTIVATION.some((name) => target.actions.includes(name))) return await click(d, target);
  if (now !== undefined && d.settable(target.element, "AXValue")) {
    const goal = wanted ?? !now;
    const reached = () => isOn(d, target) === goal;
    if (
      await d.set(target.element, "AXValue", d.elements.cf.boolean(goal), reached) ===
        "delivered"
    ) {
      return d.steps;
    }
  }
  return await click(d, target);
}

/** Whether the element is open; `undefined` when it does not say. */
function isExpanded(d: Delivery, target: ActionTarget): boolean | undefined {
  const own = d.elements.bool(target.element, "AXExpanded", d.deadline) ??
    d.elements.bool(target.element, "AXDisclosing", d.deadline);
  if (own !== undefined) return own;
  // Pop-up buttons have no such attribute; their menu is a child while it is open.
  if (target.role !== "combobox" && target.role !== "menubutton") return undefined;
  return openMenu(d, target.element) !== undefined;
}

/** The menu below a pop-up button, while it is open. */
export function openMenu(d: Delivery, element: Ref): Ref | undefined {
  return children(d, element, MENU_CHILDREN).find((child) =>
    d.elements.text(child, "AXRole", d.deadline) === "AXMenu" &&
    d.elements.bool(child, "AXVisible", d.deadline) !== false
  );
}

/** Opens or closes an element. */
export async function setExpanded(
  d: Delivery,
  target: ActionTarget,
  wanted: boolean,
): Promise<Step[]> {
  const now = isExpanded(d, target);
  if (now === wanted) return d.skip("AlreadyInState");
  const reached = () => isExpanded(d, target) === wanted;
  const finish = async () => {
    d.verified(await d.until(reached, SETTLE_MS, SETTLE_POLL_MS));
    return d.steps;
  };
  const { element, actions } = target;
  const named = wanted ? "AXExpand" : "AXCollapse";
  if (actions.includes(named) && await d.perform(element, named, reached) === "delivered") {
    return await finish();
  }
  for (const name of ["AXExpanded", "AXDisclosing"]) {
    if (!d.settable(element, name)) continue;
    if (await d.set(element, name, d.elements.cf.boolean(wanted), reached) === "delivered") {
      return await finish();
    }
  }
  // A press turns the state over, so it must be known.
  if (now !== undefined && actions.includes("AXPress") && hasTrait(target.role, "expandable")) {
    if (await d.perform(element, "AXPress", reached) === "delivered") return await finish();
  }
  throw d.unsupported(wanted ? "be expanded" : "be collapsed");
}
