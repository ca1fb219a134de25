/** Choosing an option: in a list, table or outline, or in the menu of a pop-up. */
import type { Ref } from "../../../ffi/macos/core_foundation.ts";
import { AppError, type Details } from "../../errors.ts";
import { isBlank } from "../../tree/node.ts";
import { normalText } from "../../tree/text.ts";
import type { Step } from "../platform.ts";
import { choose, openMenu } from "./perform_click.ts";
import type { ActionTarget, Delivery } from "./delivery.ts";
import { readBasics } from "./basics.ts";
import { readValue } from "./evidence.ts";

/** How far an option is looked for. */
const SEARCH_NODES = 2_048;
const SEARCH_DEPTH = 8;
/** How long the control may take to show the option, and its menu to open; how often both are read (ms). */
const VERIFY_MS = 600;
const MENU_WAIT_MS = 750;
const POLL_MS = 25;
/** A refusal names so many options, of each so many characters, found in so many parts of each level. */
const MAX_OPTIONS = 50;
const MAX_TEXT = 120;
const MAX_PARTS = 4;
const TEXT_DEPTH = 3;

/**
 * The refusal when no option has the text: with the texts of those there are, and with what was
 * done to see them, which counts as delivered.
 */
function absent(d: Delivery, options: readonly string[], more: Details = {}): AppError {
  const prepared = d.steps.filter(({ outcome }) => outcome === "succeeded");
  return new AppError("ELEMENT_NOT_FOUND", "The option is not there", {
    suggestion: options.length > 0
      ? "Choose one of details.options, with its whole text."
      : "Expand the control and take a snapshot to see its options.",
    details: {
      kind: "option_absent",
      options: options.slice(0, MAX_OPTIONS),
      ...(options.length > MAX_OPTIONS ? { options_truncated: true } : {}),
      ...(prepared.length > 0 ? { prepared: prepared.map(({ label }) => label) } : {}),
      ...more,
    },
    delivery: prepared.length > 0 ? "delivered_unverified" : "not_delivered",
  });
}

/** The first text of each child of a menu or list, one more than are told. */
function optionTexts(d: Delivery, container: Ref): string[] {
  const found: string[] = [];
  for (const child of texts(d, container).children.slice(0, SEARCH_NODES)) {
    if (found.length > MAX_OPTIONS || d.deadline.expired) break;
    const text = firstText(d, child, TEXT_DEPTH);
    if (text !== undefined) found.push(text.slice(0, MAX_TEXT));
  }
  return found;
}

/** The first text of an element or in it: a row's is often two levels below. */
function firstText(d: Delivery, element: Ref, depth: number): string | undefined {
  const own = texts(d, element);
  if (own.texts.length > 0 || depth === 0) return own.texts[0];
  for (const child of own.children.slice(0, MAX_PARTS)) {
    const text = firstText(d, child, depth - 1);
    if (text !== undefined) return text;
  }
  return undefined;
}

/** Selects the option with this text. */
export async function selectOption(
  d: Delivery,
  target: ActionTarget,
  option: string,
): Promise<Step[]> {
  const { role } = target;
  if (role === "list" || role === "table" || role === "outline") {
    return await inContainer(d, target, option);
  }
  if (role === "combobox" && d.settable(target.element, "AXValue")) {
    return await byValue(d, target, option);
  }
  if (role === "combobox" || role === "menubutton") return await inMenu(d, target, option);
  throw d.unsupported("select an option");
}

function showsOption(d: Delivery, element: Ref, option: string): boolean {
  return normalText(readValue(d.elements, element, d.deadline).text) === normalText(option);
}

async function byValue(d: Delivery, target: ActionTarget, option: string): Promise<Step[]> {
  const reached = () => showsOption(d, target.element, option);
  using value = d.elements.cf.string(option);
  if (await d.set(target.element, "AXValue", value.pointer, reached) === "delivered") {
    d.verified(await d.until(reached, VERIFY_MS, POLL_MS));
    return d.steps;
  }
  return await inMenu(d, target, option);
}

/** Texts an option can be known by. */
function texts(d: Delivery, element: Ref): { texts: string[]; children: Ref[] } {
  const basics = readBasics(d.elements, element, { children: true }, d.deadline, d.arena);
  if (typeof basics === "string" || basics.secrecy.childrenMayShow) {
    return { texts: [], children: [] };
  }
  const found = [basics.title, basics.description];
  const holdsText = basics.role === "statictext" || basics.role === "textfield";
  if (holdsText && basics.secrecy.value === "open") {
    found.push(readValue(d.elements, element, d.deadline).text);
  }
  return {
    texts: found.filter((text) => !isBlank(text)) as string[],
    children: basics.children ?? [],
  };
}

/** The chain from below `root` to the first element with this text. */
function findByText(d: Delivery, root: Ref, option: string): Ref[] | undefined {
  const wanted = normalText(option);
  const queue: Ref[][] = [[root]];
  for (let read = 0; read < queue.length && read < SEARCH_NODES; read++) {
    if (d.deadline.expired) return undefined;
    const chain = queue[read]!;
    const found = texts(d, chain.at(-1)!);
    if (read > 0 && found.texts.some((text) => normalText(text) === wanted)) return chain.slice(1);
    if (chain.length > SEARCH_DEPTH) continue;
    for (const child of found.children) queue.push([...chain, child]);
  }
  return undefined;
}

async function inContainer(d: Delivery, target: ActionTarget, option: string): Promise<Step[]> {
  const chain = findByText(d, target.element, option);
  if (!chain) throw absent(d, optionTexts(d, target.element));
  // The text is often a label deep inside the row that is selected.
  for (const element of chain) {
    if (d.settable(element, "AXSelected") && await choose(d, element)) return d.steps;
  }
  for (const element of chain.toReversed()) {
    if (!d.actions(element).includes("AXPress")) continue;
    if (await d.perform(element, "AXPress") === "delivered") return d.steps;
  }
  if (await choose(d, chain[0]!)) return d.steps;
  throw d.unsupported("select this option");
}

async function inMenu(d: Delivery, target: ActionTarget, option: string): Promise<Step[]> {
  const { element, actions } = target;
  if (showsOption(d, element, option)) return d.skip("AlreadySelected");
  const menu = () => openMenu(d, element);
  let opened = false;
  if (menu() === undefined) {
    const opener = ["AXPress", "AXShowMenu"].find((name) => actions.includes(name));
    if (!opener) throw d.unsupported("open its options");
    opened = await d.perform(element, opener, () => menu() !== undefined) === "delivered";
    if (!opened) throw d.unsupported("open its options");
    await d.until(() => menu() !== undefined, MENU_WAIT_MS, POLL_MS);
  }
  const shown = menu();
  const item = shown && findByText(d, shown, option)?.at(-1);
  if (!item) {
    const options = shown === undefined ? [] : optionTexts(d, shown);
    const closed = !opened || (shown !== undefined && await close(d, shown));
    throw absent(d, options, closed ? {} : { left_open: true });
  }
  if (await d.perform(item, "AXPress", undefined, "AXPress of option") !== "delivered") {
    if (opened) await close(d, shown);
    throw d.unsupported("choose this option");
  }
  d.verified(await d.until(() => showsOption(d, element, option), VERIFY_MS, POLL_MS));
  return d.steps;
}

async function close(d: Delivery, menu: Ref): Promise<boolean> {
  if (!d.actions(menu).includes("AXCancel")) return false;
  return await d.perform(menu, "AXCancel") === "delivered";
}
