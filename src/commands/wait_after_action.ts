/**
 * The wait that follows an action: the whole application is watched, because what an action brings up
 * is often a window of its own. The answer is the match and not the tree it stands in.
 */
import type { Deadline } from "../deadline.ts";
import { AppError } from "../errors.ts";
import {
  type Observation,
  type Platform,
  type Surface,
  SURFACES,
  type WindowInfo,
} from "../platform/platform.ts";
import { formatRef } from "../refs/syntax.ts";
import type { RefStore } from "../store/ref_store.ts";
import type { Handle } from "../tree/node.ts";
import { selectorMatches } from "../tree/selector.ts";
import { pathLabels, shortLabel } from "../tree/text.ts";
import { ancestors, type Visit } from "../tree/walk.ts";
import { readScope, type Scope, windowScope } from "./observe.ts";
import { saveSnapshot, type SnapshotBody, snapshotBody } from "./snapshot_output.ts";
import { isAbsence, met, pollFor, READ_DEPTH, READ_MS, type WaitRequest } from "./wait_for.ts";
import type { WatchedApp } from "./watched_app.ts";

/** Longest value in the answer, in characters; `get` reads it whole. */
const MAX_VALUE = 120;
/** Labels of the path: the nearest ancestors say most. */
const MAX_PATH = 4;

/**
 * Waits after an action. `afterAction` is the action's own `data`; it is in the answer and in every
 * error.
 *
 * @returns `{match, window, snapshot_id, ref_count, …}`, or `{gone: true, …}`
 * @throws AppError as `pollFor`, with `after_action` and a delivery that says that it was delivered
 */
export async function waitAfterAction(
  platform: Platform,
  store: RefStore,
  request: WaitRequest,
  app: WatchedApp,
  afterAction: unknown,
): Promise<Record<string, unknown>> {
  try {
    const answer = await new AppWait(platform, store, request, app).run();
    return { ...answer, after_action: afterAction };
  } catch (error) {
    if (error instanceof AppError) {
      error.details = { ...error.details, after_action: afterAction };
      // The action was carried out before the wait began.
      error.delivery = "delivered_unverified";
    }
    throw error;
  }
}

class AppWait {
  /** What was seen last of the window that is looked at first. */
  #last: { scope: Scope; observation: Awaited<ReturnType<typeof readScope>> } | undefined;

  constructor(
    private readonly platform: Platform,
    private readonly store: RefStore,
    private readonly request: WaitRequest,
    private readonly app: WatchedApp,
  ) {}

  run(): Promise<Record<string, unknown>> {
    return pollFor(this.request, READ_MS, {
      look: (deadline) => this.#look(deadline),
      isAbsence: (error) => this.app.named && isAbsence(error),
      lastSnapshot: () => this.#lastSnapshot(),
    });
  }

