/** Which grants of the operating system are there, as far as can be told in time. */
import type { Deadline } from "../deadline.ts";
import { AppError } from "../errors.ts";
import type { Permissions, Platform } from "../platform/platform.ts";
import type { Context } from "./context.ts";

/** Longest wait for the report, bus probe included, in milliseconds. */
export const GRANT_REPORT_MS = 1_500;

/** The platform, when it could be opened in time, and the report on grants in any case. */
export async function reportGrants(
  context: Context,
  deadline: Deadline,
): Promise<{ platform?: Platform; permissions: Permissions }> {
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
