/** Overlays that are open after an action (docs/acting.md, "Open surfaces"). */
import type { Deadline } from "../deadline.ts";
import { AppError } from "../errors.ts";
import type { Platform, SurfaceInfo } from "../platform/platform.ts";
import type { Node } from "../tree/node.ts";
import type { Budgets } from "./action_budgets.ts";
import type { RefAction } from "./action_rules.ts";
import type { ActionCall } from "./action_context.ts";
import { poll } from "./poll.ts";

// Between two looks for a menu that is about to open.
const POLL_MS = 50;

/** Whether the action is expected to open a menu or popover. */
function opensOverlay(action: RefAction, before: Node): boolean {
  if (action === "right-click") return true;
  if (before.states.includes("expanded")) return false;
  if (action !== "click" && action !== "expand") return false;
  return before.states.includes("haspopup") || before.role === "menubutton" ||
    before.role === "combobox";
}

/**
 * Lists open overlays of the action's process. An action that usually opens one waits for it, and
 * so does one whose handler is still running (it runs a dialog); the listing never fails the action
 * that has been delivered.
 */
export async function overlaysAfter(
  platform: Platform,
  call: ActionCall,
  before: Node,
  budgets: Budgets,
  deadline: Deadline,
  running = false,
): Promise<SurfaceInfo[]> {
  return await openOverlays(
    platform,
    call.ref.entry.pid,
    running || opensOverlay(call.action, before) ? budgets.menu : 0,
    deadline,
  );
}

/** Open overlays of a process; polls up to `waitMs` for the first to appear. */
export async function openOverlays(
  platform: Platform,
  pid: number,
  waitMs: number,
  deadline: Deadline,
): Promise<SurfaceInfo[]> {
  try {
    const open = await poll(deadline.within(waitMs), POLL_MS, async () => {
      const overlays = (await platform.openSurfaces(pid, deadline)).filter(isOverlay);
      return overlays.length > 0 ? overlays : undefined;
    });
    return open ?? [];
  } catch (error) {
    // The action may have ended the application, or it may be busy with what it was told.
    if (error instanceof AppError) return [];
    throw error;
  }
}

function isOverlay(surface: SurfaceInfo): boolean {
  return surface.type !== "window" && surface.type !== "focused";
}
