/** Changing windows on X11: the window manager is asked (EWMH), and the server then shows the effect. */
import type { X11 } from "../../../../ffi/linux/x11.ts";
import type { Deadline } from "../../../deadline.ts";
import { AppError } from "../../../errors.ts";
import type { WindowInfo } from "../../platform.ts";
import type { WindowControl, WindowOutcome, WindowPlace } from "../../window_control.ts";
import { requireX11 } from "../display.ts";
import { findX11Window } from "../focus.ts";
import { hasWindowManager, type X11Window } from "../x11_windows.ts";

/** Applications round sizes to their own grid; this much (pixels) is still the wanted one. */
const TOLERANCE = 2;
// How long a window manager and the application may take to come to a new size or state.
const EFFECT_MS = 1_500;
const POLL_MS = 30;
// _NET_MOVERESIZE_WINDOW: the place is that of the frame's upper left corner; which of the four
// numbers count; the request comes from a tool of the user.
const NORTH_WEST = 1;
const HAS_X = 1 << 8;
const HAS_Y = 1 << 9;
const HAS_WIDTH = 1 << 10;
const HAS_HEIGHT = 1 << 11;
const FROM_PAGER = 2 << 12;
const SOURCE_PAGER = 2;
// _NET_WM_STATE
const ADD = 1;
const REMOVE = 0;
// WM_CHANGE_STATE and WM_STATE (ICCCM)
const ICONIC = 3;

/** Opens the window control of this session's X server. */
export class X11WindowControl implements WindowControl {
  async place(
    window: WindowInfo,
    place: WindowPlace,
    deadline: Deadline,
  ): Promise<WindowOutcome> {
    const x = managedDisplay("Moving or resizing a window");
    const target = find(window, x);
    refuseHidden(x, target);
    // A maximised window takes no other place.
    setState(x, target, REMOVE, "_NET_WM_STATE_MAXIMIZED_VERT", "_NET_WM_STATE_MAXIMIZED_HORZ");
    const wanted = clientPlace(target, place);
    x.tellWindowManager(target.xid, "_NET_MOVERESIZE_WINDOW", [
      NORTH_WEST | FROM_PAGER |
      (wanted.x === undefined ? 0 : HAS_X | HAS_Y) |
      (wanted.width === undefined ? 0 : HAS_WIDTH | HAS_HEIGHT),
      wanted.x ?? 0,
      wanted.y ?? 0,
      wanted.width ?? 0,
      wanted.height ?? 0,
    ]);
    x.sync();
    return await seen(
      () => find(window, x),
      ({ outer }) =>
        (Object.keys(place) as (keyof WindowPlace)[])
          .every((key) => Math.abs(outer[key] - place[key]!) <= TOLERANCE),
      deadline,
    );
  }

  async setMinimized(
    window: WindowInfo,
    minimized: boolean,
    deadline: Deadline,
  ): Promise<WindowOutcome> {
    const x = managedDisplay(minimized ? "Minimizing a window" : "Restoring a window");
    const target = find(window, x);
    if (minimized) x.tellWindowManager(target.xid, "WM_CHANGE_STATE", [ICONIC]);
    else x.map(target.xid); // ICCCM: a client that is iconic comes back by being mapped
    x.sync();
    return await seen(
      () => find(window, x),
      (now) => isIconic(x, now) === minimized && now.viewable !== minimized,
      deadline,
    );
  }

  async maximize(window: WindowInfo, deadline: Deadline): Promise<WindowOutcome> {
    const x = managedDisplay("Maximizing a window");
    const target = find(window, x);
    refuseHidden(x, target);
    const names = ["_NET_WM_STATE_MAXIMIZED_VERT", "_NET_WM_STATE_MAXIMIZED_HORZ"] as const;
    setState(x, target, ADD, ...names);
    return await seen(
      () => find(window, x),
      (now) => names.every((name) => states(x, now.xid).includes(Number(x.atom(name)))),
      deadline,
    );
  }
}

function managedDisplay(what: string): X11 {
  const x = requireX11(what);
  if (hasWindowManager(x)) return x;
  throw new AppError("PLATFORM_NOT_SUPPORTED", `${what} needs a window manager; none is running`, {
    suggestion: "Start a window manager in this session, for example openbox.",
  });
}

function find(window: WindowInfo, x: X11): X11Window {
  const found = findX11Window(window, x);
  if (found !== undefined) return found;
  throw new AppError("WINDOW_NOT_FOUND", "The X server does not tell which window this is", {
    suggestion: "Run list-windows and choose a window by its id.",
  });
}

function refuseHidden(x: X11, target: X11Window): void {
  if (!isIconic(x, target)) return;
  throw new AppError("ACTION_FAILED", "The window is minimized", {
    suggestion: "Run restore with the same window first.",
    details: { kind: "window_minimized" },
  });
}

function isIconic(x: X11, { xid }: X11Window): boolean {
  return x.property(xid, "WM_STATE")?.items[0] === ICONIC;
}

function states(x: X11, xid: number): number[] {
  return x.property(xid, "_NET_WM_STATE")?.items ?? [];
}

function setState(x: X11, { xid }: X11Window, how: number, first: string, second: string): void {
  const atoms = [first, second].map((name) => Number(x.atom(name)));
  x.tellWindowManager(xid, "_NET_WM_STATE", [how, atoms[0]!, atoms[1]!, SOURCE_PAGER]);
  x.sync();
}

/**
 * From the visible rectangle that is wanted to what the window manager is told: the place of the
 * frame and the size of the application's own window, which holds a shadow where it draws one.
 */
function clientPlace(window: X11Window, place: WindowPlace): WindowPlace {
  const { frameExtents: shadow, outer } = window;
  const told: WindowPlace = {};
  if (place.x !== undefined && place.y !== undefined) {
    told.x = Math.round(place.x) - shadow.left;
    told.y = Math.round(place.y) - shadow.top;
  }
  if (place.width !== undefined && place.height !== undefined) {
    told.width = Math.max(1, Math.round(place.width) + window.width - outer.width);
    told.height = Math.max(1, Math.round(place.height) + window.height - outer.height);
  }
  return told;
}

/** Looks until the effect is there, twice in a row: windows come to rest in several steps. */
async function seen(
  look: () => X11Window,
  reached: (window: X11Window) => boolean,
  deadline: Deadline,
): Promise<WindowOutcome> {
  const limit = deadline.within(EFFECT_MS);
  let times = 0;
  while (true) {
    const window = look();
    times = reached(window) ? times + 1 : 0;
    if (times >= 2 || limit.expired) return { verified: times >= 2, bounds: window.outer };
    await limit.sleep(POLL_MS);
  }
}
