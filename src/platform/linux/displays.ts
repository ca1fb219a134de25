/** Displays of the X server, and what they are scaled by. */
import { type Monitor, monitors } from "../../../ffi/linux/xrandr.ts";
import type { X11 } from "../../../ffi/linux/x11.ts";
import type { DisplayInfo } from "../platform.ts";
import { requireX11 } from "./display.ts";

/**
 * The displays, primary first. Bounds are device pixels, so the scale is 1 on X11 whatever the
 * toolkits draw at. Throws `PLATFORM_NOT_SUPPORTED` without an X server.
 */
export function readDisplays(): DisplayInfo[] {
  const found = monitorsOf(requireX11("Listing displays"));
  const hasPrimary = found.some((monitor) => monitor.isPrimary);
  return found
    .map((monitor, i): DisplayInfo => ({
      id: `d-${monitor.name}`,
      bounds: { x: monitor.x, y: monitor.y, width: monitor.width, height: monitor.height },
      isPrimary: hasPrimary ? monitor.isPrimary : i === 0,
      scale: 1,
    }))
    .sort((a, b) => Number(b.isPrimary) - Number(a.isPrimary));
}

/** The monitors the server tells of; the whole screen as one where it tells of none. */
function monitorsOf(x: X11): Monitor[] {
  const whole = { name: 0n, isPrimary: true, x: 0, y: 0, ...x.size };
  try {
    const found = monitors(x);
    return found.length > 0 ? found : [whole];
  } catch {
    return [whole];
  }
}
