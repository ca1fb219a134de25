/**
 * The commands that act on one element named by a ref: one line of a table for each.
 * See docs/acting.md, "Commands".
 */
import { type ActionCall, SINGLE_ATTEMPT_MS } from "../act/action_context.ts";
import type { RefAction } from "../act/action_rules.ts";
import { runRefAction } from "../act/flow.ts";
import type { Deadline } from "../deadline.ts";
import type { SemanticRequest } from "../platform/platform.ts";
import { lookUp } from "../refs/resolve.ts";
import {
  ACTION_PRIVILEGES,
  ACTION_TIMEOUT_ARG,
  actionContext,
  actionTimeout,
  targetRef,
  withWait,
} from "./action_command.ts";
import { choiceArg, integer, ref, REF_ARG, text } from "./arg_values.ts";
import type { Args, ArgSpec, Description, Schema, Zod } from "./command.ts";
import type { Context } from "./context.ts";
import { MAX_TYPE_BYTES } from "./limits.ts";
import { appOfEntry } from "./watched_app.ts";

/** More wheel notches or pages than any scroll area needs, few enough to end in time. */
const MAX_SCROLL_AMOUNT = 1_000;
const DIRECTIONS = ["up", "down", "left", "right"] as const;

const refSchema = (z: Zod) => z.strictObject({ ref_id: ref(z), timeout_ms: actionTimeout(z) });

const typeSchema = (z: Zod) =>
  z.strictObject({
    ref_id: ref(z),
    text: text(z, MAX_TYPE_BYTES),
    timeout_ms: actionTimeout(z),
  });

const valueSchema = (z: Zod) =>
  z.strictObject({ ref_id: ref(z), value: z.string(), timeout_ms: actionTimeout(z) });

const scrollSchema = (z: Zod) =>
  z.strictObject({
    ref_id: ref(z),
    direction: z._default(z.enum(DIRECTIONS), "down"),
    amount: z._default(integer(z, 1, MAX_SCROLL_AMOUNT), 3),
    timeout_ms: actionTimeout(z),
  });

/** A line of the table: what an action has of its own. */
interface Action {
  summary: string;
  about?: string;
  headedOnly?: true;
  /** What is asked of the platform. */
  request(args: never): SemanticRequest;
  schema: Schema;
  /** Arguments between the ref and the timeout. */
  args: Readonly<Record<string, ArgSpec>>;
  /** What follows the ref in the example. */
  example: string;
}

/** An action that takes nothing but the ref. */
function plain(request: SemanticRequest, summary: string): Action {
  return { summary, request: () => request, schema: refSchema, args: {}, example: "" };
}

/** A plain action that only the pointer can make. */
function pointed(request: SemanticRequest, summary: string): Action {
  return { ...plain(request, summary), headedOnly: true, example: " --headed" };
}

/** An action with arguments; the compiler holds its request and its schema together. */
function withArgs<S extends Schema>(
  action: Omit<Action, "schema" | "request"> & {
    schema: S;
    request(args: Args<S>): SemanticRequest;
  },
): Action {
  return action;
}

