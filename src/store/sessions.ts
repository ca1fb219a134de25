/**
 * Sessions (docs/system.md, "Sessions"): a namespace each, below `sessions/` of the state root. The manifest
 * `session.json` only records when one was started and ended; snapshots need none.
 */
import { AppError } from "../errors.ts";
import { ifUnlocked, STORE_LOCK_WAIT_MS, withLock } from "./lock.ts";
import {
  checkDirectory,
  ensureDirectory,
  readPrivateFile,
  storeError,
  writePrivateFile,
} from "./private_file.ts";

/** What `session.json` holds; times in unix milliseconds. */
export interface Manifest {
  id: string;
  name?: string;
  created_at: number;
  ended_at?: number;
  /** Traces are not recorded. */
  trace: "off";
  artifacts: "events";
}

/** A session touched or opened less than this ago is in use. */
const LIVE_MS = 300_000;
const MAX_MANIFEST_BYTES = 65_536;
const SESSION_ID = /^[A-Za-z0-9_-]{1,64}$/;

let started = 0;

/** The sessions of one state root. */
export class Sessions {
  readonly #root: string;
  readonly #folder: string;

  /** Touches no file. */
  constructor(root: string) {
    this.#root = root;
    this.#folder = `${root}/sessions`;
  }

  /**
   * Creates a session with a new id.
   *
   * @throws AppError `INTERNAL` that names the path, when it cannot be stored.
   */
  start(name: string | undefined, now: number): Manifest {
    const id = `run-${now}-${Deno.pid}-${++started}`;
    const manifest: Manifest = {
      id,
      ...(name !== undefined && { name }),
      created_at: now,
      trace: "off",
      artifacts: "events",
    };
    ensureDirectory(this.#root);
    ensureDirectory(this.#folder);
    ensureDirectory(this.#base(id));
    ensureDirectory(`${this.#base(id)}/snapshots`);
    this.#write(manifest);
    return manifest;
  }

  /**
   * Marks a session as ended; a second time changes nothing.
   *
   * @throws AppError `INVALID_ARGS` when no such session was started.
   */
  end(id: string, now: number): Manifest & { ended_at: number } {
    const unknown = new AppError("INVALID_ARGS", `No session ${id} was started`, {
      suggestion: "Run session list and pass an id it prints.",
    });
    if (!this.#exists(id)) throw unknown;
    return withLock(this.#lock(id), () => {
      const manifest = this.#read(id);
      if (manifest === undefined) throw unknown;
      if (manifest.ended_at !== undefined) return { ...manifest, ended_at: manifest.ended_at };
      const ended = { ...manifest, ended_at: now };
      this.#write(ended);
      return ended;
    }, STORE_LOCK_WAIT_MS);
  }

  /** Started sessions, oldest first, and the ids of those whose manifest cannot be read. */
  list(): { sessions: Manifest[]; unreadable: string[] } {
    const sessions: Manifest[] = [];
    const unreadable: string[] = [];
    for (const id of this.#ids()) {
      try {
        const manifest = this.#read(id);
        if (manifest !== undefined) sessions.push(manifest);
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        unreadable.push(id);
      }
    }
    sessions.sort((a, b) => a.created_at - b.created_at || (a.id < b.id ? -1 : 1));
    return { sessions, unreadable: unreadable.sort() };
  }

  /**
   * Removes sessions that are over, with all their snapshots. One in use, or touched within the
   * last five minutes, stays.
   *
   * @param options.olderThanMs Also take open ones, and only those last used that long ago.
   * @param options.endedOnly Only sessions that were ended.
   * @returns The removed ids.
   */
  collect(options: { olderThanMs?: number; endedOnly: boolean }, now: number): string[] {
    const removed: string[] = [];
    for (const id of this.#ids()) {
      const manifest = this.#readQuietly(id);
      const isEnded = manifest?.ended_at !== undefined;
      if ((options.endedOnly || options.olderThanMs === undefined) && !isEnded) continue;
      const idle = now - this.#lastUse(id, manifest);
      if (idle < Math.max(LIVE_MS, options.olderThanMs ?? 0)) continue;
      const gone = ifUnlocked(this.#lock(id), () => {
        try {
          Deno.removeSync(this.#base(id), { recursive: true });
        } catch (error) {
          throw storeError("remove", this.#base(id), error);
        }
        return true;
      });
      if (gone) removed.push(id);
    }
    return removed.sort();
  }

  #base(id: string): string {
    return `${this.#folder}/${id}`;
  }

  #lock(id: string): string {
    return `${this.#base(id)}/refstore.lock`;
  }

  /** Checks the folders down to the session's own; a symlink among them is refused. */
  #exists(id: string): boolean {
    return checkDirectory(this.#root) && checkDirectory(this.#folder) &&
      checkDirectory(this.#base(id));
  }

  #ids(): string[] {
    if (!checkDirectory(this.#root) || !checkDirectory(this.#folder)) return [];
    try {
      return [...Deno.readDirSync(this.#folder)]
        .filter(({ name, isDirectory }) => isDirectory && SESSION_ID.test(name))
        .map(({ name }) => name);
    } catch (error) {
      throw storeError("list", this.#folder, error);
    }
  }

  /** When anything of the session was last written. */
  #lastUse(id: string, manifest: Manifest | undefined): number {
    let last = manifest === undefined || manifest.ended_at !== undefined ? 0 : manifest.created_at;
    for (const name of ["", "/snapshots", "/latest_snapshot_id"]) {
      try {
        last = Math.max(last, Deno.lstatSync(this.#base(id) + name).mtime?.getTime() ?? 0);
      } catch {
        // Not every session has taken a snapshot.
      }
    }
    return last;
  }

  #readQuietly(id: string): Manifest | undefined {
    try {
      return this.#read(id);
    } catch {
      return undefined;
    }
  }

  #read(id: string): Manifest | undefined {
    const path = `${this.#base(id)}/session.json`;
    const text = readPrivateFile(path, MAX_MANIFEST_BYTES);
    if (text === undefined) return undefined;
    const manifest = parseManifest(text);
    if (manifest?.id === id) return manifest;
    throw new AppError("INTERNAL", `Broken session manifest ${path}`, {
      delivery: "not_delivered",
      suggestion: "Start a new session; the broken one can be removed by hand.",
      details: { kind: "manifest_broken", path },
    });
  }

  #write(manifest: Manifest): void {
    const bytes = new TextEncoder().encode(`${JSON.stringify(manifest)}\n`);
    writePrivateFile(`${this.#base(manifest.id)}/session.json`, bytes);
  }
}

function isTime(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

/** The manifest in a file's text, or `undefined` when it is none. */
function parseManifest(text: string): Manifest | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof value !== "object" || value === null) return undefined;
  const { id, name, created_at, ended_at } = value as Record<string, unknown>;
  if (typeof id !== "string" || !isTime(created_at)) return undefined;
  if (name !== undefined && typeof name !== "string") return undefined;
  if (ended_at !== undefined && !isTime(ended_at)) return undefined;
  return {
    id,
    ...(name !== undefined && { name }),
    created_at,
    ...(ended_at !== undefined && { ended_at }),
    trace: "off",
    artifacts: "events",
  };
}
