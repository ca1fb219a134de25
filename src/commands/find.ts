/**
 * `find`: searches one window, layer or region and gives the matches refs.
 * See docs/observation.md, "Find".
 */
import type { Deadline } from "../deadline.ts";
import { AppError } from "../errors.ts";
import { screenBounds } from "../platform/screen_bounds.ts";
import type { Observation, Platform } from "../platform/platform.ts";
import { allocate, type AllocateOptions } from "../refs/allocate.ts";
import { lookUp } from "../refs/resolve.ts";
import { formatRef } from "../refs/syntax.ts";
import { isRefable } from "../tree/actions.ts";
import {
  type Filters,
  findMatches,
  type Matches,
  nothingEarlier,
  rolesPresent,
} from "../tree/match.ts";
import { isSaneRect } from "../tree/node.ts";
import { pathLabels } from "../tree/text.ts";
import { ancestors, type Visit } from "../tree/walk.ts";
import {
  APP_ARG,
  flag,
  integer,
  ref,
  REF_EXPECTED,
  role,
  states,
  surface,
  SURFACE_ARG,
  text,
  timeout,
  timeoutArg,
  WINDOW_ID_ARG,
} from "./arg_values.ts";
import { type Args, type ArgSpec, describe, type Zod } from "./command.ts";
import type { Context } from "./context.ts";
import { openRegion, type Region } from "./drill.ts";
import { MAX_DEPTH, openScope, readScope, type Scope } from "./observe.ts";

/** Matches listed when nothing else is asked for (docs/observation.md, "Find"). */
const DEFAULT_LIMIT = 50;
/** Elements whose bounds are read after the search, at one call each. */
const MAX_LATE_BOUNDS = 50;

/** Longest search text, in bytes of UTF-8 (docs/contract.md, "Argument values"). */
const MAX_FIND_BYTES = 4_096;

const searched = (flagName: string, help: string): ArgSpec => ({
  kind: "string",
  flag: flagName,
  value: "T",
  text: true,
  help,
  expected: `at most ${MAX_FIND_BYTES} bytes of UTF-8`,
});

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
    states: states(z),
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

export const COMMAND = describe({
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
  example: "--app gnome-calculator --role button --name 7 --exact --first",
  privileges: ["read", "write", "ffi", "env"],
  settles: true,
  permission: "accessibility",
  run,
});

/**
 * Runs the command. Only the matches in the answer are saved, as a new snapshot; `--count` saves
 * none.
 *
 * Throws what finding the window or the ref throws, and `TIMEOUT` (`kind: locator_incomplete`)
 * when what could not be read may hold a match that would change the answer.
 */
export async function run(args: FindArgs, context: Context, deadline: Deadline): Promise<unknown> {
  const store = context.store();
  const region = args.root === undefined
    ? undefined
    : await openRegion(context, lookUp(store, args.root), deadline);
  const platform = await context.platform();
  const scope = region?.scope ?? await openScope(platform, args, deadline);
  const observation = await readScope(platform, scope, { maxDepth: MAX_DEPTH }, deadline);
  const matches = findMatches(observation.root, filtersOf(args));
  requireAuthority(args, observation, matches);
  const roles = args.role !== undefined && matches.indexes.length === 0
    ? { roles_present: rolesPresent(matches.order) }
    : {};
  if (args.count) return { count: matches.indexes.length };

  const selected = select(args, matches.indexes).map((index) => matches.order[index]!);
  const map = allocate(observation.root, {
    ...allocation(platform, scope, region),
    only: new Set(selected.map(({ node }) => node)),
  });
  const id = store.newId();
  store.saveNew(id, map);
  await addBounds(platform, selected, deadline);
  const found = selected.map((visit) => matchItem(matches.order, visit, id));
  if (isSingle(args)) return { match: found[0] ?? null, snapshot_id: id, ...roles };
  return {
    matches: found,
    total_matches: matches.indexes.length,
    truncated: found.length < matches.indexes.length,
    snapshot_id: id,
    ...roles,
  };
}

