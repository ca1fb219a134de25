/** Shortcuts of an application that need not have the focus: their menu items, pressed. */
import { answered } from "../../../ffi/macos/accessibility.ts";
import { Arena, type Ref } from "../../../ffi/macos/core_foundation.ts";
import type { Deadline } from "../../deadline.ts";
import type { Modifier, Step } from "../platform.ts";
import { AX, type Elements, notTrusted, unresponsive } from "./accessible.ts";
import { Delivery } from "./delivery.ts";
import { keyCode } from "./keymap.ts";

/** Most elements of a menu bar that are read, most children of one, and how deep menus go. */
const SEARCH_NODES = 2_048;
const SEARCH_CHILDREN = 128;
const SEARCH_DEPTH = 8;

const ITEM = [
  "AXMenuItemCmdChar",
  "AXMenuItemCmdVirtualKey",
  "AXMenuItemCmdModifiers",
  "AXEnabled",
  "AXChildren",
] as const;

/** AXMenuItemModifiers (AXAttributeConstants.h): the command key is meant unless it is excluded. */
const SHIFT = 1, OPTION = 2, CONTROL = 4, NO_COMMAND = 8;

function modifierBits(modifiers: readonly Modifier[]): number {
  const bit = (modifier: Modifier, value: number) => modifiers.includes(modifier) ? value : 0;
  return bit("shift", SHIFT) | bit("alt", OPTION) | bit("ctrl", CONTROL) |
    (modifiers.includes("meta") ? 0 : NO_COMMAND);
}

/**
 * Presses the menu item with this shortcut.
 *
 * @returns what was sent; `undefined` when no enabled item has the shortcut, or none takes a press
 * @throws AppError `PERM_DENIED`, `APP_UNRESPONSIVE`, what a delivery throws
 */
export async function pressShortcut(
  elements: Elements,
  pid: number,
  modifiers: readonly Modifier[],
  key: string,
  deadline: Deadline,
): Promise<Step[] | undefined> {
  using arena = new Arena();
  const app = arena.own(elements.ax.application(pid));
  const bar = elements.attribute(app, "AXMenuBar", deadline, arena);
  if (bar.error === AX.apiDisabled) throw notTrusted();
  if (bar.error === AX.cannotComplete) throw unresponsive("its menus were read", bar.error);
  if (!answered(bar) || bar.value.kind !== "element") return undefined;
  const wanted = { bits: modifierBits(modifiers), key, code: keyCode(key) };
  const item = findItem(elements, bar.value.element, wanted, deadline, arena);
  if (item === undefined) return undefined;
  const delivery = new Delivery(elements, arena, deadline);
  if (!delivery.actions(item).includes("AXPress")) return undefined;
  const sent = await delivery.perform(item, "AXPress", undefined, "AXPress of menu item");
  return sent === "delivered" ? delivery.steps : undefined;
}

interface Wanted {
  bits: number;
  key: string;
  code: number | undefined;
}

/** The first enabled item with the shortcut, level by level. */
function findItem(
  elements: Elements,
  bar: Ref,
  wanted: Wanted,
  deadline: Deadline,
  arena: Arena,
): Ref | undefined {
  const queue = [{ element: bar, depth: 0 }];
  for (let read = 0; read < queue.length && read < SEARCH_NODES; read++) {
    if (deadline.expired) throw unresponsive("its menus were read");
    const { element, depth } = queue[read]!;
    const answer = elements.attributes(element, ITEM, deadline, arena);
    if (!answered(answer)) continue;
    const [character, code, bits, enabled, children] = answer.value;
    const isItem = (bits?.kind === "number" ? bits.value : 0) === wanted.bits &&
      ((character?.kind === "text" && isSameKey(character.text, wanted.key)) ||
        (code?.kind === "number" && wanted.key.length > 1 && code.value === wanted.code));
    if (isItem && !(enabled?.kind === "bool" && !enabled.value)) return element;
    if (depth >= SEARCH_DEPTH || children?.kind !== "list") continue;
    for (const child of children.elements.slice(0, SEARCH_CHILDREN)) {
      queue.push({ element: child, depth: depth + 1 });
    }
  }
  return undefined;
}

function isSameKey(character: string, key: string): boolean {
  return character !== "" && character.toLowerCase() === key;
}
