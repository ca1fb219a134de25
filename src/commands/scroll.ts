/** `scroll` (interaction §1). */
import type { Context } from "../cli/context.ts";
import type { ScrollArgs } from "../cli/table/act.ts";
import { refAction } from "./ref_action.ts";

/** Scrolls a scroll area by pages, or by wheel notches. Throws what the action flow raises. */
export function run(args: ScrollArgs, context: Context): Promise<unknown> {
  const { direction, amount } = args;
  return refAction("scroll", { kind: "scroll", direction, amount }, args, context);
}
