/** Chooses the platform of the system the program runs on; only that one is loaded. */
import { AppError } from "../errors.ts";
import { KEEPER_ARGUMENT } from "./clipboard.ts";
import type { Platform } from "./platform.ts";

/** Opens this system's platform. Throws `PLATFORM_NOT_SUPPORTED` on any that has none. */
export async function openPlatform(): Promise<Platform> {
  if (Deno.build.os === "linux") {
    const { LinuxPlatform } = await import("./linux/platform.ts");
    if (!Deno.env.get("WAYLAND_DISPLAY")) return new LinuxPlatform();
    const { hasX11Window } = await import("./linux/window_geometry.ts");
    return new LinuxPlatform(hasX11Window);
  }
  if (Deno.build.os === "darwin") {
    const { MacPlatform } = await import("./macos/platform.ts");
    return new MacPlatform();
  }
  throw new AppError("PLATFORM_NOT_SUPPORTED", `No accessibility platform for ${Deno.build.os}`);
}

/** Begins to load the code of this system's platform; opens nothing. */
openPlatform.preload = (): void => {
  const loading = Deno.build.os === "linux"
    ? import("./linux/platform.ts")
    : Deno.build.os === "darwin"
    ? import("./macos/platform.ts")
    : undefined;
  loading?.catch(() => {}); // `openPlatform` meets the same failure, and tells it
};

export { KEEPER_ARGUMENT };

/** What the process that keeps an X11 clipboard does; returns when another one has taken over. */
export async function keepClipboard(args: readonly string[]): Promise<void> {
  const { keepClipboard } = await import("./linux/x11/clipboard_keeper.ts");
  await keepClipboard(args);
}
