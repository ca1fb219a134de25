/**
 * A private desktop for a test file, and the built program on it.
 *
 * ```ts
 * const desktop = await Desktop.start();
 * const run = await desktop.run("snapshot", "--app", "gtk3-controls");
 * assertEquals(run.code, 0);
 * ```
 *
 * The desktop lives until {@linkcode Desktop.stop}, or until the test process ends: it watches a
 * pipe from it. Start it at the top of a test file (outside of `Deno.test`) to share it.
 */
import { fromFileUrl } from "@std/path";
import { Reader } from "./reader.ts";

/** The repository's root. */
export const ROOT = fromFileUrl(new URL("../../../", import.meta.url));

/** The program under test; AGENT_DESKTOP_BINARY names another one. */
export const BINARY = Deno.env.get("AGENT_DESKTOP_BINARY") ?? `${ROOT}dist/agent-desktop`;

/** A run that takes longer is killed: a hang must fail the test, not block it. */
const RUN_LIMIT_MS = 30_000;

/** A JSON object whose fields a test picks and checks. */
export type Data = Record<string, unknown>;

/** What the program prints on standard output. */
export interface Envelope {
  version: string;
  ok: boolean;
  command: string;
  data?: Data;
  error?: {
    code: string;
    message: string;
    suggestion?: string;
    platform_detail?: string;
    details?: Data;
    disposition: { delivery: string; retry: string };
    recovery?: Data;
  };
}

/** A finished run of the program. */
export interface Run {
  /** The parsed envelope; undefined when standard output was not exactly one JSON line. */
  envelope: Envelope | undefined;
  code: number;
  signal: Deno.Signal | null;
  stdout: string;
  stderr: string;
  /** From start to exit, in milliseconds. */
  wallMs: number;
  /** The run exceeded its limit and was killed. */
  timedOut: boolean;
}

/** Options of a run. */
export interface RunOptions {
  /** Further environment; `undefined` removes a variable. */
  env?: Record<string, string | undefined>;
  /** Kill the run after so many milliseconds (default 30 s). */
  limitMs?: number;
  /** Send `signal` (default SIGTERM) after so many milliseconds. */
  signalAfterMs?: number;
  signal?: Deno.Signal;
  /** Another program than {@linkcode BINARY}. */
  binary?: string;
  cwd?: string;
}

/** Options of a desktop. */
export interface DesktopOptions {
  /** Screen size, `1280x900` by default. */
  size?: string;
  /** No window manager. */
  noWm?: boolean;
  /** No accessibility bus. */
  noA11y?: boolean;
}

// As many as make it certain that another test's longest action is over.
const TURNS = 20;

/** Whether a run sent nothing and had to wait for its turn, which may be why. */
function lostItsTurn({ envelope }: Run): boolean {
  const error = envelope?.error;
  if (error?.disposition.delivery !== "not_delivered") return false;
  const waits = error.details?.["auto_wait"] as { lease_contention_count?: number } | undefined;
  return error.details?.["kind"] === "interaction_lease" ||
    (waits?.lease_contention_count ?? 0) > 0;
}

/** One private desktop: X server, window manager, message bus, accessibility bus, empty home. */
export class Desktop {
  /** The complete environment of processes on this desktop. */
  readonly env: Readonly<Record<string, string>>;
  /** The desktop's own folder, removed with it; fixtures put sockets and logs here. */
  readonly folder: string;
  #process: Deno.ChildProcess;
  #stdin: WritableStreamDefaultWriter<Uint8Array>;
  #reader: Reader | undefined;

  private constructor(
    process: Deno.ChildProcess,
    env: Record<string, string>,
    accessible: boolean,
  ) {
    this.#process = process;
    this.#stdin = process.stdin.getWriter();
    this.env = env;
    this.folder = env["PRIVATE_DESKTOP"]!;
    if (accessible) this.#reader = new Reader(this);
  }

  /** Starts a desktop; throws with its diagnosis when it does not come up. */
  static async start(options: DesktopOptions = {}): Promise<Desktop> {
    const args = ["--serve"];
    if (options.size) args.push("--size", options.size);
    if (options.noWm) args.push("--no-wm");
    if (options.noA11y) args.push("--no-a11y");
    const process = new Deno.Command(`${ROOT}scripts/desktop`, {
      args,
      stdin: "piped",
      stdout: "piped",
      stderr: "inherit",
    }).spawn();
    const line = await firstLine(process.stdout);
    if (line === "") throw new Error(`no desktop: scripts/desktop ended`);
    const told = JSON.parse(line) as { env: Record<string, string>; unset: string[] };
    const env = { ...Deno.env.toObject(), ...told.env };
    for (const name of told.unset) delete env[name];
    return new Desktop(process, env, !options.noA11y);
  }

  /** A command on this desktop, not yet started. */
  command(file: string, options: Deno.CommandOptions = {}): Deno.Command {
    return new Deno.Command(file, {
      ...options,
      clearEnv: true,
      env: { ...this.env, ...options.env },
    });
  }

  /** Runs another program to its end and returns its output; throws when it fails. */
  async output(file: string, ...args: string[]): Promise<string> {
    const { success, code, stdout, stderr } = await this.command(file, { args }).output();
    const text = new TextDecoder();
    if (!success) {
      throw new Error(`${file} ${args.join(" ")}: code ${code}\n${text.decode(stderr)}`);
    }
    return text.decode(stdout);
  }

  /** Runs the program under test. */
  run(...args: string[]): Promise<Run> {
    return this.runWith({}, ...args);
  }

