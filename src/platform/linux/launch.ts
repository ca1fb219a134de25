/** Starting and ending applications on Linux. */
import { hasEnded, SIGNAL, signal, spawnDetached } from "../../../ffi/linux/spawn.ts";
import { Deadline } from "../../deadline.ts";
import { AppError } from "../../errors.ts";
import type { Launched, Launcher, LaunchRequest } from "../launcher.ts";
import type { AppInfo, Platform, WindowInfo } from "../platform.ts";
import { type DesktopEntry, findEntries, programPath } from "./desktop_entries.ts";
import { commandName, processInstance, sessionOf } from "./process.ts";
import { closeX11Windows, x11WindowsOf } from "./x11/applications.ts";

// Between two looks for what is awaited.
const POLL_MS = 60;
// One look at all applications.
const LOOK_MS = 1_500;
// A program that shows no window for this long after its start may have none to show.
const WINDOW_GRACE_MS = 10_000;
// A window that is on the X server and not (yet) on the accessibility bus.
const BUS_GRACE_MS = 2_500;
// After the started process has ended: its real application may still be on its way.
const STUB_GRACE_MS = 4_000;
// Levels of a window that are compared to tell that it has come to rest.
const QUIET_DEPTH = 4;
const QUIET_MS = 3_000;
// After SIGTERM, before SIGKILL.
const TERM_GRACE_MS = 2_000;
// A dialog that stays this long after the request to close is a question to the user.
const DIALOG_MS = 800;
// `comm` in /proc holds this many bytes of a program's name.
const COMM_BYTES = 15;

// Processes that carry the session: ending one ends the user's work.
const PROTECTED: ReadonlySet<string> = new Set([
  "gnome-shell",
  // All applications of a sandbox talk through it.
  "xdg-dbus-proxy",
  "gnome-session-b",
  "plasmashell",
  "ksmserver",
  "kwin_x11",
  "kwin_wayland",
  "sway",
  "mutter",
  "Xorg",
  "Xwayland",
  "Xvfb",
  "systemd",
  "init",
  "dbus-daemon",
  "dbus-broker",
  "dbus-broker-lau",
  "at-spi-bus-laun",
  "at-spi2-registr",
  "gdm",
  "gdm3",
  "sddm",
  "lightdm",
]);

// Toolkits that publish their tree only when told to look at these (Chromium, Firefox, Qt).
const ACCESSIBLE_ENVIRONMENT = {
  ACCESSIBILITY_ENABLED: "1",
  GNOME_ACCESSIBILITY: "1",
  QT_LINUX_ACCESSIBILITY_ALWAYS_ON: "1",
} as const;

// Folders and files beside a program that is built on Chromium.
const CHROMIUM_FILES = ["chrome_100_percent.pak", "resources/app.asar", "libcef.so"];
const CHROMIUM_NAMES = /^(chromium|chrome|google-chrome|brave|vivaldi|microsoft-edge|opera)/;

/** What the launcher asks of the platform it belongs to. */
export type LauncherPlatform = Pick<
  Platform,
  "apps" | "windows" | "observe" | "focusWindow"
>;

function same(a: string, b: string): boolean {
  return fold(a) === fold(b);
}

function fold(text: string): string {
  return text.normalize("NFC").toLowerCase();
}

function env(name: string): string | undefined {
  return Deno.env.get(name);
}

function baseName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** An application that can be started. */
interface Installed {
  program: string;
  args: readonly string[];
  cwd?: string;
  /** What a running instance may be called. */
  names: readonly string[];
}

/** Starts and ends applications of this session. */
export class LinuxLauncher implements Launcher {
  constructor(private readonly platform: LauncherPlatform) {}

  async running(query: string, deadline: Deadline): Promise<AppInfo[]> {
    const installed = find(query);
    const names = [query, ...installed?.names ?? []];
    return (await this.platform.apps(deadline)).filter((app) => isCalled(app, names));
  }

  async attach(app: AppInfo, activate: boolean, deadline: Deadline): Promise<Launched> {
    const window = best(await this.platform.windows(app.pid, deadline));
    if (window !== undefined && activate) await this.platform.focusWindow(window, deadline);
    return launched(app, window, true);
  }

