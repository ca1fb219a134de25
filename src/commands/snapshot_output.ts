/** From a normalised observation to a saved snapshot and the `data` that shows it. */
import type { Observation, Platform } from "../platform/platform.ts";
import type { RefMap } from "../refs/entry.ts";
import { formatRef } from "../refs/syntax.ts";
import type { RefStore } from "../store/ref_store.ts";
import { allocate } from "../refs/allocate.ts";
import { compact } from "../tree/compact.ts";
import { flatElements } from "../tree/flat.ts";
import type { Node } from "../tree/node.ts";
import { renderOutline } from "../tree/outline.ts";
import { prune } from "../tree/prune.ts";
import { renderTree } from "../tree/render.ts";
import { encodeTree } from "../refs/tree_file.ts";
import type { Scope } from "./observe.ts";

/** How a tree is printed. */
export interface OutputOptions {
  /** `-i` */
  interactive?: boolean;
  compact?: boolean;
  /** Print bounds and store them in the ref map. */
  bounds?: boolean;
  form?: "tree" | "outline" | "flat";
}

/** `data` of a snapshot, before the keys that only some answers have. */
export type SnapshotBody = Record<string, unknown> & { snapshot_id: string };

/** Gives refs to a whole observation and saves them as a new snapshot; returns its id. */
export function saveSnapshot(
  platform: Platform,
  store: RefStore,
  scope: Scope,
  observation: Observation,
  options: OutputOptions,
): { id: string; map: RefMap } {
  const map = allocate(observation.root, {
    source: scope.source,
    storeBounds: options.bounds ?? false,
    storeHandles: platform.handlesPersist,
    drillTargets: true,
  });
  const id = store.newId();
  store.saveNew(id, map, encodeTree(observation.root, scope.source));
  return { id, map };
}

/** What every snapshot answer has, the tree in the form asked for included. */
export function snapshotBody(
  scope: Pick<Scope, "app" | "window">,
  observation: Observation,
  snapshot: { id: string; refCount: number },
  options: OutputOptions,
): SnapshotBody {
  return {
    ...snapshotHead(scope, observation, snapshot),
    ...showTree(observation.root, snapshot.id, options),
  };
}

/** The part of the answer that is not the tree. */
export function snapshotHead(
  scope: Pick<Scope, "app" | "window">,
  observation: Observation,
  snapshot: { id: string; refCount: number },
): SnapshotBody {
  const body: SnapshotBody = {
    app: scope.app,
    complete: observation.complete,
    ref_count: snapshot.refCount,
    snapshot_id: snapshot.id,
    window: scope.window,
  };
  if (!observation.complete) {
    body["truncated"] = true;
    body["nodes_observed"] = observation.nodesObserved;
  }
  if (observation.details !== undefined) body["details"] = observation.details;
  if (observation.suggestion !== undefined) body["suggestion"] = observation.suggestion;
  return body;
}

/** The part of a tree that is shown: wrappers collapse on the whole tree, then leaves go. */
export function shownTree(root: Node, options: OutputOptions): Node {
  const collapsed = options.compact ? compact(root) : root;
  return options.interactive ? prune(collapsed) : collapsed;
}

function showTree(root: Node, snapshotId: string, options: OutputOptions): Record<string, unknown> {
  const shown = shownTree(root, options);
  switch (options.form ?? "tree") {
    case "tree":
      return {
        tree: renderTree(shown, {
          refPrefix: refPrefix(snapshotId) + "e",
          bounds: options.bounds ?? false,
        }),
      };
    case "outline":
      return { outline: renderOutline(shown), ref_prefix: refPrefix(snapshotId) };
    case "flat":
      return { elements: flatElements(shown, refPrefix(snapshotId) + "e") };
  }
}

/** What stands before `eN` in every ref of a snapshot. */
export function refPrefix(snapshotId: string): string {
  return formatRef(snapshotId, 1).slice(0, -"e1".length);
}
