/**
 * How a failed resolution is told (docs/contract.md, "Kinds of failure"): code, kind, facts, and
 * never the element's text.
 */
import { AppError, type Details, REOBSERVE } from "../errors.ts";
import { isBlank } from "../tree/node.ts";
import type { Decision } from "./classify.ts";
import type { Resolution } from "./resolution.ts";
import { SEARCH_DEPTH } from "./search.ts";
import { shownText } from "./stored_text.ts";

/** Candidates listed in an error. */
const MAX_SUMMARIES = 10;

/** Marks a native failure of a read as one, unless it already says what it is. */
export function withKind(resolution: Resolution, error: AppError): AppError {
  if (error.details?.["kind"] !== undefined || error.code !== "APP_UNRESPONSIVE") return error;
  return new AppError("APP_UNRESPONSIVE", error.message, {
    suggestion: error.suggestion ?? "Look at the application, then try again.",
    ...(error.platformDetail !== undefined && { platformDetail: error.platformDetail }),
    details: {
      ...error.details,
      ...facts(resolution),
      kind: "resolution_ax_read",
      retryable: true,
    },
    cause: error,
  });
}

/** What every failure says about the ref, without its text. */
function facts({ saved: { entry }, ...progress }: Resolution): Details {
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
  resolution: Resolution,
  code: AppError["code"],
  kind: string,
  message: string,
  details: Details = {},
): AppError {
  const { entry } = resolution.saved;
  const subject = `${entry.role} with a name of ${textLength(entry.name)} and a description of ` +
    `${textLength(entry.description)} characters`;
  return new AppError(code, `${message} (${subject})`, {
    suggestion: SUGGESTIONS[code]!,
    details: { ...facts(resolution), ...details, kind },
  });
}

/** The failure that belongs to a decision. */
export function decisionFailure(
  resolution: Resolution,
  decision: Exclude<Decision, { result: "accept" }>,
): AppError {
  const { entry } = resolution.saved;
  switch (decision.result) {
    case "absent":
      return failure(
        resolution,
        "STALE_REF",
        "resolution_complete_absence",
        "No live element matches the ref",
        { cause: "no_match", complete: true, pid: entry.pid, retryable: true },
      );
    case "role-reuse":
      return failure(
        resolution,
        "STALE_REF",
        "native_identifier_role_reuse",
        "The ref's identifier now belongs to an element of another role",
        { expected_role: entry.role, retryable: false },
      );
    case "incomplete":
      return failure(
        resolution,
        "APP_UNRESPONSIVE",
        "resolution_traversal_incomplete",
        "The element may be in a part of the tree that could not be read",
        { phase: "broad_search", depth: SEARCH_DEPTH, retryable: true },
      );
    case "unknown":
      return failure(
        resolution,
        "APP_UNRESPONSIVE",
        "resolution_identity_unknown",
        "What would identify the element could not be read",
        { retryable: true },
      );
    case "ambiguous":
      return failure(
        resolution,
        "AMBIGUOUS_TARGET",
        "resolution_ambiguous",
        `${decision.nodes.length} live element(s) match the ref and nothing tells which one it is`,
        {
          candidate_count: decision.nodes.length,
          candidate_summaries_truncated: decision.nodes.length > MAX_SUMMARIES,
          candidates: decision.nodes.slice(0, MAX_SUMMARIES).map((node, index) => ({
            index,
            role: node.role,
            identity: "matched",
          })),
          role: entry.role,
          name: entry.name === null ? null : shownText(entry.name),
          description: entry.description === undefined ? null : shownText(entry.description),
          source_app: entry.source_app,
          source_window_title: entry.source_window_title ?? null,
        },
      );
  }
}

/** Length of a text, which is told in its stead: what it says never leaves the map. */
function textLength(text: string | null | undefined): number {
  return isBlank(text) ? 0 : text!.length;
}
