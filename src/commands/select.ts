/** `select` (interaction §1). */
import type { Context } from "../cli/context.ts";
import type { SelectArgs } from "../cli/table/act.ts";
import { refAction } from "./ref_action.ts";

/** Chooses an option by its text. Throws what the action flow raises. */
export function run(args: SelectArgs, context: Context): Promise<unknown> {
  return refAction("select", { kind: "select", option: args.value }, args, context);
}
