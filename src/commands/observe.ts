/**
 * Reading one window, layer or element: from what a command was asked for to a normalised tree.
 * Shared by `snapshot`, `find` and the waits after actions; nothing here stores anything.
 */
import type { Deadline } from "../deadline.ts";
import { AppError } from "../errors.ts";
import type { Observation, Platform, Surface, WindowInfo } from "../platform/platform.ts";
import { boundsHash } from "../refs/bounds_hash.ts";
import type { RefEntry, Source } from "../refs/entry.ts";
import { type Handle, isSaneRect } from "../tree/node.ts";
import { normalise } from "../tree/normalise.ts";
import { selectSurfaceWindow, selectWindow } from "./target.ts";

/** Deepest level any observation may ask for (docs/observation.md, "Depth and limits"). */
export const MAX_DEPTH = 50;
/** Depth of `--skeleton`: enough to show the areas of a window (docs/observation.md, "Skeleton"). */
export const SKELETON_DEPTH = 3;

/** Which window or layer to read, as the command line names it. */
export interface TargetQuery {
  app?: string;
  window_id?: string;
  /** `window` when absent. */
  surface?: Surface;
}

/** How to read it. */
export interface ReadOptions {
  /** Logical depth of the deepest nodes. */
  maxDepth: number;
  /** Read the bounds of every node, not only of those that may need them as identity. */
  allBounds?: boolean;
  /** Count crowds of nameless containers at the cut instead of listing them (`--skeleton`). */
  overview?: boolean;
  /** Take the renderer's tree as published (`--force-electron-a11y`). */
  assumeRendererActive?: boolean;
}

/** An element to read from, and what the refs below it say about their origin. */
export interface Scope {
  root: Handle;
  source: Source;
  app: string;
  window: { id: string; title: string };
}

/**
 * Finds the root of what is to be read.
 *
 * Throws what window selection throws, `PLATFORM_NOT_SUPPORTED` for a surface this system does not
 * have, `ELEMENT_NOT_FOUND` for one that is not open, `ACTION_NOT_SUPPORTED` for a window that
 * accessibility cannot reach and `APP_UNRESPONSIVE` when the process cannot be identified.
 */
export async function openScope(
  platform: Platform,
  query: TargetQuery,
  deadline: Deadline,
): Promise<Scope> {
  const surface = query.surface ?? "window";
  if (surface !== "window") requireSurface(platform, surface);
  const window = surface === "window"
    ? await selectWindow(platform, query, deadline, { readable: true })
    : await selectSurfaceWindow(platform, query, deadline);
  return await windowScope(platform, window, surface, deadline);
}

/**
 * The window a stored ref belongs to. For a ref from a menu or another layer it is the window
 * behind: the layer may close by the very action whose effect is looked for.
 *
 * Throws `WINDOW_NOT_FOUND` when the window is gone, else as `openScope`.
 */
export async function scopeOfEntry(
  platform: Platform,
  entry: RefEntry,
  deadline: Deadline,
): Promise<Scope> {
  const window = await windowOfEntry(platform, entry, deadline);
  if (window !== undefined) return await windowScope(platform, window, "window", deadline);
  return await openScope(platform, { app: String(entry.pid) }, deadline);
}

/**
 * The exact window a ref was read from; `undefined` when the ref names none.
 *
 * Throws `WINDOW_NOT_FOUND` when it is closed or belongs to another process now.
 */
export async function windowOfEntry(
  platform: Platform,
  entry: RefEntry,
  deadline: Deadline,
): Promise<WindowInfo | undefined> {
  const id = entry.source_window_id;
  if (id === undefined) return undefined;
  const window = await platform.windowById(id, deadline);
  if (window === undefined || window.pid !== entry.pid) throw windowGone(id);
  return window;
}

/**
 * Walks the scope and returns the observation with a normalised tree.
 *
 * Throws `WINDOW_NOT_FOUND` or, for another surface, `ELEMENT_NOT_FOUND` when the root was gone
 * before the first read.
 */
