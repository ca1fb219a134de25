/** `type` (interaction §1). */
import type { Context } from "../cli/context.ts";
import type { TypeArgs } from "../cli/table/act.ts";
import { refAction } from "./ref_action.ts";

/** Inserts text at the caret or over the selection. Throws what the action flow raises. */
export function run(args: TypeArgs, context: Context): Promise<unknown> {
  return refAction("type", { kind: "type", text: args.text }, args, context);
}
