/** `permissions`: which grants of the operating system are there. */
import type { Deadline } from "../deadline.ts";
import { AppError } from "../errors.ts";
import type { Permissions, Platform } from "../platform/platform.ts";

import { flag } from "./arg_values.ts";
import { type Args, describe, type Zod } from "./command.ts";
import type { Context } from "./context.ts";
import { GRANT_REPORT_MS, reportGrants } from "./grants.ts";

const permissionsSchema = (z: Zod) => z.strictObject({ request: flag(z), guide: flag(z) });
type PermissionsArgs = Args<typeof permissionsSchema>;

export const COMMAND = describe({
  group: "Health",
  summary: "Tell which grants of the operating system are there",
  args: {
    request: {
      kind: "boolean",
      flag: "request",
      help: "Ask the user for what is missing (macOS)",
    },
    guide: {
      kind: "boolean",
      flag: "guide",
      help: "Open the settings pane that grants access (macOS)",
    },
  },
  schema: permissionsSchema,
  example: "",
  privileges: ["read", "ffi", "env"],
  permission: "none",
  budgetMs: GRANT_REPORT_MS,
  run,
});

/**
 * The report on grants. A machine without a working accessibility service answers too: its state
 * is `unknown`, with what to do about it.
 *
 * @throws AppError `PLATFORM_NOT_SUPPORTED` for `--guide` where there is no settings pane to open
 */
async function run(
  args: PermissionsArgs,
  context: Context,
  deadline: Deadline,
): Promise<Permissions & { guide?: string }> {
  const { platform, permissions } = await reportGrants(context, deadline);
  if (!args.guide && !args.request) return permissions;
  const missing = Object.values(permissions).some(({ state }) => state === "denied");
  if (args.guide) return { ...permissions, guide: missing ? openGuide(platform) : "not_needed" };
  if (!missing) return permissions;
  if (platform?.requestPermissions === undefined) throw noDialog();
  return await platform.requestPermissions(deadline);
}

function openGuide(platform: Platform | undefined): string {
  if (platform?.openPermissionGuide === undefined) throw noDialog();
  return platform.openPermissionGuide();
}

function noDialog(): AppError {
  return new AppError("PLATFORM_NOT_SUPPORTED", "This system has no dialog that grants access", {
    suggestion: "Follow the suggestions that permissions prints without flags.",
  });
}