  async start(request: LaunchRequest, deadline: Deadline): Promise<Launched> {
    const installed = find(request.query);
    if (installed === undefined) throw notInstalled();
    const before = await this.#running(installed, deadline);
    const started = spawnDetached({
      program: installed.program,
      args: [...installed.args, ...request.args],
      env: { ...Deno.env.toObject(), ...ACCESSIBLE_ENVIRONMENT, ...request.env },
      ...(request.cwd ?? installed.cwd) === undefined
        ? {}
        : { cwd: (request.cwd ?? installed.cwd)! },
    });
    if (started.result === "not_found") throw notInstalled();
    if (started.result === "refused") {
      throw new AppError("ACTION_FAILED", "The system did not start the application", {
        suggestion: "Start it by hand to see why.",
        platformDetail: `errno ${started.errno}`,
        delivery: "not_delivered",
      });
    }
    const search = new Search(this.platform, installed, started.pid, before);
    const found = await search.run(request.activate, deadline);
    if (found.window !== undefined) {
      await this.#rest(found.window, deadline);
      if (request.activate) await this.platform.focusWindow(found.window, deadline);
    }
    return launched(found.app, found.window, false, installed.program);
  }

  async #running(installed: Installed, deadline: Deadline): Promise<Before> {
    const apps = await this.platform.apps(deadline.within(LOOK_MS));
    const ours = apps.filter((app) => isCalled(app, installed.names));
    const windows = await Promise.all(ours.map((app) => windowsOf(this.platform, app, deadline)));
    return {
      pids: new Set(apps.map((app) => app.pid)),
      windows: new Set(windows.flat().map((window) => window.id)),
    };
  }

  /** Waits until the window's upper levels are the same twice: it is filled by then. */
  async #rest({ handle }: WindowInfo, deadline: Deadline): Promise<void> {
    if (handle === undefined) return;
    const limit = deadline.within(QUIET_MS);
    let before = -1;
    while (!limit.expired) {
      try {
        const options = { maxDepth: QUIET_DEPTH, bounds: "identity" } as const;
        const now = await this.platform.observe(handle, options, limit);
        if (now === undefined) return;
        if (now.nodesObserved === before) return;
        before = now.nodesObserved;
      } catch (error) {
        // It is still busy with starting; the deadline ends the wait.
        if (!(error instanceof AppError)) throw error;
      }
      await limit.sleep(POLL_MS);
    }
  }

  async close(app: AppInfo, force: boolean, deadline: Deadline): Promise<void> {
    if (app.pid <= 1 || app.pid === Deno.pid || PROTECTED.has(commandName(app.pid) ?? "")) {
      throw new AppError("INVALID_ARGS", "This process keeps the session alive and is not closed", {
        suggestion: "Close the application's windows instead.",
      });
    }
    const instance = processInstance(app.pid);
    if (instance === undefined || instance !== (app.processInstance ?? instance)) {
      throw new AppError("STALE_REF", "The application has ended", {
        suggestion: "Use list-apps to see what runs.",
      });
    }
    const gone = () => processInstance(app.pid) !== instance;
    if (force) return await this.#end(app, gone, deadline);
    const before = new Set((await windowsOf(this.platform, app, deadline)).map(({ id }) => id));
    const asked = closeX11Windows(app.pid);
    if (!asked) {
      throw new AppError("ACTION_NOT_SUPPORTED", "The application has no window to close", {
        suggestion: "Use close-app with --force to end its process.",
        details: { pid: app.pid },
      });
    }
    const dialog = await this.#question(app, before, gone, deadline);
    if (dialog === "closed") return;
    throw new AppError("TIMEOUT", "The application was asked to close and still runs", {
      suggestion: dialog === undefined
        ? "Take a snapshot: it may ask something. close-app --force ends it without saving."
        : "It shows a dialog, named in details: snapshot it with --window-id and answer it.",
      details: {
        kind: "deadline",
        elapsed_ms: deadline.elapsed,
        ...(dialog === undefined ? {} : { dialog: { title: dialog.title, window_id: dialog.id } }),
      },
      delivery: "delivered_unverified",
    });
  }

  /** Until the process is gone, a dialog has come to stay, or time is up. */
  async #question(
    app: AppInfo,
    before: ReadonlySet<string>,
    gone: () => boolean,
    deadline: Deadline,
  ): Promise<"closed" | WindowInfo | undefined> {
    const since = new Map<string, number>();
    while (true) {
      if (gone()) return "closed";
      if (deadline.expired) return undefined;
      for (const window of await windowsOf(this.platform, app, deadline)) {
        if (before.has(window.id) || window.visible === false) continue;
        const at = since.get(window.id) ?? performance.now();
        since.set(window.id, at);
        if (performance.now() - at >= DIALOG_MS && !gone()) return window;
      }
      await deadline.sleep(POLL_MS);
    }
  }

  async #end(app: AppInfo, gone: () => boolean, deadline: Deadline): Promise<void> {
    if (!signal(app.pid, SIGNAL.term)) {
      throw new AppError("PERM_DENIED", "The process belongs to another user", {
        suggestion: "Run the program as the user who started the application.",
      });
    }
    if (await waitUntil(gone, deadline.within(TERM_GRACE_MS))) return;
    signal(app.pid, SIGNAL.kill);
    if (await waitUntil(gone, deadline)) return;
    throw new AppError("TIMEOUT", "The process was ended and is still there", {
      suggestion: "Use list-apps to see whether it is gone now.",
      details: { kind: "deadline", elapsed_ms: deadline.elapsed },
      delivery: "delivered_unverified",
    });
  }
}

