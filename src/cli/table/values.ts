/** Argument values that several commands share: how they are described and what they accept. */
import { parseModifier } from "../../act/modifiers.ts";
import { parseRoleQuery, type Role } from "../../tree/roles.ts";
import { type Surface, SURFACES } from "../../platform/platform.ts";
import { parseRef } from "../../refs/syntax.ts";
import type { Modifier, Point } from "../../platform/platform.ts";
import { MAX_TIMEOUT_MS } from "./globals.ts";
import type { ArgSpec, Zod } from "./row.ts";

/** Largest magnitude of a coordinate, in screen points (contract §8). */
export const MAX_COORDINATE = 10_000_000;
/** Longest search text of `find`, in bytes of UTF-8 (contract §8). */
export const MAX_FIND_BYTES = 4_096;
/** Longest text of `type`, in bytes of UTF-8 (contract §8). */
export const MAX_TYPE_BYTES = 10_000;

const encoder = new TextEncoder();

/** Bytes of `text` in UTF-8. */
export function byteLength(text: string): number {
  return encoder.encode(text).length;
}

/** A string of at most `max` bytes of UTF-8. */
export function text(z: Zod, max: number) {
  return z.string().check(z.refine((value) => byteLength(value) <= max));
}

/** An integer from `min` to `max`. */
export function integer(z: Zod, min: number, max: number) {
  return z.int().check(z.minimum(min), z.maximum(max));
}

/** Milliseconds of a timeout flag. */
export function timeout(z: Zod, byDefault: number) {
  return z._default(integer(z, 0, MAX_TIMEOUT_MS), byDefault);
}

/** The flag of a timeout. */
export function timeoutArg(byDefault: number, help: string): ArgSpec {
  return {
    kind: "integer",
    flag: "timeout-ms",
    value: "MS",
    help,
    default: byDefault,
    expected: `an integer from 0 to ${MAX_TIMEOUT_MS}`,
  };
}

/** A flag that is on or off. */
export function flag(z: Zod) {
  return z._default(z.boolean(), false);
}

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
export const POINT_EXPECTED =
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

/** A surface kind; hyphens and underscores are the same. */
export function surface(z: Zod) {
  return z._default(
    z.pipe(
      z.string(),
      z.transform((value: string, context): Surface => {
        const wanted = value.trim().toLowerCase().replaceAll("_", "-");
        const found = SURFACES.find((kind) => kind === wanted);
        if (found === undefined) context.issues.push({ code: "custom", input: value });
        return found ?? "window";
      }),
    ),
    "window",
  );
}

/** The flag of `surface`. */
export const SURFACE_ARG: ArgSpec = {
  kind: "string",
  flag: "surface",
  value: "KIND",
  help: "Read this surface instead of the window; status lists those known here",
  default: "window",
  expected: `one of ${SURFACES.join(", ")}`,
};

/** A role as queries name it, aliases resolved. */
export function role(z: Zod) {
  return z.pipe(
    z.string(),
    z.transform((value: string, context): Role => {
      const found = parseRoleQuery(value);
      if (found === undefined) context.issues.push({ code: "custom", input: value });
      return found ?? "unknown";
    }),
  );
}

export const APP_ARG: ArgSpec = {
  kind: "string",
  flag: "app",
  value: "NAME",
  help: "Application as list-apps names it, or its pid",
};

export const WINDOW_ID_ARG: ArgSpec = {
  kind: "string",
  flag: "window-id",
  value: "ID",
  help: "Window as list-windows names it",
};

/** A qualified ref; anything else is refused in the words of `parseRef`. */
export function ref(z: Zod) {
  return z.string().check(z.refine((value) => parseRef(value) !== undefined));
}

/** What a ref looks like, for messages. */
export const REF_EXPECTED = "@<snapshot_id>:e<N>";

/** The positional argument of most commands that take a ref. */
export const REF_ARG: ArgSpec = {
  kind: "string",
  value: "REF",
  help: "Ref that snapshot or find printed, e.g. @s8f3k2p9:e1",
  expected: REF_EXPECTED,
};
