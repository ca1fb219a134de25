/** The names of the modifier keys, and the order in which they are pressed. */
import type { Modifier } from "../platform/platform.ts";

/** The order in which the modifiers of one combination go down. */
export const MODIFIER_ORDER: readonly Modifier[] = ["ctrl", "alt", "shift", "meta"];

const MODIFIERS: Readonly<Record<string, Modifier>> = {
  meta: "meta",
  cmd: "meta",
  command: "meta",
  ctrl: "ctrl",
  control: "ctrl",
  alt: "alt",
  option: "alt",
  shift: "shift",
};

/** A modifier by any of its names, in lower case; `undefined` for anything else. */
export function parseModifier(name: string): Modifier | undefined {
  return Object.hasOwn(MODIFIERS, name) ? MODIFIERS[name] : undefined;
}
