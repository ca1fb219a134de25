/** Keyboard and pointer commands. */
import type { Args, ArgSpec, Row, Zod } from "./row.ts";
import { ACTION_PRIVILEGES, ACTION_TIMEOUT_MS } from "./act.ts";
import {
  APP_ARG,
  coordinateNumber,
  flag,
  integer,
  MAX_COORDINATE,
  modifiers,
  MODIFIERS_ARG,
  point,
  POINT_EXPECTED,
  ref,
  REF_ARG,
  REF_EXPECTED,
  timeout,
  timeoutArg,
  WINDOW_ID_ARG,
} from "./values.ts";

const COMBO_ARG: ArgSpec = {
  kind: "string",
  value: "COMBO",
  help: "Key with modifiers, e.g. ctrl+shift+a, return, f5",
};
const FORCE_ARG: ArgSpec = {
  kind: "boolean",
  flag: "force",
  help: "Allow combinations that end applications or the session",
};
const TIMEOUT_ARG = timeoutArg(ACTION_TIMEOUT_MS, "Time for the element to be ready; 0 tries once");

const row = (
  name: string,
  summary: string,
  rest: Pick<Row, "args" | "schema" | "example"> & Partial<Row>,
): Row => ({
  name,
  group: "Keyboard and pointer",
  summary,
  privileges: ACTION_PRIVILEGES,
  permission: "accessibility",
  ...rest,
});

const pressSchema = (z: Zod) =>
  z.strictObject({
    combo: z.string(),
    app: z.optional(z.string()),
    window_id: z.optional(z.string()),
    force: flag(z),
  });
export type PressArgs = Args<typeof pressSchema>;

const keySchema = (z: Zod) => z.strictObject({ combo: z.string(), force: flag(z) });
export type KeyArgs = Args<typeof keySchema>;

/** Longest travel and longest hold of a drag, in milliseconds (contract §8). */
const MAX_DRAG_MS = 60_000;
const MAX_DROP_DELAY_MS = 10_000;

const xyArg = (flagName: string, help: string): ArgSpec => ({
  kind: "string",
  flag: flagName,
  value: "X,Y",
  help,
  expected: POINT_EXPECTED,
});

const hoverSchema = (z: Zod) =>
  z.strictObject({
    ref_id: z.optional(ref(z)),
    xy: z.optional(point(z)),
    duration: z._default(integer(z, 0, 0), 0),
    timeout_ms: timeout(z, ACTION_TIMEOUT_MS),
  }).check(z.refine((args) => (args.ref_id === undefined) !== (args.xy === undefined), {
    error: "Give either a ref or --xy",
  }));
export type HoverArgs = Args<typeof hoverSchema>;

const SCOPES = ["from", "to"] as const;

const dragSchema = (z: Zod) =>
  z.strictObject({
    from: z.optional(ref(z)),
    from_xy: z.optional(point(z)),
    to: z.optional(ref(z)),
    to_xy: z.optional(point(z)),
    duration: z._default(integer(z, 0, MAX_DRAG_MS), 300),
    drop_delay: z._default(integer(z, 0, MAX_DROP_DELAY_MS), 500),
    wait_for_scope: z._default(z.enum(SCOPES), "to"),
    timeout_ms: timeout(z, ACTION_TIMEOUT_MS),
  }).check(
    z.refine((args) => (args.from === undefined) !== (args.from_xy === undefined), {
      error: "Give either --from or --from-xy",
    }),
    z.refine((args) => (args.to === undefined) !== (args.to_xy === undefined), {
      error: "Give either --to or --to-xy",
    }),
  );
export type DragArgs = Args<typeof dragSchema>;

const moveSchema = (z: Zod) => z.strictObject({ xy: point(z) });
export type MouseMoveArgs = Args<typeof moveSchema>;

const BUTTONS = ["left", "right", "middle"] as const;
const BUTTON_ARG: ArgSpec = {
  kind: "string",
  flag: "button",
  value: "B",
  help: BUTTONS.join(", "),
  default: "left",
  expected: `one of ${BUTTONS.join(", ")}`,
};
const XY_ARG: ArgSpec = {
  ...xyArg("xy", "Screen position; --xy=-10,5 when the first number is negative"),
  required: true,
};
/** Most clicks of one `mouse-click` (contract §8). */
const MAX_CLICKS = 100;
/** Most wheel notches of one call, so that it ends in time. */
const MAX_NOTCHES = 1000;

const clickSchema = (z: Zod) =>
  z.strictObject({
    xy: point(z),
    button: z._default(z.enum(BUTTONS), "left"),
    count: z._default(integer(z, 1, MAX_CLICKS), 1),
    modifiers: modifiers(z),
  });
export type MouseClickArgs = Args<typeof clickSchema>;

const buttonSchema = (z: Zod) =>
  z.strictObject({
    xy: point(z),
    button: z._default(z.enum(BUTTONS), "left"),
    modifiers: modifiers(z),
  });
/** Arguments of `mouse-down` and `mouse-up`. */
export type MouseButtonArgs = Args<typeof buttonSchema>;

const wheelSchema = (z: Zod) =>
  z.strictObject({
    x: coordinateNumber(z),
    y: coordinateNumber(z),
    dy: z._default(z.int().check(z.minimum(-MAX_NOTCHES), z.maximum(MAX_NOTCHES)), -3),
    dx: z._default(z.int().check(z.minimum(-MAX_NOTCHES), z.maximum(MAX_NOTCHES)), 0),
    modifiers: modifiers(z),
  });
