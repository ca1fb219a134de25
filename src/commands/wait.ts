/** `wait`: until time has passed, an element or a window is as wanted, or something happens. */
import { Deadline } from "../deadline.ts";
import { APP_ARG, integer, ref, REF_EXPECTED, text, WINDOW_ID_ARG } from "./arg_values.ts";
import { type Args, type ArgSpec, describe, type Zod } from "./command.ts";
import type { Context } from "./context.ts";
import { MAX_TIMEOUT_MS } from "./limits.ts";
import { EVENT_KINDS, waitForEvent } from "./wait_events.ts";
import { WAIT_ACTIONS, WAIT_PREDICATES, waitForElement } from "./wait_element.ts";
import { waitForMenu, waitForText, waitForWindow } from "./wait_places.ts";

/** Default of `--timeout`, in milliseconds. */
const WAIT_MS = 30_000;
/** Longest text looked for, in bytes of UTF-8: that of `find`. */
const MAX_TEXT_BYTES = 4_096;
const MAX_COUNT = 100_000;

const schema = (z: Zod) =>
  z.strictObject({
    ms: z.optional(integer(z, 0, MAX_TIMEOUT_MS)),
    element: z.optional(ref(z)),
    predicate: z.optional(z.enum(WAIT_PREDICATES)),
    value: z.optional(z.string()),
    action: z.optional(z.enum(WAIT_ACTIONS)),
    window: z.optional(text(z, MAX_TEXT_BYTES)),
    text: z.optional(text(z, MAX_TEXT_BYTES)),
    count: z.optional(integer(z, 0, MAX_COUNT)),
    menu: z._default(z.boolean(), false),
    menu_closed: z._default(z.boolean(), false),
    event: z.optional(z.enum(EVENT_KINDS)),
    window_id: z.optional(z.string()),
    app: z.optional(z.string()),
    timeout: z._default(integer(z, 0, MAX_TIMEOUT_MS), WAIT_MS),
  }).check(
    z.refine((args) => modesOf(args).length === 1, {
      error: "wait takes exactly one of MS, --element, --window, --text, --menu, --menu-closed, " +
        "--event (--window goes with --event too)",
    }),
    z.refine((args) => args.predicate === undefined || args.element !== undefined, {
      error: "--predicate goes with --element",
    }),
    z.refine((args) => (args.value !== undefined) === (args.predicate === "value"), {
      error: "--value goes with --predicate value, and that needs it",
    }),
    z.refine((args) => args.action === undefined || args.predicate === "actionable", {
      error: "--action goes with --predicate actionable",
    }),
    z.refine((args) => args.count === undefined || args.text !== undefined, {
      error: "--count goes with --text",
    }),
    z.refine((args) => args.window_id === undefined || args.event !== undefined, {
      error: "--window-id goes with --event",
    }),
    z.refine(
      (args) =>
        args.event === undefined || (args.window ?? args.window_id) === undefined ||
        ["window-opened", "window-closed", "focus-changed"].includes(args.event),
      { error: "--window and --window-id go with the events of windows and of the focus" },
    ),
    z.refine(
      (args) => args.app !== undefined || !(args.event?.startsWith("surface-") ?? false),
      { error: "The events of surfaces need --app" },
    ),
  );
export type WaitArgs = Args<typeof schema>;

/** Which modes were asked for; `--window` beside `--event` narrows the event. */
function modesOf(args: {
  ms?: unknown;
  element?: unknown;
  window?: unknown;
  text?: unknown;
  menu: boolean;
  menu_closed: boolean;
  event?: unknown;
}): string[] {
  const modes: [string, boolean][] = [
    ["ms", args.ms !== undefined],
    ["element", args.element !== undefined],
    ["window", args.window !== undefined && args.event === undefined],
    ["text", args.text !== undefined],
    ["menu", args.menu],
    ["menu_closed", args.menu_closed],
    ["event", args.event !== undefined],
  ];
  return modes.filter(([, given]) => given).map(([mode]) => mode);
}