const ACTIONS: Readonly<Record<RefAction, Action>> = {
  "click": plain({ kind: "click" }, "Click an element"),
  "double-click": pointed({ kind: "click" }, "Click an element twice with the pointer"),
  "triple-click": pointed({ kind: "click" }, "Click an element three times with the pointer"),
  "right-click": plain({ kind: "right-click" }, "Open an element's context menu"),
  "type": withArgs({
    summary: "Insert text into a field, at the caret or over the selection",
    about: "Known flags are taken as flags; put -- before a text that looks like one.",
    args: {
      text: {
        kind: "string",
        value: "TEXT",
        dash: true,
        text: true,
        help: `At most ${MAX_TYPE_BYTES} bytes; may begin with -`,
        expected: `at most ${MAX_TYPE_BYTES} bytes of UTF-8`,
      },
    },
    schema: typeSchema,
    example: ' "good morning"',
    request: ({ text }) => ({ kind: "type", text }),
  }),
  "set-value": withArgs({
    summary: "Set the whole value of a field, slider or spin button",
    about: "Known flags are taken as flags; put -- before a value that looks like one.",
    args: {
      value: {
        kind: "string",
        value: "VALUE",
        dash: true,
        text: true,
        help: "The new value; may begin with -",
      },
    },
    schema: valueSchema,
    example: " 42",
    request: ({ value }) => ({ kind: "set-value", value }),
  }),
  "clear": plain({ kind: "clear" }, "Empty a field"),
  "focus": plain({ kind: "focus" }, "Give an element the keyboard focus"),
  "select": withArgs({
    summary: "Choose an option of a list, combo box or menu by its text",
    args: {
      value: {
        kind: "string",
        value: "VALUE",
        dash: true,
        text: true,
        help: "Text of the option as displayed",
      },
    },
    schema: valueSchema,
    example: ' "Scientific"',
    request: ({ value }) => ({ kind: "select", option: value }),
  }),
  "toggle": plain({ kind: "toggle" }, "Switch a check box or switch to its other state"),
  "check": plain({ kind: "check" }, "Switch a check box or switch on"),
  "uncheck": plain({ kind: "uncheck" }, "Switch a check box or switch off"),
  "expand": plain({ kind: "expand" }, "Open a combo box, tree row or disclosure"),
  "collapse": plain({ kind: "collapse" }, "Close a combo box, tree row or disclosure"),
  "scroll": withArgs({
    summary: "Scroll a scroll area",
    args: {
      direction: choiceArg("direction", "D", DIRECTIONS, "down"),
      amount: {
        kind: "integer",
        flag: "amount",
        value: "N",
        help: "How many steps",
        default: 3,
        expected: `an integer from 1 to ${MAX_SCROLL_AMOUNT}`,
      },
    },
    schema: scrollSchema,
    example: " --direction down --amount 3",
    request: ({ direction, amount }) => ({ kind: "scroll", direction, amount }),
  }),
  "scroll-to": plain({ kind: "scroll-to" }, "Bring an element into view"),
};

/** The commands by name. */
export const COMMANDS = Object.fromEntries(
  Object.entries(ACTIONS).map(([name, action]) => [name, describe(name as RefAction, action)]),
) as Readonly<Record<RefAction, Description>>;

function describe(name: RefAction, { request, args, example, ...rest }: Action): Description {
  return {
    group: "Act on an element",
    args: { ref_id: REF_ARG, ...args, timeout_ms: ACTION_TIMEOUT_ARG },
    example: `@s8f3k2p9:e1${example}`,
    privileges: ACTION_PRIVILEGES,
    permission: "accessibility",
    waits: true,
    budgetMs: SINGLE_ATTEMPT_MS,
    run: (valid: RefArgs, context, deadline) =>
      run(name, request(valid as never), valid, context, deadline),
    ...rest,
  };
}

/** Arguments common to all ref actions. */
type RefArgs = Args<typeof refSchema>;

/**
 * Runs one ref action, then the wait that the global flags ask for.
 *
 * @throws AppError whatever the ref, the flow or the wait raise
 */
async function run(
  action: RefAction,
  request: SemanticRequest,
  args: RefArgs,
  context: Context,
  deadline: Deadline,
): Promise<unknown> {
  const stored = lookUp(context.store(), args.ref_id);
  const acting = await actionContext(context, deadline);
  const { platform } = acting;
  const call: ActionCall = {
    action,
    request,
    ref: targetRef(platform, stored),
    headed: context.globals.headed,
    timeoutMs: args.timeout_ms,
  };
  return await withWait(
    context,
    platform,
    () => appOfEntry(platform, stored.entry),
    () => runRefAction(call, acting),
  );
}