export type MouseWheelArgs = Args<typeof wheelSchema>;

const coordinateArg = (name: "x" | "y"): ArgSpec => ({
  kind: "number",
  flag: name,
  value: name.toUpperCase(),
  required: true,
  help: `Screen position, ${name === "x" ? "from the left" : "from the top"}`,
  expected: `a number of at most ${MAX_COORDINATE} in magnitude`,
});
const notchesArg = (name: "dx" | "dy", help: string, byDefault: number): ArgSpec => ({
  kind: "number",
  flag: name,
  value: "N",
  help,
  default: byDefault,
  expected: `an integer from -${MAX_NOTCHES} to ${MAX_NOTCHES}`,
});

export const INPUT: readonly Row[] = [
  row("press", "Press a key, with modifiers, in the focused window", {
    args: { combo: COMBO_ARG, app: APP_ARG, window_id: WINDOW_ID_ARG, force: FORCE_ARG },
    schema: pressSchema,
    example: "press ctrl+a --app gedit",
    waits: true,
  }),
  row("key-down", "Refused: a key is never left down (use press)", {
    args: { combo: COMBO_ARG, force: FORCE_ARG },
    schema: keySchema,
    example: "key-down shift",
  }),
  row("key-up", "Refused: a key is never left down (use press)", {
    args: { combo: COMBO_ARG, force: FORCE_ARG },
    schema: keySchema,
    example: "key-up shift",
  }),
  row("hover", "Move the pointer over an element or a point", {
    args: {
      ref_id: { ...REF_ARG, optional: true },
      xy: xyArg("xy", "Screen position instead of a ref"),
      duration: {
        kind: "integer",
        flag: "duration",
        value: "MS",
        help: "Only 0: the pointer stays where it is afterwards",
        default: 0,
        expected: "0: the pointer stays over the target, a longer hover is the caller's pause",
      },
      timeout_ms: TIMEOUT_ARG,
    },
    schema: hoverSchema,
    example: "hover @s8f3k2p9:e1 --headed",
    waits: true,
    headedOnly: true,
  }),
  row("drag", "Drag from one element or point to another", {
    args: {
      from: {
        kind: "string",
        flag: "from",
        value: "REF",
        help: "Where the drag begins",
        expected: REF_EXPECTED,
      },
      from_xy: xyArg("from-xy", "Where the drag begins, as a screen position"),
      to: {
        kind: "string",
        flag: "to",
        value: "REF",
        help: "Where it ends",
        expected: REF_EXPECTED,
      },
      to_xy: xyArg("to-xy", "Where it ends, as a screen position"),
      duration: {
        kind: "integer",
        flag: "duration",
        value: "MS",
        help: "Time of the movement",
        default: 300,
        expected: `an integer from 0 to ${MAX_DRAG_MS}`,
      },
      drop_delay: {
        kind: "integer",
        flag: "drop-delay",
        value: "MS",
        help: "Time over the destination before the button is released",
        default: 500,
        expected: `an integer from 0 to ${MAX_DROP_DELAY_MS}`,
      },
      wait_for_scope: {
        kind: "string",
        flag: "wait-for-scope",
        value: "END",
        help: "Which end's window the wait flags look at: from, to",
        default: "to",
        expected: `one of ${SCOPES.join(", ")}`,
      },
      timeout_ms: TIMEOUT_ARG,
    },
    schema: dragSchema,
    example: "drag --from @s8f3k2p9:e1 --to @s8f3k2p9:e5 --headed",
    waits: true,
    headedOnly: true,
  }),
  row("mouse-move", "Move the pointer to a point", {
    args: { xy: XY_ARG },
    schema: moveSchema,
    example: "mouse-move --xy 640,400 --headed",
    headedOnly: true,
  }),
  row("mouse-click", "Click at a point", {
    args: {
      xy: XY_ARG,
      button: BUTTON_ARG,
      count: {
        kind: "integer",
        flag: "count",
        value: "N",
        help: "How many clicks",
        default: 1,
        expected: `an integer from 1 to ${MAX_CLICKS}`,
      },
      modifiers: MODIFIERS_ARG,
    },
    schema: clickSchema,
    example: "mouse-click --xy 640,400 --count 2 --headed",
    headedOnly: true,
  }),
  row("mouse-wheel", "Turn the wheel at a point", {
    args: {
      x: coordinateArg("x"),
      y: coordinateArg("y"),
      dy: notchesArg("dy", "Notches, positive is up; --dy=-3 when negative", -3),
      dx: notchesArg("dx", "Notches, positive is left", 0),
      modifiers: MODIFIERS_ARG,
    },
    schema: wheelSchema,
    example: "mouse-wheel --x 640 --y 400 --dy=-3 --headed",
    headedOnly: true,
  }),
  row("mouse-down", "Refused: a button is never left down (use drag or mouse-click)", {
    args: { xy: XY_ARG, button: BUTTON_ARG, modifiers: MODIFIERS_ARG },
    schema: buttonSchema,
    example: "mouse-down --xy 640,400 --headed",
    headedOnly: true,
  }),
  row("mouse-up", "Refused: a button is never left down (use drag or mouse-click)", {
    args: { xy: XY_ARG, button: BUTTON_ARG, modifiers: MODIFIERS_ARG },
    schema: buttonSchema,
    example: "mouse-up --xy 640,400 --headed",
    headedOnly: true,
  }),
];
