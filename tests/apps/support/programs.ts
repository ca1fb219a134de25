/**
 * The applications people use, each on a private desktop of its test file.
 *
 * ```ts
 * const desktop = await Desktop.start();
 * const app = await startThunar(desktop, folder);   // once, at the top of the file
 * ```
 *
 * An application is started once and shared by the tests of its file, in their order; each test
 * leaves it as it found it or says what it leaves behind. It ends with the desktop.
 */
import { type Desktop, ROOT, type Snapshot } from "../../e2e/support/desktop.ts";
import { poll } from "../../e2e/support/apps.ts";
import type { ReaderNode, ReaderQuery } from "../../e2e/support/reader.ts";

/** An application's first start writes its profile: on a slow machine that takes its time. */
const START_LIMIT_MS = 90_000;
const EFFECT_LIMIT_MS = 10_000;

/** Documents, pages and programs of these tests. */
export const FIXTURES = `${ROOT}fixtures/apps/`;

/** How a program is started, and when it is there. */
export interface Start {
  file: string;
  args?: string[];
  env?: Record<string, string>;
  /** The accessible name of the application. */
  name: string;
  /** Titles its windows have, or how they begin. */
  windows: string[];
}

/** A running program. The process started may be a launcher: the one on the bus is what counts. */
export class Program {
  constructor(readonly desktop: Desktop, readonly name: string, readonly pid: number) {}

  /** Whether the process runs (the desktop collects ended ones). */
  async alive(): Promise<boolean> {
    try {
      const status = await Deno.readTextFile(`/proc/${this.pid}/status`);
      return !/^State:\s*[ZX]/m.test(status);
    } catch {
      return false;
    }
  }

  /** Throws unless the process runs and its application answers: no reading or acting may end it. */
  async assertAlive(): Promise<void> {
    const apps = await this.desktop.reader.apps();
    if (!await this.alive() || !apps.some((one) => one.pid === this.pid)) {
      throw new Error(`${this.name} has ended or left the bus`);
    }
  }

  /** Titles of its windows, as libatspi tells them. */
  async titles(): Promise<string[]> {
    const apps = await this.desktop.reader.apps();
    return apps.find((one) => one.pid === this.pid)?.windows ?? [];
  }

  /** The id of the window whose title begins so, from `list-windows`. */
  async windowId(title: string): Promise<string> {
    const windows = await this.desktop.ok("list-windows", "--app", String(this.pid));
    const found = (windows as unknown as { id: string; title: string }[])
      .find((window) => window.title.startsWith(title));
    if (!found) throw new Error(`${this.name}: no window ${title} in ${JSON.stringify(windows)}`);
    return found.id;
  }

  /** A snapshot of the window whose title begins so; of the first without a title. */
  async snapshot(title = "", ...args: string[]): Promise<Snapshot> {
    return await this.desktop.snapshot("--window-id", await this.windowId(title), ...args);
  }

  /** Nodes as the independent reader sees them. Of a sheet's 2^31 cells only the first 200. */
  find(query: Omit<ReaderQuery, "app">): Promise<ReaderNode[]> {
    return this.desktop.reader.find({ app: `pid:${this.pid}`, max_children: 200, ...query });
  }

  /** Waits until the independent reader sees an element with this name or this text. */
  async expectLabel(label: string): Promise<void> {
    const prefix = label.slice(0, label.indexOf(":") + 1) || label;
    let last: string[] = [];
    const seen = await poll(EFFECT_LIMIT_MS, async () => {
      const nodes = await this.find({ text: true });
      last = nodes.flatMap((n) => [n.name, n.text ?? ""]).filter((one) => one.startsWith(prefix));
      return last.includes(label);
    });
    if (!seen) throw new Error(`${this.name}: ${JSON.stringify(last)}, not ${label}`);
  }
}

