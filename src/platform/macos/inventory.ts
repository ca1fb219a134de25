/** Applications, windows and displays; windows as the window server and accessibility see them. */
import { answered, type Value } from "../../../ffi/macos/accessibility.ts";
import type { RunningApplication } from "../../../ffi/macos/app_kit.ts";
import { POLICY } from "../../../ffi/macos/app_kit.ts";
import { Arena, type Ref } from "../../../ffi/macos/core_foundation.ts";
import type { NativeWindow } from "../../../ffi/macos/core_graphics.ts";
import type { Native } from "../../../ffi/macos/native.ts";
import type { Deadline } from "../../deadline.ts";
import { AppError } from "../../errors.ts";
import type { Rect } from "../../tree/node.ts";
import type { AppInfo, DisplayInfo, WindowInfo } from "../platform.ts";
import { AX, type Elements, notTrusted } from "./accessible.ts";
import { validRect } from "./basics.ts";
import { processInstance } from "./process.ts";

/** Two captures of the window list must agree; the list changes while windows open and close. */
const CAPTURES = 4;
const CAPTURE_PAUSE_MS = 5;
/** Longest wait for one application in a listing of all (ms). */
const APP_SHARE_MS = 1_000;
/** How far two descriptions of one window may be apart (points). */
const TOLERANCE = 2;
/** Focused elements that are not the window itself but stand on it. */
const ON_WINDOW: ReadonlySet<string> = new Set(["AXSheet", "AXDialog", "AXAlert", "AXPopover"]);

const APP_BATCH = ["AXFrontmost", "AXFocusedWindow", "AXWindows"] as const;
const WINDOW_BATCH = ["AXTitle", "AXMinimized", "AXModal", "AXPosition", "AXSize"] as const;

/** The failure where there is no graphical session to look at. */
export function noSession(): AppError {
  return new AppError("PLATFORM_NOT_SUPPORTED", "There is no graphical session to read", {
    suggestion: "Run the program in the session of the person who is logged in at the screen.",
  });
}

// ---- applications ----

/** Applications with a user interface. */
export function readApps(native: Native): AppInfo[] {
  native.cf.pumpRunLoop();
  return native.appKit.applications()
    .filter((app) => app.policy !== POLICY.prohibited && app.pid > 0)
    .map((app) => toApp(native, app));
}

function toApp(native: Native, app: RunningApplication): AppInfo {
  const command = native.system.processPath(app.pid)?.split("/").at(-1);
  const instance = processInstance(native.system, app.pid);
  const name = app.name || command || app.bundleId || String(app.pid);
  const aliases = [command, app.bundleId].filter((alias) =>
    alias !== undefined && alias !== "" && alias !== name
  ) as string[];
  return {
    name,
    pid: app.pid,
    aliases: [...new Set(aliases)],
    presentation: app.policy === POLICY.regular ? "foreground" : "background",
    ...(app.bundleId ? { bundleId: app.bundleId } : {}),
    ...(instance ? { processInstance: instance } : {}),
  };
}

// ---- windows ----

/** An accessibility window with what tells it from its siblings. */
interface AxWindow {
  element: Ref;
  number: number | undefined;
  title: string;
  minimized: boolean | undefined;
  /** It keeps all other windows of its application from input. */
  modal: boolean;
  bounds: Rect | undefined;
  focused: boolean;
}

/** What accessibility says of one application's windows. */
interface AxWindows {
  windows: AxWindow[];
  /** The list was read, so what is not in it cannot be reached. */
  known: boolean;
}

/** Number of a window id; `undefined` when it is none of this platform's. */
export function windowNumber(id: string): number | undefined {
  const match = /^w-([1-9]\d{0,9})$/.exec(id);
  const number = match ? Number(match[1]) : NaN;
  return number <= 0xffffffff ? number : undefined;
}

function sameList(a: readonly NativeWindow[], b: readonly NativeWindow[]): boolean {
  return a.length === b.length &&
    a.every((w, i) => w.number === b[i]!.number && w.pid === b[i]!.pid);
}

async function captureWindows(native: Native, deadline: Deadline): Promise<NativeWindow[]> {
  let last = native.cg.windows();
  for (let i = 1; i < CAPTURES && last !== undefined && !deadline.expired; i++) {
    await deadline.sleep(CAPTURE_PAUSE_MS);
    const next = native.cg.windows();
    if (next !== undefined && sameList(last, next)) return next;
    last = next;
  }
  if (last === undefined) throw noSession();
  return last;
}

