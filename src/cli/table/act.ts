/** Commands that act on one element named by a ref. */
import type { Args, ArgSpec, Privilege, Row, Schema, Zod } from "./row.ts";
import { integer, MAX_TYPE_BYTES, ref, REF_ARG, text, timeout, timeoutArg } from "./values.ts";

/** Default of `--timeout-ms` on ref actions, in milliseconds (contract §5). */
export const ACTION_TIMEOUT_MS = 5000;

const TIMEOUT_ARG = timeoutArg(
  ACTION_TIMEOUT_MS,
  "Time for the element to be ready; 0 tries once",
);

/** Reading state and environment, the lease file, and the platform's libraries. */
export const ACTION_PRIVILEGES: readonly Privilege[] = ["read", "write", "ffi", "env"];

const refSchema = (z: Zod) =>
  z.strictObject({ ref_id: ref(z), timeout_ms: timeout(z, ACTION_TIMEOUT_MS) });
/** Arguments of the actions that take nothing but a ref. */
export type RefActionArgs = Args<typeof refSchema>;

/** What all rows of this file have in common. */
function action(
  name: string,
  summary: string,
  extra: {
    args?: Record<string, ArgSpec>;
    schema?: Schema;
    example?: string;
    about?: string;
    headedOnly?: true;
  } = {},
): Row {
  const usual = `${name} @s8f3k2p9:e1${extra.headedOnly ? " --headed" : ""}`;
  const { args = {}, schema = refSchema, example = usual, ...rest } = extra;
  return {
    name,
    group: "Act on an element",
    summary,
    args: { ref_id: REF_ARG, ...args, timeout_ms: TIMEOUT_ARG },
    schema,
    example,
    privileges: ACTION_PRIVILEGES,
    permission: "accessibility",
    waits: true,
    ...rest,
  };
}

const typeSchema = (z: Zod) =>
  z.strictObject({
    ref_id: ref(z),
    text: text(z, MAX_TYPE_BYTES),
    timeout_ms: timeout(z, ACTION_TIMEOUT_MS),
  });
export type TypeArgs = Args<typeof typeSchema>;

const setValueSchema = (z: Zod) =>
  z.strictObject({
    ref_id: ref(z),
    value: z.string(),
    timeout_ms: timeout(z, ACTION_TIMEOUT_MS),
  });
export type SetValueArgs = Args<typeof setValueSchema>;

const selectSchema = setValueSchema;
export type SelectArgs = Args<typeof selectSchema>;

const DIRECTIONS = ["up", "down", "left", "right"] as const;
/** More wheel notches or pages than any scroll area needs, few enough to end in time. */
const MAX_SCROLL_AMOUNT = 1000;

const scrollSchema = (z: Zod) =>
  z.strictObject({
    ref_id: ref(z),
    direction: z._default(z.enum(DIRECTIONS), "down"),
    amount: z._default(integer(z, 1, MAX_SCROLL_AMOUNT), 3),
    timeout_ms: timeout(z, ACTION_TIMEOUT_MS),
  });
export type ScrollArgs = Args<typeof scrollSchema>;

export const ACT: readonly Row[] = [
  action("click", "Click an element"),
  action("double-click", "Click an element twice with the pointer", { headedOnly: true }),
  action("triple-click", "Click an element three times with the pointer", {
    headedOnly: true,
  }),
  action("right-click", "Open an element's context menu"),
  action("type", "Insert text into a field, at the caret or over the selection", {
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
    example: 'type @s8f3k2p9:e1 "good morning"',
  }),
  action("set-value", "Set the whole value of a field, slider or spin button", {
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
    schema: setValueSchema,
    example: "set-value @s8f3k2p9:e1 42",
  }),
  action("clear", "Empty a field"),
  action("focus", "Give an element the keyboard focus"),
  action("select", "Choose an option of a list, combo box or menu by its text", {
    args: {
      value: {
        kind: "string",
        value: "VALUE",
        dash: true,
        text: true,
        help: "Text of the option as displayed",
      },
    },
    schema: selectSchema,
    example: 'select @s8f3k2p9:e1 "Scientific"',
  }),
  action("toggle", "Switch a check box or switch to its other state"),
  action("check", "Switch a check box or switch on"),
  action("uncheck", "Switch a check box or switch off"),
  action("expand", "Open a combo box, tree row or disclosure"),
  action("collapse", "Close a combo box, tree row or disclosure"),
  action("scroll", "Scroll a scroll area", {
    args: {
      direction: {
        kind: "string",
        flag: "direction",
        value: "D",
        help: DIRECTIONS.join(", "),
        default: "down",
        expected: `one of ${DIRECTIONS.join(", ")}`,
      },
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
    example: "scroll @s8f3k2p9:e1 --direction down --amount 3",
  }),
  action("scroll-to", "Bring an element into view"),
];
