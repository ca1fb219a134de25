/** The windows of the X server: whose they are, where they are, and which lies above which. */
import type { X11 } from "../../../ffi/linux/x11.ts";
import type { Rect } from "../../tree/node.ts";
import { sharedX11 } from "./display.ts";

/** Space between a window's edge and its visible rectangle (client-side shadow), in pixels. */
export interface FrameExtents {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** One top-level window of an application. */
export interface X11Window {
  /** The application's own window. */
  xid: number;
  /** The child of the root that holds it: the window manager's frame, or the window itself. */
  frame: number;
  /** From `_NET_WM_PID`; absent when the application does not say. */
  pid?: number;
  title: string;
  /** The application's window on the root, shadow included. */
  x: number;
  y: number;
  width: number;
  height: number;
  /** Client-side shadow (`_GTK_FRAME_EXTENTS`); all 0 where there is none. */
  frameExtents: FrameExtents;
  /** What lies on the screen: the frame, or the window without its shadow. */
  outer: Rect;
  focused: boolean;
  viewable: boolean;
  /** Menus, tooltips and the like, which no window manager handles. */
  overrideRedirect: boolean;
  /** Position from bottom (0) to top among the children of the root. */
  stacking: number;
}

// A frame holds its client at most this deep: frame, decoration, client.
const CLIENT_DEPTH = 3;
// More top-level windows than this are no desktop.
const MAX_WINDOWS = 2_048;

/**
 * All top-level windows from bottom to top, those that are minimised or on another desktop
 * included; none without an X server.
 */
export function x11Windows(x: X11 | undefined = sharedX11()): X11Window[] {
  if (x === undefined) return [];
  const focus = focusedWindow(x);
  const windows = x.children(x.root).slice(-MAX_WINDOWS).flatMap((frame, stacking) => {
    const window = readWindow(x, frame, stacking, focus);
    return window === undefined ? [] : [window];
  });
  x.sync(); // forgets the errors of windows that went meanwhile
  return windows;
}

/**
 * The windows of some processes (or of all) that a window manager handles: far fewer questions than
 * looking at everything. Without a window manager, `x11Windows`.
 */
export function managedWindows(x: X11, pids?: ReadonlySet<number>): X11Window[] {
  if (!hasWindowManager(x)) return x11Windows(x);
  const focus = focusedWindow(x);
  const clients = x.property(x.root, "_NET_CLIENT_LIST_STACKING")?.items ?? [];
  const windows = clients.slice(-MAX_WINDOWS).flatMap((client, stacking) => {
    const pid = x.property(client, "_NET_WM_PID")?.items[0];
    if (pid !== undefined && pids?.has(pid) === false) return [];
    const window = readWindow(x, client, stacking, focus);
    return window === undefined ? [] : [window];
  });
  x.sync();
  return windows;
}

/** What accessibility knows of a window that is to be found on the X server. */
export interface WindowDescription {
  pid: number;
  title: string;
  /** Only the size is compared: GTK 4 reports no position. */
  size?: { width: number; height: number };
  isFocused?: boolean;
}

// Rounding, and borders that one side counts and the other does not.
const SIZE_TOLERANCE = 4;

/**
 * The X window of an accessible window: of the same process (when the X window names one) and with
 * the same title, told apart by size and focus where several are. `undefined` when none or
 * several fit.
 */
export function matchWindow(
  windows: readonly X11Window[],
  wanted: WindowDescription,
): X11Window | undefined {
  const managed = windows.filter((window) => !window.overrideRedirect);
  const ofProcess = managed.filter((window) => window.pid === wanted.pid);
  const titled = ofProcess.filter((window) => window.title === wanted.title);
  if (titled.length > 0) return single(titled, wanted);
  // The title may be read while it changes.
  if (ofProcess.length > 0) return single(ofProcess, wanted);
  const nameless = managed.filter((window) =>
    window.pid === undefined && window.title === wanted.title && wanted.title !== ""
  );
  return single(nameless, wanted);
}

function single(found: X11Window[], wanted: WindowDescription): X11Window | undefined {
  if (found.length <= 1) return found[0];
  const { size } = wanted;
  if (size !== undefined) {
    const sized = found.filter((window) =>
      sameSize(window, size) || sameSize(window.outer, size) ||
      sameSize(withoutShadow(window, window.frameExtents), size)
    );
    if (sized.length === 1) return sized[0];
    if (sized.length > 1) found = sized;
  }
  const focused = found.filter((window) => window.focused === (wanted.isFocused ?? false));
  return focused.length === 1 ? focused[0] : undefined;
}

function sameSize(a: { width: number; height: number }, b: { width: number; height: number }) {
  return Math.abs(a.width - b.width) <= SIZE_TOLERANCE &&
    Math.abs(a.height - b.height) <= SIZE_TOLERANCE;
}

/**
 * The window that gets the keys: the window manager's active window when there is a window
 * manager, else the one with the X focus. 0 when none has it.
 */
export function focusedWindow(x: X11): number {
  const active = x.property(x.root, "_NET_ACTIVE_WINDOW")?.items[0];
  if (active !== undefined && active !== 0 && hasWindowManager(x)) return active;
  const focus = x.inputFocus();
  return focus > 1 && focus !== x.root ? focus : 0;
}

/** Whether a window manager that speaks EWMH runs. */
export function hasWindowManager(x: X11): boolean {
  const check = x.property(x.root, "_NET_SUPPORTING_WM_CHECK")?.items[0];
  // The property outlives a window manager that crashed; its window does not.
  return check !== undefined && check !== 0 &&
    x.property(check, "_NET_SUPPORTING_WM_CHECK")?.items[0] === check;
}

/** Whether `inner` is `outer` or lies below it in the window tree. */
export function containsWindow(x: X11, outer: number, inner: number): boolean {
  let level = [outer];
  for (let depth = 0; depth <= CLIENT_DEPTH && level.length > 0; depth++) {
    if (level.includes(inner)) return true;
    level = level.flatMap((window) => x.children(window));
  }
  return false;
}

function readWindow(
  x: X11,
  frame: number,
  stacking: number,
  focus: number,
): X11Window | undefined {
  const outerAttributes = x.attributes(frame);
  if (outerAttributes === undefined || outerAttributes.inputOnly) return undefined;
  const { overrideRedirect, viewable } = outerAttributes;
  // Toolkits and window managers keep many small windows that are never shown.
  if (overrideRedirect && (!viewable || outerAttributes.width <= 1)) return undefined;
  // A window manager's own frames are override-redirect too: look inside.
  // Without WM_STATE it counts while it shows: nobody manages it, or it was never mapped.
  const xid = findClient(x, frame) ??
    (overrideRedirect || (viewable && isNamed(x, frame)) ? frame : undefined);
  if (xid === undefined) return undefined;
  const attributes = xid === frame ? outerAttributes : x.attributes(xid);
  const origin = x.toRoot(xid, 0, 0);
  if (attributes === undefined || origin === undefined) return undefined;
  const shadow = frameExtents(x, xid);
  const pid = x.property(xid, "_NET_WM_PID")?.items[0];
  const client = { ...origin, width: attributes.width, height: attributes.height };
  const drawsShadow = shadow.left + shadow.right + shadow.top + shadow.bottom > 0;
  const outer = xid === frame || drawsShadow
    ? withoutShadow(client, shadow)
    : frameRect(x, frame, client);
  return {
    xid,
    frame,
    ...(pid === undefined ? {} : { pid }),
    title: title(x, xid),
    ...client,
    frameExtents: shadow,
    outer,
    focused: focus !== 0 && (focus === xid || focus === frame || containsWindow(x, xid, focus)),
    viewable: attributes.viewable,
    overrideRedirect: overrideRedirect && xid === frame,
    stacking,
  };
}

function isClient(x: X11, window: number): boolean {
  return x.property(window, "WM_STATE") !== undefined;
}

/** The application's window in a child of the root: the one that carries `WM_STATE`. */
function findClient(x: X11, frame: number): number | undefined {
  let level = [frame];
  for (let depth = 0; depth < CLIENT_DEPTH && level.length > 0; depth++) {
    const found = level.find((window) => isClient(x, window));
    if (found !== undefined) return found;
    level = level.flatMap((window) => x.children(window));
  }
  return undefined;
}

function isNamed(x: X11, window: number): boolean {
  return (x.property(window, "WM_CLASS") ?? x.property(window, "_NET_WM_PID")) !== undefined;
}

function frameRect(x: X11, frame: number, client: Rect): Rect {
  const attributes = x.attributes(frame);
  const origin = x.toRoot(frame, 0, 0);
  if (attributes === undefined || origin === undefined) return client;
  return { ...origin, width: attributes.width, height: attributes.height };
}

function frameExtents(x: X11, window: number): FrameExtents {
  const [left = 0, right = 0, top = 0, bottom = 0] =
    x.property(window, "_GTK_FRAME_EXTENTS")?.items ?? [];
  return { left, right, top, bottom };
}

/** The visible part of a window that draws its own shadow. */
export function withoutShadow(rect: Rect, shadow: FrameExtents): Rect {
  return {
    x: rect.x + shadow.left,
    y: rect.y + shadow.top,
    width: rect.width - shadow.left - shadow.right,
    height: rect.height - shadow.top - shadow.bottom,
  };
}

function title(x: X11, window: number): string {
  const property = x.property(window, "_NET_WM_NAME") ?? x.property(window, "WM_NAME");
  return property === undefined ? "" : new TextDecoder().decode(property.bytes);
}
