/** One search for the element of a ref: what is looked for, and how far the looking got. */
import type { Deadline } from "../deadline.ts";
import type { Platform } from "../platform/platform.ts";
import type { SavedRef } from "./entry.ts";

/** A resolution under way. The fields that change are what its failure tells in `details`. */
export interface Resolution {
  readonly platform: Platform;
  readonly saved: SavedRef;
  readonly deadline: Deadline;
  /** What is being done, or was done last. */
  phase: "path_roots" | "path_success" | "path_error" | "broad_search" | "identity_insufficient";
  /** Whether the element was found at its stored path; `skipped` where that would prove nothing. */
  pathFast: "hit" | "miss" | "skipped";
  /** Nodes read by searches, over all attempts. */
  nodesRead: number;
  attempts: number;
}

/** A resolution at its beginning. */
export function newResolution(
  platform: Platform,
  saved: SavedRef,
  deadline: Deadline,
): Resolution {
  return {
    platform,
    saved,
    deadline,
    phase: "path_roots",
    pathFast: "skipped",
    nodesRead: 0,
    attempts: 0,
  };
}
