/** The commands on whole windows: focus, place, size, minimize, maximize, restore. */
import { AppError, type Disposition, disposition } from "../errors.ts";
import type { Deadline } from "../deadline.ts";
import type { Platform, WindowInfo } from "../platform/platform.ts";
import type { WindowControl, WindowOutcome } from "../platform/window_control.ts";
import { acquireLease } from "../store/lease.ts";
import { ACTION_PRIVILEGES } from "./action_command.ts";
import { APP_ARG, WINDOW_ID_ARG } from "./arg_values.ts";
import { type Args, type ArgSpec, describe, type Schema, type Zod } from "./command.ts";
import { READ_BUDGET_MS } from "./limits.ts";
import { selectWindow, type TargetFlags } from "./target.ts";
import { windowItem } from "./window_item.ts";
import { coordinateNumber } from "./pointer_args.ts";
import { MAX_COORDINATE } from "../tree/node.ts";

/** Largest width or height, in device pixels (the X protocol counts in 16 bits). */
const MAX_SIZE = 32_767;

const target = (z: Zod) => ({ app: z.optional(z.string()), window_id: z.optional(z.string()) });
const TARGET_ARGS = { app: APP_ARG, window_id: WINDOW_ID_ARG };

const targetSchema = (z: Zod) => z.strictObject(target(z));
const focusSchema = (z: Zod) =>
  z.strictObject({ ...target(z), title: z.optional(z.string()) }).check(
    z.refine(
      ({ app, window_id, title }) => (app ?? window_id ?? title) !== undefined,
      { error: "focus-window needs --app, --window-id or --title" },
    ),
  );
const size = (z: Zod) => z.number().check(z.minimum(1), z.maximum(MAX_SIZE));
const resizeSchema = (z: Zod) => z.strictObject({ ...target(z), width: size(z), height: size(z) });
const moveSchema = (z: Zod) =>
  z.strictObject({ ...target(z), x: coordinateNumber(z), y: coordinateNumber(z) });

const sizeArg = (name: "width" | "height"): ArgSpec => ({
  kind: "number",
  flag: name,
  value: name === "width" ? "W" : "H",
  required: true,
  help: `${name === "width" ? "Width" : "Height"} of what shows of the window, in pixels`,
  expected: `a number from 1 to ${MAX_SIZE}`,
});
const placeArg = (name: "x" | "y"): ArgSpec => ({
  kind: "number",
  flag: name,
  value: name.toUpperCase(),
  required: true,
  help: `Left upper corner of what shows of the window, from the ${name === "x" ? "left" : "top"}`,
  expected: `a number of at most ${MAX_COORDINATE} in magnitude (--${name}=-5 when negative)`,
});

/** Result of a command on a window: its own keys stand beside these. */
interface WindowReport {
  action: string;
  disposition: Disposition;
  window: ReturnType<typeof windowItem>;
  [key: string]: unknown;
}

function report(
  action: string,
  window: WindowInfo,
  keys: Record<string, unknown>,
): WindowReport {
  return {
    action,
    disposition: disposition("delivered_verified"),
    window: windowItem(window),
    ...keys,
  };
}

/** @throws AppError `ACTION_FAILED` when the effect was not seen */
function requireEffect(action: string, outcome: WindowOutcome): void {
  if (outcome.verified) return;
  throw new AppError("ACTION_FAILED", `${action} was asked for, and the window is otherwise`, {
    suggestion: "The window may have a fixed or smallest size; see list-windows for where it is.",
    delivery: "delivered_unverified",
    details: {
      kind: "window_effect_not_seen",
      ...(outcome.bounds === undefined ? {} : { bounds: outcome.bounds }),
    },
  });
}

/** What the six have in common: the window is chosen, then changed while the lease is held. */
function onWindow<S extends Schema>(
  rest: {
    summary: string;
    about?: string;
    args: Record<string, ArgSpec>;
    schema: S;
    example: string;
    change(
      platform: Platform,
      window: WindowInfo,
      args: Args<S>,
      deadline: Deadline,
    ): Promise<WindowReport>;
  },
) {
  const { change, ...description } = rest;
  return describe({
    group: "Windows and applications",
    privileges: ACTION_PRIVILEGES,
    permission: "none",
    budgetMs: READ_BUDGET_MS,
    ...description,
    async run(args: Args<S>, context, deadline) {
      const platform = await context.platform();
      const window = await chosen(platform, args as WindowFlags, deadline);
      using _lease = await acquireLease(deadline);
      return await change(platform, window, args, deadline);
    },
  });
}

interface WindowFlags extends TargetFlags {
  title?: string | undefined;
}