/** Starts a program and waits until all its windows are on the bus. */
export async function start(desktop: Desktop, what: Start): Promise<Program> {
  const process = desktop.command(what.file, {
    args: what.args ?? [],
    env: what.env ?? {},
    cwd: desktop.env["HOME"]!,
    stdin: "null",
    stdout: "null",
    stderr: "null",
  }).spawn();
  process.status.catch(() => {}); // it ends with the desktop
  process.unref();
  let seen = "";
  let pid = 0;
  const ready = await poll(START_LIMIT_MS, async () => {
    const apps = await desktop.reader.apps();
    seen = JSON.stringify(apps);
    const app = apps.find((one) =>
      one.name === what.name &&
      what.windows.every((title) => one.windows.some((window) => window.startsWith(title)))
    );
    pid = app?.pid ?? 0;
    return app !== undefined;
  });
  if (!ready) throw new Error(`${what.file}: no ${what.name} with ${what.windows}, but ${seen}`);
  return new Program(desktop, what.name, pid);
}

/** Waits until something holds that an application was made to do; throws with `what` if not. */
export async function expectSoon(what: string, check: () => Promise<boolean>): Promise<void> {
  if (!await poll(EFFECT_LIMIT_MS, check)) throw new Error(`not seen: ${what}`);
}

/** A copy of fixture documents in the desktop's home, where an application may change them. */
export async function copied(desktop: Desktop, ...names: string[]): Promise<string[]> {
  const paths = names.map((name) => `${desktop.env["HOME"]}/${name}`);
  await Promise.all(names.map((name, i) => Deno.copyFile(FIXTURES + name, paths[i]!)));
  return paths;
}

/** One LibreOffice process with a Calc window `stock.fods` and a Writer window `letter.fodt`. */
export async function startLibreOffice(desktop: Desktop): Promise<Program> {
  const documents = await copied(desktop, "stock.fods", "letter.fodt");
  return await start(desktop, {
    file: "soffice",
    args: ["--norestore", "--nologo", "--nofirststartwizard", "--nolockcheck", ...documents],
    name: "soffice",
    windows: ["stock.fods", "letter.fodt"],
  });
}

/** Firefox with a page (a URL) whose title is `title`, without its welcome pages. */
export async function startFirefox(
  desktop: Desktop,
  url: string,
  title: string,
): Promise<Program> {
  const profile = `${desktop.env["HOME"]}/firefox`;
  await Deno.mkdir(profile);
  const settings: Record<string, unknown> = {
    "browser.aboutwelcome.enabled": false,
    "browser.shell.checkDefaultBrowser": false,
    "browser.startup.homepage_override.mstone": "ignore",
    "browser.tabs.warnOnClose": false,
    "datareporting.policy.dataSubmissionEnabled": false,
    "datareporting.policy.firstRunURL": "",
    "startup.homepage_welcome_url": "",
    "termsofuse.acceptedVersion": 999,
    "toolkit.telemetry.reportingpolicy.firstRun": false,
  };
  const lines = Object.entries(settings).map(([key, value]) =>
    `user_pref(${JSON.stringify(key)}, ${JSON.stringify(value)});\n`
  );
  await Deno.writeTextFile(`${profile}/user.js`, lines.join(""));
  return await start(desktop, {
    file: "firefox-esr",
    args: ["--profile", profile, "--no-remote", "--new-instance", url],
    name: "Firefox",
    windows: [title],
  });
}

/** Thunar with a folder open, whose last name is its window's title. */
export function startThunar(desktop: Desktop, folder: string): Promise<Program> {
  const title = folder.slice(folder.lastIndexOf("/") + 1);
  return start(desktop, { file: "thunar", args: [folder], name: "thunar", windows: [title] });
}

/** The Swing window with common controls, started from its source. */
export function startSwing(desktop: Desktop): Promise<Program> {
  return start(desktop, {
    // Debian's: another Java does not look where Debian keeps the bridge's library.
    file: "/usr/lib/jvm/default-java/bin/java",
    args: [
      "-Djavax.accessibility.assistive_technologies=org.GNOME.Accessibility.AtkWrapper",
      "-cp",
      "/usr/share/java/java-atk-wrapper.jar",
      `${FIXTURES}SwingControls.java`,
    ],
    name: "Swing controls",
    windows: ["Swing controls"],
  });
}

/** The Qt 6 window with common controls. */
export function startQt6(desktop: Desktop): Promise<Program> {
  return start(desktop, {
    file: "/usr/bin/python3",
    args: [`${FIXTURES}qt6_controls.py`],
    name: "qt6-controls",
    windows: ["Qt 6 controls"],
  });
}
