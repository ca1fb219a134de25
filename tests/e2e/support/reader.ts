/** The independent reader (`fixtures/atspi_reader.py`) as a process behind a socket. */
import { type Desktop, ROOT } from "./desktop.ts";

const START_LIMIT_MS = 10_000;

/** An application on the accessibility bus. */
export interface ReaderApp {
  name: string;
  pid: number;
  toolkit: string;
  toolkit_version: string;
  windows: string[];
}

/** A node as libatspi tells it. Role numbers and states are AT-SPI's. */
export interface ReaderNode {
  role: number;
  role_name: string;
  name: string;
  description: string;
  states: string[];
  interfaces: string[];
  actions: string[];
  /** `[x, y, width, height]` on the screen. */
  extents: [number, number, number, number] | null;
  accessible_id: string;
  /** With `text: true` only, never of a password field. */
  text?: string;
  value?: number;
  /** With `text: true` only: names of its labels by relation, and its object attributes. */
  labelled_by?: string[];
  /** With `text: true`, of a combo box: what it has chosen, as far as it tells. */
  choice?: string;
  attributes?: Record<string, string>;
  children?: ReaderNode[];
  child_count?: number;
}

/** Which application, window and node a request means. */
export interface ReaderQuery {
  /** An application's accessible name, or `pid:N`. */
  app: string;
  /** A window by title or index; all windows without it. */
  window?: string | number;
  name?: string;
  prefix?: string;
  /** An AT-SPI role by number or printed name. */
  role?: string | number;
  id?: string;
  text?: boolean;
  max_depth?: number;
  max_children?: number;
}

/** Reads trees through libatspi, not through the program under test. */
export class Reader {
  #process: Deno.ChildProcess;
  #path: string;

  /** Starts the process; it ends with the desktop. */
  constructor(desktop: Desktop) {
    this.#path = `${desktop.folder}/reader`;
    this.#process = desktop.command("/usr/bin/python3", {
      args: [`${ROOT}fixtures/atspi_reader.py`, "serve", this.#path],
      stdin: "null",
      stdout: "null",
      stderr: "null",
    }).spawn();
  }

  /** All applications on the bus. */
  apps(): Promise<ReaderApp[]> {
    return this.#ask({ command: "apps" }) as Promise<ReaderApp[]>;
  }

  /** The tree of an application or of one of its windows. */
  async tree(query: ReaderQuery): Promise<ReaderNode> {
    return (await this.#ask({ command: "tree", ...query }) as { tree: ReaderNode }).tree;
  }

  /** All matching nodes, without children. */
  find(query: ReaderQuery): Promise<ReaderNode[]> {
    return this.#ask({ command: "find", ...query }) as Promise<ReaderNode[]>;
  }

  /** The accessible name of the first match; throws without one. */
  get(query: ReaderQuery): Promise<string> {
    return this.#ask({ command: "get", ...query }) as Promise<string>;
  }

  /** Drives the first match: an action's name, `focus`, `text=…`, `value=…`, `select=N`. */
  act(query: ReaderQuery, action: string): Promise<boolean> {
    return this.#ask({ command: "act", action, ...query }) as Promise<boolean>;
  }

  /** Reads a whole application once; how many nodes, how many milliseconds. */
  walk(query: ReaderQuery): Promise<{ nodes: number; ms: number }> {
    return this.#ask({ command: "walk", ...query }) as Promise<{ nodes: number; ms: number }>;
  }

  /** Ends the process. */
  async stop(): Promise<void> {
    try {
      this.#process.kill();
    } catch { /* it has ended */ }
    await this.#process.status;
  }

  /** One request over a connection of its own; throws the reader's error text. */
  async #ask(request: Record<string, unknown>): Promise<unknown> {
    using connection = await this.#connect();
    const text = await exchange(connection, JSON.stringify(request));
    if (text === "") throw new Error(`the reader process ended (${JSON.stringify(request)})`);
    const reply = JSON.parse(text) as { ok?: unknown; error?: string };
    if (reply.error !== undefined) {
      throw new Error(`reader: ${reply.error} (${JSON.stringify(request)})`);
    }
    return reply.ok;
  }

  /** The process needs a moment before it listens. */
  async #connect(): Promise<Deno.UnixConn> {
    const end = performance.now() + START_LIMIT_MS;
    while (true) {
      try {
        return await Deno.connect({ transport: "unix", path: this.#path });
      } catch (error) {
        if (performance.now() > end) throw error;
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    }
  }
}

/** Sends one line and returns the line that answers it; the empty text when none comes. */
export async function exchange(connection: Deno.Conn, line: string): Promise<string> {
  let left = new TextEncoder().encode(line + "\n");
  while (left.length > 0) left = left.subarray(await connection.write(left));
  const decoder = new TextDecoder();
  const buffer = new Uint8Array(1 << 16);
  let answer = "";
  while (!answer.endsWith("\n")) {
    const count = await connection.read(buffer);
    if (count === null) break;
    answer += decoder.decode(buffer.subarray(0, count), { stream: true });
  }
  return answer.trimEnd();
}
