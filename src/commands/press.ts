/** `press` (interaction §7). */
import { OPERATION_MS } from "../act/action_context.ts";
import { parseCombo, refuseDangerous } from "../act/key_combo.ts";
import { press } from "../act/key_press.ts";
import type { Context } from "../cli/context.ts";
import type { PressArgs } from "../cli/table/input.ts";
import type { Deadline } from "../deadline.ts";
import type { Platform, WindowInfo } from "../platform/platform.ts";
import { actionContext, queryTarget, withWait } from "./ref_action.ts";
import { resolveApp, selectWindow } from "./target.ts";

/** Presses a key combination. Throws what target selection and `press` raise. */
export async function run(args: PressArgs, context: Context): Promise<unknown> {
  const combo = parseCombo(args.combo);
  refuseDangerous(combo, Deno.build.os === "darwin" ? "macos" : "linux", args.force);
  const acting = await actionContext(context, OPERATION_MS);
  const { platform } = acting;
  const { headed } = context.globals;
  return await withWait(
    context,
    platform,
    () => queryTarget(platform, args),
    () =>
      press(
        { combo, headed, target: () => targetWindow(platform, args, headed, acting.deadline) },
        acting,
      ),
  );
}

/**
 * The window the keys are for. Headless they reach only the focused one, so an application is
 * represented by its focused window where it has one.
 */
async function targetWindow(
  platform: Platform,
  args: PressArgs,
  headed: boolean,
  deadline: Deadline,
): Promise<WindowInfo> {
  if (args.app !== undefined && args.window_id === undefined && !headed) {
    const { windows } = await resolveApp(platform, args.app, deadline);
    const focused = windows.find((window) => window.isFocused);
    if (focused !== undefined) return focused;
  }
  return await selectWindow(platform, args, deadline);
}
