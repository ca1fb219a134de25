/**
 * The sixteen error codes, the disposition that goes with each, and the one error class the
 * program throws on purpose. Anything else that reaches the process boundary becomes `INTERNAL`.
 */

/** Every code an envelope can carry (docs/contract.md, "Error codes"). */
export const ERROR_CODES = [
  "PERM_DENIED",
  "ELEMENT_NOT_FOUND",
  "APP_NOT_FOUND",
  "ACTION_FAILED",
  "ACTION_NOT_SUPPORTED",
  "STALE_REF",
  "AMBIGUOUS_TARGET",
  "WINDOW_NOT_FOUND",
  "PLATFORM_NOT_SUPPORTED",
  "TIMEOUT",
  "INVALID_ARGS",
  "NOTIFICATION_NOT_FOUND",
  "SNAPSHOT_NOT_FOUND",
  "POLICY_DENIED",
  "APP_UNRESPONSIVE",
  "INTERNAL",
] as const;
export type ErrorCode = typeof ERROR_CODES[number];

/** How far a request got towards the application. */
export type Delivery =
  | "not_delivered"
  | "delivery_uncertain"
  | "delivered_unverified"
  | "delivered_verified"
  | "unknown";

/** Whether the caller may send the same call again: a pure function of the delivery. */
export type Retry = "safe" | "unsafe" | "unknown";

export interface Disposition {
  delivery: Delivery;
  retry: Retry;
}

/** The disposition that belongs to a delivery. */
export function disposition(delivery: Delivery): Disposition {
  if (delivery === "not_delivered") return { delivery, retry: "safe" };
  if (delivery === "unknown") return { delivery, retry: "unknown" };
  return { delivery, retry: "unsafe" };
}

/** The way out of `STALE_REF`: what to do when a ref names no element any more. */
export const REOBSERVE =
  "Take a fresh snapshot, or re-drill the region, and use the ref it prints.";

/** Free-form facts of an error; keys are sorted when the envelope is written. */
export type Details = Record<string, unknown>;

export interface ErrorOptions {
  /** The next step for the caller: one or two imperative sentences, never user text. */
  suggestion?: string;
  /** Facts for programs; `details.kind` refines the code. */
  details?: Details;
  /** Native error name or number. */
  platformDetail?: string;
  /** Defaults to `unknown` for `INTERNAL` and to `not_delivered` for every other code. */
  delivery?: Delivery;
  cause?: unknown;
}

/** An error with a code, ready to become `error` in an envelope. */
export class AppError extends Error {
  override readonly name = "AppError";
  readonly code: ErrorCode;
  readonly suggestion: string | undefined;
  readonly platformDetail: string | undefined;
  details: Details | undefined;
  delivery: Delivery;

  constructor(code: ErrorCode, message: string, options: ErrorOptions = {}) {
    super(message, { cause: options.cause });
    this.code = code;
    this.suggestion = options.suggestion;
    this.platformDetail = options.platformDetail;
    this.details = options.details;
    this.delivery = options.delivery ?? (code === "INTERNAL" ? "unknown" : "not_delivered");
  }

  /** Whether the details say that waiting a little may change the answer. */
  get retryable(): boolean {
    return this.details?.["retryable"] === true;
  }
}

/** `STALE_REF`: what the ref names is gone, or another thing now. */
export function staleRef(
  message: string,
  details?: Details,
  options: Omit<ErrorOptions, "suggestion" | "details"> = {},
): AppError {
  return new AppError("STALE_REF", message, {
    ...options,
    suggestion: REOBSERVE,
    ...(details !== undefined && { details }),
  });
}

/** How a caller gets out of an error that is safe to retry (docs/contract.md, "Recovery"). */
export interface Recovery {
  strategy: string;
  retryable: true;
  requires_fresh_snapshot: boolean;
  retry_after_ms?: number;
}

/** The recovery of an error, or `undefined` when the code has none or a retry is not safe. */
export function recovery(code: ErrorCode, delivery: Delivery): Recovery | undefined {
  if (delivery !== "not_delivered") return undefined;
  switch (code) {
    case "STALE_REF":
    case "SNAPSHOT_NOT_FOUND":
      return {
        strategy: "refresh_snapshot_then_retry_original",
        retryable: true,
        requires_fresh_snapshot: true,
      };
    case "POLICY_DENIED":
      return {
        strategy: "request_explicit_policy_then_retry_original",
        retryable: true,
        requires_fresh_snapshot: false,
      };
    case "APP_UNRESPONSIVE":
      return {
        strategy: "inspect_state_then_retry_original",
        retryable: true,
        requires_fresh_snapshot: true,
        // Long enough for one main-loop hiccup, short enough not to be noticed.
        retry_after_ms: 250,
      };
    default:
      return undefined;
  }
}

/**
 * An error as answers print it, its keys in their order; what is absent is `undefined`.
 *
 * @param details Its details with their keys in order.
 */
export function errorBody(
  error: AppError,
  details: unknown = error.details,
): Record<string, unknown> {
  const isEmpty = error.details === undefined || Object.keys(error.details).length === 0;
  return {
    code: error.code,
    message: error.message,
    suggestion: error.suggestion,
    recovery: recovery(error.code, error.delivery),
    platform_detail: error.platformDetail,
    details: isEmpty ? undefined : details,
    disposition: disposition(error.delivery),
  };
}

/** Any exception as an `AppError`: what nobody threw on purpose is `INTERNAL`. */
export function asAppError(thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown;
  const message = thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : String(thrown);
  return new AppError("INTERNAL", `Unexpected failure: ${message.split("\n", 1)[0]}`, {
    suggestion: "Run the command again with --verbose and report what it prints on stderr.",
    cause: thrown,
  });
}
