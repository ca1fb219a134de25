/** Bringing a window to the front on X11, and seeing that it is there. */
import type { X11 } from "../../../ffi/linux/x11.ts";
import type { Deadline } from "../../deadline.ts";
import { AppError } from "../../errors.ts";
import type { WindowInfo } from "../platform.ts";
import { requireX11, sharedX11 } from "./display.ts";
import {
  containsWindow,
  focusedWindow,
  hasWindowManager,
  matchWindow,
  type WindowDescription,
  type X11Window,
  x11Windows,
} from "./x11_windows.ts";

// Two looks 50 ms apart confirm (docs/linux.md, "Focus"). How long a caller waits is its deadline's
// matter; a busy window manager needs seconds (it looks through the keyboard anew whenever a key
// changes).
const CONFIRM_MS = 2_500;
const LOOK_MS = 50;
const ASK_AGAIN_MS = 400;
const FIRST_LOOK_MS = 10;
// EWMH: the request comes from a tool of the user, which window managers do not second-guess.
const SOURCE_PAGER = 2;

/** What the X server can know a window by. */
export function describeWindow(window: WindowInfo): WindowDescription {
  const { pid, title, isFocused } = window;
  const size = window.bounds ?? window.size;
  return { pid, title, isFocused, ...(size === undefined ? {} : { size }) };
}

/** The X window of an accessible window; `undefined` when none or several could be it. */
export function findX11Window(window: WindowInfo, x?: X11): X11Window | undefined {
  const xid = xidOfWindowId(window.id);
  if (xid !== undefined) return x11Windows(x).find((one) => one.xid === xid);
  return matchWindow(x11Windows(x), describeWindow(window));
}

/** The X window in an id of the form `w-x` + hexadecimal number. */
export function xidOfWindowId(id: string): number | undefined {
  const digits = /^w-x([0-9a-f]+)$/.exec(id)?.[1];
  return digits === undefined ? undefined : parseInt(digits, 16);
}

/** Whether the window has the keyboard focus on the X server. */
function hasX11Focus(x: X11, window: X11Window): boolean {
  const focus = focusedWindow(x);
  return focus !== 0 && (focus === window.xid || focus === window.frame ||
    containsWindow(x, window.frame, focus));
}

/**
 * Gives a window the focus: through the window manager where there is one, directly otherwise.
 *
 * @returns whether the focus was seen there, twice
 * @throws AppError `PLATFORM_NOT_SUPPORTED` without an X server, unless the window has the focus
 */
export async function focusWindow(window: WindowInfo, deadline: Deadline): Promise<boolean> {
  const wayland = Boolean(Deno.env.get("WAYLAND_DISPLAY"));
  if ((wayland || sharedX11() === undefined) && window.isFocused) return true;
  const x = requireX11("Bringing a window to the front");
  const until = deadline.within(CONFIRM_MS);
  let target = findX11Window(window, x);
  if (target === undefined && wayland) throw noWaylandFocus();
  // A new window is on the accessibility bus before a busy window manager has come to it.
  while (target === undefined && !until.expired) {
    await until.sleep(LOOK_MS);
    target = findX11Window(window, x);
  }
  if (target === undefined) return false;
  return hasX11Focus(x, target) || await confirmed(x, target, until);
}

function noWaylandFocus(): AppError {
  return new AppError("PLATFORM_NOT_SUPPORTED", "Wayland lets no program bring a window forward", {
    suggestion: "Bring the window to the front by hand, or act without --headed.",
  });
}

function request(x: X11, target: X11Window): void {
  if (hasWindowManager(x)) {
    x.tellWindowManager(target.xid, "_NET_ACTIVE_WINDOW", [SOURCE_PAGER, 0, 0]);
  } else {
    if (!target.viewable) x.map(target.xid);
    x.raise(target.frame);
    x.sync();
    // An error (the window is not viewable yet) is seen as a focus that does not arrive.
    x.setInputFocus(target.xid);
  }
  x.sync();
}

async function confirmed(x: X11, target: X11Window, until: Deadline): Promise<boolean> {
  let pause = FIRST_LOOK_MS;
  let seen = 0;
  let asked = -Infinity;
  while (true) {
    // A window manager that has not come to manage a new window yet drops what is said about it.
    if (seen === 0 && performance.now() - asked >= ASK_AGAIN_MS) {
      request(x, target);
      asked = performance.now();
    }
    await until.sleep(pause);
    seen = hasX11Focus(x, target) ? seen + 1 : 0;
    if (seen >= 2) return true;
    if (until.expired) return false;
    pause = LOOK_MS;
  }
}