/** A flag of a few words that has a meaning only beside another one. */
function choice(
  flag: string,
  value: string,
  choices: readonly string[],
  when: string,
): ArgSpec {
  const list = choices.join(", ");
  return { kind: "string", flag, value, help: `${when}: ${list}`, expected: `one of ${list}` };
}

export const COMMAND = describe({
  group: "Observe",
  summary: "Wait for a time, an element, a window, a text, a menu or an event",
  about: "Exactly one of MS, --element, --window, --text, --menu, --menu-closed and --event. " +
    "Nothing is changed; when the time is over the answer says what was seen last. Events: " +
    `${EVENT_KINDS.join(", ")}.`,
  args: {
    ms: {
      kind: "integer",
      value: "MS",
      optional: true,
      help: "Milliseconds to wait",
      expected: `an integer from 0 to ${MAX_TIMEOUT_MS}`,
    },
    element: {
      kind: "string",
      flag: "element",
      value: "REF",
      help: "Until this element is as --predicate says",
      expected: REF_EXPECTED,
    },
    predicate: choice("predicate", "P", WAIT_PREDICATES, "With --element (exists when not given)"),
    value: {
      kind: "string",
      flag: "value",
      value: "T",
      text: true,
      help: "The exact value, with --predicate value",
    },
    action: choice("action", "A", WAIT_ACTIONS, "With actionable (click when not given)"),
    window: {
      kind: "string",
      flag: "window",
      value: "TITLE",
      text: true,
      help: "Until a window has that in its title (case counts)",
    },
    text: {
      kind: "string",
      flag: "text",
      value: "T",
      text: true,
      help: "Until the text is somewhere in the window",
      expected: `at most ${MAX_TEXT_BYTES} bytes`,
    },
    count: {
      kind: "integer",
      flag: "count",
      value: "N",
      help: "With --text: until exactly N elements have it",
      expected: `an integer from 0 to ${MAX_COUNT}`,
    },
    menu: { kind: "boolean", flag: "menu", help: "Until a menu is open" },
    menu_closed: { kind: "boolean", flag: "menu-closed", help: "Until no menu is open" },
    event: {
      kind: "string",
      flag: "event",
      value: "KIND",
      help: "Until something of the kind happens",
      expected: `one of ${EVENT_KINDS.join(", ")}`,
    },
    window_id: { ...WINDOW_ID_ARG, help: "With --event: only of this window" },
    app: { ...APP_ARG, help: "Application that is meant (its name or pid)" },
    timeout: {
      kind: "integer",
      flag: "timeout",
      value: "MS",
      help: "Longest wait, but for MS",
      default: WAIT_MS,
      expected: `an integer from 0 to ${MAX_TIMEOUT_MS}`,
    },
  },
  schema,
  example: "--window Calculator --timeout 5000",
  privileges: ["read", "write", "ffi", "env"],
  permission: "accessibility",
  run,
});

/**
 * Waits.
 *
 * @throws AppError `TIMEOUT` (`kind: wait_timeout`) with what was seen last, and what cannot pass by
 * waiting
 */
async function run(args: WaitArgs, context: Context, deadline: Deadline): Promise<unknown> {
  if (args.ms !== undefined) {
    // The time itself is what was asked for: --timeout does not bound it.
    await Deadline.after(args.ms).sleep(args.ms);
    return { waited_ms: args.ms };
  }
  if (args.element !== undefined) {
    return await waitForElement(args.element, args, context, deadline);
  }
  const platform = await context.platform();
  if (args.event !== undefined) {
    return await waitForEvent(platform, args.event, args, deadline, context.baseline);
  }
  if (args.window !== undefined) {
    return await waitForWindow(platform, args.window, args.app, args.timeout, deadline);
  }
  if (args.text !== undefined) {
    return await waitForText(context, args.text, args, deadline);
  }
  return await waitForMenu(platform, args.menu, args.app, args.timeout, deadline);
}
