/** Changing windows: focus, place, size, minimise, maximise. Every effect is looked for. */
import { Arena, type Ref } from "../../../ffi/macos/core_foundation.ts";
import type { Native } from "../../../ffi/macos/native.ts";
import type { Deadline } from "../../deadline.ts";
import { AppError } from "../../errors.ts";
import type { Rect } from "../../tree/node.ts";
import type { WindowInfo } from "../platform.ts";
import { AX, axErrorName, type Elements, notTrusted } from "./accessible.ts";
import { readBasics } from "./evidence.ts";
import { windowOf } from "./inventory.ts";

const FRONT_WAIT_MS = 500;
const EFFECT_WAIT_MS = 750;
const POLL_MS = 20;
/** Applications round sizes to their own grid; this much (points) is still the wanted one. */
const TOLERANCE = 2;

/** What a window operation came to. */
export interface WindowOutcome {
  verified: boolean;
  /** Where the window is now. */
  bounds?: Rect;
}

function elementOf(elements: Elements, window: WindowInfo): Ref {
  const element = window.handle && elements.find(window.handle);
  if (element) return element;
  throw new AppError("ACTION_NOT_SUPPORTED", "Accessibility does not show this window", {
    suggestion: "Bring the window to the current space, then run list-windows again.",
    details: { kind: "window_without_accessibility_element", window_id: window.id },
  });
}

async function until(condition: () => boolean, ms: number, deadline: Deadline): Promise<boolean> {
  const limit = deadline.within(ms);
  while (true) {
    if (condition()) return true;
    if (limit.expired) return false;
    await limit.sleep(POLL_MS);
  }
}

/** Whether the window's application is in front and the window has its focus. */
function isFocused(elements: Elements, app: Ref, window: Ref, deadline: Deadline): boolean {
  using arena = new Arena();
  if (elements.bool(app, "AXFrontmost", deadline) !== true) return false;
  const focused = elements.element(app, "AXFocusedWindow", deadline, arena);
  const standing = windowOf(elements, focused, deadline, arena);
  return standing !== undefined && elements.equal(standing, window);
}

/** Brings a window to the front; whether the focus was seen there. */
export async function focusWindow(
  native: Native,
  elements: Elements,
  window: WindowInfo,
  deadline: Deadline,
): Promise<boolean> {
  const element = elementOf(elements, window);
  using app = elements.ax.application(window.pid);
  if (isFocused(elements, app, element, deadline)) return true;
  if (elements.bool(element, "AXMinimized", deadline)) {
    elements.set(element, "AXMinimized", elements.cf.false, deadline);
  }
  const front = () => elements.bool(app, "AXFrontmost", deadline) === true;
  const code = elements.set(app, "AXFrontmost", elements.cf.true, deadline);
  if (code === AX.apiDisabled) throw notTrusted();
  if (!await until(front, FRONT_WAIT_MS, deadline)) {
    // Some applications refuse the attribute and obey the workspace.
    native.appKit.activate(window.pid);
    await until(front, FRONT_WAIT_MS, deadline);
  }
  if (elements.perform(element, "AXRaise", deadline) !== AX.success) {
    elements.set(element, "AXMain", elements.cf.true, deadline);
  }
  return await until(
    () => isFocused(elements, app, element, deadline),
    EFFECT_WAIT_MS,
    deadline,
  );
}

function boundsOf(elements: Elements, element: Ref, deadline: Deadline): Rect | undefined {
  using arena = new Arena();
  const basics = readBasics(elements, element, { children: false }, deadline, arena);
  return typeof basics === "string" ? undefined : basics.bounds;
}

