/** `wait --event`: until something happens, told by what is different from the beginning. */
import type { Deadline } from "../deadline.ts";
import { AppError } from "../errors.ts";
import type { AppInfo, Platform, SurfaceInfo, WindowInfo } from "../platform/platform.ts";
import { findApps } from "./target.ts";
import { watch } from "./wait_poll.ts";

/** What may be waited for to happen. */
export const EVENT_KINDS = [
  "window-opened",
  "window-closed",
  "app-launched",
  "app-terminated",
  "focus-changed",
  "surface-appeared",
  "surface-dismissed",
] as const;
export type EventKind = typeof EVENT_KINDS[number];

const POLL_MS = 200;

/** What narrows the event. */
export interface EventWait {
  app?: string | undefined;
  /** Part of the window's title. */
  window?: string | undefined;
  window_id?: string | undefined;
  timeout: number;
}

/** What there is, by what tells one from another. */
interface Scene {
  apps: Map<string, AppInfo>;
  windows: Map<string, WindowInfo>;
  focused: string | undefined;
  surfaces: Map<string, SurfaceInfo>;
}

/** The process that `--app` means, chosen once. */
interface Chosen {
  pid: number;
  instance: string | undefined;
}

const OPENING: ReadonlySet<EventKind> = new Set<EventKind>([
  "app-launched",
  "window-opened",
  "surface-appeared",
]);

/** What there is before something happens. */
export interface Baseline {
  chosen: Chosen | undefined;
  before: Scene;
}

/** Reads what an event is told by. Throws as `waitForEvent`. */
export async function readBaseline(
  platform: Platform,
  kind: EventKind,
  { app }: Pick<EventWait, "app">,
  deadline: Deadline,
): Promise<Baseline> {
  const chosen = app === undefined ? undefined : await choose(platform, app, deadline);
  return { chosen, before: await read(platform, kind, chosen, deadline) };
}

/**
 * Waits for the event. What is compared with is the baseline, else what is there at the start, so
 * that only what happens after counts. An application that is named and not there has nothing left to
 * end: that answers at once.
 *
 * @throws AppError as `watch`; `APP_NOT_FOUND` for the focus of an application that is not there
 */
export async function waitForEvent(
  platform: Platform,
  kind: EventKind,
  wait: EventWait,
  deadline: Deadline,
  baseline?: Baseline,
): Promise<unknown> {
  const first = baseline ?? await readBaseline(platform, kind, wait, deadline);
  const { before } = first;
  let { chosen } = first;
  if (wait.app !== undefined && chosen === undefined && !OPENING.has(kind)) {
    if (kind === "focus-changed") {
      throw new AppError("APP_NOT_FOUND", "No running application with that name", {
        suggestion: "Run list-apps and pass a name or pid it prints with --app.",
      });
    }
    return { found: true, target_unresolved: true, event: { kind }, elapsed_ms: deadline.elapsed };
  }
  return await watch({
    predicate: kind,
    timeoutMs: wait.timeout,
    everyMs: POLL_MS,
    lastSeen: () => ({ baseline_counts: countsOf(before) }),
    async look(limit) {
      if (wait.app !== undefined && chosen === undefined) {
        chosen = await choose(platform, wait.app, limit);
        if (chosen === undefined) return undefined;
      }
      const now = await read(platform, kind, chosen, limit);
      const event = difference(kind, before, now, wait);
      return event && { found: true, event: { kind, ...event } };
    },
  }, deadline);
}

/** The process meant; `undefined` when there is none. Throws `AMBIGUOUS_TARGET` for several. */
async function choose(
  platform: Platform,
  query: string,
  deadline: Deadline,
): Promise<Chosen | undefined> {
  try {
    const apps = await findApps(platform, query, deadline);
    const [app] = apps;
    if (apps.length > 1) {
      throw new AppError("AMBIGUOUS_TARGET", `${apps.length} processes have that name`, {
        suggestion: "Pass the pid of the one you mean with --app.",
        details: {
          candidate_count: apps.length,
          candidate_summaries_truncated: apps.length > 10,
          candidates: apps.slice(0, 10).map(({ name, pid }) => ({ name, pid })),
        },
      });
    }
    return { pid: app!.pid, instance: app!.processInstance };
  } catch (error) {
    if (error instanceof AppError && error.code === "APP_NOT_FOUND") return undefined;
    throw error;
  }
}

