/** `collapse` (interaction §1). */
import type { Context } from "../cli/context.ts";
import type { RefActionArgs } from "../cli/table/act.ts";
import { refAction } from "./ref_action.ts";

/** Closes what opens and closes. Throws what the action flow raises. */
export function run(args: RefActionArgs, context: Context): Promise<unknown> {
  return refAction("collapse", { kind: "collapse" }, args, context);
}
