/**
 * Where a ref is looked for: its source window, its surface, or every window of the application
 * (docs/refs.md, "Resolution").
 */
import type { Deadline } from "../deadline.ts";
import type { Details, ErrorCode } from "../errors.ts";
import type { Platform, WindowInfo } from "../platform/platform.ts";
import type { Handle } from "../tree/node.ts";
import { boundsHash } from "./bounds_hash.ts";
import type { RefEntry } from "./entry.ts";

/** Where to look. */
export interface FoundRoots {
  result: "found";
  handles: Handle[];
  window?: WindowInfo;
  /** The source itself, not merely every window of the application. */
  verified: boolean;
  /** No window had to be left out. */
  complete: boolean;
}

/** The roots, or why there are none. */
export type Roots =
  | FoundRoots
  | { result: "failed"; code: ErrorCode; kind: string; message: string; details: Details };

function failed(code: ErrorCode, kind: string, message: string, details: Details): Roots {
  return { result: "failed", code, kind, message, details };
}

/** Finds the roots of a ref's source. */
export function findRoots(
  platform: Platform,
  entry: RefEntry,
  deadline: Deadline,
): Promise<Roots> {
  if (entry.source_surface !== undefined) {
    return surfaceRoots(platform, entry, entry.source_surface, deadline);
  }
  return entry.source_window_id === undefined
    ? applicationRoots(platform, entry, deadline)
    : windowRoots(platform, entry, entry.source_window_id, deadline);
}

async function surfaceRoots(
  platform: Platform,
  entry: RefEntry,
  surface: NonNullable<RefEntry["source_surface"]>,
  deadline: Deadline,
): Promise<Roots> {
  const handle = await platform.surfaceRoot(entry.pid, surface, deadline);
  if (handle === undefined) {
    return failed("STALE_REF", "source_surface_absent", `The ${surface} is not open now`, {
      cause: "ELEMENT_NOT_FOUND",
      retryable: true,
    });
  }
  return { result: "found", handles: [handle], verified: true, complete: true };
}

async function windowRoots(
  platform: Platform,
  entry: RefEntry,
  id: string,
  deadline: Deadline,
): Promise<Roots> {
  if (!id.startsWith("w-")) {
    return failed("STALE_REF", "source_window_identity_invalid", "The window id is malformed", {
      retryable: false,
    });
  }
  const window = await platform.windowById(id, deadline);
  if (window === undefined) {
    return failed("STALE_REF", "resolution_complete_absence", "The source window has closed", {
      cause: "source_window_closed",
      complete: true,
      pid: entry.pid,
      // A window id is never used for another window, so waiting cannot help.
      retryable: false,
    });
  }
  if (window.pid !== entry.pid) {
    return failed(
      "STALE_REF",
      "source_window_identity_invalid",
      "The source window belongs to another process now",
      { retryable: false },
    );
  }
  if (window.handle === undefined) return await standIn(platform, entry, window, deadline);
  return { result: "found", handles: [window.handle], window, verified: true, complete: true };
}

/**
 * For a window that exists but that accessibility does not hand out by its id: the only window of
 * the process with the stored title, and the stored bounds where there are any.
 */
async function standIn(
  platform: Platform,
  entry: RefEntry,
  known: WindowInfo,
  deadline: Deadline,
): Promise<Roots> {
  const windows = await platform.windows(entry.pid, deadline);
  const sameId = windows.filter((window) => window.id === known.id).length;
  if (sameId > 1) {
    return failed(
      "AMBIGUOUS_TARGET",
      "source_window_number_ambiguous",
      "Several windows answer to the ref's window id",
      { candidate_count: sameId, retryable: true },
    );
  }
  const alike = windows.filter((window) =>
    window.handle !== undefined && window.title === entry.source_window_title &&
    (entry.source_window_bounds_hash === undefined || (window.bounds !== undefined &&
      boundsHash(window.bounds) === entry.source_window_bounds_hash))
  );
  if (alike.length > 1) {
    return failed(
      "AMBIGUOUS_TARGET",
      "source_window_title_ambiguous",
      "Several windows have the title of the ref's window",
      { candidate_count: alike.length, retryable: true },
    );
  }
  const window = alike[0];
  if (window?.handle === undefined) {
    return failed(
      "APP_UNRESPONSIVE",
      "resolution_window_bridge_miss",
      "The source window cannot be reached right now",
      { retryable: true },
    );
  }
  return { result: "found", handles: [window.handle], window, verified: true, complete: true };
}

async function applicationRoots(
  platform: Platform,
  entry: RefEntry,
  deadline: Deadline,
): Promise<Roots> {
  const windows = await platform.windows(entry.pid, deadline);
  const handles = windows.flatMap((window) => window.handle ?? []);
  const complete = windows.every((window) => window.handle !== undefined || !window.accessible);
  if (handles.length === 0) {
    return complete
      ? failed("STALE_REF", "resolution_complete_absence", "The application has no window", {
        cause: "no_window",
        complete: true,
        pid: entry.pid,
        retryable: true,
      })
      : failed(
        "APP_UNRESPONSIVE",
        "resolution_root_array_incomplete",
        "The application's windows cannot be reached right now",
        { retryable: true },
      );
  }
  return { result: "found", handles, verified: false, complete };
}
