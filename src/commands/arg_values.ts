/** Argument values that several commands share: how they are described and what they accept. */
import { parseRoleQuery, type Role } from "../tree/roles.ts";
import { isState, type State } from "../tree/states.ts";
import { type Surface, SURFACES } from "../platform/platform.ts";
import { parseRef } from "../refs/syntax.ts";
import type { Args, ArgSpec, Zod } from "./command.ts";
import { MAX_TIMEOUT_MS } from "./limits.ts";

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

/** A flag whose value is one of a few words. */
export function choiceArg(
  flagName: string,
  value: string,
  choices: readonly string[],
  byDefault: string,
): ArgSpec {
  return {
    kind: "string",
    flag: flagName,
    value,
    help: choices.join(", "),
    default: byDefault,
    expected: `one of ${choices.join(", ")}`,
  };
}

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

/** Arguments of commands that take an application and nothing else. */
export const appOnlySchema = (z: Zod) => z.strictObject({ app: z.optional(z.string()) });
export type AppOnlyArgs = Args<typeof appOnlySchema>;

/** The positional argument of the key commands. */
export const COMBO_ARG: ArgSpec = {
  kind: "string",
  value: "COMBO",
  help: "Key with modifiers, e.g. ctrl+shift+a, return, f5",
};

/** The flag that lifts the refusal of dangerous key combinations. */
export const FORCE_ARG: ArgSpec = {
  kind: "boolean",
  flag: "force",
  help: "Allow combinations that end applications or the session",
};

/** One `--state` filter: the state, and whether it has to be there or to be missing. */
interface StateFilter {
  state: State;
  present: boolean;
}

/** `TOKEN`, `TOKEN=true|1` or `TOKEN=false|0`; `undefined` when it is neither. */
function stateFilter(value: string): StateFilter | undefined {
  const [, token = "", verdict = "true"] = /^([^=]*)(?:=(.*))?$/s.exec(value) ?? [];
  if (!isState(token) || !["true", "1", "false", "0"].includes(verdict)) return undefined;
  return { state: token, present: verdict === "true" || verdict === "1" };
}

/** States to filter by, each as `stateFilter` takes it. */
export function states(z: Zod) {
  return z._default(
    z.pipe(
      z.array(z.string()),
      z.transform((values: string[], context): StateFilter[] => {
        const filters = values.map(stateFilter).filter((filter) => filter !== undefined);
        if (filters.length < values.length) {
          context.issues.push({ code: "custom", input: values });
        }
        return filters;
      }),
    ),
    [],
  );
}