/** The window the flags name; with `--title`, one whose title contains it. */
async function chosen(
  platform: Platform,
  { title, ...flags }: WindowFlags,
  deadline: Deadline,
): Promise<WindowInfo> {
  if (title === undefined) return await selectWindow(platform, flags, deadline);
  const all = await platform.windows(undefined, deadline, { placed: true, unreachable: true });
  const named = all.filter((window) => window.title.includes(title));
  if (flags.app !== undefined || flags.window_id !== undefined) {
    const window = await selectWindow(platform, flags, deadline);
    if (window.title.includes(title)) return window;
    const sibling = named.filter((one) => one.pid === window.pid);
    if (sibling.length === 1 && flags.window_id === undefined) return sibling[0]!;
  } else if (named.length === 1) return named[0]!;
  else if (named.length > 1) {
    throw new AppError("AMBIGUOUS_TARGET", `${named.length} windows have that in their title`, {
      suggestion: "Pass the id of the one you mean with --window-id.",
      details: {
        candidate_count: named.length,
        candidate_summaries_truncated: named.length > 10,
        candidates: named.slice(0, 10).map(({ id, title }) => ({ id, title })),
      },
    });
  }
  throw new AppError("WINDOW_NOT_FOUND", "No window has that in its title", {
    suggestion: "Run list-windows and pass an id it prints with --window-id.",
  });
}

/** Arguments of a command that says nothing but which window. */
const WHOLE_WINDOW = {
  args: TARGET_ARGS,
  schema: targetSchema,
  example: "--app gnome-calculator",
};

/** A command that the platform's window control carries out, and whose effect has to be seen. */
function byControl<S extends Schema>(
  action: string,
  { effect, after, keys, ...description }: {
    summary: string;
    args: Record<string, ArgSpec>;
    schema: S;
    example: string;
    effect(
      control: WindowControl,
      window: WindowInfo,
      args: Args<S>,
      deadline: Deadline,
    ): Promise<WindowOutcome>;
    /** What is known of the window then. */
    after?: Partial<WindowInfo>;
    keys(args: Args<S>): Record<string, unknown>;
  },
) {
  return onWindow({
    ...description,
    async change(platform, window, args, deadline) {
      const outcome = await effect(await platform.windowControl(), window, args, deadline);
      requireEffect(action, outcome);
      const { bounds = window.bounds } = outcome;
      const now = { ...window, ...after, ...(bounds === undefined ? {} : { bounds }) };
      return report(action, now, keys(args));
    },
  });
}

/** The commands by name. */
export const COMMANDS = {
  "focus-window": onWindow({
    summary: "Bring a window to the front",
    about: "Asking for it is permission enough: --headed is not needed.",
    args: {
      ...TARGET_ARGS,
      title: {
        kind: "string",
        flag: "title",
        value: "TEXT",
        help: "A window with that in its title",
      },
    },
    schema: focusSchema,
    example: "--app gnome-calculator",
    async change(platform, window, _args, deadline) {
      if (await platform.focusWindow(window, deadline)) {
        return report("focus-window", { ...window, isFocused: true }, { focused: true });
      }
      throw new AppError("ACTION_FAILED", "The window was asked to the front and did not come", {
        suggestion: "See list-windows: another window may keep the focus, or it is minimized.",
        delivery: "delivered_unverified",
        details: { kind: "focus_not_confirmed" },
      });
    },
  }),
  "resize-window": byControl("resize-window", {
    summary: "Give a window another size",
    args: { ...TARGET_ARGS, width: sizeArg("width"), height: sizeArg("height") },
    schema: resizeSchema,
    example: "--app gnome-calculator --width 500 --height 600",
    effect: (control, window, { width, height }, deadline) =>
      control.place(window, { width, height }, deadline),
    keys: ({ width, height }) => ({ resized: true, width, height }),
  }),
  "move-window": byControl("move-window", {
    summary: "Put a window elsewhere",
    args: { ...TARGET_ARGS, x: placeArg("x"), y: placeArg("y") },
    schema: moveSchema,
    example: "--app gnome-calculator --x 40 --y 60",
    effect: (control, window, { x, y }, deadline) => control.place(window, { x, y }, deadline),
    keys: ({ x, y }) => ({ moved: true, x, y }),
  }),
  "minimize": byControl("minimize", {
    summary: "Minimize a window",
    ...WHOLE_WINDOW,
    effect: (control, window, _args, deadline) => control.setMinimized(window, true, deadline),
    after: { minimized: true, isFocused: false },
    keys: () => ({ minimized: true }),
  }),
  "maximize": byControl("maximize", {
    summary: "Let a window fill its display",
    ...WHOLE_WINDOW,
    effect: (control, window, _args, deadline) => control.maximize(window, deadline),
    keys: () => ({ maximized: true }),
  }),
  "restore": byControl("restore", {
    summary: "Bring a minimized window back",
    ...WHOLE_WINDOW,
    effect: (control, window, _args, deadline) => control.setMinimized(window, false, deadline),
    after: { minimized: false },
    keys: () => ({ restored: true }),
  }),
};
