/** Starting and ending applications. */
import { SYS } from "../../../ffi/macos/lib_system.ts";
import type { Native } from "../../../ffi/macos/native.ts";
import type { Deadline } from "../../deadline.ts";
import { AppError } from "../../errors.ts";
import type { Launched } from "../launcher.ts";
import type { AppInfo, WindowInfo } from "../platform.ts";
import type { Elements } from "./accessible.ts";
import { isChromium } from "./activation.ts";
import { readApps, readWindows } from "./inventory.ts";
import { waitUntil } from "./poll.ts";
import { processInstance } from "./process.ts";
import { runTool, type ToolPaths } from "./tools.ts";

const POLL_MS = 50;
/** After start-up is finished, the first window is waited for this long unless it is wanted. */
const WINDOW_GRACE_MS = 2_000;
const PROTECTED: ReadonlySet<string> = new Set([
  "loginwindow",
  "windowserver",
  "dock",
  "launchd",
  "finder",
]);
/** How far the launch date may be from the start of the process (seconds). */
const LAUNCH_TOLERANCE_S = 5;
/** How long the workspace may take to force an application out before it is killed (ms). */
const FORCE_GRACE_MS = 1_000;

export interface LaunchOptions {
  args: readonly string[];
  /** `KEY=VALUE`. */
  env: readonly string[];
  /** Start another instance even when one runs. */
  newInstance: boolean;
  /** Bring it forward and wait for its first window. */
  activate: boolean;
}

const same = (a: string, b: string) =>
  a.normalize("NFC").toLowerCase() === b.normalize("NFC").toLowerCase();

function matches(app: AppInfo, query: string): boolean {
  return same(app.name, query) || app.aliases.some((alias) => same(alias, query));
}

/** Where the application is installed; `undefined` when the system knows none of that name. */
function pathOf(native: Native, query: string): string | undefined {
  return query.startsWith("/") ? query : native.appKit.locate(query);
}

function matcher(query: string, path: string | undefined): (app: AppInfo) => boolean {
  const bundleName = path?.replace(/\/$/, "").split("/").at(-1)?.replace(/\.app$/, "");
  return (app) => matches(app, query) || (bundleName !== undefined && matches(app, bundleName));
}

/** Instances of an application that run. */
export function runningApps(native: Native, query: string): AppInfo[] {
  return readApps(native).filter(matcher(query, pathOf(native, query)));
}

/**
 * Starts an application by bundle id, name or path of its folder, or attaches to the running one.
 *
 * @throws AppError `APP_NOT_FOUND`, `AMBIGUOUS_TARGET` when several instances run,
 * `APP_UNRESPONSIVE` when it ended before it showed a window
 */
export async function launchApp(
  native: Native,
  elements: Elements,
  tools: ToolPaths,
  query: string,
  options: LaunchOptions,
  deadline: Deadline,
): Promise<Launched> {
  const path = pathOf(native, query);
  const isIt = matcher(query, path);
  const running = readApps(native).filter(isIt);
  if (!options.newInstance && running.length > 1) {
    throw new AppError("AMBIGUOUS_TARGET", "Several instances of the application run", {
      suggestion: "Use list-apps and --app with the pid.",
      details: { candidate_count: running.length, pids: running.map((app) => app.pid) },
    });
  }
  const attached = !options.newInstance && running.length === 1;
  if (!attached && path === undefined) {
    throw new AppError("APP_NOT_FOUND", "No such application is installed", {
      suggestion: "Use the bundle id or the full path of the .app folder.",
    });
  }
  if (!attached || options.activate) {
    await open(tools, path, running[0], attached, options, deadline);
  }
  const known = new Set(running.map((app) => app.pid));
  const app = attached
    ? running[0]!
    : await appears(native, (a) => isIt(a) && !known.has(a.pid), deadline);
  const window = await firstWindow(native, elements, app, options.activate || attached, deadline);
  return {
    app,
    attached,
    ...(window ? { window } : {}),
    ...(isChromium(native, app.pid) ? { renderer: "chromium" as const } : {}),
  };
}

