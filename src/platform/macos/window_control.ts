/** Changing windows: place, size, minimise, maximise. Every effect is looked for. */
import type { Native } from "../../../ffi/macos/native.ts";
import type { Deadline } from "../../deadline.ts";
import { AppError } from "../../errors.ts";
import type { Rect } from "../../tree/node.ts";
import type { WindowInfo } from "../platform.ts";
import type { WindowOutcome } from "../window_control.ts";
import { AX, axErrorName, type Elements, notTrusted } from "./accessible.ts";
import { readBounds } from "./basics.ts";
import { windowElement } from "./inventory.ts";
import { waitUntil } from "./poll.ts";

/** How long a window may take to show what was asked of it (ms). */
const EFFECT_WAIT_MS = 750;
const POLL_MS = 20;
/** Applications round sizes to their own grid; this much (points) is still the wanted one. */
const TOLERANCE = 2;

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
export async function setGeometry(
  native: Native,
  elements: Elements,
  window: WindowInfo,
  wanted: Partial<Rect>,
  deadline: Deadline,
): Promise<WindowOutcome> {
  const element = windowElement(native, elements, window);
  return await withoutAnimation(elements, window.pid, deadline, async () => {
    if (wanted.x !== undefined && wanted.y !== undefined) {
      using value = elements.ax.pair("point", wanted.x, wanted.y);
      judge(elements.set(element, "AXPosition", value.pointer, deadline), "move");
    }
    if (wanted.width !== undefined && wanted.height !== undefined) {
      using value = elements.ax.pair("size", wanted.width, wanted.height);
      judge(elements.set(element, "AXSize", value.pointer, deadline), "change its size");
    }
    const there = () => {
      const now = readBounds(elements, element, deadline);
      if (!now) return false;
      return (Object.keys(wanted) as (keyof Rect)[])
        .every((key) => Math.abs(now[key] - wanted[key]!) <= TOLERANCE);
    };
    const verified = await waitUntil(there, POLL_MS, deadline.within(EFFECT_WAIT_MS));
    const bounds = readBounds(elements, element, deadline);
    return { verified, ...(bounds ? { bounds } : {}) };
  });
}

/** Minimises a window or brings it back. */
export async function setMinimized(
  native: Native,
  elements: Elements,
  window: WindowInfo,
  minimized: boolean,
  deadline: Deadline,
): Promise<WindowOutcome> {
  const element = windowElement(native, elements, window);
  const value = elements.cf.boolean(minimized);
  judge(
    elements.set(element, "AXMinimized", value, deadline),
    minimized ? "minimise" : "come back",
  );
  const reached = () => elements.bool(element, "AXMinimized", deadline) === minimized;
  return { verified: await waitUntil(reached, POLL_MS, deadline.within(EFFECT_WAIT_MS)) };
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
  return await setGeometry(native, elements, window, { x, y, width, height }, deadline);
}
