/**
 * `--wait-for` and `--wait-for-gone`: fresh observations until a selector matches, or matches no more
 * (docs/observation.md, "Waiting for an element"). Here is what all of them share and the wait of
 * `snapshot`; `wait_after_action.ts` has the others.
 */
import { Deadline } from "../deadline.ts";
import { AppError, type ErrorCode } from "../errors.ts";
import type { Observation, Platform } from "../platform/platform.ts";
import type { RefStore } from "../store/ref_store.ts";
import { parseSelector, type Selector, selectorMatches } from "../tree/selector.ts";
import type { Globals } from "./context.ts";
import { type ReadOptions, readScope, type Scope } from "./observe.ts";
import {
  type OutputOptions,
  saveSnapshot,
  type SnapshotBody,
  snapshotBody,
} from "./snapshot_output.ts";

/** Pause between two observations, in milliseconds (docs/observation.md, "Waiting for an element"). */
const POLL_MS = 75;
/** Time one observation gets, and depth it goes to, where the command sets neither. */
export const READ_MS = 3_000;
export const READ_DEPTH = 10;

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
 * Polls the target of `snapshot` until the request is met and returns the command's `data`: the body
 * of a new snapshot, or `target_absent` when the target itself is gone.
 *
 * Throws `TIMEOUT` (`kind: wait_timeout`) with the id of a snapshot of what was seen last, saved
 * all the same, and whatever a poll throws that cannot pass by waiting.
 */
export async function waitForSelector(
  platform: Platform,
  store: RefStore,
  request: WaitRequest,
  target: WaitTarget,
): Promise<Record<string, unknown>> {
  const readMs = target.readMs ?? READ_MS;
  let last: Seen | undefined;
  return await pollFor(request, readMs, {
    async look(deadline) {
      const seen = await look(platform, target, deadline);
      if (met(request, seen.observation)) return save(platform, store, seen, target);
      // A look that was cut short tells less than an earlier whole one.
      if (seen.observation.complete || last?.observation.complete !== true) last = seen;
      return undefined;
    },
    isAbsence: (error) => target.named && isAbsence(error),
    lastSnapshot: () => last && save(platform, store, last, target),
  });
}

/** What a wait does at each poll and at its end. */
export interface Poll {
  /** One look; what it returns is the answer. */
  look(deadline: Deadline): Promise<Record<string, unknown> | undefined>;
  /** Whether an error says that what is watched is gone for good. */
  isAbsence(error: AppError): boolean;
  /** Saves what was seen last, for the error. */
  lastSnapshot(): SnapshotBody | undefined;
}

/**
 * Looks until a look has an answer or time is up.
 *
 * @param readMs Milliseconds of one look, also of the only one where there is no time to wait.
 * @throws AppError `TIMEOUT` (`kind: wait_timeout`), and what cannot pass by waiting
 */
export async function pollFor(
  request: WaitRequest,
  readMs: number,
  { look, isAbsence, lastSnapshot }: Poll,
): Promise<Record<string, unknown>> {
  const deadline = Deadline.after(request.timeoutMs === 0 ? readMs : request.timeoutMs);
  const outcome = () => ({
    elapsed_ms: deadline.elapsed,
    matched_selector: request.selector.text,
  });
  let lastError: AppError | undefined;
  do {
    try {
      const answer = await look(deadline.within(readMs));
      if (answer !== undefined) return { ...answer, ...outcome() };
      lastError = undefined;
    } catch (error) {
      if (!(error instanceof AppError) || FINAL.has(error.code)) throw error;
      if (request.gone && isAbsence(error)) {
        return { ...outcome(), gone: true, target_absent: true };
      }
      lastError = error;
    }
    if (request.timeoutMs === 0) break;
    await deadline.sleep(POLL_MS);
  } while (!deadline.expired);
  throw expired(request, lastSnapshot(), lastError);
}

async function look(platform: Platform, target: WaitTarget, deadline: Deadline): Promise<Seen> {
  const scope = await target.open(deadline);
  const read = target.read ?? { maxDepth: READ_DEPTH };
  return { scope, observation: await readScope(platform, scope, read, deadline) };
}

/** A match in half a tree is a match; that nothing matches needs the whole of it. */
export function met(request: WaitRequest, observation: Observation): boolean {
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

export function isAbsence(error: AppError): boolean {
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
