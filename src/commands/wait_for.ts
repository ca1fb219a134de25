/**
 * The waits that follow a command, `--wait-for` and `--wait-for-gone`: fresh observations until a
 * selector matches, or matches no more (docs/observation.md, "Waiting for an element").
 */
import { Deadline } from "../deadline.ts";
import { AppError, type ErrorCode } from "../errors.ts";
import type { Observation, Platform } from "../platform/platform.ts";
import type { RefEntry } from "../refs/entry.ts";
import type { RefStore } from "../store/ref_store.ts";
import { parseSelector, type Selector, selectorMatches } from "../tree/selector.ts";
import type { Globals } from "./context.ts";
import { type ReadOptions, readScope, type Scope, scopeOfEntry } from "./observe.ts";
import {
  type OutputOptions,
  saveSnapshot,
  type SnapshotBody,
  snapshotBody,
} from "./snapshot_output.ts";

/** Pause between two observations, in milliseconds (docs/observation.md, "Waiting for an element"). */
const POLL_MS = 75;
/** Time one observation gets, and depth it goes to, where the command sets neither. */
const DEFAULT_READ_MS = 3_000;
const DEFAULT_DEPTH = 10;

/** What to wait for. */
export interface WaitRequest {
  selector: Selector;
  /** Wait until nothing matches. */
  gone: boolean;
  timeoutMs: number;
}

/** What to observe meanwhile. */
export interface WaitTarget {
  /** Finds the window or layer anew for each poll. */
  open(deadline: Deadline): Promise<Scope>;
  /**
   * Whether the target is one application or window, so that its end answers `--wait-for-gone`;
   * `false` for "whatever has the focus".
   */
  named: boolean;
  read?: ReadOptions;
  output?: OutputOptions;
  /** Milliseconds one observation may take. */
  readMs?: number;
}

/**
 * The wait the global flags ask for, if any.
 *
 * Throws `INVALID_ARGS` for a selector that does not parse. Call it before anything is delivered.
 */
export function waitRequest(
  globals: Pick<Globals, "waitFor" | "waitForGone" | "waitTimeoutMs">,
): WaitRequest | undefined {
  const text = globals.waitFor ?? globals.waitForGone;
  if (text === undefined) return undefined;
  return {
    selector: parseSelector(text),
    gone: globals.waitFor === undefined,
    timeoutMs: globals.waitTimeoutMs,
  };
}

/** The target of a wait after an action on a ref: the window the ref belongs to. */
export function entryTarget(platform: Platform, entry: RefEntry): WaitTarget {
  return { named: true, open: (deadline) => scopeOfEntry(platform, entry, deadline) };
}

// A poll that fails with one of these will not do better next time.
const FINAL: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  "ACTION_NOT_SUPPORTED",
  "INTERNAL",
  "INVALID_ARGS",
  "PERM_DENIED",
  "PLATFORM_NOT_SUPPORTED",
  "POLICY_DENIED",
]);

interface Seen {
  scope: Scope;
  observation: Observation;
}

/**
 * Polls until the request is met and returns the command's `data`: the body of a new snapshot, or
 * `target_absent` when the target itself is gone. `afterAction` is the action's own `data`; it is
 * in the answer and in every error.
 *
 * Throws `TIMEOUT` (`kind: wait_timeout`) with the id of a snapshot of what was seen last, saved
 * all the same, and whatever a poll throws that cannot pass by waiting.
 */
export async function waitForSelector(
  platform: Platform,
  store: RefStore,
  request: WaitRequest,
  target: WaitTarget,
  afterAction?: unknown,
): Promise<Record<string, unknown>> {
  try {
    return await poll(platform, store, request, target, afterAction);
  } catch (error) {
    if (error instanceof AppError && afterAction !== undefined) {
      error.details = { ...error.details, after_action: afterAction };
      // The action was carried out before the wait began.
      error.delivery = "delivered_unverified";
    }
    throw error;
  }
}

async function poll(
  platform: Platform,
  store: RefStore,
  request: WaitRequest,
  target: WaitTarget,
  afterAction: unknown,
): Promise<Record<string, unknown>> {
  const readMs = target.readMs ?? DEFAULT_READ_MS;
  // No time to wait still means one look.
  const deadline = Deadline.after(request.timeoutMs === 0 ? readMs : request.timeoutMs);
  const outcome = () => ({
    elapsed_ms: deadline.elapsed,
    matched_selector: request.selector.text,
    ...(afterAction === undefined ? {} : { after_action: afterAction }),
  });
  let last: Seen | undefined;
  let lastError: AppError | undefined;
  do {
    try {
      const seen = await look(platform, target, deadline.within(readMs));
      lastError = undefined;
      if (met(request, seen.observation)) {
        return { ...save(platform, store, seen, target), ...outcome() };
      }
      // A look that was cut short tells less than an earlier whole one.
      if (seen.observation.complete || last?.observation.complete !== true) last = seen;
    } catch (error) {
      if (!(error instanceof AppError) || FINAL.has(error.code)) throw error;
      if (request.gone && target.named && isAbsence(error)) {
        return { ...outcome(), gone: true, target_absent: true };
      }
      lastError = error;
    }
    if (request.timeoutMs === 0) break;
    await deadline.sleep(POLL_MS);
  } while (!deadline.expired);
  const saved = last && save(platform, store, last, target);
  throw expired(request, saved, lastError);
}

async function look(platform: Platform, target: WaitTarget, deadline: Deadline): Promise<Seen> {
  const scope = await target.open(deadline);
  const read = target.read ?? { maxDepth: DEFAULT_DEPTH };
  return { scope, observation: await readScope(platform, scope, read, deadline) };
}

/** A match in half a tree is a match; that nothing matches needs the whole of it. */
function met(request: WaitRequest, observation: Observation): boolean {
  const matches = selectorMatches(observation.root, request.selector);
  if (!request.gone) return matches.indexes.length > 0;
  return matches.indexes.length === 0 && !matches.uncertain && observation.complete;
}

function save(
  platform: Platform,
  store: RefStore,
  seen: Seen,
  target: WaitTarget,
): SnapshotBody {
  const output = target.output ?? {};
  const { scope, observation } = seen;
  const { id, map } = saveSnapshot(platform, store, scope, observation, output);
  return snapshotBody(scope, observation, { id, refCount: map.entries.size }, output);
}

function isAbsence(error: AppError): boolean {
  return error.code === "APP_NOT_FOUND" || error.code === "WINDOW_NOT_FOUND" ||
    error.details?.["kind"] === "source_surface_absent";
}

function expired(
  request: WaitRequest,
  saved: SnapshotBody | undefined,
  lastError: AppError | undefined,
): AppError {
  const what = request.gone ? "still matches something" : "matched nothing";
  return new AppError("TIMEOUT", `The selector ${what} after ${request.timeoutMs} ms`, {
    suggestion: "Look at the last tree with find or snapshot, or wait longer with --wait-timeout.",
    details: {
      kind: "wait_timeout",
      predicate: "selector",
      selector: request.selector.text,
      gone: request.gone,
      timeout_ms: request.timeoutMs,
      ...(saved === undefined ? {} : { snapshot_id: saved.snapshot_id }),
      // Without the whole tree nothing can be known to be gone.
      ...(saved?.["complete"] === false ? { complete: false } : {}),
      ...(lastError === undefined
        ? {}
        : { last_error: { code: lastError.code, message: lastError.message } }),
    },
    delivery: "unknown",
  });
}
