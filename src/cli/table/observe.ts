/** Commands that only look: snapshot, find, get, is and the lists. */
import { isState, type State } from "../../tree/states.ts";
import { isSnapshotId } from "../../refs/syntax.ts";
import type { Args, ArgSpec, Row, Zod } from "./row.ts";
import {
  APP_ARG,
  flag,
  integer,
  MAX_FIND_BYTES,
  ref,
  REF_ARG,
  REF_EXPECTED,
  role,
  surface,
  SURFACE_ARG,
  text,
  timeout,
  timeoutArg,
  WINDOW_ID_ARG,
} from "./values.ts";

/** Deepest tree a snapshot may ask for, in logical levels (contract §8). */
export const MAX_DEPTH = 50;

const snapshotSchema = (z: Zod) =>
  z.strictObject({
    app: z.optional(z.string()),
    window_id: z.optional(z.string()),
    interactive_only: flag(z),
    compact: flag(z),
    skeleton: flag(z),
    root: z.optional(ref(z)),
    surface: surface(z),
    max_depth: z._default(integer(z, 0, MAX_DEPTH), 10),
    include_bounds: flag(z),
    outline: flag(z),
    flat: flag(z),
    since: z.optional(z.string().check(z.refine(isSnapshotId))),
    force_electron_a11y: flag(z),
    timeout_ms: timeout(z, 3000),
  }).check(
    z.refine((args) => args.root === undefined || args.surface === "window", {
      error: "--root and --surface cannot be combined: a region is read on its own surface",
    }),
    z.refine(
      (args) => [args.outline, args.flat, args.since !== undefined].filter(Boolean).length <= 1,
      { error: "Only one of --outline, --flat and --since can shape the output" },
    ),
    z.refine((args) => args.root === undefined || args.since === undefined, {
      error: "--root and --since cannot be combined: a region keeps its own snapshot",
    }),
  );
export type SnapshotArgs = Args<typeof snapshotSchema>;

const snapshot: Row = {
  name: "snapshot",
  group: "Observe",
  summary: "Read a window's accessibility tree and give its elements refs",
  about:
    "Without --app and --window-id the focused window is read. The refs in the answer are what " +
    "every other command takes; they are saved and stay valid while their elements can be found.",
  args: {
    app: APP_ARG,
    window_id: WINDOW_ID_ARG,
    interactive_only: {
      kind: "boolean",
      flag: "interactive-only",
      short: "i",
      help: "Leave out leaves that have no ref",
    },
    compact: {
      kind: "boolean",
      flag: "compact",
      help: "Leave out unnamed groups that hold one child",
    },
    skeleton: {
      kind: "boolean",
      flag: "skeleton",
      help: "Only the upper three levels, with refs to drill into",
    },
    root: {
      kind: "string",
      flag: "root",
      value: "REF",
      help: "Read the region of this ref anew, inside its own snapshot",
      expected: REF_EXPECTED,
    },
    surface: SURFACE_ARG,
    max_depth: {
      kind: "byte",
      flag: "max-depth",
      value: "N",
      help: `Logical levels below the root, at most ${MAX_DEPTH}`,
      default: 10,
      expected: `an integer from 0 to ${MAX_DEPTH}`,
    },
    include_bounds: {
      kind: "boolean",
      flag: "include-bounds",
      help: "Print where each element is",
    },
    outline: {
      kind: "boolean",
      flag: "outline",
      help: "One line of text for each node instead of the tree",
    },
    flat: {
      kind: "boolean",
      flag: "flat",
      help: "A list of the elements with refs instead of the tree",
    },
    since: {
      kind: "string",
      flag: "since",
      value: "SNAPSHOT_ID",
      help: "Only what changed since that snapshot instead of the tree",
      expected: "a snapshot id: 3 to 64 letters, digits, _ or -",
    },
    force_electron_a11y: {
      kind: "boolean",
      flag: "force-electron-a11y",
      help: "Take it that a Chromium renderer already publishes its tree",
    },
    timeout_ms: timeoutArg(3000, "Time to read; what is missing then is marked"),
  },
  schema: snapshotSchema,
  example: "snapshot --app gnome-calculator -i --compact",
  privileges: ["read", "write", "ffi", "env"],
  permission: "accessibility",
  waits: true,
};

