/**
 * From a ref to the live element it names (refs §5). Everything is read anew: the ref map holds
 * evidence, not objects. Only the `Platform` interface is used.
 */
import { AppError, REOBSERVE } from "../errors.ts";
import type { Deadline } from "../deadline.ts";
import type { Platform, WindowInfo } from "../platform/platform.ts";
import { type Handle, isBlank, type Node } from "../tree/node.ts";
import { hasTrait } from "../tree/roles.ts";
import { classify, findTwins, isTaken, isTheOne, type Verdict } from "./classify.ts";
import type { RefEntry, RefMap } from "./entry.ts";
import {
  failure,
  type Progress,
  SEARCH_DEPTH,
  type Stored,
  verdictFailure,
  withKind,
} from "./failure.ts";
import { compareIdentity, hasMeaningfulIdentity } from "./identity.ts";
import { asObserved, mayBeNamedByChildren } from "./live.ts";
import { findRoots, type Roots } from "./roots.ts";
import { parseRef } from "./syntax.ts";

export type { Stored };

/** UTF-16 units of a name that is surely stored whole. */
const MAX_FILTER_LENGTH = 1_024;
/** One attempt: incomplete reads are repeated this often… */
const RETRY_PAUSE_MS = 25;
/** …for this long (refs §5, timing). */
const ATTEMPT_SLICE_MS = 750;
/** Unnamed candidates whose children are read for a label; with more, the search stays open. */
const MAX_LABEL_READS = 512;

/** The live element of a ref. */
export interface Resolved extends Stored {
  handle: Handle;
  /** Read during the resolution; without children. */
  node: Node;
  /** The source window; absent for other surfaces and for refs that name no window. */
  window?: WindowInfo;
}

/**
 * Finds a ref's entry in its snapshot.
 *
 * @throws AppError `INVALID_ARGS` (malformed ref), `SNAPSHOT_NOT_FOUND`, `STALE_REF` (no such key).
 */
export function lookUp(store: { load(id: string): RefMap }, token: string): Stored {
  const ref = parseRef(token);
  const map = store.load(ref.snapshot);
  const entry = map.entries.get(ref.number);
  if (entry === undefined) {
    throw new AppError(
      "STALE_REF",
      `Snapshot ${ref.snapshot} holds no ref number ${ref.number}`,
      { suggestion: REOBSERVE, details: { kind: "ref_key_absent", retryable: false } },
    );
  }
  return { ref, entry, map };
}

/**
 * Re-identifies the element of a ref. Repeats incomplete reads every 25 ms for at most 750 ms; a
 * caller that may wait longer calls again while the error is `retryable`.
 *
 * @throws AppError `STALE_REF`, `AMBIGUOUS_TARGET`, `APP_UNRESPONSIVE`, or `TIMEOUT` when the
 * deadline passed before anything was read. `details.kind` tells why (refs §5).
 */
export async function resolve(
  platform: Platform,
  stored: Stored,
  deadline: Deadline,
): Promise<Resolved> {
  const slice = deadline.within(ATTEMPT_SLICE_MS);
  const progress: Progress = {
    phase: "path_roots",
    pathFast: "skipped",
    nodesRead: 0,
    attempts: 0,
  };
  if (deadline.expired) {
    throw failure(
      "TIMEOUT",
      "resolution_deadline_exhausted",
      "No time was left",
      stored,
      progress,
      {
        elapsed_ms: deadline.elapsed,
      },
    );
  }
  for (;;) {
    progress.attempts++;
    try {
      return await attempt(platform, stored, deadline, progress);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      const known = withKind(error, stored, progress);
      if (known.code !== "APP_UNRESPONSIVE" || !known.retryable) throw known;
      await slice.sleep(RETRY_PAUSE_MS);
      if (slice.expired) {
        known.details = { ...known.details, deadline_elapsed: true };
        throw known;
      }
    }
  }
}

