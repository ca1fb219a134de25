/** `snapshot`: reads one window or layer, saves its refs and prints its tree. */
import type { Context } from "../cli/context.ts";
import type { SnapshotArgs } from "../cli/table/mod.ts";
import { Deadline } from "../deadline.ts";
import { AppError } from "../errors.ts";
import type { RefStore } from "../store/ref_store.ts";
import { MAX_DEPTH, openScope, type ReadOptions, readScope, SKELETON_DEPTH } from "./observe.ts";
import type { Since } from "./since.ts";
import { saveSnapshot, type ShowOptions, snapshotBody } from "./show.ts";
import { waitForSelector, waitRequest } from "./wait_for.ts";

/**
 * Runs the command; see `--help` for the flags. Nothing is stored unless the observation
 * succeeded, complete or not.
 *
 * Throws what `openScope`, `readScope` and `drill` throw, and `INVALID_ARGS` for flags that
 * contradict each other.
 */
export async function run(args: SnapshotArgs, context: Context): Promise<unknown> {
  const wait = waitRequest(context.globals);
  rejectConflicts(args, wait !== undefined);
  if (args.root !== undefined) {
    const { drill } = await import("./drill.ts");
    return await drill({ ...args, root: args.root }, context, readOptions(args), showOptions(args));
  }
  const store = context.store();
  // An unknown snapshot is reported before the application is asked for anything.
  const since = args.since === undefined ? undefined : await loadSince(store, args.since);
  const platform = await context.platform();
  if (wait !== undefined) {
    return await waitForSelector(platform, store, wait, {
      open: (deadline) => openScope(platform, args, deadline),
      named: args.app !== undefined || args.window_id !== undefined,
      read: readOptions(args),
      show: showOptions(args),
      readMs: args.timeout_ms,
    });
  }
  const deadline = Deadline.after(args.timeout_ms);
  const scope = await openScope(platform, args, deadline);
  const observation = await readScope(platform, scope, readOptions(args), deadline);
  since?.requireOrigin(scope);
  const saved = saveSnapshot(platform, store, scope, observation, showOptions(args));
  const snapshot = { id: saved.id, refCount: saved.map.entries.size };
  if (since !== undefined) return since.body(scope, observation, snapshot, showOptions(args));
  return snapshotBody(scope, observation, snapshot, showOptions(args));
}

/** What few snapshots need is loaded by those that do. */
async function loadSince(store: RefStore, id: string): Promise<Since> {
  const { Since } = await import("./since.ts");
  return Since.load(store, id);
}

function readOptions(args: SnapshotArgs): ReadOptions {
  const skeleton = args.skeleton && args.root === undefined;
  const wanted = Math.min(args.max_depth, MAX_DEPTH);
  return {
    maxDepth: skeleton ? Math.min(wanted, SKELETON_DEPTH) : wanted,
    allBounds: args.include_bounds,
    overview: skeleton,
    assumeRendererActive: args.force_electron_a11y,
  };
}

function showOptions(args: SnapshotArgs): ShowOptions {
  return {
    interactive: args.interactive_only,
    compact: args.compact,
    bounds: args.include_bounds,
    form: args.outline ? "outline" : args.flat ? "flat" : "tree",
  };
}

/** Flags that only clash with the global wait flags, which the command's own schema cannot see. */
function rejectConflicts(args: SnapshotArgs, waits: boolean): void {
  if (!waits) return;
  const clash = args.root !== undefined
    ? "--root"
    : args.since !== undefined
    ? "--since"
    : undefined;
  if (clash === undefined) return;
  throw new AppError("INVALID_ARGS", `${clash} does not go with --wait-for or --wait-for-gone`, {
    suggestion: `Leave out ${clash}, or wait with the wait command first.`,
  });
}
