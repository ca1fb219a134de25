/**
 * The snapshots of one namespace on disk (docs/system.md, "State on disk"). Writers take turns
 * through a lock; readers need none, because every file is replaced in one step.
 */
import { AppError } from "../errors.ts";
import type { RefMap } from "../refs/entry.ts";
import { encodeRefMap, MAX_REFMAP_BYTES } from "../refs/encode.ts";
import { decodeRefMap } from "../refs/decode.ts";
import { isSnapshotId } from "../refs/syntax.ts";
import { STORE_LOCK_WAIT_MS, withLock } from "./lock.ts";
import {
  checkDirectory,
  createDirectory,
  ensureDirectory,
  readPrivateFile,
  sweepTemps,
  writePrivateFile,
} from "./private_file.ts";

/** More snapshots than this in one namespace… */
export const PRUNE_ABOVE = 128;
/** …are pruned down to this many. */
export const PRUNE_TO = 96;
/** A note is a few numbers. */
const MAX_NOTE_BYTES = 1_024;
/** Largest tree kept for a later `--since`. */
export const MAX_TREE_BYTES = 4 * 1_048_576;

/** Ref maps of the global namespace or of one session. */
export class RefStore {
  /** Folder of the namespace. */
  readonly base: string;
  readonly #root: string;
  readonly #session: string | undefined;
  readonly #snapshots: string;

  /**
   * Touches no file.
   *
   * @param root The state root.
   * @param session Id of the session whose namespace is meant, checked by the caller.
   */
  constructor(root: string, session?: string) {
    this.#root = root;
    this.#session = session;
    this.base = session === undefined ? root : `${root}/sessions/${session}`;
    this.#snapshots = `${this.base}/snapshots`;
  }

  /** A new snapshot id: `s` and a random 64-bit number in base 36, at least four digits. */
  newId(): string {
    const [random] = crypto.getRandomValues(new BigUint64Array(1));
    return `s${random!.toString(36).padStart(4, "0")}`;
  }

