/** `close-app`: asks an application to end, or ends it. */
import type { Deadline } from "../deadline.ts";
import { disposition } from "../errors.ts";
import { acquireLease } from "../store/lease.ts";
import { ACTION_PRIVILEGES } from "./action_command.ts";
import { appItem } from "./app_item.ts";
import { flag } from "./arg_values.ts";
import { type Args, describe, type Zod } from "./command.ts";
import type { Context } from "./context.ts";
import { READ_BUDGET_MS } from "./limits.ts";
import { resolveApp } from "./target.ts";

const schema = (z: Zod) =>
  z.strictObject({
    app: z.string().check(z.refine((value) => value.trim() !== "")),
    force: flag(z),
  });

export const COMMAND = describe({
  group: "Windows and applications",
  summary: "Ask an application to close, or end it",
  about:
    "Its windows are asked to close, as their close buttons do. When it shows a dialog instead " +
    "(unsaved changes), the answer is TIMEOUT with the dialog's window in details.",
  args: {
    app: {
      kind: "string",
      value: "APP",
      help: "Application as list-apps names it, or its pid",
      expected: "a name or a pid",
    },
    force: {
      kind: "boolean",
      flag: "force",
      help: "End the process; unsaved work is lost",
    },
  },
  schema,
  example: "gnome-calculator",
  privileges: ACTION_PRIVILEGES,
  permission: "accessibility",
  budgetMs: READ_BUDGET_MS,
  run,
});

/**
 * Closes the application; returns once its process is gone.
 *
 * @throws AppError `APP_NOT_FOUND`, `AMBIGUOUS_TARGET`, `INVALID_ARGS` (a process the desktop lives
 * by), `TIMEOUT` (it still runs)
 */
async function run(
  { app: query, force }: Args<typeof schema>,
  context: Context,
  deadline: Deadline,
): Promise<unknown> {
  const platform = await context.platform();
  const { app } = await resolveApp(platform, query, deadline);
  using _lease = await acquireLease(deadline);
  await (await platform.launcher()).close(app, force, deadline);
  return {
    action: "close-app",
    app: appItem(app),
    method: force ? "force" : "graceful",
    requested: true,
    closed: true,
    disposition: disposition("delivered_verified"),
  };
}
