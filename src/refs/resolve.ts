/**
 * From a ref to the live element it names (docs/refs.md, "Resolution"). Everything is read anew: the
 * ref map holds evidence, not objects. Only the `Platform` interface is used.
 */
import type { Deadline } from "../deadline.ts";
import { AppError, staleRef } from "../errors.ts";
import type { Platform, WindowInfo } from "../platform/platform.ts";
import type { Handle, Node } from "../tree/node.ts";
import { asObserved } from "./as_observed.ts";
import { findTwins, isTaken, isTheOne, trustedHandle } from "./classify.ts";
import type { RefMap, SavedRef } from "./entry.ts";
import { decisionFailure, failure, withKind } from "./failure.ts";
import { compareIdentity, hasMeaningfulIdentity } from "./identity.ts";
import { newResolution, type Resolution } from "./resolution.ts";
import { findRoots, type FoundRoots } from "./roots.ts";
import { searchRoots } from "./search.ts";
import { parseRef } from "./syntax.ts";

/** One attempt: incomplete reads are repeated this often… */
const RETRY_PAUSE_MS = 25;
/** …for this long (docs/refs.md, "Resolution"). */
const ATTEMPT_SLICE_MS = 750;

/** The live element of a ref. */
export interface Resolved extends SavedRef {
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
export function lookUp(store: { load(id: string): RefMap }, token: string): SavedRef {
  const ref = parseRef(token);
  const map = store.load(ref.snapshot);
  const entry = map.entries.get(ref.number);
  if (entry === undefined) {
    throw staleRef(`Snapshot ${ref.snapshot} holds no ref number ${ref.number}`, {
      kind: "ref_key_absent",
      retryable: false,
    });
  }
  return { ref, entry, map };
}

/**
 * Re-identifies the element of a ref. Repeats incomplete reads every 25 ms for at most 750 ms; a
 * caller that may wait longer calls again while the error is `retryable`.
 *
 * @throws AppError `STALE_REF`, `AMBIGUOUS_TARGET`, `APP_UNRESPONSIVE`, or `TIMEOUT` when the
 * deadline passed before anything was read. `details.kind` tells why
 * (docs/contract.md, "Kinds of failure").
 */
export async function resolve(
  platform: Platform,
  saved: SavedRef,
  deadline: Deadline,
): Promise<Resolved> {
  const slice = deadline.within(ATTEMPT_SLICE_MS);
  const resolution = newResolution(platform, saved, deadline);
  if (deadline.expired) {
    throw failure(resolution, "TIMEOUT", "resolution_deadline_exhausted", "No time was left", {
      elapsed_ms: deadline.elapsed,
    });
  }
  for (;;) {
    resolution.attempts++;
    try {
      return await attempt(resolution);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      const known = withKind(resolution, error);
      if (known.code !== "APP_UNRESPONSIVE" || !known.retryable) throw known;
      await slice.sleep(RETRY_PAUSE_MS);
      if (slice.expired) {
        known.details = { ...known.details, deadline_elapsed: true };
        throw known;
      }
    }
  }
}

interface Found {
  node: Node;
  handle: Handle;
}

/** Looks once: at the stored handle, along the stored path, then everywhere in the source. */
async function attempt(resolution: Resolution): Promise<Resolved> {
  const { platform, saved, deadline } = resolution;
  resolution.phase = "path_roots";
  requireProcess(resolution);
  const handle = trustedHandle(saved.entry, platform);
  // The stored handle and the window are read in one go: on a live handle that is all there is.
  const [atHandle, roots] = await Promise.all([
    handle === undefined ? undefined : inspect(resolution, handle, { ancestry: true }),
    findRoots(platform, saved.entry, deadline),
  ]);
  if (roots.result !== "found") {
    throw failure(resolution, roots.code, roots.kind, roots.message, roots.details);
  }
  requireEvidence(resolution);
  const here = handle === undefined || atHandle === undefined
    ? undefined
    : { handle, node: atHandle };
  const found = await stillThere(resolution, roots, here) ??
    await onPath(resolution, roots, here?.node) ??
    await bySearch(resolution, roots);
  return { ...saved, ...found, ...(roots.window !== undefined && { window: roots.window }) };
}

function requireProcess(resolution: Resolution): void {
  const { platform, saved: { entry } } = resolution;
  const instance = platform.processInstance(entry.pid);
  if (instance === entry.process_instance) return;
  const message = instance === undefined
    ? `Process ${entry.pid} of the ref has ended`
    : `Process ${entry.pid} is not the one the ref was made in`;
  throw failure(resolution, "STALE_REF", "source_process_identity", message, {
    retryable: false,
    pid: entry.pid,
  });
}

function requireEvidence(resolution: Resolution): void {
  const { entry } = resolution.saved;
  if (hasMeaningfulIdentity(entry) || entry.bounds_hash !== null || entry.row !== undefined) return;
  resolution.phase = "identity_insufficient";
  throw failure(
    resolution,
    "STALE_REF",
    "resolution_identity_insufficient",
    "The ref holds nothing that could tell its element from others",
    { retryable: false },
  );
}

/** What is behind the stored handle, if that is the element and still inside the source. */
async function stillThere(
  { platform, saved, deadline }: Resolution,
  roots: FoundRoots,
  here: Found | undefined,
): Promise<Found | undefined> {
  if (here === undefined || !isTheOne(platform, saved.entry, here.node, false)) return undefined;
  for (const root of roots.handles) {
    if (await platform.isInside(here.handle, root, deadline)) return here;
  }
  return undefined;
}

/**
 * What is at the stored path, if place and identity say that it is the element.
 *
 * @param atHandle What is behind the stored handle, though it was not taken for the element.
 */
async function onPath(
  resolution: Resolution,
  roots: FoundRoots,
  atHandle: Node | undefined,
): Promise<Found | undefined> {
  const { platform, saved: { entry, map }, deadline } = resolution;
  // An element that only its place tells apart and that lives on elsewhere has moved: what stands
  // in its old place is another one.
  if (atHandle !== undefined && compareIdentity(entry, atHandle) === "textless") return undefined;
  const root = roots.handles[0];
  const path = entry.path;
  if (!roots.verified || root === undefined || path === undefined) return undefined;
  if (entry.root_ref !== undefined && entry.path_is_absolute !== true) return undefined;
  // Place and identity together prove it only where they told the element apart to begin with:
  // whether a twin came or went beside it is for the search to see.
  const twins = findTwins(entry, map);
  if (entry.bounds_hash === null || twins.count > 0 || entry.row !== undefined) return undefined;
  resolution.phase = "path_error";
  const handle = await platform.atPath(root, path, deadline);
  const node = handle === undefined ? undefined : await inspect(resolution, handle);
  resolution.pathFast = "miss";
  if (handle === undefined || node === undefined || !isTheOne(platform, entry, node, true)) {
    return undefined;
  }
  if (platform.handlesPersist && isTaken(node, twins)) return undefined;
  resolution.phase = "path_success";
  resolution.pathFast = "hit";
  return { node, handle };
}

/** The one element of the source that can only be the ref's; throws when there is none. */
async function bySearch(resolution: Resolution, roots: FoundRoots): Promise<Found> {
  const { platform, saved: { entry } } = resolution;
  resolution.phase = "broad_search";
  const decision = await searchRoots(resolution, roots);
  if (decision.result !== "accept") throw decisionFailure(resolution, decision);
  const handle = decision.node.handle;
  // The search read evidence only; the caller gets every field, and a second look at the identity.
  const node = handle === undefined ? undefined : await inspect(resolution, handle);
  if (
    handle === undefined || node === undefined ||
    !isTheOne(platform, entry, node, false, decision.byRow)
  ) {
    throw decisionFailure(resolution, { result: "unknown" });
  }
  return { node, handle };
}

async function inspect(
  { platform, deadline }: Resolution,
  handle: Handle,
  options?: { ancestry: boolean },
): Promise<Node | undefined> {
  const node = await platform.inspect(handle, deadline, options);
  return node && await asObserved(platform, node, deadline);
}
