/**
 * Which application and which window a command means (docs/observation.md, "Choosing a window").
 * Nothing is chosen in silence: several applications or windows that fit equally are
 * `AMBIGUOUS_TARGET`.
 */
import type { Deadline } from "../deadline.ts";
import { AppError } from "../errors.ts";
import type { AppInfo, Platform, WindowInfo } from "../platform/platform.ts";
import { appNotFound, foldName, matchApps, parsePid } from "./app_query.ts";

/** Most candidates listed in an error (docs/observation.md, "Choosing a window"). */
const MAX_CANDIDATES = 10;
/** Keys, pictures and window commands work on windows that accessibility does not reach. */
const UNREACHABLE = { unreachable: true } as const;

/** The flags that name a target; `undefined` is the same as absent. */
export interface TargetFlags {
  app?: string | undefined;
  window_id?: string | undefined;
}

/** A process and its windows. */
export interface AppWindows {
  app: AppInfo;
  windows: WindowInfo[];
}

/**
 * The one application a query names, with its windows (there may be none). Of several processes
 * with that name the one that owns windows is meant; when more than one does, nobody can tell.
 *
 * @throws AppError `APP_NOT_FOUND` with similar names in `details.candidates`, or
 * `AMBIGUOUS_TARGET` with the processes and their windows
 */
export async function resolveApp(
  platform: Platform,
  query: string,
  deadline: Deadline,
): Promise<AppWindows> {
  const matches = await findApps(platform, query, deadline);
  const withWindows = (apps: readonly AppInfo[]) =>
    Promise.all(
      apps.map(async (app) => ({
        app,
        windows: await platform.windows(app.pid, deadline, {
          ...UNREACHABLE,
          connection: app.connection,
        }),
      })),
    );
  if (matches.length === 1) return (await withWindows(matches))[0]!;
  // A mute helper process must not stand in the way of one that answers and has windows.
  const found = await withWindows(matches.filter((app) => !app.silent));
  const owners = found.filter(({ windows }) => windows.length > 0);
  if (owners.length === 1) return owners[0]!;
  if (owners.length === 0) found.push(...await withWindows(matches.filter((app) => app.silent)));
  throw ambiguousApp(owners.length > 0 ? owners : found);
}

/**
 * The applications a query names, at least one. While some have not even told their names, the
 * one that is meant may be among them, so they are waited for.
 *
 * @throws AppError `APP_NOT_FOUND`, or `APP_UNRESPONSIVE` when some stayed silent
 */
export async function findApps(
  platform: Platform,
  query: string,
  deadline: Deadline,
): Promise<AppInfo[]> {
  let apps = await platform.apps(deadline);
  let matches = matchApps(apps, query);
  if (matches.length > 0) return matches;
  matches = matchApps(await platform.apps(deadline, UNREACHABLE), query);
  if (matches.length > 0) return matches;
  const byName = parsePid(query) === undefined;
  if (byName && apps.some((app) => app.silent)) {
    apps = await platform.apps(deadline, { patient: true });
    matches = matchApps(apps, query);
    if (matches.length > 0) return matches;
    const silent = apps.filter((app) => app.silent);
    if (silent.length > 0) throw silentApps("No application that answers has that name", silent);
  }
  throw await appNotFound(apps, query);
}

/**
 * The application of the focused window.
 *
 * @throws AppError `APP_NOT_FOUND` when no window has the focus, `AMBIGUOUS_TARGET` when windows
 * of several applications claim it
 */
export async function focusedApp(platform: Platform, deadline: Deadline): Promise<AppWindows> {
  const windows = await platform.windows(undefined, deadline, UNREACHABLE);
  const focused = windows.filter((window) => window.isFocused);
  const [first] = focused;
  if (first === undefined) {
    await requireAnswers(platform, deadline);
    throw new AppError("APP_NOT_FOUND", "No application has the focus", {
      suggestion: "Pass --app with a name that list-apps prints.",
    });
  }
  if (focused.some((window) => window.pid !== first.pid)) throw ambiguousWindow(focused);
  const app = (await platform.apps(deadline)).find(({ pid }) => pid === first.pid) ??
    appOf(first);
  return { app, windows: windows.filter((window) => window.pid === first.pid) };
}

/**
 * The window that `--app` and `--window-id` name, or the focused one. The window may be out of
 * reach for accessibility; whoever reads it checks `accessible` and `handle`.
 *
 * @param options `readable`: it is to be read, so of an application's windows only those count
 * that can be, if there is one
 * @throws AppError `APP_NOT_FOUND`, `APP_UNRESPONSIVE`, `WINDOW_NOT_FOUND` or `AMBIGUOUS_TARGET`
 */
export async function selectWindow(
  platform: Platform,
  flags: TargetFlags,
  deadline: Deadline,
  { readable = false }: { readable?: boolean } = {},
): Promise<WindowInfo> {
  if (flags.window_id !== undefined) {
    return await windowWithId(platform, flags.window_id, flags.app, deadline);
  }
  if (flags.app !== undefined) {
    const { windows } = await appWithWindows(platform, flags.app, deadline);
    return narrow(windows, readable);
  }
  const focused = (await platform.windows(undefined, deadline, UNREACHABLE))
    .filter((one) => one.isFocused);
  if (focused.length === 0) {
    await requireAnswers(platform, deadline);
    throw new AppError("WINDOW_NOT_FOUND", "No window has the focus", {
      suggestion: "Pass --app with a name that list-apps prints, or --window-id from list-windows.",
    });
  }
  return narrow(focused);
}