const searched = (flagName: string, help: string): ArgSpec => ({
  kind: "string",
  flag: flagName,
  value: "T",
  text: true,
  help,
  expected: `at most ${MAX_FIND_BYTES} bytes of UTF-8`,
});

/** One `--state` filter: the state, and whether it has to be there or to be missing. */
export interface StateFilter {
  state: State;
  present: boolean;
}

/** `TOKEN`, `TOKEN=true|1` or `TOKEN=false|0`; `undefined` when it is neither. */
function stateFilter(value: string): StateFilter | undefined {
  const [, token = "", verdict = "true"] = /^([^=]*)(?:=(.*))?$/s.exec(value) ?? [];
  if (!isState(token) || !["true", "1", "false", "0"].includes(verdict)) return undefined;
  return { state: token, present: verdict === "true" || verdict === "1" };
}

const findSchema = (z: Zod) =>
  z.strictObject({
    app: z.optional(z.string()),
    window_id: z.optional(z.string()),
    root: z.optional(ref(z)),
    surface: surface(z),
    role: z.optional(role(z)),
    name: z.optional(text(z, MAX_FIND_BYTES)),
    description: z.optional(text(z, MAX_FIND_BYTES)),
    value: z.optional(text(z, MAX_FIND_BYTES)),
    text: z.optional(text(z, MAX_FIND_BYTES)),
    native_id: z.optional(text(z, MAX_FIND_BYTES)),
    exact: flag(z),
    states: z._default(
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
    ),
    first: flag(z),
    last: flag(z),
    nth: z.optional(integer(z, 0, Number.MAX_SAFE_INTEGER)),
    count: flag(z),
    limit: z.optional(integer(z, 0, Number.MAX_SAFE_INTEGER)),
    timeout_ms: timeout(z, 5000),
  }).check(
    z.refine((args) => args.root === undefined || args.surface === "window", {
      error: "--root and --surface cannot be combined: a region is searched on its own surface",
    }),
    z.refine(
      (args) =>
        [args.first, args.last, args.count, args.nth !== undefined, args.limit !== undefined]
          .filter(Boolean).length <= 1,
      { error: "Only one of --first, --last, --nth, --count and --limit can be given" },
    ),
  );
export type FindArgs = Args<typeof findSchema>;

const find: Row = {
  name: "find",
  group: "Observe",
  summary: "Search a window for elements and give the matches refs",
  about: "Filters add up: an element has to pass them all. Texts match a part, ignoring case and " +
    "runs of white space.",
  args: {
    app: APP_ARG,
    window_id: WINDOW_ID_ARG,
    root: {
      kind: "string",
      flag: "root",
      value: "REF",
      help: "Search below this ref only",
      expected: REF_EXPECTED,
    },
    surface: { ...SURFACE_ARG, help: "Search this surface instead of the window" },
    role: {
      kind: "string",
      flag: "role",
      value: "R",
      help: "Role, e.g. button",
      expected: "a role such as button, textfield or menuitem",
    },
    name: searched("name", "Part of the name"),
    description: searched("description", "Part of the description"),
    value: searched("value", "Part of the value"),
    text: searched("text", "Part of name, value or description, of the element or inside it"),
    native_id: { ...searched("native-id", "The application's own id, exactly"), value: "ID" },
    exact: { kind: "boolean", flag: "exact", help: "Texts have to match as a whole" },
    states: {
      kind: "string",
      flag: "state",
      value: "TOKEN[=BOOL]",
      repeat: true,
      help: "State that has to be there, or missing with =false",
      expected: "a state such as checked, or with =true or =false",
    },
    first: { kind: "boolean", flag: "first", help: "Only the first match" },
    last: { kind: "boolean", flag: "last", help: "Only the last match" },
    nth: {
      kind: "integer",
      flag: "nth",
      value: "N",
      help: "Only match number N, counted from 0",
      expected: "an integer from 0",
    },
    count: { kind: "boolean", flag: "count", help: "Only how many there are; saves no snapshot" },
    limit: {
      kind: "integer",
      flag: "limit",
      value: "N",
      help: "At most N matches, 0 for all (50 when not given)",
      expected: "an integer from 0",
    },
    timeout_ms: timeoutArg(5000, "Time to search"),
  },
  schema: findSchema,
  example: "find --app gnome-calculator --role button --name 7 --exact --first",
  privileges: ["read", "write", "ffi", "env"],
  permission: "accessibility",
};

