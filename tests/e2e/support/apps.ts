/**
 * Fixture applications on a private desktop.
 *
 * ```ts
 * await using app = await startGtk3(desktop);
 * const snapshot = await desktop.snapshot("--app", app.name);
 * await desktop.ok("click", refOf(snapshot.tree, "Push"));
 * await app.expectLabel("push", "clicked 1");
 * ```
 *
 * When an application goes out of scope it must still be alive: reading or acting must never end
 * it. A test that ends its application on purpose says so with {@linkcode App.mayEnd}.
 */
import { type Desktop, ROOT } from "./desktop.ts";
import { exchange } from "./reader.ts";

/** How long an application may take to appear, and an effect to show. */
const START_LIMIT_MS = 15_000;
const EFFECT_LIMIT_MS = 3_000;
const POLL_MS = 40;

/** How an application is started. */
export interface AppOptions {
  /** Its accessible application name (default: the file's name, `gtk3-controls`). */
  name?: string;
  /** The title of its window. */
  title?: string;
  args?: string[];
  env?: Record<string, string>;
  /** Do not wait until it is on the bus. */
  noWait?: boolean;
}

/** One line of an application's event log. */
export interface AppEvent {
  time: number;
  control?: string;
  text?: string;
  /** Scripted application: the node's id, and what was done to it. */
  node?: string;
  event?: string;
  [field: string]: unknown;
}

let started = 0;

/** A running fixture application. */
export class App {
  /** Set by a test that ends the application, or makes it leave the bus, on purpose. */
  mayEnd = false;
  #ended: Deno.CommandStatus | undefined;
  #stopped = false;