export async function readScope(
  platform: Platform,
  scope: Scope,
  options: ReadOptions,
  deadline: Deadline,
): Promise<Observation> {
  const observation = await readTree(platform, scope.root, options, deadline);
  if (observation !== undefined) return observation;
  const surface = scope.source.source_surface;
  throw surface === undefined ? windowGone(scope.window.id) : surfaceAbsent(surface);
}

/** Walks the tree below one element; `undefined` when it is gone. */
export async function readTree(
  platform: Platform,
  root: Handle,
  options: ReadOptions,
  deadline: Deadline,
): Promise<Observation | undefined> {
  const observation = await platform.observe(root, {
    maxDepth: options.maxDepth,
    bounds: options.allBounds ? "all" : "identity",
    overview: options.overview ?? false,
    assumeRendererActive: options.assumeRendererActive ?? false,
  }, deadline);
  return observation && { ...observation, root: normalise(observation.root) };
}

/**
 * What is read of a window, and what the refs below it say.
 *
 * Throws as {@linkcode openScope}.
 */
export async function windowScope(
  platform: Platform,
  window: WindowInfo,
  surface: Surface,
  deadline: Deadline,
): Promise<Scope> {
  let root: Handle | undefined;
  if (surface === "window") {
    if (!window.accessible || window.handle === undefined) throw unreachable(window);
    root = window.handle;
  } else {
    requireSurface(platform, surface);
    root = await platform.surfaceRoot(window.pid, surface, deadline);
    if (root === undefined) throw surfaceAbsent(surface);
  }
  return {
    root,
    source: sourceOfWindow(platform, window, surface),
    app: window.appName,
    window: { id: window.id, title: window.title.toWellFormed() },
  };
}

function sourceOfWindow(platform: Platform, window: WindowInfo, surface: Surface): Source {
  const instance = window.processInstance ?? platform.processInstance(window.pid);
  if (instance === undefined || instance === "") {
    throw new AppError(
      "APP_UNRESPONSIVE",
      `Process ${window.pid} cannot be identified, so its elements could not be found again`,
      { suggestion: "Run list-apps to see what is running, then take the snapshot again." },
    );
  }
  const source: Source = {
    pid: window.pid,
    process_instance: instance,
    source_app: window.appName.toWellFormed(),
    source_window_id: window.id,
    source_window_title: window.title.toWellFormed(),
  };
  if (window.bounds !== undefined && isSaneRect(window.bounds)) {
    source.source_window_bounds_hash = boundsHash(window.bounds);
  }
  if (surface !== "window") source.source_surface = surface;
  return source;
}

function requireSurface(platform: Platform, surface: Surface): void {
  if (platform.surfaces.includes(surface)) return;
  throw new AppError("PLATFORM_NOT_SUPPORTED", `Surface '${surface}' does not exist here`, {
    suggestion: `Pass one of --surface ${platform.surfaces.join(", ")}.`,
    details: { supported_surfaces: [...platform.surfaces] },
  });
}

function surfaceAbsent(surface: Surface): AppError {
  return new AppError("ELEMENT_NOT_FOUND", `No ${surface} is open`, {
    suggestion: "Run list-surfaces to see what is open, or open it and try again.",
    details: { kind: "source_surface_absent", surface },
  });
}

function windowGone(id: string): AppError {
  return new AppError("WINDOW_NOT_FOUND", `Window ${id} is not open`, {
    suggestion: "Run list-windows and pass the id of an open window as --window-id.",
  });
}

function unreachable(window: WindowInfo): AppError {
  if (window.unreachable === "not_answering") {
    return new AppError("APP_UNRESPONSIVE", "The application did not answer", {
      suggestion:
        "It may run a dialog: press --headed, screenshot and close-app work on it; else retry later.",
      details: { kind: "window_not_answering", window_id: window.id },
    });
  }
  return new AppError(
    "ACTION_NOT_SUPPORTED",
    `Window ${window.id} has no accessible content`,
    {
      suggestion:
        "Pick a window that list-windows tells as accessible, or use press --headed and screenshot.",
      details: { kind: "window_without_accessibility_element", window_id: window.id },
    },
  );
}