async function read(
  platform: Platform,
  kind: EventKind,
  chosen: Chosen | undefined,
  deadline: Deadline,
): Promise<Scene> {
  const apps = (await platform.apps(deadline)).filter((app) =>
    chosen === undefined || (app.pid === chosen.pid && app.processInstance === chosen.instance)
  );
  const scene: Scene = {
    apps: new Map(apps.map((app) => [`${app.pid} ${app.processInstance}`, app])),
    windows: new Map(),
    focused: undefined,
    surfaces: new Map(),
  };
  if (kind.startsWith("surface-")) {
    if (chosen === undefined || apps.length === 0) return scene;
    for (const surface of await platform.openSurfaces(chosen.pid, deadline)) {
      scene.surfaces.set(surface.id, surface);
    }
  } else if (!kind.startsWith("app-")) {
    const windows = await platform.windows(undefined, deadline);
    for (const window of windows) {
      if (chosen !== undefined && window.pid !== chosen.pid) continue;
      const key = `${window.pid} ${window.processInstance} ${window.id}`;
      scene.windows.set(key, window);
      if (window.isFocused) scene.focused = key;
    }
  }
  return scene;
}

function difference(
  kind: EventKind,
  before: Scene,
  now: Scene,
  wait: EventWait,
): Record<string, unknown> | undefined {
  switch (kind) {
    case "app-launched":
      return first(newIn(now.apps, before.apps), appEvent);
    case "app-terminated":
      return first(newIn(before.apps, now.apps), appEvent);
    case "window-opened":
      return first(newIn(now.windows, before.windows).filter(fits(wait)), windowEvent);
    case "window-closed":
      return first(newIn(before.windows, now.windows).filter(fits(wait)), windowEvent);
    case "focus-changed": {
      if (now.focused === before.focused) return undefined;
      const window = now.focused === undefined ? undefined : now.windows.get(now.focused);
      if (window === undefined) return isNarrowed(wait) ? undefined : {};
      return fits(wait)(window) ? windowEvent(window) : undefined;
    }
    case "surface-appeared":
      return first(newIn(now.surfaces, before.surfaces), surfaceEvent);
    case "surface-dismissed":
      return first(newIn(before.surfaces, now.surfaces), surfaceEvent);
  }
}

/** What one map has and the other lacks. */
function newIn<Item>(there: Map<string, Item>, here: Map<string, Item>): Item[] {
  return [...there].filter(([key]) => !here.has(key)).map(([, item]) => item);
}

function first<Item>(
  items: readonly Item[],
  describe: (item: Item) => Record<string, unknown>,
): Record<string, unknown> | undefined {
  return items[0] === undefined ? undefined : describe(items[0]);
}

function isNarrowed({ window, window_id }: EventWait): boolean {
  return (window ?? window_id) !== undefined;
}

function fits({ window, window_id }: EventWait): (one: WindowInfo) => boolean {
  return ({ id, title }) =>
    (window === undefined || title.includes(window)) &&
    (window_id === undefined || id === window_id);
}

function appEvent({ name, pid }: AppInfo): Record<string, unknown> {
  return { app: name, pid };
}

function windowEvent({ id, title, appName, pid }: WindowInfo): Record<string, unknown> {
  return { window_id: id, title, app: appName, pid };
}

function surfaceEvent({ id, type, title }: SurfaceInfo): Record<string, unknown> {
  return { surface: { id, type, ...(title === undefined ? {} : { title }) } };
}

function countsOf({ apps, windows, surfaces }: Scene): Record<string, number> {
  return { apps: apps.size, windows: windows.size, surfaces: surfaces.size };
}
