/** Refused always: what is held down must be released by the same command, also if that dies. */
import { parseCombo } from "../act/key_combo.ts";
import { heldRefusal, requireHeaded } from "../act/refusals.ts";
import { ACTION_PRIVILEGES } from "./action_command.ts";
import { COMBO_ARG, flag, FORCE_ARG } from "./arg_values.ts";
import { describe, type Description, type Zod } from "./command.ts";
import { button, BUTTON_ARG, modifiers, MODIFIERS_ARG, point, XY_ARG } from "./pointer_args.ts";

const keySchema = (z: Zod) => z.strictObject({ combo: z.string(), force: flag(z) });

const buttonSchema = (z: Zod) =>
  z.strictObject({ xy: point(z), button: button(z), modifiers: modifiers(z) });

/** Refused with `INVALID_ARGS` for a malformed combination, else with `ACTION_NOT_SUPPORTED`. */
function keyRefused(name: string): Description {
  return describe({
    group: "Keyboard and pointer",
    summary: "Refused: a key is never left down (use press)",
    args: { combo: COMBO_ARG, force: FORCE_ARG },
    schema: keySchema,
    example: "shift",
    privileges: ACTION_PRIVILEGES,
    permission: "accessibility",
    async run({ combo }) {
      parseCombo(combo);
      throw heldRefusal(name, "Use press, which sends a key with its modifiers at once.");
    },
  });
}

/** Refused with `POLICY_DENIED` without `--headed`, else with `ACTION_NOT_SUPPORTED`. */
function buttonRefused(name: string): Description {
  return describe({
    group: "Keyboard and pointer",
    summary: "Refused: a button is never left down (use drag or mouse-click)",
    args: { xy: XY_ARG, button: BUTTON_ARG, modifiers: MODIFIERS_ARG },
    schema: buttonSchema,
    example: "--xy 640,400 --headed",
    privileges: ACTION_PRIVILEGES,
    permission: "accessibility",
    headedOnly: true,
    async run(_args, { globals }) {
      requireHeaded(name, globals.headed);
      throw heldRefusal(name, "Use mouse-click, or drag to hold a button while moving.");
    },
  });
}

/** The commands by name. */
export const COMMANDS = {
  ...named(["key-down", "key-up"], keyRefused),
  ...named(["mouse-down", "mouse-up"], buttonRefused),
};

function named<Name extends string>(
  names: readonly Name[],
  description: (name: Name) => Description,
): Record<Name, Description> {
  return Object.fromEntries(names.map((name) => [name, description(name)])) as Record<
    Name,
    Description
  >;
}
