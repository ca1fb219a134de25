/**
 * Reading the region below one ref: `snapshot --root` and `find --root`. See
 * docs/observation.md, "Drill-down".
 */
import type { Deadline } from "../deadline.ts";
import { AppError, staleRef } from "../errors.ts";
import type { RefEntry, RefMap, SavedRef, Source } from "../refs/entry.ts";
import { lookUp, resolve } from "../refs/resolve.ts";
import { localKey } from "../refs/syntax.ts";
import { allocate } from "../refs/allocate.ts";
import type { Context } from "./context.ts";
import { type ReadOptions, readTree, type Scope, windowOfEntry } from "./observe.ts";
import { type OutputOptions, snapshotBody } from "./snapshot_output.ts";

/** A live region and how refs below it say where they belong. */
export interface Region {
  stored: SavedRef;
  scope: Scope;
  drill: { rootRef: string; path: readonly number[]; row?: string };
}

/**
 * Resolves a ref to the region below it.
 *
 * Throws what `lookUp` and `resolve` throw.
 */
export async function openRegion(
  context: Context,
  stored: SavedRef,
  deadline: Deadline,
): Promise<Region> {
  const { entry, ref } = stored;
  const resolved = await resolve(await context.platform(), stored, deadline);
  return {
    stored,
    scope: {
      root: resolved.handle,
      source: sourceOfEntry(entry),
      app: entry.source_app ?? "",
      window: {
        id: entry.source_window_id ?? "",
        title: (resolved.window?.title ?? entry.source_window_title ?? "").toWellFormed(),
      },
    },
    drill: {
      rootRef: localKey(ref.number),
      path: entry.path ?? [],
      ...(entry.row !== undefined && { row: entry.row }),
    },
  };
}

/**
 * Re-reads one region inside its own snapshot: the refs of an earlier drill into the same root are
 * replaced, all others stay, numbers go on. All or nothing: an incomplete reading changes nothing.
 *
 * Throws `WINDOW_NOT_FOUND` when the source window is gone, what resolution throws, `TIMEOUT`
 * (`kind: observation_incomplete`), and `STALE_REF` when the element vanished or another process
 * changed the root's entry meanwhile.
 */
export async function drill(
  root: string,
  context: Context,
  read: ReadOptions,
  output: OutputOptions,
  deadline: Deadline,
): Promise<Record<string, unknown>> {
  const store = context.store();
  const stored = lookUp(store, root);
  const platform = await context.platform();
  await windowOfEntry(platform, stored.entry, deadline);
  const region = await openRegion(context, stored, deadline);
  const observation = await readTree(platform, region.scope.root, read, deadline);
  if (observation === undefined) {
    throw staleRef("The element vanished before it could be read", { retryable: false });
  }
  if (!observation.complete) {
    throw new AppError("TIMEOUT", "The region could not be read whole; the snapshot is unchanged", {
      suggestion: observation.suggestion ??
        "Drill with a smaller --max-depth or into a smaller part, or raise --timeout-ms.",
      details: {
        kind: "observation_incomplete",
        nodes_observed: observation.nodesObserved,
        query_stats: { complete: false, nodes_observed: observation.nodesObserved },
        ...(observation.details === undefined ? {} : { cause: observation.details }),
      },
    });
  }
  const merged = store.update(stored.ref.snapshot, (map) => {
    const current = map.entries.get(stored.ref.number);
    if (current === undefined || !sameEntry(current, stored.entry)) {
      throw staleRef("The ref was replaced while its region was read", { retryable: false });
    }
    const { entries, counter } = allocate(observation.root, {
      source: region.scope.source,
      counter: map.counter,
      storeBounds: output.bounds ?? false,
      storeHandles: platform.handlesPersist,
      drill: region.drill,
    });
    return { counter, entries: new Map([...outsideOf(map, region.drill.rootRef), ...entries]) };
  });
  const snapshot = { id: stored.ref.snapshot, refCount: merged.entries.size };
  return snapshotBody(region.scope, observation, snapshot, output);
}

/** The entries that an earlier drill into the same root did not make. */
function outsideOf(map: RefMap, rootRef: string): [number, RefEntry][] {
  return [...map.entries].filter(([, entry]) => entry.root_ref !== rootRef);
}

function sourceOfEntry(entry: RefEntry): Source {
  const source: Source = {
    pid: entry.pid,
    process_instance: entry.process_instance,
    source_app: entry.source_app,
  };
  if (entry.source_window_id !== undefined) source.source_window_id = entry.source_window_id;
  if (entry.source_window_title !== undefined) {
    source.source_window_title = entry.source_window_title;
  }
  if (entry.source_window_bounds_hash !== undefined) {
    source.source_window_bounds_hash = entry.source_window_bounds_hash;
  }
  if (entry.source_surface !== undefined) source.source_surface = entry.source_surface;
  return source;
}

function sameEntry(one: RefEntry, other: RefEntry): boolean {
  return canonical(one) === canonical(other);
}

function canonical(value: unknown): string {
  return JSON.stringify(value, (_, part) => {
    if (typeof part === "bigint") return `${part}n`;
    if (part === null || typeof part !== "object" || Array.isArray(part)) return part;
    return Object.fromEntries(
      Object.entries(part).filter(([, field]) => field !== undefined)
        .sort(([a], [b]) => a < b ? -1 : 1),
    );
  });
}