/** The windows of one process, or of all, front to back. */
export async function readWindows(
  native: Native,
  elements: Elements,
  pid: number | undefined,
  deadline: Deadline,
): Promise<WindowInfo[]> {
  const listed = (await captureWindows(native, deadline))
    .filter((window) => window.layer === 0 && (pid === undefined || window.pid === pid));
  using arena = new Arena();
  const byPid = new Map<number, AxWindows>();
  for (const owner of new Set(listed.map((window) => window.pid))) {
    const share = pid === undefined ? deadline.within(APP_SHARE_MS) : deadline;
    byPid.set(owner, readAxWindows(elements, owner, share, arena));
  }
  const titlesTold = native.cg.screenCapture() !== false;
  const windows: WindowInfo[] = [];
  for (const window of listed) {
    const ax = byPid.get(window.pid)!;
    const match = matchWindow(window, ax.windows, listed);
    if (!match && isForOwnUse(window, titlesTold)) continue;
    windows.push(toWindow(native, elements, window, match, ax));
  }
  return windows;
}

/**
 * Whether a window that accessibility does not show is none of the user's: an application keeps
 * such windows off screen and gives them no title. Where titles are withheld from this program, a
 * window of another space looks the same and must not be left out.
 */
function isForOwnUse(window: NativeWindow, titlesTold: boolean): boolean {
  if (window.onScreen) return false;
  return titlesTold ? !window.title : window.alpha === 0;
}

/** One window by its id; `undefined` when there is none. */
export function readWindow(
  native: Native,
  elements: Elements,
  id: string,
  deadline: Deadline,
): WindowInfo | undefined {
  const number = windowNumber(id);
  if (number === undefined) return undefined;
  const found = native.cg.windowsByNumber([number]);
  if (found === undefined) throw noSession();
  const window = found.find((candidate) => candidate.number === number);
  if (!window) return undefined;
  using arena = new Arena();
  const ax = readAxWindows(elements, window.pid, deadline, arena);
  // Matching by title needs to know the siblings; by number it does not.
  const siblings = ax.windows.every((candidate) => candidate.number !== undefined)
    ? [window]
    : (native.cg.windows() ?? [window]).filter((w) => w.pid === window.pid && w.layer === 0);
  const match = matchWindow(window, ax.windows, siblings);
  return toWindow(native, elements, window, match, ax);
}

function toWindow(
  native: Native,
  elements: Elements,
  window: NativeWindow,
  match: AxWindow | undefined,
  { windows: siblings, known }: AxWindows,
): WindowInfo {
  const instance = processInstance(native.system, window.pid);
  const bounds = validRect(window.bounds) ?? match?.bounds;
  const modal = siblings.find((sibling) => sibling.modal && sibling.minimized !== true);
  const isBehind = modal !== undefined && match?.modal !== true;
  return {
    id: `w-${window.number}`,
    title: match?.title || window.title || "",
    appName: window.owner,
    pid: window.pid,
    isFocused: match?.focused ?? false,
    visible: window.onScreen,
    accessible: match !== undefined || !known,
    ...(instance ? { processInstance: instance } : {}),
    ...(bounds ? { bounds } : {}),
    ...(match?.minimized === undefined ? {} : { minimized: match.minimized }),
    ...(isBehind ? { behindModal: modal.title } : {}),
    ...(match ? { handle: elements.hold(match.element) } : {}),
  };
}

/**
 * The accessibility window of a window-server window: by number; where numbers are missing, the
 * only one with its title, else the only one in its place.
 */
function matchWindow(
  window: NativeWindow,
  candidates: readonly AxWindow[],
  siblings: readonly NativeWindow[],
): AxWindow | undefined {
  const numbered = candidates.find((candidate) => candidate.number === window.number);
  if (numbered) return numbered;
  const open = candidates.filter((candidate) => candidate.number === undefined);
  const own = siblings.filter((sibling) => sibling.pid === window.pid);
  if (window.title) {
    const titled = open.filter((candidate) => candidate.title === window.title);
    const rivals = own.filter((sibling) => sibling.title === window.title);
    if (titled.length === 1 && rivals.length === 1) return titled[0];
  }
  const placed = open.filter((candidate) =>
    candidate.bounds !== undefined && samePlace(candidate.bounds, window.bounds)
  );
  const rivals = own.filter((sibling) => samePlace(sibling.bounds, window.bounds));
  return placed.length === 1 && rivals.length === 1 ? placed[0] : undefined;
}

/** Whether two rectangles are the same within the tolerance. */
export function samePlace(a: Rect, b: Rect): boolean {
  const close = (x: number, y: number) => Math.abs(x - y) <= TOLERANCE;
  return close(a.x, b.x) && close(a.y, b.y) && close(a.width, b.width) &&
    close(a.height, b.height);
}

