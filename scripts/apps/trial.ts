/** Tries one application on a private desktop of its own. */
import {
  Desktop,
  nodesOf,
  ROOT,
  type Run,
  type Snapshot,
} from "../../tests/e2e/support/desktop.ts";
import { poll } from "../../tests/e2e/support/apps.ts";
import { differing, holds, picture, titles } from "./look.ts";
import type { Application, Operation, Outcome, Result, Step } from "./types.ts";

const START_LIMIT_MS = 40_000;
/** A tree counts as at rest when it has not grown for so long. */
const REST_MS = 700;
const REST_LIMIT_MS = 15_000;
const EFFECT_LIMIT_MS = 4_000;
/** An independent reader that takes longer is ended. */
const READER_LIMIT_MS = 20_000;
const TRIALS = 3;

/** Starts the application, reads it, operates it; the desktop is gone afterwards. */
export async function tryOut(application: Application, limitMs: number): Promise<Result> {
  const result: Result = {
    name: application.name,
    toolkit: application.toolkit,
    version: await versionOf(application.packages[0]!),
    told: "",
    outcomes: [],
  };
  const desktop = await Desktop.start();
  let timer: number | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`not done after ${limitMs / 1000} s`)), limitMs);
  });
  const trial = new Trial(desktop, application, result);
  try {
    await Promise.race([trial.run(), late]);
  } catch (error) {
    result.failure = error instanceof Error ? error.message.split("\n")[0]! : String(error);
  } finally {
    clearTimeout(timer);
    await desktop.stop();
  }
  return result;
}

/** An application being tried. */
class Trial {
  #pid = 0;

  constructor(
    readonly desktop: Desktop,
    readonly application: Application,
    readonly result: Result,
  ) {}

