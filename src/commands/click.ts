/** `click` (interaction §1). */
import type { Context } from "../cli/context.ts";
import type { RefActionArgs } from "../cli/table/act.ts";
import { refAction } from "./ref_action.ts";

/** Clicks an element. Throws what the action flow raises. */
export function run(args: RefActionArgs, context: Context): Promise<unknown> {
  return refAction("click", { kind: "click" }, args, context);
}
