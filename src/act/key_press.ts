/** `press`: key combinations and text to the window that has, or is given, the focus. */
import type { Deadline } from "../deadline.ts";
import { AppError } from "../errors.ts";
import type { Input, Step, WindowInfo } from "../platform/platform.ts";
import { type Combo, comboText } from "./key_combo.ts";
import { physicalStep } from "./dispatch.ts";
import { withInput } from "./input_guard.ts";
import { type ActionResult, actionResult, type AutoWait, newAutoWait } from "./action_result.ts";
import type { ActionContext } from "./action_context.ts";
import { openOverlays } from "./overlays.ts";
import { focusExactly } from "./window_focus.ts";
import { noteOf } from "./settle.ts";

/** One thing to be sent: a combination, or text. */
export type Keystrokes = Combo | { text: string };

/** What is to be pressed. */
export interface PressCall {
  /** Sent in this order, to one window, without anything of another process in between. */
  keys: readonly Keystrokes[];
  headed: boolean;
  /** Finds the window the keys are for; throws what window selection throws. */
  target(): Promise<WindowInfo>;
}

// How long text is given to arrive before the next key, and before keys that stood for characters
// the layout lacks are given back: were the application not done, it would read others.
const TEXT_MS = 40;
const LENT_TEXT_MS = 400;

/** `data` of `press`. */
export interface PressResult extends ActionResult {
  /** The window that got the keys. */
  window: { id: string; title: string };
}

/**
 * Presses each once, in order.
 *
 * @throws AppError `POLICY_DENIED` headless when the target does not have the focus, `STALE_REF`
 * when the process changed meanwhile, `INVALID_ARGS` when no key of the keyboard makes the key
 */
export async function press(call: PressCall, context: ActionContext): Promise<PressResult> {
  const { platform, deadline } = context;
  const chosen = await call.target();
  // Keys that reach the process itself need no focus, and move none.
  const direct = !call.headed && platform.keysReachProcess;
  const input = await platform.input(direct ? chosen.pid : undefined);
  using lease = await context.lease(deadline);
  const since = performance.now();
  const window = await revalidated(chosen, context);
  if (call.headed) await focusExactly(window, platform, deadline);
  else if (!direct && !window.isFocused) throw unfocused();
  const steps: Step[] = [];
  try {
    for (const keys of call.keys) {
      const shortcut = direct && !("text" in keys)
        ? await pressInMenu(keys, window, context)
        : undefined;
      steps.push(...shortcut ?? [await send(input, keys, deadline)]);
    }
  } catch (error) {
    throw stoppedAt(error, steps.length, call.keys.length);
  } finally {
    context.note(noteOf(platform, window.pid));
  }
  const surfaces = window.accessible ? await openOverlays(platform, window.pid, 0, deadline) : [];
  const autoWait: AutoWait = {
    ...newAutoWait(),
    read_only_resolve_attempts: 1,
    lease_contention_count: lease.contentionCount,
    lease_hold_ms: Math.round(performance.now() - since),
  };
  return {
    ...actionResult("press", steps, { surfaces, details: { auto_wait: autoWait } }),
    window: { id: window.id, title: window.title },
  };
}

/** What was sent before stays sent: the error says how many, and is no safe retry any more. */
function stoppedAt(error: unknown, sent: number, wanted: number): unknown {
  if (!(error instanceof AppError) || wanted === 1) return error;
  error.details = { ...error.details, keys_sent: sent, keys_wanted: wanted };
  if (sent > 0 && error.delivery === "not_delivered") error.delivery = "delivered_unverified";
  return error;
}

/** The window as it is now; the process behind its id must not have changed. */
async function revalidated(
  chosen: WindowInfo,
  { platform, deadline }: ActionContext,
): Promise<WindowInfo> {
  const window = await platform.windowById(chosen.id, deadline, { placed: true });
  if (
    window !== undefined && window.pid === chosen.pid &&
    platform.processInstance(chosen.pid) === chosen.processInstance
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
    "Keys go to the focused window, the target is not it, and headless mode focuses no window",
    {
      suggestion: "Run press again with --headed to permit focusing the window.",
    },
  );
}

/**
 * The shortcut through the application's menu: many applications without the focus drop the keys
 * of a shortcut. `undefined` when it is none of a menu, so that the keys have to be sent.
 */
async function pressInMenu(
  { modifiers, key }: Combo,
  window: WindowInfo,
  { platform, deadline }: ActionContext,
): Promise<Step[] | undefined> {
  // Shift alone types another character.
  if (!modifiers.some((modifier) => modifier !== "shift")) return undefined;
  return await platform.pressShortcut?.(window.pid, modifiers, key, deadline);
}

/** Sends the keys. Throws `INVALID_ARGS` when the keyboard has no such key. */
async function send(input: Input, keys: Keystrokes, deadline: Deadline): Promise<Step> {
  if ("text" in keys) {
    await withInput("press", input, async () => {
      await input.text(keys.text, deadline);
      await deadline.sleep(input.lends ? LENT_TEXT_MS : TEXT_MS);
    });
    return physicalStep("Keyboard.Type");
  }
  await withInput("press", input, async () => {
    for (const modifier of keys.modifiers) input.modifier(modifier, true);
    if (!await input.key(keys.key, deadline)) {
      throw new AppError("INVALID_ARGS", `No key of this keyboard makes ${comboText(keys)}`, {
        suggestion: "Choose a key of the active keyboard layout.",
        delivery: keys.modifiers.length > 0 ? "delivered_unverified" : "not_delivered",
      });
    }
    for (const modifier of keys.modifiers.toReversed()) input.modifier(modifier, false);
  });
  return physicalStep("Keyboard.Press");
}
