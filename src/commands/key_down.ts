/** `key-down` (interaction §1): always refused, because a key must never stay down. */
import { parseCombo } from "../act/key_combo.ts";
import { heldRefusal } from "../act/refusals.ts";
import type { Context } from "../cli/context.ts";
import type { KeyArgs } from "../cli/table/input.ts";

/** Throws `INVALID_ARGS` for a malformed combination, else `ACTION_NOT_SUPPORTED`. */
export async function run(args: KeyArgs, _context: Context): Promise<unknown> {
  parseCombo(args.combo);
  throw heldRefusal("key-down", "Use press, which sends a key with its modifiers at once.");
}
