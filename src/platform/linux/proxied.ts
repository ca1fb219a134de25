/**
 * Applications behind a D-Bus proxy (`xdg-dbus-proxy`, which sandboxes talk through). To the bus all
 * of them are the proxy's process; whose they are is told by their windows.
 */
import type { Deadline } from "../../deadline.ts";
import { readProc } from "../../../ffi/linux/proc.ts";
import { extents, method, property } from "./accessible.ts";
import { COORDS } from "./atspi.ts";
import type { Bus } from "./bus.ts";
import { sharedX11 } from "./display.ts";
import type { AppRoot } from "./inventory.ts";
import { fitsSize } from "./window_geometry.ts";
import { managedWindows } from "./x11_windows.ts";

// An application's first windows tell enough.
const MAX_TOPS = 8;

/**
 * Gives the applications behind a proxy the process their windows name on the X server, found by
 * title and size. One whose windows leave it open keeps the proxy's.
 */
export function findProcesses(bus: Bus, proxied: readonly AppRoot[], deadline: Deadline): void {
  const x = sharedX11();
  if (x === undefined) return;
  const tops = proxied.flatMap((root) =>
    (root.tops?.value ?? []).slice(0, MAX_TOPS).map((object) => ({ root, object }))
  );
  const replies = bus.callAll(
    tops.flatMap(({ object }) => [
      property(object, "Accessible", "Name"),
      method(object, "Component", "GetExtents", "u", COORDS.screen),
    ]),
    deadline,
  );
  const shown = managedWindows(x);
  const found = new Map<AppRoot, Set<number>>();
  tops.forEach(({ root }, i) => {
    const [name, bounds] = [replies[2 * i]!, replies[2 * i + 1]!];
    const title = name.ok ? name.values[0] : "";
    const size = bounds.ok ? extents(bounds.values[0]) : undefined;
    if (title === "" || size === undefined) return;
    const pids = new Set(
      shown.filter((one) => one.title === title && fitsSize(one, size)).map(({ pid }) => pid),
    );
    const [pid] = pids;
    if (pids.size !== 1 || pid === undefined || !isOwnProcess(pid, root.pid)) return;
    found.set(root, (found.get(root) ?? new Set()).add(pid));
  });
  for (const [root, pids] of found) {
    if (pids.size === 1) root.pid = [...pids][0]!;
  }
}

/**
 * Whether a pid that a window tells can be taken: a sandbox counts its processes from 1, so that the
 * number may be another process's here.
 */
function isOwnProcess(pid: number, proxy: number): boolean {
  const status = readProc(`/proc/${pid}/status`) ?? "";
  const user = (text: string) => /^Uid:\t(\d+)/m.exec(text)?.[1];
  // Threads of the kernel have no memory of their own.
  return /^VmRSS:/m.test(status) &&
    user(status) === user(readProc(`/proc/${proxy}/status`) ?? "");
}
