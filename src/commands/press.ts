/** `press` (docs/acting.md, "Keys"). */
import { OPERATION_MS } from "../act/action_context.ts";
import { KEY_NAMES, parseCombo, refuseDangerous } from "../act/key_combo.ts";
import { press } from "../act/key_press.ts";
import type { Deadline } from "../deadline.ts";
import type { Platform, WindowInfo } from "../platform/platform.ts";
import { ACTION_PRIVILEGES, actionContext, withWait } from "./action_command.ts";
import { MAX_TYPE_BYTES } from "./limits.ts";
import { APP_ARG, COMBO_ARG, flag, FORCE_ARG, text, WINDOW_ID_ARG } from "./arg_values.ts";
import { type Args, describe, type Zod } from "./command.ts";
import type { Context } from "./context.ts";
import { resolveApp, selectWindow } from "./target.ts";
import { appOfQuery } from "./watched_app.ts";

/** Most combinations and texts of one call. */
const MAX_KEYS = 64;

const pressSchema = (z: Zod) =>
  z.strictObject({
    keys: z.array(z.union([z.string(), z.strictObject({ text: text(z, MAX_TYPE_BYTES) })]))
      .check(z.refine((keys) => keys.length > 0 && keys.length <= MAX_KEYS)),
    app: z.optional(z.string()),
    window_id: z.optional(z.string()),
    force: flag(z),
  });
type PressArgs = Args<typeof pressSchema>;

export const COMMAND = describe({
  group: "Keyboard and pointer",
  summary: "Press keys and type text in the focused window",
  about:
    "Combinations and texts are sent in the order given, without anything of another process " +
    `in between. Keys: ${KEY_NAMES}; before them ctrl+, alt+, shift+, meta+.`,
  args: {
    keys: {
      ...COMBO_ARG,
      repeat: true,
      optional: true,
      text: true,
      expected: `1 to ${MAX_KEYS} combinations and texts of at most ${MAX_TYPE_BYTES} bytes`,
    },
    text: {
      kind: "string",
      flag: "text",
      value: "T",
      into: "keys",
      text: true,
      help: "Text to type, at its place among the combinations",
    },
    app: APP_ARG,
    window_id: WINDOW_ID_ARG,
    force: FORCE_ARG,
  },
  schema: pressSchema,
  example: 'ctrl+a --text "=SUM(A1:A3)" return --app gedit',
  privileges: ACTION_PRIVILEGES,
  permission: "accessibility",
  waits: true,
  budgetMs: OPERATION_MS,
  run,
});

/** Presses and types. Throws what target selection and `press` raise. */
async function run(args: PressArgs, context: Context, deadline: Deadline): Promise<unknown> {
  const system = Deno.build.os === "darwin" ? "macos" : "linux";
  const keys = args.keys.map((item) => typeof item === "string" ? parseCombo(item) : item);
  for (const item of keys) {
    if (!("text" in item)) refuseDangerous(item, system, args.force);
  }
  const acting = await actionContext(context, deadline);
  const { platform } = acting;
  const { headed } = context.globals;
  return await withWait(
    context,
    platform,
    () => appOfQuery(platform, args),
    () =>
      press(
        { keys, headed, target: () => targetWindow(platform, args, headed, deadline) },
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
