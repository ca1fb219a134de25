/**
 * Choosing an item of a menu: it is activated. Menus offer a selection too, but that only
 * highlights an item (docs/acting.md, "Choosing an option").
 */
import type { Deadline } from "../../deadline.ts";
import { AppError } from "../../errors.ts";
import type { Step } from "../platform.ts";
import { ACTION_NAMES, actionIndex } from "./actions.ts";
import { ROLE } from "./atspi.ts";
import { doAction } from "./do_action.ts";
import { actionNames, type Element, sibling } from "./element.ts";
import { findOption, optionAbsent, readOptions, requireEnabled } from "./options.ts";

/** Roles of menus and their items: what is selected in them is only highlighted. */
export const MENU_ROLES: ReadonlySet<number> = new Set([
  ROLE.checkMenuItem,
  ROLE.menu,
  ROLE.menuBar,
  ROLE.menuItem,
  ROLE.popupMenu,
  ROLE.radioMenuItem,
  ROLE.tearoffMenuItem,
]);

// What activates an item; one that only opens a menu of its own may offer nothing else (Qt).
const ACTIVATING = [...ACTION_NAMES.click, ...ACTION_NAMES.toggle, ...ACTION_NAMES.select];
const OPENING = ["showmenu"];

/** Activates the item with a text below a menu, whether the menu is open or not. */
export function chooseInMenu(menu: Element, wanted: string, deadline: Deadline): Step[] {
  const options = readOptions(menu, [menu.object], deadline);
  const items = options.named.filter(({ item }) =>
    item !== undefined && MENU_ROLES.has(item.roleNumber)
  );
  const found = findOption(items, wanted);
  if (found?.item === undefined) throw optionAbsent({ ...options, named: items });
  requireEnabled(found);
  return [activateMenuItem(sibling(menu, found.item.object), deadline)];
}

/** Activates an item: runs it, or opens the menu that it stands for. */
export function activateMenuItem(item: Element, deadline: Deadline): Step {
  const index = actionIndex(actionNames(item, deadline), [...ACTIVATING, ...OPENING]);
  if (index >= 0) return doAction(item, index, deadline);
  throw new AppError("ACTION_NOT_SUPPORTED", "The menu item offers no way to activate it", {
    suggestion: "Open its menu, and click the item with --headed.",
  });
}
