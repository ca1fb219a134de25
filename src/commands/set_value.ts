/** `set-value` (interaction §1). */
import type { Context } from "../cli/context.ts";
import type { SetValueArgs } from "../cli/table/act.ts";
import { refAction } from "./ref_action.ts";

/** Sets the whole value of a control. Throws what the action flow raises. */
export function run(args: SetValueArgs, context: Context): Promise<unknown> {
  return refAction("set-value", { kind: "set-value", value: args.value }, args, context);
}