/** What ran before the start. */
interface Before {
  pids: ReadonlySet<number>;
  windows: ReadonlySet<string>;
}

/** The search for the application that came of a started process. */
class Search {
  #endedAt: number | undefined;
  readonly #began = performance.now();

  constructor(
    private readonly platform: LauncherPlatform,
    private readonly installed: Installed,
    private readonly pid: number,
    private readonly before: Before,
  ) {}

  async run(
    insist: boolean,
    deadline: Deadline,
  ): Promise<{ app: AppInfo; window?: WindowInfo }> {
    let app: AppInfo | undefined;
    while (true) {
      if (this.#endedAt === undefined && hasEnded(this.pid)) this.#endedAt = performance.now();
      const apps = await this.platform.apps(deadline.within(LOOK_MS));
      const ours = apps.filter((one) => this.#isOurs(one));
      for (const one of ours) {
        const windows = await windowsOf(this.platform, one, deadline);
        const window = best(windows.filter(({ id }) => !this.before.windows.has(id)));
        if (window !== undefined) return { app: one, window };
      }
      app = ours[0] ?? app;
      const bare = this.#bareWindow(app);
      if (bare !== undefined) return bare;
      if (this.#isOver(app, insist, deadline)) break;
      await deadline.sleep(POLL_MS);
    }
    if (app !== undefined) return { app };
    if (this.#endedAt !== undefined) {
      throw new AppError("APP_UNRESPONSIVE", "The application ended before it showed a window", {
        suggestion: "Start it by hand to see why.",
        details: { kind: "process_ended", pid: this.pid },
        delivery: "delivered_unverified",
      });
    }
    return { app: this.#bareApp() };
  }

  /** Whether waiting longer would not help. */
  #isOver(app: AppInfo | undefined, insist: boolean, deadline: Deadline): boolean {
    if (deadline.expired) return true;
    const now = performance.now();
    if (app === undefined && this.#endedAt !== undefined) {
      return now - this.#endedAt > STUB_GRACE_MS;
    }
    return !insist && now - this.#began > WINDOW_GRACE_MS;
  }

  /** The process itself, one it started, or, when it was only a stub, the one that took over. */
  #isOurs(app: AppInfo): boolean {
    if (app.pid === this.pid || sessionOf(app.pid) === this.pid) return true;
    if (this.#endedAt === undefined) return false;
    return isCalled(app, this.installed.names) || !this.before.pids.has(app.pid);
  }

  /** A window that is on the X server only: the application has no accessibility. */
  #bareWindow(app: AppInfo | undefined): { app: AppInfo; window: WindowInfo } | undefined {
    if (app !== undefined || performance.now() - this.#began < BUS_GRACE_MS) return undefined;
    const window = x11WindowsOf((pid) => pid === this.pid || sessionOf(pid) === this.pid)
      .find((one) => one.visible);
    if (window === undefined) return undefined;
    return { app: { ...this.#bareApp(), pid: window.pid }, window };
  }

  #bareApp(): AppInfo {
    const instance = processInstance(this.pid);
    return {
      name: baseName(this.installed.program),
      pid: this.pid,
      aliases: [],
      ...(instance === undefined ? {} : { processInstance: instance }),
    };
  }
}

async function windowsOf(
  platform: LauncherPlatform,
  app: AppInfo,
  deadline: Deadline,
): Promise<WindowInfo[]> {
  try {
    return await platform.windows(app.pid, deadline.within(LOOK_MS));
  } catch (error) {
    // An application that is starting or asking something may not answer for a moment.
    if (error instanceof AppError) return [];
    throw error;
  }
}

function best(windows: readonly WindowInfo[]): WindowInfo | undefined {
  const shown = windows.filter((window) => window.visible !== false);
  return shown.find((window) => window.isFocused) ?? shown[0];
}

function launched(
  app: AppInfo,
  window: WindowInfo | undefined,
  attached: boolean,
  program?: string,
): Launched {
  return {
    app,
    attached,
    ...(window === undefined ? {} : { window }),
    ...(isChromium(app, program) ? { renderer: "chromium" } : {}),
  };
}

/** Best effort: by its name, else by the files that come with every Chromium. */
function isChromium(app: AppInfo, program: string | undefined): boolean {
  const names = [app.name, ...app.aliases, ...(program === undefined ? [] : [baseName(program)])];
  if (names.some((name) => CHROMIUM_NAMES.test(fold(name)))) return true;
  const path = program === undefined ? undefined : realPath(program);
  if (path === undefined) return false;
  const folder = path.slice(0, path.lastIndexOf("/"));
  return CHROMIUM_FILES.some((file) => exists(`${folder}/${file}`));
}

function realPath(program: string): string | undefined {
  const path = programPath(program, env);
  try {
    return path === undefined ? undefined : Deno.realPathSync(path);
  } catch {
    return undefined;
  }
}

function exists(path: string): boolean {
  try {
    Deno.statSync(path);
    return true;
  } catch {
    return false;
  }
}

function isCalled(app: AppInfo, names: readonly string[]): boolean {
  return names.some((name) => same(app.name, name) || app.aliases.some((one) => same(one, name)));
}

/** What a query means: a desktop entry by id or name, else a program. */
function find(query: string): Installed | undefined {
  if (!query.includes("/")) {
    const entries = findEntries(query, env, same);
    const entry = entries[0];
    if (entries.length > 1 && !entries.every((one) => sameCommand(one, entry!))) {
      throw new AppError("AMBIGUOUS_TARGET", `${entries.length} applications have that name`, {
        suggestion: "Pass one of details.candidates.",
        details: {
          candidate_count: entries.length,
          candidate_summaries_truncated: entries.length > 10,
          candidates: entries.slice(0, 10).map(({ id }) => id),
        },
      });
    }
    if (entry !== undefined) return ofEntry(entry);
  }
  if (query.includes("/") && !query.startsWith("/")) return undefined;
  if (programPath(query, env) === undefined) return undefined;
  return { program: query, args: [], names: namesOf(query) };
}

function sameCommand(a: DesktopEntry, b: DesktopEntry): boolean {
  return a.command.join("\0") === b.command.join("\0");
}

function ofEntry(entry: DesktopEntry): Installed {
  if (entry.terminal) {
    throw new AppError("ACTION_NOT_SUPPORTED", "The application runs inside a terminal window", {
      suggestion: "Launch a terminal emulator and type the program's name there.",
      details: { kind: "terminal_application" },
    });
  }
  const [program = "", ...args] = entry.command;
  return {
    program,
    args,
    ...(entry.cwd === undefined ? {} : { cwd: entry.cwd }),
    names: [...namesOf(program), ...entry.names, entry.id],
  };
}

/** How a running instance of a program may be called: its file's name, also as `comm` cuts it. */
function namesOf(program: string): string[] {
  const name = baseName(program);
  return [name, name.slice(0, COMM_BYTES)];
}

function notInstalled(): AppError {
  return new AppError("APP_NOT_FOUND", "No such application is installed", {
    suggestion: "Pass a desktop-entry id or name, a program on PATH, or an absolute path.",
  });
}

async function waitUntil(condition: () => boolean, deadline: Deadline): Promise<boolean> {
  while (true) {
    if (condition()) return true;
    if (deadline.expired) return false;
    await deadline.sleep(POLL_MS);
  }
}
