/** Headed input goes to the exact window it is meant for, or nowhere. */
import type { Deadline } from "../deadline.ts";
import { AppError, staleRef } from "../errors.ts";
import type { Platform, WindowInfo } from "../platform/platform.ts";
import type { RefEntry } from "../refs/entry.ts";

/**
 * Brings a ref's source window to the front.
 *
 * @throws AppError when the ref names no window, the window is gone, or does not take the focus;
 * nothing has been sent then
 */
export async function focusSourceWindow(
  entry: RefEntry,
  action: string,
  platform: Platform,
  deadline: Deadline,
): Promise<void> {
  if (entry.source_window_id === undefined || entry.process_instance === "") {
    throw new AppError(
      "ACTION_NOT_SUPPORTED",
      `Headed ${action} needs a ref that names its window; this one does not`,
      { suggestion: "Take a snapshot with --window-id and use the ref it prints." },
    );
  }
  const window = await platform.windowById(entry.source_window_id, deadline);
  if (window === undefined || window.pid !== entry.pid) {
    throw staleRef("The window the ref was taken from is gone", {
      pid: entry.pid,
      source_window_id: entry.source_window_id,
    });
  }
  await focusExactly(window, platform, deadline);
}

/**
 * Brings a window to the front.
 *
 * @throws AppError `ACTION_FAILED` when the focus was not seen there
 */
export async function focusExactly(
  window: WindowInfo,
  platform: Platform,
  deadline: Deadline,
): Promise<void> {
  if (await platform.focusWindow(window, deadline)) return;
  throw new AppError("ACTION_FAILED", "The window did not take the focus; nothing was sent", {
    suggestion:
      "Run list-windows to see which window holds the focus, close what keeps it, then retry.",
    details: { window_id: window.id },
  });
}