function filtersOf(args: FindArgs): Filters {
  const filters: Filters = { exact: args.exact, states: args.states };
  if (args.role !== undefined) filters.role = args.role;
  if (args.name !== undefined) filters.name = args.name;
  if (args.description !== undefined) filters.description = args.description;
  if (args.value !== undefined) filters.value = args.value;
  if (args.text !== undefined) filters.text = args.text;
  if (args.native_id !== undefined) filters.nativeId = args.native_id;
  return filters;
}

function isSingle(args: FindArgs): boolean {
  return args.first || args.last || args.nth !== undefined;
}

function select(args: FindArgs, indexes: readonly number[]): readonly number[] {
  if (args.first) return indexes.slice(0, 1);
  if (args.last) return indexes.slice(-1);
  if (args.nth !== undefined) return indexes.slice(args.nth, args.nth + 1);
  const limit = args.limit ?? DEFAULT_LIMIT;
  return limit === 0 ? indexes : indexes.slice(0, limit);
}

/** Throws unless the whole tree was read and judged, or the part that was settles the answer. */
function requireAuthority(args: FindArgs, observation: Observation, matches: Matches): void {
  if (observation.complete && !matches.uncertain) return;
  const first = matches.indexes[0];
  if (args.first && first !== undefined && nothingEarlier(matches, first)) return;
  throw new AppError("TIMEOUT", "The tree could not be read far enough to be sure of the answer", {
    suggestion: observation.suggestion ??
      "Search a smaller part with --root or --surface, take --first where one match is enough, " +
        "or allow more time with --timeout-ms.",
    details: {
      kind: "locator_incomplete",
      observed_matches: matches.indexes.length,
      query_stats: { complete: observation.complete, nodes_observed: observation.nodesObserved },
      roles_present: rolesPresent(matches.order),
      ...(observation.details === undefined ? {} : { cause: observation.details }),
    },
  });
}

function allocation(
  platform: Platform,
  scope: Scope,
  region: Region | undefined,
): AllocateOptions {
  const options: AllocateOptions = { source: scope.source, storeHandles: platform.handlesPersist };
  if (region !== undefined) {
    options.drill = region.drill;
    // `root_ref` is a key of the other snapshot; no ref of this one may have the same, or a drill
    // into that one would take these for its own.
    options.counter = region.stored.ref.number;
  }
  return options;
}

/**
 * Reads the bounds of matches that got no ref: the walk only reads those that refs need. What
 * cannot be read in time stays unknown.
 */
async function addBounds(
  platform: Platform,
  selected: readonly Visit[],
  deadline: Deadline,
): Promise<void> {
  const wanted = selected.map(({ node }) => node).filter((node) =>
    node.ref === undefined && node.bounds === undefined && node.handle !== undefined
  );
  await Promise.all(
    wanted.slice(0, MAX_LATE_BOUNDS).map(async (node) => {
      if (deadline.expired) return;
      const live = await platform.inspect(node.handle!, deadline).catch(() => undefined);
      const bounds = live && await screenBounds(platform, live, deadline);
      if (bounds !== undefined && isSaneRect(bounds)) node.bounds = bounds;
    }),
  );
}

/** One match; keys in alphabetical order. */
function matchItem(
  order: readonly Visit[],
  visit: Visit,
  snapshotId: string,
): Record<string, unknown> {
  const { node } = visit;
  const ref = node.ref === undefined ? null : formatRef(snapshotId, node.ref);
  return {
    // Without a ref the place is all there is to go by.
    ...(ref === null && node.bounds !== undefined ? { bounds: { ...node.bounds } } : {}),
    interactive: isRefable(node),
    ...(node.name ? { name: node.name } : {}),
    path: pathLabels(ancestors(order, visit)),
    ref_id: ref,
    role: node.role,
    states: [...node.states],
    ...(node.value ? { value: node.value } : {}),
    ...(node.valueLength !== undefined ? { value_length: node.valueLength } : {}),
  };
}
