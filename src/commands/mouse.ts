/** The commands on a point of the screen: `mouse-move`, `mouse-click`, `mouse-wheel`. */
import { OPERATION_MS } from "../act/action_context.ts";
import { mouseClick, mouseMove, mouseWheel } from "../act/pointer_commands.ts";
import { requireHeaded } from "../act/refusals.ts";
import { MAX_COORDINATE } from "../tree/node.ts";
import { ACTION_PRIVILEGES, actionContext } from "./action_command.ts";
import { integer } from "./arg_values.ts";
import {
  type Args,
  type ArgSpec,
  describe,
  type Description,
  type Schema,
  type Zod,
} from "./command.ts";
import {
  button,
  BUTTON_ARG,
  coordinateNumber,
  modifiers,
  MODIFIERS_ARG,
  point,
  XY_ARG,
} from "./pointer_args.ts";
import type { ActionContext } from "../act/action_context.ts";

/** Most clicks of one `mouse-click` (docs/contract.md, "Argument values"). */
const MAX_CLICKS = 100;
/** Most wheel notches of one call, so that it ends in time. */
const MAX_NOTCHES = 1000;

const moveSchema = (z: Zod) => z.strictObject({ xy: point(z) });

const clickSchema = (z: Zod) =>
  z.strictObject({
    xy: point(z),
    button: button(z),
    count: z._default(integer(z, 1, MAX_CLICKS), 1),
    modifiers: modifiers(z),
  });

const notches = (z: Zod) => z.int().check(z.minimum(-MAX_NOTCHES), z.maximum(MAX_NOTCHES));

const wheelSchema = (z: Zod) =>
  z.strictObject({
    x: coordinateNumber(z),
    y: coordinateNumber(z),
    dy: z._default(notches(z), -3),
    dx: z._default(notches(z), 0),
    modifiers: modifiers(z),
  });

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

/** What the three have in common: refused with `POLICY_DENIED` without `--headed`. */
function onPoint<S extends Schema>(
  name: string,
  { act, ...rest }: Pick<Description, "summary" | "args" | "example"> & {
    schema: S;
    act(args: Args<S>, acting: ActionContext): Promise<unknown>;
  },
): Description {
  return describe({
    group: "Keyboard and pointer",
    privileges: ACTION_PRIVILEGES,
    permission: "accessibility",
    headedOnly: true,
    budgetMs: OPERATION_MS,
    async run(args: Args<S>, context, deadline) {
      requireHeaded(name, context.globals.headed);
      return await act(args, await actionContext(context, deadline));
    },
    ...rest,
  });
}

/** The commands by name. */
export const COMMANDS = {
  "mouse-move": onPoint("mouse-move", {
    summary: "Move the pointer to a point",
    args: { xy: XY_ARG },
    schema: moveSchema,
    example: "--xy 640,400 --headed",
    act: ({ xy }, acting) => mouseMove(xy, acting),
  }),
  "mouse-click": onPoint("mouse-click", {
    summary: "Click at a point",
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
    example: "--xy 640,400 --count 2 --headed",
    act: ({ xy, button, count, modifiers }, acting) =>
      mouseClick({ point: xy, button, count, modifiers }, acting),
  }),
  "mouse-wheel": onPoint("mouse-wheel", {
    summary: "Turn the wheel at a point",
    args: {
      x: coordinateArg("x"),
      y: coordinateArg("y"),
      dy: notchesArg("dy", "Notches, positive is up; --dy=-3 when negative", -3),
      dx: notchesArg("dx", "Notches, positive is left", 0),
      modifiers: MODIFIERS_ARG,
    },
    schema: wheelSchema,
    example: "--x 640 --y 400 --dy=-3 --headed",
    act: ({ x, y, dx, dy, modifiers }, acting) =>
      mouseWheel({ point: { x, y }, dx, dy, modifiers }, acting),
  }),
};
