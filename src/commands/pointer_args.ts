/** Argument values of the commands that point at places on the screen. */
import { parseModifier } from "../act/modifiers.ts";
import type { Modifier, Point } from "../platform/platform.ts";
import { MAX_COORDINATE } from "../tree/node.ts";
import { choiceArg } from "./arg_values.ts";
import type { ArgSpec, Zod } from "./command.ts";

/** `x,y` as a point. */
export function point(z: Zod) {
  return z.pipe(
    z.string(),
    z.transform((value: string, context): Point => {
      const match = /^\s*([^,\s]+)\s*,\s*([^,\s]+)\s*$/.exec(value);
      const x = coordinate(match?.[1]);
      const y = coordinate(match?.[2]);
      if (x === undefined || y === undefined) {
        context.issues.push({ code: "custom", input: value });
        return { x: 0, y: 0 };
      }
      return { x, y };
    }),
  );
}

/** The number a coordinate is spelled as, or `undefined` when it is none or out of range. */
function coordinate(digits: string | undefined): number | undefined {
  if (digits === undefined || !/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(digits)) {
    return undefined;
  }
  const value = Number(digits);
  return Math.abs(value) <= MAX_COORDINATE ? value : undefined;
}

/** How a point is written, for messages. */
const POINT_EXPECTED =
  `X,Y as two numbers of at most ${MAX_COORDINATE} in magnitude (a negative first number needs the = form)`;

/** A coordinate of its own. */
export function coordinateNumber(z: Zod) {
  return z.number().check(z.minimum(-MAX_COORDINATE), z.maximum(MAX_COORDINATE));
}

/** Modifier names, each at most once, under any of their names. */
export function modifiers(z: Zod) {
  return z._default(
    z.pipe(
      z.array(z.string()),
      z.transform((names: string[], context): Modifier[] => {
        const found = names.flatMap((name) => name.split(",")).map((name) =>
          parseModifier(name.trim().toLowerCase())
        );
        const known = found.filter((name) => name !== undefined);
        if (known.length < found.length || new Set(known).size < known.length) {
          context.issues.push({ code: "custom", input: names });
        }
        return known;
      }),
    ),
    [],
  );
}

/** The flag of `modifiers`. */
export const MODIFIERS_ARG: ArgSpec = {
  kind: "string",
  flag: "modifiers",
  value: "M",
  repeat: true,
  help: "Modifier held meanwhile: shift, ctrl, alt, meta; repeat it for more",
  expected: "shift, ctrl, alt or meta (or control, option, cmd, command), each once",
};

/** A flag for a point. */
export const xyArg = (flagName: string, help: string): ArgSpec => ({
  kind: "string",
  flag: flagName,
  value: "X,Y",
  help,
  expected: POINT_EXPECTED,
});

/** The flag of a command on one point. */
export const XY_ARG: ArgSpec = {
  ...xyArg("xy", "Screen position; --xy=-10,5 when the first number is negative"),
  required: true,
};

const BUTTONS = ["left", "right", "middle"] as const;

/** A pointer button. */
export function button(z: Zod) {
  return z._default(z.enum(BUTTONS), "left");
}

/** The flag of `button`. */
export const BUTTON_ARG = choiceArg("button", "B", BUTTONS, "left");