function elementIn(value: Value | undefined): Ref | undefined {
  return value?.kind === "element" ? value.element : undefined;
}

function readAxWindows(
  elements: Elements,
  pid: number,
  deadline: Deadline,
  arena: Arena,
): AxWindows {
  const app = arena.own(elements.ax.application(pid));
  const answer = elements.attributes(app, APP_BATCH, deadline, arena);
  if (!answered(answer)) {
    if (answer.error === AX.apiDisabled) throw notTrusted();
    return { windows: [], known: false };
  }
  const [front, focusedValue, list] = answer.value;
  if (list?.kind !== "list") return { windows: [], known: false };
  const isFront = front?.kind === "bool" && front.value;
  const focused = isFront
    ? windowOf(elements, elementIn(focusedValue), deadline, arena)
    : undefined;
  let known = true;
  const windows: AxWindow[] = [];
  for (const element of list.elements) {
    const window = readAxWindow(elements, element, deadline);
    if (!window) known = false;
    else {
      windows.push({
        ...window,
        focused: focused !== undefined && elements.equal(focused, element),
      });
    }
  }
  return { windows, known };
}

/** The window something focused stands on: itself, or for a sheet or dialog its window. */
export function windowOf(
  elements: Elements,
  focused: Ref | undefined,
  deadline: Deadline,
  arena: Arena,
): Ref | undefined {
  if (!focused) return undefined;
  const role = elements.text(focused, "AXRole", deadline);
  if (role === undefined || !ON_WINDOW.has(role)) return focused;
  return elements.element(focused, "AXWindow", deadline, arena) ?? focused;
}

function readAxWindow(
  elements: Elements,
  element: Ref,
  deadline: Deadline,
): Omit<AxWindow, "focused"> | undefined {
  using arena = new Arena();
  const answer = elements.attributes(element, WINDOW_BATCH, deadline, arena);
  if (!answered(answer)) return undefined;
  const [title, minimized, modal, at, size] = answer.value;
  const bounds = at?.kind === "point" && size?.kind === "size"
    ? validRect({ x: at.x, y: at.y, width: size.x, height: size.y })
    : undefined;
  const number = elements.windowNumber(element, deadline);
  return {
    element,
    number: answered(number) && number.value > 0 ? number.value : undefined,
    title: title?.kind === "text" ? title.text : "",
    minimized: minimized?.kind === "bool" ? minimized.value : undefined,
    modal: modal?.kind === "bool" && modal.value,
    bounds,
  };
}

/**
 * The element of a listed window that is to be acted on.
 *
 * @throws AppError `WINDOW_NOT_FOUND` when it has closed, `STALE_REF` when its number belongs to
 * another process now, `ACTION_NOT_SUPPORTED` when accessibility does not show it
 */
export function windowElement(native: Native, elements: Elements, window: WindowInfo): Ref {
  mustBeSame(native, window);
  const element = window.handle && elements.find(window.handle);
  if (element) return element;
  throw new AppError("ACTION_NOT_SUPPORTED", "Accessibility does not show this window", {
    suggestion: "Bring the window to the current space, then run list-windows again.",
    details: { kind: "window_without_accessibility_element", window_id: window.id },
  });
}

/** Whether the window server still shows this window of this process. */
function mustBeSame(native: Native, window: WindowInfo): void {
  const number = windowNumber(window.id);
  const now = number === undefined
    ? undefined
    : native.cg.windowsByNumber([number])?.find((one) => one.number === number);
  if (!now) {
    throw new AppError("WINDOW_NOT_FOUND", "The window has closed", {
      suggestion: "Run list-windows and choose another one.",
    });
  }
  const instance = processInstance(native.system, now.pid);
  const isSame = now.pid === window.pid && now.owner === window.appName &&
    (window.processInstance === undefined || window.processInstance === instance);
  if (isSame) return;
  throw new AppError("STALE_REF", "The window belongs to another process now", {
    suggestion: "Run list-windows and choose the window again.",
    details: { kind: "source_window_identity_invalid", window_id: window.id },
  });
}

// ---- displays ----

/** Active displays, the main one first. */
export function readDisplays(native: Native): DisplayInfo[] {
  const displays = native.cg.displays();
  if (displays.length === 0) throw noSession();
  return displays.map((display) => ({
    id: String(display.id),
    bounds: display.bounds,
    isPrimary: display.isMain,
    scale: display.scale,
  }));
}