async function open(
  tools: ToolPaths,
  path: string | undefined,
  running: AppInfo | undefined,
  attached: boolean,
  options: LaunchOptions,
  deadline: Deadline,
): Promise<void> {
  const target = path !== undefined ? ["-a", path] : ["-b", running?.bundleId ?? ""];
  const args = [
    ...(options.newInstance ? ["-n"] : []),
    ...(options.activate ? [] : ["-g"]),
    ...target,
    ...(attached ? [] : options.env.flatMap((entry) => ["--env", entry])),
    ...(attached || options.args.length === 0 ? [] : ["--args", ...options.args]),
  ];
  const result = await runTool(tools.open, args, deadline);
  if (result.success) return;
  throw new AppError("APP_NOT_FOUND", "The system could not open the application", {
    suggestion: "Use the bundle id or the full path of the .app folder.",
    platformDetail: result.stderr.trim().slice(0, 512),
  });
}

async function appears(
  native: Native,
  isIt: (app: AppInfo) => boolean,
  deadline: Deadline,
): Promise<AppInfo> {
  while (true) {
    const app = readApps(native).find(isIt);
    if (app) return app;
    if (deadline.expired) {
      throw new AppError("TIMEOUT", "The application did not start in time", {
        suggestion: "Use list-apps to see whether it runs now.",
        details: { kind: "deadline", elapsed_ms: deadline.elapsed },
        delivery: "delivered_unverified",
      });
    }
    await deadline.sleep(POLL_MS);
  }
}

/** The first window, waited for until the deadline when it is wanted, else for a moment. */
async function firstWindow(
  native: Native,
  elements: Elements,
  app: AppInfo,
  wanted: boolean,
  deadline: Deadline,
): Promise<WindowInfo | undefined> {
  let until = wanted ? deadline : undefined;
  while (true) {
    if (processInstance(native.system, app.pid) === undefined) {
      throw new AppError("APP_UNRESPONSIVE", "The application ended before it showed a window", {
        suggestion: "Start it by hand to see why.",
        details: { kind: "process_ended", pid: app.pid },
        delivery: "delivered_unverified",
      });
    }
    const windows = await readWindows(native, elements, app.pid, deadline);
    const window = windows.find((w) => w.isFocused) ?? windows.find((w) => w.visible);
    if (window) return window;
    native.cf.pumpRunLoop();
    if (native.appKit.application(app.pid)?.finishedLaunching) {
      until ??= deadline.within(WINDOW_GRACE_MS);
    }
    if (deadline.expired || until?.expired) return undefined;
    await deadline.sleep(POLL_MS);
  }
}

// The workspace's entry of a process that ended may stand for a while after the pid is used again.
function mustBeLaunched(native: Native, app: AppInfo): void {
  const launchedAt = native.appKit.application(app.pid)?.launchedAt;
  const start = native.system.processStart(app.pid);
  if (launchedAt === undefined || start === undefined) return;
  if (Math.abs(launchedAt - Number(start.seconds)) <= LAUNCH_TOLERANCE_S) return;
  throw new AppError("STALE_REF", "The process is not the application that was launched", {
    suggestion: "Use list-apps to see what runs.",
  });
}

/**
 * Asks an application to quit, or ends it; done when the process is gone.
 *
 * @throws AppError `INVALID_ARGS` for a protected process, `TIMEOUT` when it still runs at the end
 */
export async function closeApp(
  native: Native,
  app: AppInfo,
  force: boolean,
  deadline: Deadline,
): Promise<void> {
  const names = [app.name, ...app.aliases].map((name) => name.toLowerCase());
  if (app.pid <= 1 || names.some((name) => PROTECTED.has(name))) {
    throw new AppError("INVALID_ARGS", "This process keeps the session alive and is not closed", {
      suggestion: "Close the application's windows instead.",
    });
  }
  const instance = processInstance(native.system, app.pid);
  mustBeLaunched(native, app);
  const gone = () => processInstance(native.system, app.pid) !== instance;
  if (instance === undefined || instance !== (app.processInstance ?? instance)) {
    throw new AppError("STALE_REF", "The application has ended", {
      suggestion: "Use list-apps to see what runs.",
    });
  }
  if (!native.appKit.terminate(app.pid, force)) {
    throw new AppError("ACTION_FAILED", "The application could not be asked to quit", {
      suggestion: force ? "Use list-apps to see what runs." : "Use close-app with --force.",
    });
  }
  if (force && !await waitUntil(gone, POLL_MS, deadline.within(FORCE_GRACE_MS))) {
    native.system.signal(app.pid, SYS.SIGKILL);
  }
  if (await waitUntil(gone, POLL_MS, deadline)) return;
  throw new AppError("TIMEOUT", "The application was asked to quit and still runs", {
    suggestion: "Take a snapshot: it may ask whether to save.",
    details: { kind: "deadline", elapsed_ms: deadline.elapsed },
    delivery: "delivered_unverified",
  });
}
