/** What the modes of `wait` have in common: looking again and again, and the end without success. */
import type { Deadline } from "../deadline.ts";
import { AppError, type ErrorCode } from "../errors.ts";

// A look that fails with one of these will not do better next time.
const FINAL: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  "ACTION_NOT_SUPPORTED",
  "AMBIGUOUS_TARGET",
  "INTERNAL",
  "INVALID_ARGS",
  "PERM_DENIED",
  "PLATFORM_NOT_SUPPORTED",
  "POLICY_DENIED",
  "SNAPSHOT_NOT_FOUND",
]);

/** What is looked for, and how an unsuccessful end is told. */
export interface Watch<Found> {
  /** Name of the condition in `details.predicate`. */
  predicate: string;
  timeoutMs: number;
  /** Pause before the next look in milliseconds; grows to `slowest` by doubling where given. */
  everyMs: number;
  slowest?: number;
  /** One look; `undefined` when the condition does not hold. Errors that may pass are looked past. */
  look(deadline: Deadline): Promise<Found | undefined>;
  /** What was seen last, for the details of the error. */
  lastSeen(): Record<string, unknown>;
}

/**
 * Looks until the condition holds.
 *
 * @returns what the look found, with the time it took
 * @throws AppError `TIMEOUT` (`kind: wait_timeout`), and what cannot pass by waiting
 */
export async function watch<Found extends Record<string, unknown>>(
  { predicate, timeoutMs, everyMs, slowest, look, lastSeen }: Watch<Found>,
  deadline: Deadline,
): Promise<Found & { elapsed_ms: number }> {
  let lastError: AppError | undefined;
  let pause = everyMs;
  while (true) {
    try {
      const found = await look(deadline);
      if (found !== undefined) return { ...found, elapsed_ms: deadline.elapsed };
      lastError = undefined;
    } catch (error) {
      const passing = error instanceof AppError && !FINAL.has(error.code) &&
        error.details?.["retryable"] !== false;
      if (!passing) throw error;
      // The last look is cut short by the end of the time; what it says then is no finding.
      if (!deadline.expired) lastError = error;
    }
    if (deadline.expired) break;
    await deadline.sleep(pause);
    pause = Math.min(slowest ?? pause, pause * 2);
  }
  throw new AppError("TIMEOUT", `What was waited for did not come within ${timeoutMs} ms`, {
    suggestion: "Look with snapshot or list-windows what is there, or wait longer with --timeout.",
    delivery: "unknown",
    details: {
      kind: "wait_timeout",
      predicate,
      timeout_ms: timeoutMs,
      ...lastSeen(),
      ...(lastError === undefined
        ? {}
        : { last_error: { code: lastError.code, message: lastError.message } }),
    },
  });
}