async function attempt(
  platform: Platform,
  stored: Stored,
  deadline: Deadline,
  progress: Progress,
): Promise<Resolved> {
  const { entry } = stored;
  progress.phase = "path_roots";
  const instance = platform.processInstance(entry.pid);
  if (instance !== entry.process_instance) {
    throw failure(
      "STALE_REF",
      "source_process_identity",
      instance === undefined
        ? `Process ${entry.pid} of the ref has ended`
        : `Process ${entry.pid} is not the one the ref was made in`,
      stored,
      progress,
      { retryable: false, pid: entry.pid },
    );
  }
  const storedHandle = platform.handlesPersist ? entry.native_handle : undefined;
  // The stored handle and the window are read in one go: on a live handle that is all there is.
  const [atHandle, roots] = await Promise.all([
    storedHandle === undefined
      ? undefined
      : inspect(platform, storedHandle, deadline, { place: true }),
    findRoots(platform, entry, deadline),
  ]);
  if (roots.result !== "found") {
    const { code, kind, message, details } = roots;
    throw failure(code, kind, message, stored, progress, details);
  }
  const found = (node: Node, handle: Handle): Resolved => ({
    ...stored,
    handle,
    node,
    ...(roots.window !== undefined && { window: roots.window }),
  });

  if (!hasMeaningfulIdentity(entry) && entry.bounds_hash === null) {
    progress.phase = "identity_insufficient";
    throw failure(
      "STALE_REF",
      "resolution_identity_insufficient",
      "The ref holds nothing that could tell its element from others",
      stored,
      progress,
      { retryable: false },
    );
  }

  // A live handle that no longer fits by its place only must not hand its ref to a newcomer.
  let handleMoved = false;
  if (storedHandle !== undefined && atHandle !== undefined) {
    if (isTheOne(platform, entry, atHandle, false)) {
      for (const root of roots.handles) {
        if (await platform.isInside(storedHandle, root, deadline)) {
          return found(atHandle, storedHandle);
        }
      }
    }
    handleMoved = compareIdentity(entry, atHandle) === "textless";
  }

  const onPath = handleMoved
    ? undefined
    : await tryPath(platform, stored, roots, deadline, progress);
  if (onPath !== undefined) return found(onPath.node, onPath.handle);

  progress.phase = "broad_search";
  const verdict = await search(platform, stored, roots, deadline, progress);
  if (verdict.result !== "accept") throw verdictFailure(verdict, stored, progress);
  const handle = verdict.node.handle;
  // The search read evidence only; the caller gets every field, and a second look at the identity.
  const node = handle === undefined ? undefined : await inspect(platform, handle, deadline);
  if (handle === undefined || node === undefined || !isTheOne(platform, entry, node, false)) {
    throw verdictFailure({ result: "unknown" }, stored, progress);
  }
  return found(node, handle);
}

/** The path fast path (step 6): one element, where it was. */
async function tryPath(
  platform: Platform,
  { entry, map }: Stored,
  roots: Extract<Roots, { result: "found" }>,
  deadline: Deadline,
  progress: Progress,
): Promise<{ node: Node; handle: Handle } | undefined> {
  const root = roots.handles[0];
  const path = entry.path;
  if (!roots.verified || root === undefined || path === undefined) return undefined;
  if (entry.root_ref !== undefined && entry.path_is_absolute !== true) return undefined;
  // Place and identity together prove it only where they told the element apart to begin with:
  // whether a twin came or went beside it is for the search to see.
  const twins = findTwins(entry, map);
  if (entry.bounds_hash === null || twins.count > 0) return undefined;
  progress.phase = "path_error";
  const handle = await platform.atPath(root, path, deadline);
  const node = handle === undefined ? undefined : await inspect(platform, handle, deadline);
  progress.pathFast = "miss";
  if (handle === undefined || node === undefined || !isTheOne(platform, entry, node, true)) {
    return undefined;
  }
  if (platform.handlesPersist && isTaken(node, twins)) return undefined;
  progress.phase = "path_success";
  progress.pathFast = "hit";
  return { node, handle };
}

/**
 * The stored name where a differing one rules an element out: not where the value is part of the
 * name, and not a text so long that only its beginning was stored.
 */
function nameFilter(entry: RefEntry): { name?: string } {
  const { name, role } = entry;
  const decides = !isBlank(name) && !hasTrait(role, "mutableValue") &&
    name!.length <= MAX_FILTER_LENGTH;
  return decides ? { name: name! } : {};
}

async function search(
  platform: Platform,
  { entry, map }: Stored,
  roots: Extract<Roots, { result: "found" }>,
  deadline: Deadline,
  progress: Progress,
): Promise<Verdict> {
  const query = {
    role: entry.role,
    maxDepth: SEARCH_DEPTH,
    ...(entry.native_id !== undefined && { nativeId: entry.native_id }),
    ...nameFilter(entry),
  };
  const parts = await Promise.all(
    roots.handles.map((root) => platform.candidates(root, query, deadline)),
  );
  const all = {
    nodes: parts.flatMap((part) => part.nodes),
    sameIdOtherRole: parts.flatMap((part) => part.sameIdOtherRole),
    complete: roots.complete && parts.every((part) => part.complete),
    nodesRead: parts.reduce((sum, part) => sum + part.nodesRead, 0),
  };
  progress.nodesRead += all.nodesRead;
  const unnamed = all.nodes.filter(mayBeNamedByChildren);
  if (unnamed.length > MAX_LABEL_READS) all.complete = false;
  else {
    all.nodes = await Promise.all(all.nodes.map((node) => asObserved(platform, node, deadline)));
  }
  return classify(entry, map, all, {
    verified: roots.verified,
    handlesPersist: platform.handlesPersist,
  });
}

async function inspect(
  platform: Platform,
  handle: Handle,
  deadline: Deadline,
  options?: { place: boolean },
): Promise<Node | undefined> {
  const node = await platform.inspect(handle, deadline, options);
  return node && await asObserved(platform, node, deadline);
}