  /**
   * Stores a new snapshot, makes it the latest and prunes old ones.
   *
   * @param id From `newId`.
   * @param tree What a later `--since` compares with; left out when above 4 MiB.
   * @throws AppError `INTERNAL` (map too large: nothing written; or a file that cannot be written),
   * `TIMEOUT` (lock).
   */
  saveNew(id: string, map: RefMap, tree?: string): void {
    const bytes = encodeRefMap(map);
    const treeBytes = tree === undefined ? undefined : new TextEncoder().encode(tree);
    this.#write(() => {
      ensureDirectory(this.#snapshots);
      const folder = this.#folder(id);
      const fresh = createDirectory(folder);
      if (!fresh) ensureDirectory(folder);
      sweepTemps(this.base);
      if (treeBytes !== undefined && treeBytes.length <= MAX_TREE_BYTES) {
        // Losing it to a power failure only costs a comparison.
        writePrivateFile(`${folder}/tree.json`, treeBytes, { durable: false, fresh });
      }
      writePrivateFile(`${folder}/refmap.json`, bytes, { fresh });
      // Not waited for: after a power failure it names an older snapshot or is not there, and readers
      // take either for what it is.
      writePrivateFile(`${this.base}/latest_snapshot_id`, new TextEncoder().encode(`${id}\n`), {
        durable: false,
      });
      this.#tidy(id);
    });
  }

  /**
   * The ref map of a snapshot.
   *
   * @throws AppError `SNAPSHOT_NOT_FOUND`, or `INTERNAL` for a broken or unsafe file.
   */
  load(id: string): RefMap {
    const path = `${this.#folder(id)}/refmap.json`;
    const text = this.#hasFolder(id) ? readPrivateFile(path, MAX_REFMAP_BYTES) : undefined;
    if (text === undefined) throw this.#notFound(id);
    return decodeRefMap(text, path);
  }

  /**
   * Replaces the ref map of a stored snapshot by what `change` makes of the current one, with no
   * other writer in between. The latest snapshot stays the same.
   *
   * @returns What was written.
   * @throws AppError as `load` and `saveNew`, and whatever `change` throws (nothing is written then).
   */
  update(id: string, change: (current: RefMap) => RefMap): RefMap {
    // Without the folder there is nothing to lock, and nothing must be created.
    if (!this.#hasFolder(id)) throw this.#notFound(id);
    return this.#write(() => {
      const changed = change(this.load(id));
      sweepTemps(this.#folder(id));
      writePrivateFile(`${this.#folder(id)}/refmap.json`, encodeRefMap(changed));
      return changed;
    });
  }

  /**
   * Keeps a note of what was done last in this namespace, in place of the one before.
   *
   * @throws AppError `INTERNAL` when it cannot be written.
   */
  saveNote(note: string): void {
    this.#ensureBase();
    // A power failure ends what it was about as well.
    writePrivateFile(`${this.base}/last_action.json`, new TextEncoder().encode(note), {
      durable: false,
    });
  }

  /** The note kept last, or `undefined` when there is none. */
  loadNote(): string | undefined {
    if (!this.#hasBase()) return undefined;
    return readPrivateFile(`${this.base}/last_action.json`, MAX_NOTE_BYTES);
  }

  /** Id of the newest snapshot, or `undefined` when there is none. */
  latest(): string | undefined {
    if (!this.#hasBase()) return undefined;
    const id = readPrivateFile(`${this.base}/latest_snapshot_id`, 128)?.trim();
    return id !== undefined && isSnapshotId(id) ? id : undefined;
  }

  /**
   * The tree stored with a snapshot, or `undefined` when it was too large to keep.
   *
   * @throws AppError `SNAPSHOT_NOT_FOUND` when there is no such snapshot.
   */
  loadTree(id: string): string | undefined {
    if (!this.#hasFolder(id)) throw this.#notFound(id);
    return readPrivateFile(`${this.#folder(id)}/tree.json`, MAX_TREE_BYTES);
  }

  #folder(id: string): string {
    if (!isSnapshotId(id)) throw this.#notFound(id);
    return `${this.#snapshots}/${id}`;
  }

  /** Checks the folders from the state root down; `false` when one does not exist. */
  #hasBase(): boolean {
    return checkDirectory(this.#root) &&
      (this.#session === undefined ||
        (checkDirectory(`${this.#root}/sessions`) && checkDirectory(this.base)));
  }

  #hasFolder(id: string): boolean {
    const folder = this.#folder(id);
    return this.#hasBase() && checkDirectory(this.#snapshots) && checkDirectory(folder);
  }

  #ensureBase(): void {
    ensureDirectory(this.#root);
    if (this.#session !== undefined) {
      ensureDirectory(`${this.#root}/sessions`);
      ensureDirectory(this.base);
    }
  }

  #write<Result>(body: () => Result): Result {
    this.#ensureBase();
    return withLock(`${this.base}/refstore.lock`, body, STORE_LOCK_WAIT_MS);
  }

  /**
   * Removes leftovers from the folder of snapshots, and the oldest of them when there are too many.
   * Failures are not worth an error.
   */
  #tidy(newest: string): void {
    try {
      const folders: { id: string; time: number }[] = [];
      const entries = [...Deno.readDirSync(this.#snapshots)];
      sweepTemps(this.#snapshots, entries);
      for (const { name, isDirectory } of entries) {
        if (isDirectory && isSnapshotId(name)) folders.push({ id: name, time: 0 });
      }
      if (folders.length <= PRUNE_ABOVE) return;
      for (const folder of folders) {
        const path = `${this.#snapshots}/${folder.id}`;
        folder.time = Deno.lstatSync(path).mtime?.getTime() ?? 0;
        sweepTemps(path);
      }
      folders.sort((a, b) => a.time - b.time || (a.id < b.id ? -1 : 1));
      const old = folders.filter(({ id }) => id !== newest);
      for (const { id } of old.slice(0, folders.length - PRUNE_TO)) {
        removeFolder(`${this.#snapshots}/${id}`);
      }
    } catch {
      // The next save tries again.
    }
  }

  #notFound(id: string): AppError {
    const where = this.#session === undefined ? "the global namespace" : `session ${this.#session}`;
    return new AppError("SNAPSHOT_NOT_FOUND", `No snapshot ${id} in ${where}`, {
      suggestion: "Take a new snapshot under the same --session and state root, and use the " +
        "qualified ref it prints.",
    });
  }
}

function removeFolder(path: string): void {
  try {
    Deno.removeSync(path, { recursive: true });
  } catch {
    // Someone else is at it, or it is not ours to remove.
  }
}