/**
 * The window that stands for an application whose menu, popover or other surface is meant: such
 * a surface belongs to the application, so any of its windows leads there.
 *
 * @throws AppError `APP_NOT_FOUND`, `WINDOW_NOT_FOUND` or (several processes) `AMBIGUOUS_TARGET`
 */
export async function selectSurfaceWindow(
  platform: Platform,
  flags: TargetFlags,
  deadline: Deadline,
): Promise<WindowInfo> {
  if (flags.window_id !== undefined) {
    return await windowWithId(platform, flags.window_id, flags.app, deadline);
  }
  const { windows } = flags.app === undefined
    ? await focusedApp(platform, deadline)
    : await appWithWindows(platform, flags.app, deadline);
  return windows.find((window) => window.isFocused) ??
    windows.find((window) => window.visible !== false && window.minimized !== true) ??
    windows[0]!;
}

/**
 * Applies the steps of docs/observation.md, "Choosing a window": each counts only if it leaves a
 * window.
 */
function narrow(windows: readonly WindowInfo[], readable = false): WindowInfo {
  const steps: ((window: WindowInfo) => boolean)[] = [
    (window) => window.visible !== false && window.minimized !== true,
    (window) => window.isFocused,
    (window) => window.accessible,
  ];
  let left = readable && windows.some((window) => window.accessible)
    ? windows.filter((window) => window.accessible)
    : windows;
  for (const step of steps) {
    if (left.length === 1) break;
    const kept = left.filter(step);
    if (kept.length > 0) left = kept;
  }
  if (left.length === 1) return left[0]!;
  throw ambiguousWindow(left);
}

async function windowWithId(
  platform: Platform,
  id: string,
  app: string | undefined,
  deadline: Deadline,
): Promise<WindowInfo> {
  const window = await platform.windowById(id, deadline);
  if (
    window !== undefined && (app === undefined || await belongs(platform, window, app, deadline))
  ) {
    return window;
  }
  const whose = window === undefined
    ? "No open window has"
    : "Another application owns the window with";
  throw new AppError("WINDOW_NOT_FOUND", `${whose} that id`, {
    suggestion: "Run list-windows and pass an id it prints with --window-id.",
  });
}

async function belongs(
  platform: Platform,
  window: WindowInfo,
  query: string,
  deadline: Deadline,
): Promise<boolean> {
  const pid = parsePid(query);
  if (pid !== undefined) return window.pid === pid;
  if (foldName(window.appName) === foldName(query)) return true;
  return matchApps(await platform.apps(deadline), query).some((app) => app.pid === window.pid);
}

async function appWithWindows(
  platform: Platform,
  query: string,
  deadline: Deadline,
): Promise<AppWindows> {
  const found = await resolveApp(platform, query, deadline);
  if (found.windows.length > 0) return found;
  throw new AppError("APP_NOT_FOUND", "The application has no window", {
    suggestion: "Run list-windows to see which applications have one.",
    details: { pid: found.app.pid },
  });
}

/** @throws AppError `APP_UNRESPONSIVE` when the focused window may be of an application that is mute */
async function requireAnswers(platform: Platform, deadline: Deadline): Promise<void> {
  const silent = (await platform.apps(deadline)).filter((app) => app.silent);
  if (silent.length > 0) throw silentApps("No application that answers has the focus", silent);
}

function silentApps(message: string, silent: readonly AppInfo[]): AppError {
  const few = silent.length === 1 ? "one does" : `${silent.length} do`;
  return new AppError("APP_UNRESPONSIVE", `${message}, and ${few} not answer`, {
    suggestion:
      "See whether one of details.unresponsive is blocked; if it is only slow, pass its pid with --app.",
    details: {
      kind: "applications_silent",
      unresponsive: silent.slice(0, MAX_CANDIDATES).map(({ name, pid }) => ({ name, pid })),
    },
  });
}

/** What is known of a window's application when the application itself did not answer. */
function appOf(window: WindowInfo): AppInfo {
  const app: AppInfo = { name: window.appName, pid: window.pid, aliases: [] };
  if (window.processInstance !== undefined) app.processInstance = window.processInstance;
  return app;
}

function ambiguousApp(found: readonly AppWindows[]): AppError {
  return new AppError("AMBIGUOUS_TARGET", `${found.length} processes have that name`, {
    suggestion: "Pass the pid of the one you mean with --app, or a window of it with --window-id.",
    details: {
      candidate_count: found.length,
      candidate_summaries_truncated: found.length > MAX_CANDIDATES,
      candidates: found.slice(0, MAX_CANDIDATES).map(({ app, windows }) => ({
        name: app.name,
        pid: app.pid,
        windows: windows.slice(0, MAX_CANDIDATES).map(({ id, title }) => ({ id, title })),
      })),
    },
  });
}

function ambiguousWindow(windows: readonly WindowInfo[]): AppError {
  return new AppError("AMBIGUOUS_TARGET", `${windows.length} windows fit equally`, {
    suggestion: "Run list-windows and pass the id of the one you mean with --window-id.",
    details: {
      candidate_count: windows.length,
      candidate_summaries_truncated: windows.length > MAX_CANDIDATES,
      candidates: windows.slice(0, MAX_CANDIDATES).map((window) => ({
        id: window.id,
        title: window.title,
        is_focused: window.isFocused,
        ...(window.visible === undefined ? {} : { visible: window.visible }),
        accessible: window.accessible,
      })),
    },
  });
}
