/** The X server of this session, connected to at most once. */
import { X11 } from "../../../ffi/linux/x11.ts";
import { AppError } from "../../errors.ts";

let shared: X11 | undefined;
let failure: Error | undefined;

/** The connection to `DISPLAY`; `undefined` without that variable, the library or the server. */
export function sharedX11(): X11 | undefined {
  if (shared === undefined && failure === undefined) {
    const name = Deno.env.get("DISPLAY");
    try {
      if (name === undefined || name === "") throw new Error("DISPLAY is not set");
      shared = X11.open(name);
    } catch (error) {
      failure = error instanceof Error ? error : new Error(String(error));
    }
  }
  return shared?.lost ? undefined : shared;
}

/**
 * The connection, where there must be one.
 *
 * @throws AppError `PLATFORM_NOT_SUPPORTED` with the reason
 */
export function requireX11(what: string): X11 {
  const x = sharedX11();
  if (x !== undefined) return x;
  const wayland = Deno.env.get("WAYLAND_DISPLAY");
  throw new AppError(
    "PLATFORM_NOT_SUPPORTED",
    wayland ? `${what} is not available in this Wayland session` : `${what} needs an X server`,
    {
      suggestion: wayland
        ? "Use semantic actions without --headed, or log in to an X11 session."
        : "Run the program inside the desktop session, with DISPLAY set, and libX11 installed.",
      ...(failure === undefined ? {} : { platformDetail: failure.message }),
    },
  );
}

/** Ends the connection, if there is one. */
export function closeSharedX11(): void {
  shared?.close();
  shared = undefined;
  failure = undefined;
}
