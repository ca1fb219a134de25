/** Bringing a window to the front, and seeing that it is there. */
import { Arena, type Ref } from "../../../ffi/macos/core_foundation.ts";
import type { Native } from "../../../ffi/macos/native.ts";
import type { Deadline } from "../../deadline.ts";
import type { WindowInfo } from "../platform.ts";
import { AX, type Elements, notTrusted } from "./accessible.ts";
import { windowElement, windowOf } from "./inventory.ts";
import { waitUntil } from "./poll.ts";

/** How long an application may take to come to the front (ms). */
const FRONT_WAIT_MS = 500;
/** How long the window may take to get the focus then (ms). */
const FOCUS_WAIT_MS = 750;
const POLL_MS = 20;

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
  const element = windowElement(native, elements, window);
  using app = elements.ax.application(window.pid);
  if (isFocused(elements, app, element, deadline)) return true;
  if (elements.bool(element, "AXMinimized", deadline)) {
    elements.set(element, "AXMinimized", elements.cf.false, deadline);
  }
  const front = () => elements.bool(app, "AXFrontmost", deadline) === true;
  const code = elements.set(app, "AXFrontmost", elements.cf.true, deadline);
  if (code === AX.apiDisabled) throw notTrusted();
  if (!await waitUntil(front, POLL_MS, deadline.within(FRONT_WAIT_MS))) {
    // Some applications refuse the attribute and obey the workspace.
    native.appKit.activate(window.pid);
    await waitUntil(front, POLL_MS, deadline.within(FRONT_WAIT_MS));
  }
  if (elements.perform(element, "AXRaise", deadline) !== AX.success) {
    elements.set(element, "AXMain", elements.cf.true, deadline);
  }
  const focused = () => isFocused(elements, app, element, deadline);
  return await waitUntil(focused, POLL_MS, deadline.within(FOCUS_WAIT_MS));
}
