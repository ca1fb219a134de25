/** How a failed resolution is told (refs §5): code, kind, facts, and never the element's text. */
import { AppError, type Details, REOBSERVE } from "../errors.ts";
import { textLength, type Verdict } from "./classify.ts";
import type { RefEntry, RefMap } from "./entry.ts";
import type { Ref } from "./syntax.ts";

/** Raw depth of a search. */
export const SEARCH_DEPTH = 50;
/** Candidates listed in an error. */
const MAX_SUMMARIES = 10;

/** A ref found in its map, not looked up on the screen yet. */
export interface Stored {
  ref: Ref;
  entry: RefEntry;
  map: RefMap;
}

/** How far an attempt got, for `details` of its failure. */
export interface Progress {
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

/** Marks a native failure of a read as one, unless it already says what it is. */
export function withKind(error: AppError, stored: Stored, progress: Progress): AppError {
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

/** A failure of one kind; `details` add to what every failure says. */
export function failure(
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

/** The failure that belongs to a verdict. */
export function verdictFailure(
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
