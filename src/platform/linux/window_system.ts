/**
 * What the window system says of windows: it corrects what applications say, and adds the windows
 * that no application publishes (docs/linux.md, "The window system has the last word").
 */
import type { AppInfo, WindowInfo } from "../platform.ts";
import type { X11 } from "../../../ffi/linux/x11.ts";
import { sharedX11 } from "./display.ts";
import { describeWindow } from "./focus.ts";
import { type AppRoot, isUntitled, type LinuxWindow } from "./inventory.ts";
import { processInstance } from "./process.ts";
import { fitsSize } from "./window_geometry.ts";
import { appNameOf, toWindowInfo } from "./x11/applications.ts";
import {
  focusedWindow,
  hasWindowManager,
  managedWindows,
  matchWindow,
  type X11Window,
} from "./x11_windows.ts";

// ICCCM
const ICONIC = 3;
// _NET_WM_DESKTOP of a window that is on all of them.
const ALL_DESKTOPS = 0xffffffff;
/**
 * Corrects windows by what the X server shows: focus, whether they show, are minimised or on
 * another desktop, and the title where the application tells none. Without an X server nothing
 * changes; in a Wayland session only the windows that are on the X server are judged.
 *
 * @returns the windows of the X server that are none of the given
 */
function correct(x: X11, windows: readonly LinuxWindow[]): X11Window[] {
  const { pairs, left } = pairUp(windows, managedWindows(x));
  const focus = focusedWindow(x);
  const knowsFocus = focus !== 0 || hasWindowManager(x);
  const judgesAll = !Deno.env.get("WAYLAND_DISPLAY");
  const known = new Set([...pairs.values()].map(({ pid }) => pid));
  for (const window of windows) {
    const shown = pairs.get(window);
    if (shown !== undefined) {
      const minimized = isMinimized(x, shown);
      window.visible = shown.viewable && !minimized && !isElsewhere(x, shown);
      if (minimized) window.minimized = true;
      else delete window.minimized;
      if (knowsFocus) window.isFocused = shown.focused;
      if (isUntitled(window.title) && shown.title !== "") window.title = shown.title;
    } else if (judgesAll && !left.some((one) => couldBe(window, one))) {
      if (knowsFocus) window.isFocused = false;
      // Chromium keeps hidden windows that claim to be showing.
      if (window.root.toolkit.claimsHiddenWindows && known.has(window.pid)) window.visible = false;
    }
  }
  return left;
}

/** Which accessible window is which one of the X server, and what is left there. */
function pairUp(
  windows: readonly LinuxWindow[],
  all: readonly X11Window[],
): { pairs: Map<LinuxWindow, X11Window>; left: X11Window[] } {
  const pairs = new Map<LinuxWindow, X11Window>();
  let left = all.filter((window) => !window.overrideRedirect);
  const take = (window: LinuxWindow, found: X11Window | undefined) => {
    if (found === undefined) return;
    pairs.set(window, found);
    left = left.filter((one) => one !== found);
  };
  const waiting = () => windows.filter((window) => !pairs.has(window));
  const pidOf = (window: LinuxWindow, one: X11Window) => one.pid === window.pid;
  // The surest first: by process and title, then by process and size, then by title alone.
  for (const window of waiting().sort((a, b) => Number(b.visible) - Number(a.visible))) {
    const own = left.filter((one) => pidOf(window, one) && one.title === window.title);
    take(window, matchWindow(own, describeWindow(window)));
  }
  for (const window of waiting()) {
    if (window.visible !== true) continue;
    const own = left.filter((one) => pidOf(window, one) && hasSizeOf(window, one));
    const rivals = waiting().filter((other) =>
      other.visible === true && own.some((one) => pidOf(other, one) && hasSizeOf(other, one))
    );
    if (own.length === 1 && rivals.length === 1) take(window, own[0]);
  }
  for (const window of waiting()) {
    const foreign = left.filter((one) =>
      window.title !== "" && one.title === window.title && hasSizeOf(window, one)
    );
    if (foreign.length === 1) take(window, foreign[0]);
  }
  return { pairs, left };
}

