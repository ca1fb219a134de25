/** `press` (docs/acting.md, "Keys"). */
import { OPERATION_MS } from "../act/action_context.ts";
import { parseCombo, refuseDangerous } from "../act/key_combo.ts";
import { press } from "../act/key_press.ts";
import type { Deadline } from "../deadline.ts";
import type { Platform, WindowInfo } from "../platform/platform.ts";
import { ACTION_PRIVILEGES, actionContext, withWait } from "./action_command.ts";
import { APP_ARG, COMBO_ARG, flag, FORCE_ARG, WINDOW_ID_ARG } from "./arg_values.ts";
import { type Args, describe, type Zod } from "./command.ts";
import type { Context } from "./context.ts";
import { resolveApp, selectWindow } from "./target.ts";
import { appOfQuery } from "./watched_app.ts";

const pressSchema = (z: Zod) =>
  z.strictObject({
    combo: z.string(),
    app: z.optional(z.string()),
    window_id: z.optional(z.string()),
    force: flag(z),
  });
type PressArgs = Args<typeof pressSchema>;

export const COMMAND = describe({
  group: "Keyboard and pointer",
  summary: "Press a key, with modifiers, in the focused window",
  args: { combo: COMBO_ARG, app: APP_ARG, window_id: WINDOW_ID_ARG, force: FORCE_ARG },
  schema: pressSchema,
  example: "ctrl+a --app gedit",
  privileges: ACTION_PRIVILEGES,
  permission: "accessibility",
  waits: true,
  budgetMs: OPERATION_MS,
  run,
});

/** Presses a key combination. Throws what target selection and `press` raise. */
async function run(args: PressArgs, context: Context, deadline: Deadline): Promise<unknown> {
  const combo = parseCombo(args.combo);
  refuseDangerous(combo, Deno.build.os === "darwin" ? "macos" : "linux", args.force);
  const acting = await actionContext(context, deadline);
  const { platform } = acting;
  const { headed } = context.globals;
  return await withWait(
    context,
    platform,
    () => appOfQuery(platform, args),
    () =>
      press(
        { combo, headed, target: () => targetWindow(platform, args, headed, deadline) },
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
