/** What the X server knows of applications: their windows, and the request to close one. */
import type { WindowInfo } from "../../platform.ts";
import { sharedX11 } from "../display.ts";
import { commandName, processInstance } from "../process.ts";
import { hasWindowManager, type X11Window, x11Windows } from "../x11_windows.ts";

const SOURCE_PAGER = 2;

/** Windows of the processes that fit, as the X server shows them; none without one. */
export function x11WindowsOf(fits: (pid: number) => boolean): WindowInfo[] {
  return managed().filter(({ pid }) => pid !== undefined && fits(pid)).map(toWindowInfo);
}

/**
 * Asks every window of a process to close, as its own close button does.
 *
 * @returns whether there was one to ask
 */
export function closeX11Windows(pid: number): boolean {
  const x = sharedX11();
  if (x === undefined) return false;
  const windows = managed().filter((window) => window.pid === pid);
  const byManager = hasWindowManager(x);
  for (const { xid } of windows) {
    if (byManager) x.tellWindowManager(xid, "_NET_CLOSE_WINDOW", [0, SOURCE_PAGER]);
    else x.tellWindow(xid, "WM_PROTOCOLS", [Number(x.atom("WM_DELETE_WINDOW")), 0]);
  }
  x.sync();
  return windows.length > 0;
}

function managed(): X11Window[] {
  return x11Windows().filter((window) => !window.overrideRedirect);
}

/** What the application of a window is called, as far as the window system tells. */
export function appNameOf({ pid, title }: X11Window): string {
  return (pid === undefined ? undefined : commandName(pid)) ?? title;
}

/**
 * A window as the X server shows it. Its process is 0 when it does not say (Tk); nothing of
 * accessibility is asked.
 */
export function toWindowInfo(window: X11Window): WindowInfo {
  const pid = window.pid ?? 0;
  const instance = processInstance(pid);
  return {
    id: `w-x${window.xid.toString(16)}`,
    title: window.title,
    appName: appNameOf(window),
    pid,
    ...(instance === undefined ? {} : { processInstance: instance }),
    bounds: window.outer,
    isFocused: window.focused,
    visible: window.viewable,
    accessible: false,
  };
}
