/**
 * From a ref to the live element it names (refs §5). Everything is read anew: the ref map holds
 * evidence, not objects. Only the `Platform` interface is used.
 */
import { AppError, type Details } from "../errors.ts";
import type { Deadline } from "../deadline.ts";
import type { Platform, WindowInfo } from "../platform/platform.ts";
import { type Handle, isBlank, type Node } from "../tree/node.ts";
import { MUTABLE_VALUE_ROLES } from "../tree/roles.ts";
import { classify, findTwins, isTaken, isTheOne, textLength, type Verdict } from "./classify.ts";
import type { RefEntry, RefMap } from "./entry.ts";
import { compareIdentity, hasMeaningfulIdentity } from "./identity.ts";
import { asObserved, mayBeNamedByChildren } from "./live.ts";
import { findRoots, type Roots } from "./roots.ts";
import { parseRef, type Ref } from "./syntax.ts";

/** Raw depth of a search. */
const SEARCH_DEPTH = 50;
/** UTF-16 units of a name that is surely stored whole. */
const MAX_FILTER_LENGTH = 1_024;
/** One attempt: incomplete reads are repeated this often… */
const RETRY_PAUSE_MS = 25;
/** …for this long (refs §5, timing). */
const ATTEMPT_SLICE_MS = 750;
/** Unnamed candidates whose children are read for a label; with more, the search stays open. */
const MAX_LABEL_READS = 512;
/** Candidates listed in an error. */
const MAX_SUMMARIES = 10;

const REOBSERVE = "Take a fresh snapshot, or re-drill the region, and use the ref it prints.";

/** A ref found in its map, not looked up on the screen yet. */
export interface Stored {
  ref: Ref;
  entry: RefEntry;
  map: RefMap;
}

/** The live element of a ref. */
export interface Resolved extends Stored {
  handle: Handle;
  /** Read during the resolution; without children. */
  node: Node;
  /** The source window; absent for other surfaces and for refs that name no window. */
  window?: WindowInfo;
}

/** How far an attempt got, for `details` of its failure. */
interface Progress {
  phase:
    | "path_roots"
    | "path_success"
    | "path_error"
    | "broad_roots"
    | "broad_search"
    | "identity_insufficient";
  pathFast: "hit" | "miss" | "skipped";
  nodesRead: number;
  attempts: number;
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

/** Marks a native failure of a read as one, unless it already says what it is. */
function withKind(error: AppError, stored: Stored, progress: Progress): AppError {
  if (error.details?.["kind"] !== undefined || error.code !== "APP_UNRESPONSIVE") return error;
  return new AppError("APP_UNRESPONSIVE", error.message, {
    suggestion: error.suggestion ?? "Look at the application, then try again.",
    ...(error.platformDetail !== undefined && { platformDetail: error.platformDetail }),
    details: {
      ...error.details,
      ...facts(stored, progress),
      kind: "resolution_ax_read",
      retryable: true,
    },
    cause: error,
  });
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
  // The window and the stored handle are read in one go: on a live handle that is all there is.
  const [roots, atHandle] = await Promise.all([
    findRoots(platform, entry, deadline),
    storedHandle === undefined ? undefined : inspect(platform, storedHandle, deadline),
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
  const decides = !isBlank(name) && !MUTABLE_VALUE_ROLES.has(role) &&
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
): Promise<Node | undefined> {
  const node = await platform.inspect(handle, deadline);
  return node && await asObserved(platform, node, deadline);
}

/** What every failure says about the ref, without its text. */
function facts({ entry }: Stored, progress: Progress): Details {
  return {
    path_fast: progress.pathFast,
    query_stats: { attempts: progress.attempts, nodes_read: progress.nodesRead },
    resolution_phase: progress.phase,
    ...(entry.source_window_id !== undefined && { source_window_id: entry.source_window_id }),
  };
}

const SUGGESTIONS: Partial<Record<AppError["code"], string>> = {
  STALE_REF: REOBSERVE,
  AMBIGUOUS_TARGET:
    "Narrow the target with find --role --name --exact or --root, then use the ref it prints.",
  APP_UNRESPONSIVE: "Look at the application with a fresh snapshot, then try again.",
  TIMEOUT: "Raise --timeout-ms and try again.",
};

function failure(
  code: AppError["code"],
  kind: string,
  message: string,
  stored: Stored,
  progress: Progress,
  details: Details = {},
): AppError {
  const { entry } = stored;
  const subject = `${entry.role} with a name of ${textLength(entry.name)} and a description of ` +
    `${textLength(entry.description)} characters`;
  return new AppError(code, `${message} (${subject})`, {
    suggestion: SUGGESTIONS[code]!,
    details: { ...facts(stored, progress), ...details, kind },
  });
}

function verdictFailure(
  verdict: Exclude<Verdict, { result: "accept" }>,
  stored: Stored,
  progress: Progress,
): AppError {
  const { entry } = stored;
  switch (verdict.result) {
    case "absent":
      return failure(
        "STALE_REF",
        "resolution_complete_absence",
        "No live element matches the ref",
        stored,
        progress,
        { cause: "no_match", complete: true, pid: entry.pid, retryable: true },
      );
    case "role-reuse":
      return failure(
        "STALE_REF",
        "native_identifier_role_reuse",
        "The ref's identifier now belongs to an element of another role",
        stored,
        progress,
        { expected_role: entry.role, retryable: false },
      );
    case "incomplete":
      return failure(
        "APP_UNRESPONSIVE",
        "resolution_traversal_incomplete",
        "The element may be in a part of the tree that could not be read",
        stored,
        progress,
        { phase: "broad_search", depth: SEARCH_DEPTH, retryable: true },
      );
    case "unknown":
      return failure(
        "APP_UNRESPONSIVE",
        "resolution_identity_unknown",
        "What would identify the element could not be read",
        stored,
        progress,
        { retryable: true },
      );
    case "ambiguous":
      return failure(
        "AMBIGUOUS_TARGET",
        "resolution_ambiguous",
        `${verdict.nodes.length} live element(s) match the ref and nothing tells which one it is`,
        stored,
        progress,
        {
          candidate_count: verdict.nodes.length,
          candidate_summaries_truncated: verdict.nodes.length > MAX_SUMMARIES,
          candidates: verdict.nodes.slice(0, MAX_SUMMARIES).map((node, index) => ({
            index,
            role: node.role,
            identity: "matched",
          })),
          role: entry.role,
          name: entry.name,
          description: entry.description ?? null,
          source_app: entry.source_app,
          source_window_title: entry.source_window_title ?? null,
        },
      );
  }
}
