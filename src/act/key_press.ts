/** `press`: one key combination to the window that has, or is given, the focus (interaction §7). */
import { Deadline } from "../deadline.ts";
import { AppError } from "../errors.ts";
import type { Input, Step, WindowInfo } from "../platform/platform.ts";
import { type Combo, comboText } from "./key_combo.ts";
import { withInput } from "./input_guard.ts";
import { OPERATION_MS } from "./pointer_commands.ts";
import { type ActionResult, actionResult } from "./action_result.ts";
import type { ActionContext } from "./action_context.ts";
import { openSurfaces } from "./overlays.ts";
import { focusExactly } from "./window_focus.ts";

/** A key press as asked for. */
export interface PressCall {
  combo: Combo;
  headed: boolean;
  /** Finds the window the keys are for; throws what window selection throws. */
  target(deadline: Deadline): Promise<WindowInfo>;
}

/**
 * Presses the combination once.
 *
 * @throws AppError `POLICY_DENIED` headless when the target does not have the focus, `STALE_REF`
 * when the process changed meanwhile, `INVALID_ARGS` when no key of the keyboard makes the key
 */
export async function press(call: PressCall, context: ActionContext): Promise<ActionResult> {
  const { platform } = context;
  const deadline = Deadline.after(OPERATION_MS);
  const chosen = await call.target(deadline);
  // Keys that reach the process itself need no focus, and move none.
  const direct = !call.headed && platform.keysReachProcess;
  const input = await platform.input(direct ? chosen.pid : undefined);
  const lease = await context.lease(deadline);
  const since = performance.now();
  try {
    const window = await revalidated(chosen, context, deadline);
    if (call.headed) await focusExactly(window, platform, deadline);
    else if (!direct && !window.isFocused) throw unfocused();
    await send(input, call.combo, deadline);
    const steps: Step[] = [{
      label: "Keyboard.Press",
      outcome: "succeeded",
      mechanism: "physical_synthetic",
      verified: false,
    }];
    const surfaces = await openSurfaces(platform, window.pid, 0, deadline);
    return actionResult("press", steps, {
      surfaces,
      details: {
        auto_wait: {
          read_only_resolve_attempts: 1,
          read_only_preflight_attempts: 0,
          lease_contention_count: lease.contentionCount,
          lease_hold_ms: Math.round(performance.now() - since),
        },
      },
    });
  } finally {
    lease.release();
  }
}

/** The window as it is now; the process behind its id must not have changed. */
async function revalidated(
  chosen: WindowInfo,
  context: ActionContext,
  deadline: Deadline,
): Promise<WindowInfo> {
  const window = await context.platform.windowById(chosen.id, deadline);
  if (
    window !== undefined && window.pid === chosen.pid &&
    context.platform.processInstance(chosen.pid) === chosen.processInstance
  ) {
    return window;
  }
  throw new AppError("STALE_REF", "The application changed before the keys were sent", {
    suggestion: "List the windows again and name the one that is meant.",
    details: { pid: chosen.pid, source_window_id: chosen.id },
  });
}

function unfocused(): AppError {
  return new AppError(
    "POLICY_DENIED",
    "Keys go to the focused window, the target is not it, and headless mode does not move the focus",
    {
      suggestion: "Run press again with --headed to permit focusing the window.",
    },
  );
}

async function send(input: Input, combo: Combo, deadline: Deadline): Promise<void> {
  let began = false;
  try {
    await withInput(input, async () => {
      for (const modifier of combo.modifiers) {
        input.modifier(modifier, true);
        began = true;
      }
      if (!await input.key(combo.key, deadline)) {
        throw new AppError("INVALID_ARGS", `No key of this keyboard makes ${comboText(combo)}`, {
          suggestion: "Choose a key of the active keyboard layout.",
          delivery: began ? "delivered_unverified" : "not_delivered",
        });
      }
      for (const modifier of combo.modifiers.toReversed()) input.modifier(modifier, false);
    });
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw new AppError("INTERNAL", "The key press failed while it was being delivered", {
      suggestion: "Take a snapshot to see whether the keys took effect.",
      delivery: began ? "delivery_uncertain" : "unknown",
      cause: error,
    });
  }
}