function hasSizeOf(window: LinuxWindow, shown: X11Window): boolean {
  const size = window.bounds ?? window.size;
  return size === undefined || fitsSize(shown, size);
}

function couldBe(window: LinuxWindow, shown: X11Window): boolean {
  return window.pid === shown.pid && hasSizeOf(window, shown) &&
    (window.title === shown.title || isUntitled(window.title));
}

/** Whether it is minimised. What is on another desktop may be iconic (ICCCM) only for that. */
function isMinimized(x: X11, shown: X11Window): boolean {
  const hidden = Number(x.atom("_NET_WM_STATE_HIDDEN"));
  if ((x.property(shown.xid, "_NET_WM_STATE")?.items ?? []).includes(hidden)) return true;
  return x.property(shown.xid, "WM_STATE")?.items[0] === ICONIC && !isElsewhere(x, shown);
}

function isElsewhere(x: X11, { xid }: X11Window): boolean {
  const desktop = x.property(xid, "_NET_WM_DESKTOP")?.items[0];
  const current = x.property(x.root, "_NET_CURRENT_DESKTOP")?.items[0];
  return desktop !== undefined && current !== undefined && desktop !== current &&
    (desktop >>> 0) !== ALL_DESKTOPS;
}

/** Corrects windows in place, as the X server shows them. */
export function correctWindows(windows: readonly LinuxWindow[]): void {
  const x = sharedX11();
  if (x === undefined) return;
  correct(x, windows);
  x.sync();
}

/**
 * Corrects windows and tells those that accessibility does not reach.
 *
 * @param roots all applications of the accessibility bus
 * @param pid only windows of this process; of all without it
 */
export function withUnreachable(
  windows: readonly LinuxWindow[],
  roots: readonly AppRoot[],
  pid: number | undefined,
): WindowInfo[] {
  const x = sharedX11();
  if (x === undefined) return [...windows];
  const left = correct(x, windows);
  const others = left
    .filter((one) => pid === undefined || one.pid === pid)
    // One of several alike that could not be told apart is none that is not published.
    .filter((one) => !windows.some((window) => couldBe(window, one)))
    .map((one) => unreachableWindow(x, one, roots));
  x.sync();
  return [...windows, ...others];
}

function unreachableWindow(x: X11, shown: X11Window, roots: readonly AppRoot[]): WindowInfo {
  const own = roots.filter((root) => root.pid === shown.pid);
  const reason = own.length === 0
    ? "no_accessibility"
    : own.some((root) => root.silent)
    ? "not_answering"
    : "not_published";
  const minimized = isMinimized(x, shown);
  return {
    ...toWindowInfo(shown),
    visible: shown.viewable && !minimized && !isElsewhere(x, shown),
    ...(minimized ? { minimized } : {}),
    unreachable: reason,
  };
}

/** Applications that only the window system knows: those of windows without accessibility. */
export function unreachableApps(roots: readonly AppRoot[]): AppInfo[] {
  const x = sharedX11();
  if (x === undefined) return [];
  const known = new Set(roots.map((root) => root.pid));
  const apps = new Map<number, AppInfo>();
  for (const window of managedWindows(x)) {
    const { pid } = window;
    if (pid === undefined || known.has(pid) || apps.has(pid)) continue;
    const instance = processInstance(pid);
    if (instance === undefined) continue;
    apps.set(pid, {
      name: appNameOf(window),
      pid,
      aliases: classNames(x, window),
      processInstance: instance,
      presentation: "foreground",
    });
  }
  x.sync();
  return [...apps.values()];
}

/** The window a `w-x…` id names, as long as it is open. */
export function windowOfX11Id(id: string, roots: () => readonly AppRoot[]): WindowInfo | undefined {
  const x = sharedX11();
  const shown = x && managedWindows(x).find((one) => toWindowInfo(one).id === id);
  return shown && unreachableWindow(x, shown, roots());
}

/** Both names of `WM_CLASS`. */
function classNames(x: X11, { xid }: X11Window): string[] {
  const bytes = x.property(xid, "WM_CLASS")?.bytes;
  if (bytes === undefined) return [];
  return [...new Set(new TextDecoder().decode(bytes).split("\0").filter((name) => name !== ""))];
}