function judge(code: number, what: string): void {
  if (code === AX.success || code === AX.attributeUnsupported || code === AX.noValue) return;
  if (code === AX.apiDisabled) throw notTrusted();
  const platformDetail = axErrorName(code);
  if (code === AX.cannotComplete) {
    throw new AppError("APP_UNRESPONSIVE", `The application did not confirm to ${what}`, {
      suggestion: "Run list-windows to see what happened before trying again.",
      platformDetail,
      delivery: "delivery_uncertain",
    });
  }
  if (code === AX.invalidElement) {
    throw new AppError("WINDOW_NOT_FOUND", "The window has closed", {
      suggestion: "Run list-windows and choose another one.",
      platformDetail,
    });
  }
  throw new AppError("ACTION_FAILED", `The window refused to ${what}`, {
    suggestion: "The window may have a fixed place or size.",
    platformDetail,
  });
}

// With this switch on, applications animate geometry changes and may end up elsewhere.
async function withoutAnimation<T>(
  elements: Elements,
  pid: number,
  deadline: Deadline,
  work: () => Promise<T>,
): Promise<T> {
  const name = "AXEnhancedUserInterface";
  using app = elements.ax.application(pid);
  const on = elements.bool(app, name, deadline) === true;
  if (on) elements.set(app, name, elements.cf.false, deadline);
  try {
    return await work();
  } finally {
    if (on) elements.set(app, name, elements.cf.true, deadline);
  }
}

/** Moves and resizes; `undefined` parts stay as they are. */
export async function placeWindow(
  elements: Elements,
  window: WindowInfo,
  place: { x?: number; y?: number; width?: number; height?: number },
  deadline: Deadline,
): Promise<WindowOutcome> {
  const element = elementOf(elements, window);
  return await withoutAnimation(elements, window.pid, deadline, async () => {
    if (place.x !== undefined && place.y !== undefined) {
      using value = elements.ax.pair("point", place.x, place.y);
      judge(elements.set(element, "AXPosition", value.pointer, deadline), "move");
    }
    if (place.width !== undefined && place.height !== undefined) {
      using value = elements.ax.pair("size", place.width, place.height);
      judge(elements.set(element, "AXSize", value.pointer, deadline), "change its size");
    }
    const there = () => {
      const now = boundsOf(elements, element, deadline);
      if (!now) return false;
      return (Object.keys(place) as (keyof Rect)[])
        .every((key) => Math.abs(now[key] - place[key]!) <= TOLERANCE);
    };
    const verified = await until(there, EFFECT_WAIT_MS, deadline);
    const bounds = boundsOf(elements, element, deadline);
    return { verified, ...(bounds ? { bounds } : {}) };
  });
}

/** Minimises a window or brings it back. */
export async function setMinimized(
  elements: Elements,
  window: WindowInfo,
  minimized: boolean,
  deadline: Deadline,
): Promise<WindowOutcome> {
  const element = elementOf(elements, window);
  const value = elements.cf.boolean(minimized);
  judge(
    elements.set(element, "AXMinimized", value, deadline),
    minimized ? "minimise" : "come back",
  );
  const reached = () => elements.bool(element, "AXMinimized", deadline) === minimized;
  return { verified: await until(reached, EFFECT_WAIT_MS, deadline) };
}

/** Fills the usable part of the display the window is on. */
export async function maximizeWindow(
  native: Native,
  elements: Elements,
  window: WindowInfo,
  deadline: Deadline,
): Promise<WindowOutcome> {
  const displays = native.cg.displays();
  const main = displays.find((display) => display.isMain) ?? displays[0];
  if (!main) throw new AppError("PLATFORM_NOT_SUPPORTED", "There is no display");
  const frames = native.appKit.visibleFrames(main.bounds.height);
  const centre = window.bounds
    ? {
      x: window.bounds.x + window.bounds.width / 2,
      y: window.bounds.y + window.bounds.height / 2,
    }
    : { x: main.bounds.x, y: main.bounds.y };
  const on =
    displays.find(({ bounds: b }) =>
      centre.x >= b.x && centre.x < b.x + b.width && centre.y >= b.y && centre.y < b.y + b.height
    ) ?? main;
  const { x, y, width, height } = frames.get(on.id) ?? on.bounds;
  return await placeWindow(elements, window, { x, y, width, height }, deadline);
}