  /** Looks at every window and layer; a match in any is a match, gone means from all of them. */
  async #look(deadline: Deadline): Promise<Record<string, unknown> | undefined> {
    const { request } = this;
    const { pid, window: first } = await this.app.find(deadline);
    // Layers first: one that is a window of its own is then among the windows, by its own title.
    const layers = await this.platform.openSurfaces(pid, deadline);
    const windows = (await this.platform.windows(pid, deadline))
      .filter(({ accessible, handle, visible }) =>
        accessible && handle !== undefined && visible !== false
      )
      .sort((a, b) => Number(b.id === first) - Number(a.id === first));
    if (windows.length === 0) throw noWindow();
    const seen = new Set<Handle>();
    let gone = true;
    for (const window of windows) {
      seen.add(window.handle!);
      const scope = await windowScope(this.platform, window, "window", deadline);
      const holds = await this.#lookAt(scope, window, deadline);
      if (holds !== undefined && !request.gone) return holds;
      gone &&= holds === GONE;
    }
    for (const { handle, type } of layers) {
      const surface = surfaceOf(type);
      if (seen.has(handle) || surface === undefined) continue;
      const window = windows[0]!;
      const scope = await windowScope(this.platform, window, surface, deadline);
      seen.add(scope.root);
      const holds = await this.#lookAt(scope, window, deadline);
      if (holds !== undefined && !request.gone) return holds;
      gone &&= holds === GONE;
    }
    return request.gone && gone ? GONE : undefined;
  }

  async #lookAt(
    scope: Scope,
    window: WindowInfo,
    deadline: Deadline,
  ): Promise<Record<string, unknown> | undefined> {
    const { platform, request, store } = this;
    let observation;
    try {
      observation = await readScope(platform, scope, { maxDepth: READ_DEPTH }, deadline);
    } catch (error) {
      // It closed between being listed and being read.
      if (error instanceof AppError && isAbsence(error)) return GONE;
      throw error;
    }
    this.#last ??= { scope, observation };
    if (this.#last.scope.window.id === scope.window.id) this.#last = { scope, observation };
    if (!met(request, observation)) return undefined;
    if (request.gone) return GONE;
    const { order, indexes } = selectorMatches(observation.root, request.selector);
    const saved = trySave(platform, store, scope, observation);
    const innermost = indexes.find((index) =>
      !indexes.some((other) => order[other]!.parent === index)
    );
    return {
      match: matchItem(order, order[innermost ?? indexes[0]!]!, saved.id),
      window: { id: window.id, title: scope.window.title },
      snapshot_id: saved.id ?? null,
      ref_count: saved.refCount,
      ...(saved.problem !== undefined && { save_error: saved.problem }),
    };
  }

  #lastSnapshot(): SnapshotBody | undefined {
    if (this.#last === undefined) return undefined;
    const { scope, observation } = this.#last;
    const { id, refCount } = trySave(this.platform, this.store, scope, observation);
    return id === undefined ? undefined : snapshotBody(scope, observation, { id, refCount }, {});
  }
}

const GONE = { gone: true };

/** A saved snapshot, or why there is none. */
interface Saved {
  id?: string;
  refCount: number;
  problem?: { code: string; message: string };
}

/**
 * Saves what was seen. That it cannot be saved is told beside the answer: the action was carried out
 * and the wait is over, whatever becomes of the refs.
 */
function trySave(
  platform: Platform,
  store: RefStore,
  scope: Scope,
  observation: Observation,
): Saved {
  try {
    const { id, map } = saveSnapshot(platform, store, scope, observation, {});
    return { id, refCount: map.entries.size };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { refCount: 0, problem: { code: error.code, message: error.message } };
  }
}

/** The surface that a kind of layer is read as; its refs say so, and are found there again. */
function surfaceOf(type: string): Surface | undefined {
  const name = type === "context_menu" ? "menu" : type;
  return SURFACES.find((surface) => surface === name);
}

function noWindow(): AppError {
  return new AppError("WINDOW_NOT_FOUND", "The application has no open window", {
    suggestion: "Run list-windows to see what is open.",
  });
}

/** The match as the answer prints it; `ref_id` is null for what can have none. */
function matchItem(
  order: readonly Visit[],
  visit: Visit,
  snapshotId: string | undefined,
): Record<string, unknown> {
  const { node } = visit;
  const path = pathLabels(ancestors(order, visit));
  const isLong = node.value !== undefined && node.value.length > MAX_VALUE;
  return {
    ...(node.name ? { name: shortLabel(node.name) } : {}),
    path: path.slice(-MAX_PATH),
    ref_id: node.ref === undefined || snapshotId === undefined
      ? null
      : formatRef(snapshotId, node.ref),
    role: node.role,
    ...(node.states.length > 0 ? { states: [...node.states] } : {}),
    ...(node.value
      ? { value: isLong ? node.value.slice(0, MAX_VALUE).toWellFormed() : node.value }
      : {}),
    ...(isLong ? { value_truncated: true } : {}),
  };
}