  async run(): Promise<void> {
    await this.#start();
    if (this.application.app === undefined) {
      await this.#withoutAccessibility();
    } else {
      await this.#read();
    }
    for (const operation of this.application.operations) {
      this.result.outcomes.push(await this.#operate(operation));
    }
    const ended = this.#pid !== 0 && !await exists(`/proc/${this.#pid}`);
    if (ended !== Boolean(this.application.ends)) {
      this.result.failure = ended ? "it has ended" : "it has not ended";
    }
    if (this.application.endless && !ended) await this.#readIndependently();
  }

  async #start(): Promise<void> {
    const { application, desktop } = this;
    const home = desktop.env["HOME"]!;
    for (const [name, content] of Object.entries(application.files ?? {})) {
      const path = `${home}/${name}`;
      await Deno.mkdir(path.slice(0, path.lastIndexOf("/")), { recursive: true });
      if (content.startsWith("/")) await Deno.copyFile(content, path);
      else await Deno.writeTextFile(path, content);
    }
    const [file, ...args] = application.command.map((word) => word.replaceAll("$HOME", home));
    const process = desktop.command(file!, {
      args,
      cwd: home,
      ...(application.env ? { env: application.env } : {}),
      stdin: "null",
      stdout: "null",
      stderr: "null",
    }).spawn();
    process.unref();
    let seen: string[] = [];
    const shown = await poll(START_LIMIT_MS, async () => {
      seen = await titles(desktop);
      return seen.some((title) => title.startsWith(application.title));
    });
    if (!shown) throw new Error(`no window ${application.title} but ${JSON.stringify(seen)}`);
    if (application.app === undefined) {
      await pause(REST_MS * 2);
      return;
    }
    let nodes = -1;
    const ready = await poll(REST_LIMIT_MS, async () => {
      const apps = await desktop.reader.apps();
      const app = apps.find((one) => one.name === application.app && one.windows.length > 0);
      if (!app) return false;
      this.#pid = app.pid;
      this.result.told = `${app.toolkit} ${app.toolkit_version}`.trim();
      const walk = await desktop.reader.walk({ app: `pid:${app.pid}`, max_children: 300 });
      const quiet = walk.nodes === nodes;
      nodes = walk.nodes;
      if (!quiet) await pause(REST_MS);
      return quiet;
    });
    if (!ready && this.#pid === 0) throw new Error(`no ${application.app} on the bus`);
  }

  /** The words that name the window to read: its id, or the application if it is not listed. */
  async #where(title = this.application.window): Promise<string[]> {
    const run = await this.desktop.run("list-windows");
    const listed = (run.envelope?.data ?? []) as unknown as {
      id: string;
      title: string;
      pid: number;
    }[];
    const found = listed.find((window) =>
      (title === undefined || window.title.startsWith(title)) &&
      (this.#pid === 0 ? window.title.startsWith(this.application.title) : window.pid === this.#pid)
    );
    if (found) return ["--window-id", found.id];
    return ["--app", this.#pid ? String(this.#pid) : this.application.name];
  }

  /** Reads it in turn with the program and with a script, so that both meet the same machine. */
  async #read(): Promise<void> {
    const ours: number[] = [];
    const theirs: number[] = [];
    for (let i = 0; i < TRIALS; i++) {
      const run = await this.desktop.run("snapshot", ...await this.#where(), "--max-depth", "50");
      const snapshot = run.envelope?.data as unknown as Snapshot | undefined;
      if (!snapshot) {
        this.result.failure = `snapshot: ${answerOf(run)}`;
        return;
      }
      ours.push(run.wallMs);
      this.#count(snapshot);
      if (this.application.endless || this.result.readerFailure) continue;
      const time = await this.#readIndependently();
      if (time !== undefined) theirs.push(time);
    }
    this.result.snapshotMs = median(ours);
    if (theirs.length === TRIALS) this.result.readerMs = median(theirs);
  }

  #count(snapshot: Snapshot): void {
    const nodes = [...nodesOf(snapshot.tree)];
    const offered = nodes.filter((node) => node.ref_id);
    this.result.nodes = nodes.length;
    this.result.refs = offered.length;
    this.result.nameless = offered.filter((node) => !node.name && !node.description).length;
    this.result.complete = snapshot.complete;
  }

  /** The time of a script with pyatspi as a process; undefined when it does not come to an end. */
  async #readIndependently(): Promise<number | undefined> {
    const started = performance.now();
    const child = this.desktop.command("/usr/bin/python3", {
      args: [`${ROOT}bench/walk.py`, this.application.app!],
      stdout: "piped",
      stderr: "null",
    }).spawn();
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      child.kill("SIGKILL");
    }, READER_LIMIT_MS);
    const { success, stdout } = await child.output();
    clearTimeout(timer);
    if (success) {
      this.result.readerNodes = Number(new TextDecoder().decode(stdout));
      return performance.now() - started;
    }
    this.result.readerFailure = late ? `more than ${READER_LIMIT_MS / 1000} s` : "an error";
    return undefined;
  }

  async #withoutAccessibility(): Promise<void> {
    const run = await this.desktop.run("list-windows");
    const windows = (run.envelope?.data ?? []) as unknown as {
      title: string;
      accessible: boolean;
    }[];
    const found = windows.find((window) => window.title.startsWith(this.application.title));
    this.result.listed = found ? `listed, accessible: ${found.accessible}` : "not listed";
  }

  async #operate(operation: Operation): Promise<Outcome> {
    const { desktop } = this;
    const { check } = operation;
    const headed = operation.steps.some((step) => step.headed);
    const what = operation.what + (headed ? " (headed)" : "");
    const before = await this.#quietPicture();
    if (await holds(desktop, this.#pid, check, before)) {
      return { what, answer: "not tried: it was so before", seen: false, claimed: false };
    }
    let answer = "";
    let detail = "";
    let claimed = true;
    for (const step of operation.steps) {
      const run = await this.#step(step);
      answer = typeof run === "string" ? run : answerOf(run);
      claimed = typeof run !== "string" && run.envelope?.ok === true;
      if (typeof run !== "string") detail = run.envelope?.error?.message ?? "";
      if (!claimed) break;
    }
    const seen = await poll(EFFECT_LIMIT_MS, () => holds(desktop, this.#pid, check, before));
    return { what, answer, detail, seen, claimed };
  }

  /** The screen once it no longer changes, or as it is after a while. */
  async #quietPicture(): Promise<Uint8Array> {
    let last = await picture(this.desktop);
    await poll(REST_LIMIT_MS / 4, async () => {
      await pause(REST_MS / 2);
      const now = await picture(this.desktop);
      const same = differing(last, now) === 0;
      last = now;
      return same;
    });
    return last;
  }

  /** Runs one command; a text tells why it could not be run. */
  async #step(step: Step): Promise<Run | string> {
    const where = await this.#where(step.window);
    const flags = step.headed ? ["--headed"] : [];
    if (!step.on) {
      return await this.desktop.run(step.command, ...flags, ...where, ...step.with ?? []);
    }
    const { role, name, value, exact, nth } = step.on;
    const filters = [
      ...(role ? ["--role", role] : []),
      ...(name ? ["--name", name] : []),
      ...(value ? ["--value", value] : []),
      ...(exact ? ["--exact"] : []),
    ];
    const run = await this.desktop.run("find", ...where, ...filters);
    if (!run.envelope?.ok) return `find: ${answerOf(run)}`;
    const matches = (run.envelope.data as { matches: { ref_id?: string }[] }).matches;
    const wanted = `${role ?? "element"} ${name ?? value ?? ""}`.trim();
    if (matches.length === 0) return `no ${wanted}`;
    if (matches.length > 1 && nth === undefined) return `${matches.length} times ${wanted}`;
    const ref = matches[nth ?? 0]?.ref_id;
    if (!ref) return `${wanted} has no ref`;
    return await this.desktop.run(step.command, ...flags, ref, ...step.with ?? []);
  }
}

/** The short form of an answer: what it claims, or the error's code. */
function answerOf(run: Run): string {
  if (run.timedOut || !run.envelope) return "no answer";
  const { data, error } = run.envelope;
  if (error) {
    const delivery = error.disposition.delivery;
    return delivery === "not_delivered" ? error.code : `${error.code}, ${delivery}`;
  }
  const delivery = (data?.["disposition"] as { delivery?: string } | undefined)?.delivery;
  if (delivery === "delivered_verified") return "verified";
  if (delivery === "delivered_unverified") return "sent";
  return delivery === "not_delivered" ? "nothing" : "ok";
}

/** The version of a Debian package, without Debian's own part. */
async function versionOf(name: string): Promise<string> {
  const { stdout } = await new Deno.Command("dpkg-query", {
    args: ["-W", "-f", "${Version}\\n", ...name.split("|")],
    stderr: "null",
  }).output();
  const version = new TextDecoder().decode(stdout).split("\n")[0]!;
  return version.replace(/^[0-9]+:/, "").replace(/[-+~].*$/, "");
}

function median(numbers: number[]): number {
  return Math.round(numbers.toSorted((a, b) => a - b)[numbers.length >> 1]!);
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

async function exists(path: string): Promise<boolean> {
  try {
    await Deno.lstat(path);
    return true;
  } catch {
    return false;
  }
}
