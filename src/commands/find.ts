/** `find`: searches one window, layer or region and gives the matches refs (observation §14). */
import type { Context } from "../cli/context.ts";
import type { FindArgs } from "../cli/table/mod.ts";
import { Deadline } from "../deadline.ts";
import { AppError } from "../errors.ts";
import { screenBounds } from "../platform/place.ts";
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
import { openRegion, type Region } from "./drill.ts";
import { MAX_DEPTH, openScope, readScope, type Scope } from "./observe.ts";

/** Matches listed when nothing else is asked for (observation §14). */
const DEFAULT_LIMIT = 50;
/** Elements whose bounds are read after the search, at one call each. */
const MAX_LATE_BOUNDS = 50;

/**
 * Runs the command. Only the matches in the answer are saved, as a new snapshot; `--count` saves
 * none.
 *
 * Throws what finding the window or the ref throws, and `TIMEOUT` (`kind: locator_incomplete`)
 * when what could not be read may hold a match that would change the answer.
 */
export async function run(args: FindArgs, context: Context): Promise<unknown> {
  const store = context.store();
  const deadline = Deadline.after(args.timeout_ms);
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
  const found = selected.map((visit) => describe(matches.order, visit, id));
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
function describe(
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