  /**
   * {@linkcode run} with options. Tests run side by side on desktops of their own, but input is
   * delivered by one process of a user at a time: a run that another test kept from its turn until
   * its time was up, and that therefore sent nothing, is made again.
   */
  async runWith(options: RunOptions, ...args: string[]): Promise<Run> {
    for (let again = TURNS;; again--) {
      const run = await this.#runOnce(options, args);
      if (again === 0 || options.signalAfterMs !== undefined || !lostItsTurn(run)) return run;
    }
  }

  async #runOnce(options: RunOptions, args: string[]): Promise<Run> {
    const env: Record<string, string> = { ...this.env };
    for (const [name, value] of Object.entries(options.env ?? {})) {
      if (value === undefined) delete env[name];
      else env[name] = value;
    }
    const started = performance.now();
    const child = new Deno.Command(options.binary ?? BINARY, {
      args,
      clearEnv: true,
      env,
      ...(options.cwd ? { cwd: options.cwd } : {}),
      stdin: "null",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
    let timedOut = false;
    const timers = [setTimeout(() => {
      timedOut = true;
      sendSignal(child, "SIGKILL");
    }, options.limitMs ?? RUN_LIMIT_MS)];
    if (options.signalAfterMs !== undefined) {
      const signal = options.signal ?? "SIGTERM";
      timers.push(setTimeout(() => sendSignal(child, signal), options.signalAfterMs));
    }
    const output = await child.output();
    const wallMs = performance.now() - started;
    timers.forEach(clearTimeout);
    const stdout = new TextDecoder().decode(output.stdout);
    return {
      envelope: parseEnvelope(stdout),
      code: output.code,
      signal: output.signal,
      stdout,
      stderr: new TextDecoder().decode(output.stderr),
      wallMs,
      timedOut,
    };
  }

  /** Runs the program, expects success, and returns `data`. */
  async ok(...args: string[]): Promise<Data> {
    const run = await this.run(...args);
    if (run.code !== 0 || !run.envelope?.ok || !run.envelope.data) {
      throw new Error(`${args.join(" ")}: expected success\n${describe(run)}`);
    }
    return run.envelope.data;
  }

  /** Runs the program, expects an error with this code, and returns the error. */
  async fails(code: string, ...args: string[]): Promise<NonNullable<Envelope["error"]>> {
    const run = await this.run(...args);
    const error = run.envelope?.error;
    if (run.code === 0 || error?.code !== code) {
      throw new Error(`${args.join(" ")}: expected ${code}\n${describe(run)}`);
    }
    return error;
  }

  /** Takes a snapshot with these further arguments. */
  async snapshot(...args: string[]): Promise<Snapshot> {
    return (await this.ok("snapshot", ...args)) as unknown as Snapshot;
  }

  /** The independent reader of accessibility trees; throws on a desktop without any. */
  get reader(): Reader {
    if (!this.#reader) throw new Error("this desktop has no accessibility bus");
    return this.#reader;
  }

  /** Ends everything on the desktop and waits until it is gone. */
  async stop(): Promise<void> {
    await this.#reader?.stop();
    await this.#stdin.close().catch(() => {}); // it may have ended by itself
    await this.#process.status;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }
}

/** The `data` of a snapshot. */
export interface Snapshot {
  app: string;
  window: { id: string; title: string };
  snapshot_id: string;
  ref_count: number;
  complete: boolean;
  truncated?: true;
  nodes_observed?: number;
  details?: Record<string, unknown>;
  tree: TreeNode;
}

/** A node of a snapshot. */
export interface TreeNode {
  role: string;
  ref_id?: string;
  name?: string;
  value?: string;
  value_length?: number;
  description?: string;
  native_id?: { kind: string; value: string };
  hint?: string;
  states?: string[];
  available_actions?: string[];
  bounds?: { x: number; y: number; width: number; height: number };
  children_count?: number;
  subtree_truncated?: true;
  children?: TreeNode[];
}

/** A node and everything below it, in document order. */
export function* nodesOf(node: TreeNode): Generator<TreeNode> {
  yield node;
  for (const child of node.children ?? []) yield* nodesOf(child);
}

/** The first node with this name (and role, if given); throws without one. */
export function nodeNamed(tree: TreeNode, name: string, role?: string): TreeNode {
  for (const node of nodesOf(tree)) {
    if (node.name === name && (role === undefined || node.role === role)) return node;
  }
  throw new Error(`no ${role ?? "node"} named ${name} in the snapshot`);
}

/** The ref of the first node with this name (and role); throws when it has none. */
export function refOf(tree: TreeNode, name: string, role?: string): string {
  const node = nodeNamed(tree, name, role);
  if (!node.ref_id) throw new Error(`${node.role} ${name} has no ref`);
  return node.ref_id;
}

/** A run as a failing test shows it. */
export function describe(run: Run): string {
  const end = run.timedOut ? "killed at its limit" : run.signal ?? `code ${run.code}`;
  return `${end}, ${Math.round(run.wallMs)} ms\n${run.stdout}${run.stderr}`;
}

function parseEnvelope(stdout: string): Envelope | undefined {
  if (!/^[^\n]+\n$/.test(stdout)) return undefined;
  try {
    return JSON.parse(stdout) as Envelope;
  } catch {
    return undefined;
  }
}

function sendSignal(child: Deno.ChildProcess, signal: Deno.Signal) {
  try {
    child.kill(signal);
  } catch { /* it has ended */ }
}

/** Reads up to the first line break; the empty text when the stream ends before. */
async function firstLine(stream: ReadableStream<Uint8Array>): Promise<string> {
  let text = "";
  const reader = stream.pipeThrough(new TextDecoderStream()).getReader();
  while (!text.includes("\n")) {
    const { value, done } = await reader.read();
    if (done) return "";
    text += value;
  }
  await reader.cancel();
  return text.slice(0, text.indexOf("\n"));
}
