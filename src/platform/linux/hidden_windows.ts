/** Which of an application's windows the X server really shows. */
import { shownTitles } from "./window_geometry.ts";
import type { LinuxWindow } from "./inventory.ts";

/**
 * Chromium keeps hidden windows that claim to be showing. Where one process has several windows
 * that do, those the X server knows nothing of are marked as not visible.
 */
export function markUnshown(windows: readonly LinuxWindow[]): void {
  const processes = new Map<number, LinuxWindow[]>();
  for (const window of windows) {
    if (!window.root.toolkit.claimsHiddenWindows || window.visible !== true) continue;
    processes.set(window.pid, [...processes.get(window.pid) ?? [], window]);
  }
  for (const [pid, claimed] of processes) {
    const titles = claimed.length > 1 ? shownTitles(pid) : undefined;
    if (titles === undefined || !claimed.some((window) => titles.has(window.title))) continue;
    for (const window of claimed) {
      const left = titles.get(window.title) ?? 0;
      if (left === 0) window.visible = false;
      else titles.set(window.title, left - 1);
    }
  }
}
