/** `list-apps`: what runs and can be seen. */
import type { Deadline } from "../deadline.ts";
import { type AppItem, appItem } from "./app_item.ts";
import { foldName } from "./app_query.ts";
import { APP_ARG, type AppOnlyArgs, appOnlySchema } from "./arg_values.ts";
import { describe } from "./command.ts";
import type { Context } from "./context.ts";
import { READ_BUDGET_MS } from "./limits.ts";

export const COMMAND = describe({
  group: "Observe",
  summary: "List the applications that accessibility can see",
  args: { app: { ...APP_ARG, help: "Only those whose name contains this" } },
  schema: appOnlySchema,
  example: "",
  privileges: ["read", "ffi", "env"],
  permission: "none",
  budgetMs: READ_BUDGET_MS,
  run,
});

/** The applications, or those whose name contains `args.app` (case does not matter). */
async function run(
  args: AppOnlyArgs,
  context: Context,
  deadline: Deadline,
): Promise<{ apps: AppItem[] }> {
  const platform = await context.platform();
  const apps = await platform.apps(deadline);
  const part = args.app === undefined ? "" : foldName(args.app);
  return { apps: apps.filter((app) => foldName(app.name).includes(part)).map(appItem) };
}