  constructor(
    readonly desktop: Desktop,
    /** The application's accessible name: for `--app`. */
    readonly name: string,
    readonly process: Deno.ChildProcess,
    readonly controlPath: string,
    readonly logPath: string,
  ) {
    process.status.then((status) => this.#ended = status);
  }

  /** The process id. */
  get pid(): number {
    return this.process.pid;
  }

  /** Whether the process runs. */
  get alive(): boolean {
    return this.#ended === undefined;
  }

  /** Sends one control verb with its words and returns the answer; throws an `error …` answer. */
  async control(...words: (string | number)[]): Promise<string> {
    const line = words.map((word) => `'${String(word).replaceAll("'", `'"'"'`)}'`).join(" ");
    using connection = await Deno.connect({ transport: "unix", path: this.controlPath });
    const answer = await exchange(connection, line);
    if (answer !== "ok" && !answer.startsWith("ok ")) {
      throw new Error(`${this.name}: ${words.join(" ")}: ${answer || "no answer"}`);
    }
    return answer.slice(3);
  }

  /** {@linkcode control} whose answer is JSON (`calls`, `effects` of the scripted application). */
  async ask<T>(...words: (string | number)[]): Promise<T> {
    return JSON.parse(await this.control(...words)) as T;
  }

  /** A control's status as the independent reader sees it: `clicked 1` of `push: clicked 1`. */
  async label(control: string): Promise<string> {
    const name = await this.desktop.reader.get({ app: this.name, prefix: `${control}:` });
    return name.slice(control.length + 1).trimStart();
  }

  /** Waits until a control's status is `text`; throws with what it was instead. */
  async expectLabel(control: string, text: string, limitMs = EFFECT_LIMIT_MS): Promise<void> {
    let last = "";
    const seen = await poll(limitMs, async () => (last = await this.label(control)) === text);
    if (!seen) throw new Error(`${this.name}: ${control} is ${last}, not ${text}`);
  }

  /** All events so far; only those of one control (or scripted node), if given. */
  async events(control?: string): Promise<AppEvent[]> {
    let text = "";
    try {
      text = await Deno.readTextFile(this.logPath);
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
    }
    const all = text.split("\n").filter(Boolean).map((line) => JSON.parse(line) as AppEvent);
    return control === undefined ? all : all.filter((e) => (e.control ?? e.node) === control);
  }

  /** Waits until the events of a control are these texts; throws with what they were instead. */
  async expectEvents(control: string, ...texts: string[]): Promise<void> {
    let last: (string | undefined)[] = [];
    const seen = await poll(EFFECT_LIMIT_MS, async () => {
      last = (await this.events(control)).map((event) => event.text ?? event.event);
      return JSON.stringify(last) === JSON.stringify(texts);
    });
    if (!seen) throw new Error(`${this.name}: ${control} had ${last}, not ${texts}`);
  }

  /** Waits until what the application was sent before has been worked off. */
  async settle(): Promise<void> {
    await this.control("ping");
    await this.control("ping");
  }

  /** Stops (`SIGSTOP`) or continues (`SIGCONT`) the process. */
  signal(signal: Deno.Signal): void {
    this.process.kill(signal);
  }

  /** Throws unless the application still runs. */
  assertAlive(): void {
    if (!this.alive) {
      throw new Error(`${this.name} has ended: ${JSON.stringify(this.#ended)}`);
    }
  }

  /** Ends the application, and waits until it is gone from the bus too. */
  async stop(): Promise<void> {
    if (this.#stopped) return;
    this.#stopped = true;
    if (this.alive) {
      trySignal(this.process, "SIGCONT");
      trySignal(this.process, "SIGTERM");
      const timer = setTimeout(() => trySignal(this.process, "SIGKILL"), 3_000);
      await this.process.status;
      clearTimeout(timer);
    }
    if (!this.desktop.env["DBUS_SESSION_BUS_ADDRESS"]) return;
    await poll(START_LIMIT_MS, async () => {
      const apps = await this.desktop.reader.apps();
      return !apps.some((app) => app.pid === this.pid);
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const endedEarly = !this.alive && !this.mayEnd && !this.#stopped;
    await this.stop();
    if (endedEarly) throw new Error(`${this.name} ended during the test`);
  }
}

/** Starts `fixtures/FILE` and waits until its first window is on the bus. */
export async function startFixture(
  desktop: Desktop,
  file: string,
  options: AppOptions = {},
): Promise<App> {
  started += 1;
  const name = options.name ?? file.replace(/\.py$/, "").replaceAll("_", "-");
  const control = `${desktop.folder}/control-${started}`;
  const log = `${desktop.folder}/events-${started}`;
  const process = desktop.command("/usr/bin/python3", {
    args: [`${ROOT}fixtures/${file}`, ...options.args ?? []],
    env: {
      FIXTURE_NAME: name,
      ...(options.title === undefined ? {} : { FIXTURE_TITLE: options.title }),
      FIXTURE_CONTROL: control,
      FIXTURE_LOG: log,
      ...options.env,
    },
    stdin: "null",
    stdout: "null",
    stderr: "null",
  }).spawn();
  const app = new App(desktop, file === "web_page.py" ? "Chromium" : name, process, control, log);
  if (options.noWait) return app;
  const ready = await poll(START_LIMIT_MS, async () => {
    app.assertAlive();
    const apps = await desktop.reader.apps();
    return apps.some((one) =>
      one.name === app.name && one.windows.length > 0 &&
      (one.pid === app.pid || app.name === "Chromium")
    ) && await exists(control);
  });
  if (ready) return app;
  await app.stop();
  throw new Error(`${file} did not appear on the accessibility bus`);
}

/** Starts an installed program and waits until it has a window on the bus under this name. */
export async function startProgram(
  desktop: Desktop,
  file: string,
  name: string,
  args: string[] = [],
): Promise<App> {
  const process = desktop.command(file, { args, stdin: "null", stdout: "null", stderr: "null" })
    .spawn();
  const app = new App(desktop, name, process, "", "");
  const ready = await poll(START_LIMIT_MS, async () => {
    app.assertAlive();
    const apps = await desktop.reader.apps();
    // Qt 6 announces a window before it has its title.
    return apps.some((one) => one.pid === app.pid && one.windows.some((title) => title !== ""));
  });
  if (ready) return app;
  await app.stop();
  throw new Error(`${file} did not appear on the accessibility bus`);
}

/** The GTK 3 window with every control. */
export function startGtk3(desktop: Desktop, options?: AppOptions): Promise<App> {
  return startFixture(desktop, "gtk3_controls.py", options);
}

/** The GTK 4 window with every control. */
export function startGtk4(desktop: Desktop, options?: AppOptions): Promise<App> {
  return startFixture(desktop, "gtk4_controls.py", options);
}

/** The Qt window with every control. */
export function startQt(desktop: Desktop, options?: AppOptions): Promise<App> {
  return startFixture(desktop, "qt_controls.py", options);
}

/** One of the small GTK 3 scenes (`gtk3_scenes.py --help` lists them). */
export function startScene(
  desktop: Desktop,
  scene: string,
  options: AppOptions = {},
): Promise<App> {
  return startFixture(desktop, "gtk3_scenes.py", {
    ...options,
    name: options.name ?? `gtk3-${scene}`,
    args: [scene, ...options.args ?? []],
  });
}

/** One of the small Qt scenes (`qt_scenes.py --help` lists them). */
export function startQtScene(
  desktop: Desktop,
  scene: string,
  options: AppOptions = {},
): Promise<App> {
  return startFixture(desktop, "qt_scenes.py", {
    ...options,
    name: options.name ?? `qt-${scene}`,
    args: [scene, ...options.args ?? []],
  });
}

/**
 * A page of `fixtures/` in Chromium, by default the one with every control. Waits until a node
 * whose name begins with `ready` is in the tree (null: for the window only).
 */
export async function startWeb(
  desktop: Desktop,
  page = "web_controls.html",
  options: AppOptions & { ready?: string | null } = {},
): Promise<App> {
  const app = await startFixture(desktop, "web_page.py", {
    ...options,
    args: [page, ...options.args ?? []],
  });
  const standard = page.startsWith("page_rows") ? "After the rows" : "push:";
  const ready = options.ready === undefined ? standard : options.ready;
  if (ready === null || options.noWait) return app;
  const shown = await poll(START_LIMIT_MS, async () => {
    app.assertAlive();
    const found = await desktop.reader.find({ app: app.name, prefix: ready, max_depth: 20 });
    return found.length > 0;
  });
  if (shown) return app;
  await app.stop();
  throw new Error(`${page}: nothing named ${ready}… in its tree`);
}

/** A node of a scripted application; `fixtures/README.md` describes all fields. */
export type ScriptedNode = Record<string, unknown> | `@${string}`;

/** What a scripted application serves. */
export interface ScriptedTree {
  name?: string;
  windows: ScriptedNode[];
  rules?: Record<string, unknown>[];
  [field: string]: unknown;
}

/**
 * Starts the scripted application with a tree; "@NaN", "@Infinity" and "@-Infinity" stand for the
 * numbers, which JavaScript's JSON lacks.
 */
export async function startScripted(
  desktop: Desktop,
  tree: ScriptedTree,
  options: AppOptions = {},
): Promise<App> {
  const file = `${desktop.folder}/tree-${started + 1}.json`;
  const json = JSON.stringify(tree).replace(/"@(NaN|-?Infinity)"/g, "$1");
  await Deno.writeTextFile(file, json);
  return await startFixture(desktop, "scripted_app", {
    ...options,
    name: options.name ?? tree.name ?? "scripted",
    args: [file, ...options.args ?? []],
  });
}

/** Repeats `check` until it gives true or the time is over; whether it did. */
export async function poll(limitMs: number, check: () => Promise<boolean>): Promise<boolean> {
  const end = performance.now() + limitMs;
  while (!(await check())) {
    if (performance.now() > end) return false;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  return true;
}

export async function exists(path: string): Promise<boolean> {
  try {
    await Deno.lstat(path);
    return true;
  } catch {
    return false;
  }
}

function trySignal(process: Deno.ChildProcess, signal: Deno.Signal) {
  try {
    process.kill(signal);
  } catch { /* it has ended */ }
}
