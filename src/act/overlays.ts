/** Overlays that are open after an action (interaction §6). */
import type { Deadline } from "../deadline.ts";
import { AppError } from "../errors.ts";
import type { Platform, SurfaceInfo } from "../platform/platform.ts";
import type { Node } from "../tree/node.ts";
import type { Budgets } from "./action_budgets.ts";
import type { RefAction } from "./action_rules.ts";
import type { TargetRef } from "./action_context.ts";

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
 * Lists open overlays of the action's process. An action that usually opens one waits for it; the
 * listing never fails the action that has been delivered.
 */
export async function collectSurfaces(
  platform: Platform,
  call: { action: RefAction; ref: TargetRef },
  before: Node,
  budgets: Budgets,
  deadline: Deadline,
): Promise<SurfaceInfo[]> {
  return await openSurfaces(
    platform,
    call.ref.entry.pid,
    opensOverlay(call.action, before) ? budgets.menu : 0,
    deadline,
  );
}

/** Open overlays of a process; polls up to `waitMs` for the first to appear. */
export async function openSurfaces(
  platform: Platform,
  pid: number,
  waitMs: number,
  deadline: Deadline,
): Promise<SurfaceInfo[]> {
  const until = deadline.within(waitMs);
  try {
    while (true) {
      const surfaces = (await platform.openSurfaces(pid, deadline)).filter(isOverlay);
      if (surfaces.length > 0 || until.expired) return surfaces;
      await until.sleep(POLL_MS);
    }
  } catch (error) {
    // The action may have ended the application, or it may be busy with what it was told.
    if (error instanceof AppError) return [];
    throw error;
  }
}

function isOverlay(surface: SurfaceInfo): boolean {
  return surface.type !== "window" && surface.type !== "focused";
}
