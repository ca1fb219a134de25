/** `permissions`: which grants of the operating system are there. */
import type { Context } from "../cli/context.ts";
import type { PermissionsArgs } from "../cli/table/mod.ts";
import { Deadline } from "../deadline.ts";
import { AppError } from "../errors.ts";
import type { Permissions, Platform } from "../platform/platform.ts";

/** Longest wait for the report, bus probe included, in milliseconds. */
export const HEALTH_TIMEOUT_MS = 1500;

/**
 * The report on grants. A machine without a working accessibility service answers too: its state
 * is `unknown`, with what to do about it.
 *
 * @throws AppError `PLATFORM_NOT_SUPPORTED` for `--guide` where there is no settings pane to open
 */
export async function run(
  args: PermissionsArgs,
  context: Context,
): Promise<Permissions & { guide?: string }> {
  const { platform, permissions } = await probe(context);
  if (!args.guide && !args.request) return permissions;
  const missing = Object.values(permissions).some(({ state }) => state === "denied");
  if (args.guide) return { ...permissions, guide: missing ? openGuide(platform) : "not_needed" };
  if (!missing) return permissions;
  if (platform?.requestPermissions === undefined) throw noDialog();
  return await platform.requestPermissions(Deadline.after(HEALTH_TIMEOUT_MS));
}

/** The platform, when it could be opened in time, and the report on grants in any case. */
export async function probe(
  context: Context,
): Promise<{ platform?: Platform; permissions: Permissions }> {
  const deadline = Deadline.after(HEALTH_TIMEOUT_MS);
  try {
    const platform = await inTime(context.platform(), deadline);
    return { platform, permissions: await inTime(platform.permissions(deadline), deadline) };
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown;
    context.log(`accessibility is not available: ${thrown.message}`);
    const suggestion = thrown.suggestion ??
      "Start this command inside the desktop session of the user.";
    return {
      permissions: {
        accessibility: { state: "unknown", suggestion: `${thrown.message}. ${suggestion}` },
        automation: { state: "unknown" },
        screen_recording: { state: "unknown" },
      },
    };
  }
}

/** @throws AppError `TIMEOUT` at the deadline; what was waited for goes on unobserved */
async function inTime<Value>(value: Promise<Value>, deadline: Deadline): Promise<Value> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(
        new AppError("TIMEOUT", "The accessibility service did not answer in time", {
          suggestion: "Run the command again; if that does not help, log in to the desktop again.",
          details: { kind: "deadline", elapsed_ms: deadline.elapsed },
        }),
      );
    }, deadline.remaining);
  });
  try {
    return await Promise.race([value, late]);
  } finally {
    clearTimeout(timer);
  }
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
