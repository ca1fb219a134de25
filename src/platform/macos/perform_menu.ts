/** Context menus without the pointer. */
import { answered } from "../../../ffi/macos/accessibility.ts";
import type { Ref } from "../../../ffi/macos/core_foundation.ts";
import { hasTrait } from "../../tree/roles.ts";
import type { Step } from "../platform.ts";
import { ancestorsOf } from "./ancestors.ts";
import type { ActionTarget, Delivery } from "./delivery.ts";
import { children, choose } from "./perform_click.ts";
import { isMenuOpen } from "./surfaces.ts";

/** Children looked at for one that offers a context menu. */
const MENU_CHILDREN = 5;
/** Containers asked for a context menu, from the inside out. */
const MENU_ANCESTORS = 3;
/** How long a context menu may take to open, and how often it is looked for (ms). */
const MENU_WAIT_MS = 600;
const MENU_POLL_MS = 25;
/** Elements of a window that are looked at for its menu button, and how deep it may be. */
const BUTTON_NODES = 512;
const BUTTON_DEPTH = 6;
/** What such a button is called, as the Finder's: "Perform tasks with the selected item(s)". */
const SELECTED_ITEM = /selected items?/i;
const BUTTON = ["AXRole", "AXTitle", "AXDescription", "AXHelp", "AXChildren"] as const;

/**
 * Opens the context menu: the element's own, a child's, or, after selecting the element, its
 * container's or that of the window's button for the selected item.
 */
export async function rightClick(d: Delivery, target: ActionTarget): Promise<Step[]> {
  const open = () => isMenuOpen(d.elements, target.element, d.deadline);
  // A menu that is open already would be taken for the one that was asked for.
  if (open()) return d.skip("MenuAlreadyOpen");
  const show = async (element: Ref, label: string) => {
    if (!d.actions(element).includes("AXShowMenu")) return false;
    if (await d.perform(element, "AXShowMenu", open, label) !== "delivered") return false;
    d.verified(await d.until(open, MENU_WAIT_MS, MENU_POLL_MS));
    return true;
  };
  if (await show(target.element, "AXShowMenu")) return d.steps;
  for (const child of children(d, target.element, MENU_CHILDREN)) {
    if (await show(child, "AXShowMenu of child")) return d.steps;
  }
  if (hasTrait(target.role, "selectable") && await choose(d, target.element)) {
    const { elements, deadline, arena } = d;
    for (
      const container of ancestorsOf(elements, target.element, MENU_ANCESTORS, deadline, arena)
    ) {
      if (await show(container, "AXShowMenu of container")) return d.steps;
    }
    const button = menuButton(d, target.element);
    if (button && await show(button, "AXShowMenu of menu button")) return d.steps;
    if (button && d.actions(button).includes("AXPress")) {
      if (await d.perform(button, "AXPress", open, "AXPress of menu button") === "delivered") {
        d.verified(await d.until(open, MENU_WAIT_MS, MENU_POLL_MS));
        return d.steps;
      }
    }
  }
  throw d.unsupported("open a context menu");
}

/** The window's menu button that acts on the selected item; `undefined` when it has none. */
function menuButton(d: Delivery, element: Ref): Ref | undefined {
  const window = d.elements.element(element, "AXWindow", d.deadline, d.arena);
  const queue = window ? [{ element: window, depth: 0 }] : [];
  for (let read = 0; read < queue.length && read < BUTTON_NODES && !d.deadline.expired; read++) {
    const { element: at, depth } = queue[read]!;
    const answer = d.elements.attributes(at, BUTTON, d.deadline, d.arena);
    if (!answered(answer)) continue;
    const [role, ...texts] = answer.value;
    const list = texts.pop();
    const isIt = role?.kind === "text" && role.text === "AXMenuButton" &&
      texts.some((text) => text.kind === "text" && SELECTED_ITEM.test(text.text));
    if (isIt) return at;
    if (depth >= BUTTON_DEPTH || list?.kind !== "list") continue;
    for (const child of list.elements) queue.push({ element: child, depth: depth + 1 });
  }
  return undefined;
}