const GET_PROPERTIES = ["text", "value", "title", "bounds", "role", "states"] as const;

const getSchema = (z: Zod) =>
  z.strictObject({ ref_id: ref(z), property: z._default(z.enum(GET_PROPERTIES), "text") });
export type GetArgs = Args<typeof getSchema>;

const get: Row = {
  name: "get",
  group: "Observe",
  summary: "Read one property of an element, live",
  args: {
    ref_id: REF_ARG,
    property: {
      kind: "string",
      flag: "property",
      value: "P",
      help: GET_PROPERTIES.join(", "),
      default: "text",
      expected: `one of ${GET_PROPERTIES.join(", ")}`,
    },
  },
  schema: getSchema,
  example: "get @s8f3k2p9:e1 --property value",
  privileges: ["read", "ffi", "env"],
  permission: "accessibility",
};

const IS_PROPERTIES = ["visible", "enabled", "checked", "focused", "expanded", "selected"] as const;

const isSchema = (z: Zod) =>
  z.strictObject({ ref_id: ref(z), property: z._default(z.enum(IS_PROPERTIES), "visible") });
export type IsArgs = Args<typeof isSchema>;

const is: Row = {
  name: "is",
  group: "Observe",
  summary: "Tell whether an element is in a state, live",
  args: {
    ref_id: REF_ARG,
    property: {
      kind: "string",
      flag: "property",
      value: "P",
      help: IS_PROPERTIES.join(", "),
      default: "visible",
      expected: `one of ${IS_PROPERTIES.join(", ")}`,
    },
  },
  schema: isSchema,
  example: "is @s8f3k2p9:e1 --property enabled",
  privileges: ["read", "ffi", "env"],
  permission: "accessibility",
};

const appOnlySchema = (z: Zod) => z.strictObject({ app: z.optional(z.string()) });
export type AppOnlyArgs = Args<typeof appOnlySchema>;

const listSurfaces: Row = {
  name: "list-surfaces",
  group: "Observe",
  summary: "List the menus, popovers, dialogs and other layers that are open",
  args: { app: { ...APP_ARG, help: "Application (the focused one when not given)" } },
  schema: appOnlySchema,
  example: "list-surfaces --app gnome-calculator",
  privileges: ["read", "ffi", "env"],
  permission: "accessibility",
};

const listApps: Row = {
  name: "list-apps",
  group: "Observe",
  summary: "List the applications that accessibility can see",
  args: { app: { ...APP_ARG, help: "Only those whose name contains this" } },
  schema: appOnlySchema,
  example: "list-apps",
  privileges: ["read", "ffi", "env"],
  permission: "none",
};

const listWindows: Row = {
  name: "list-windows",
  group: "Observe",
  summary: "List the open windows and their ids",
  args: { app: { ...APP_ARG, help: "Only those of this application (name or pid)" } },
  schema: appOnlySchema,
  example: "list-windows --app gnome-calculator",
  privileges: ["read", "ffi", "env"],
  permission: "none",
};

const listDisplays: Row = {
  name: "list-displays",
  group: "Observe",
  summary: "List the displays, the primary one first",
  args: {},
  example: "list-displays",
  privileges: ["read", "ffi", "env"],
  permission: "none",
};

export const OBSERVE: readonly Row[] = [
  snapshot,
  find,
  get,
  is,
  listApps,
  listWindows,
  listDisplays,
  listSurfaces,
];
