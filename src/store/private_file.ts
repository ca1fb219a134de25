/**
 * Files and folders only their owner can touch (docs/system.md, "Private files"): folders 0700,
 * files 0600, no symlink, no second hard link, and a write that is either whole or not there.
 */
import { effectiveUserId } from "../../ffi/libc.ts";
import { AppError } from "../errors.ts";
import { writeAll } from "../write_all.ts";

const DIRECTORY_MODE = 0o700;
const FILE_MODE = 0o600;
/** Write permission of group and others. */
const FOREIGN_WRITE = 0o022;
/** Temporary files of a writer that died are removed after this long. */
const STALE_TEMP_MS = 60_000;
/** A file replaced between the look at it and its opening is looked at again, this often. */
const MAX_READ_TRIES = 100;
const TEMP_NAME = /^\..+\.[0-9a-f]{16}\.tmp$/;

const RELOCATE = "Set AGENT_DESKTOP_HOME to a directory of your own that can be written, " +
  "or free the named path.";

/** A failure of the file system, with the path in it. Nothing was sent to any application. */
export function storeError(
  action: string,
  path: string,
  cause: unknown,
  suggestion: string = RELOCATE,
): AppError {
  const reason = cause instanceof Error ? systemReason(cause) : String(cause);
  return new AppError("INTERNAL", `Cannot ${action} ${path}: ${reason}`, {
    delivery: "not_delivered",
    suggestion,
    details: { kind: "state_io", path },
    cause,
  });
}

/** What the system said, without the call and the path Deno adds to it. */
function systemReason(error: Error): string {
  return (error.message.split(": ", 1)[0] ?? error.message) || error.name;
}

function refused(path: string, reason: string): AppError {
  return storeError(
    "use",
    path,
    reason,
    "Remove or correct the named path, or set AGENT_DESKTOP_HOME to a directory of your own.",
  );
}

function lstat(path: string): Deno.FileInfo | undefined {
  try {
    return Deno.lstatSync(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw storeError("read", path, error);
  }
}

/** Why a directory must not hold private files, or `undefined` when it may. */
export function directoryProblem(info: Deno.FileInfo): string | undefined {
  if (info.isSymlink) return "it is a symbolic link";
  if (!info.isDirectory) return "it is not a directory";
  if (info.uid !== null && info.uid !== effectiveUserId()) return "it belongs to another user";
  if (info.mode !== null && (info.mode & FOREIGN_WRITE) !== 0) {
    return "other users can write to it (chmod 700 it)";
  }
  return undefined;
}

/**
 * Whether a private directory exists.
 *
 * @throws AppError `INTERNAL` when something else is there, or it is open to others.
 */
export function checkDirectory(path: string): boolean {
  const info = lstat(path);
  if (info === undefined) return false;
  const problem = directoryProblem(info);
  if (problem !== undefined) throw refused(path, problem);
  return true;
}

/** Creates a private directory (and its parents) unless it exists. */
export function ensureDirectory(path: string): void {
  if (checkDirectory(path)) return;
  try {
    Deno.mkdirSync(path, { recursive: true, mode: DIRECTORY_MODE });
  } catch (error) {
    throw storeError("create", path, error);
  }
  checkDirectory(path);
}

/**
 * Creates a private directory whose parent exists.
 *
 * @returns `false` when something is there already.
 */
export function createDirectory(path: string): boolean {
  try {
    Deno.mkdirSync(path, { mode: DIRECTORY_MODE });
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.AlreadyExists) return false;
    throw storeError("create", path, error);
  }
}

function fileProblem(info: Deno.FileInfo): string | undefined {
  if (info.isSymlink) return "it is a symbolic link";
  if (!info.isFile) return "it is not a regular file";
  if (info.uid !== null && info.uid !== effectiveUserId()) return "it belongs to another user";
  // None at all: a writer replaced the file at this very moment. What was looked at is the version
  // before, which is as good as any.
  if (info.nlink !== null && info.nlink > 1) return "it has more than one hard link";
  return undefined;
}

/** Refuses a file that is not private; `false` when there is none. */
export function checkFile(path: string): boolean {
  const info = lstat(path);
  if (info === undefined) return false;
  const problem = fileProblem(info);
  if (problem !== undefined) throw refused(path, problem);
  return true;
}

/**
 * Reads a private file whole.
 *
 * @param maxBytes A larger file is refused.
 * @returns `undefined` when there is no such file.
 * @throws AppError `INTERNAL` for a file that is not private, too large or unreadable.
 */
export function readPrivateFile(path: string, maxBytes: number): string | undefined {
  for (let tries = 0; tries < MAX_READ_TRIES; tries++) {
    const named = lstat(path);
    if (named === undefined) return undefined;
    const problem = fileProblem(named);
    if (problem !== undefined) throw refused(path, problem);
    try {
      using file = Deno.openSync(path, { read: true });
      const opened = file.statSync();
      // Only what was looked at is read. A writer may have renamed a new version into place in
      // between; then the look is taken again.
      if (opened.ino !== named.ino || opened.dev !== named.dev) continue;
      if (opened.size > maxBytes) {
        throw refused(path, `it holds ${opened.size} bytes, more than ${maxBytes}`);
      }
      return new TextDecoder().decode(readAll(file, opened.size));
    } catch (error) {
      if (error instanceof Deno.errors.NotFound) continue;
      throw error instanceof AppError ? error : storeError("read", path, error);
    }
  }
  throw storeError("read", path, "it was exchanged again and again");
}

function readAll(file: Deno.FsFile, size: number): Uint8Array {
  const bytes = new Uint8Array(size);
  let length = 0;
  while (length < size) {
    const read = file.readSync(bytes.subarray(length));
    if (read === null) break;
    length += read;
  }
  return bytes.subarray(0, length);
}

/** Makes the entries of a directory durable. */
function syncDirectory(path: string): void {
  const directory = Deno.openSync(path, { read: true });
  try {
    directory.syncSync();
  } finally {
    directory.close();
  }
}

// Every path here is absolute and joined with `/`, so a slice does what a path library would have to
// be loaded for. File helpers of libraries follow links and do not look at owners.
function parent(path: string): string {
  return path.slice(0, path.lastIndexOf("/")) || "/";
}

/** A name for a temporary file beside `path` that nobody can foresee. */
function tempPath(path: string): string {
  const [random] = crypto.getRandomValues(new BigUint64Array(1));
  const suffix = random!.toString(16).padStart(16, "0");
  return `${parent(path)}/.${path.slice(path.lastIndexOf("/") + 1)}.${suffix}.tmp`;
}

export interface WriteOptions {
  /**
   * Wait until the disk has it (default). Without, the file is still whole or absent for every
   * reader, but may be missing after a power failure.
   */
  durable?: boolean;
  /** The folder has just been created, so there is no older file to look at. */
  fresh?: boolean;
}

/**
 * Replaces a private file in one step: readers see the old bytes or all of the new ones.
 *
 * @throws AppError `INTERNAL` that names the path; the old file is untouched then, and no temporary
 * file is left.
 */
export function writePrivateFile(
  path: string,
  bytes: Uint8Array,
  { durable = true, fresh = false }: WriteOptions = {},
): void {
  if (!fresh) checkFile(path);
  const temp = tempPath(path);
  let created = false;
  try {
    {
      using file = Deno.openSync(temp, { write: true, createNew: true, mode: FILE_MODE });
      created = true;
      writeAll((part) => file.writeSync(part), bytes);
      if (durable) file.syncSync();
      // A full disk can cut a write short without an error; never rename that over a good file.
      const { size } = file.statSync();
      if (size !== bytes.length) {
        throw new Error(`only ${size} of ${bytes.length} bytes were written`);
      }
    }
    Deno.renameSync(temp, path);
    created = false;
    if (durable) syncDirectory(parent(path));
  } catch (error) {
    if (created) removeQuietly(temp);
    throw storeError("write", path, error);
  }
}

/** Creates an empty private file unless there is one. */
export function ensureFile(path: string): void {
  if (checkFile(path)) return;
  try {
    Deno.openSync(path, { write: true, createNew: true, mode: FILE_MODE }).close();
  } catch (error) {
    // Another process was quicker.
    if (error instanceof Deno.errors.AlreadyExists && checkFile(path)) return;
    throw error instanceof AppError ? error : storeError("create", path, error);
  }
}

function removeQuietly(path: string): void {
  try {
    Deno.removeSync(path);
  } catch {
    // It is swept later; the first error is the one to tell.
  }
}

/**
 * Removes what killed writers left in a directory 60 seconds ago or earlier. Never throws.
 *
 * @param entries What is in the directory, for callers that have read it.
 */
export function sweepTemps(directory: string, entries?: Iterable<Deno.DirEntry>): void {
  try {
    for (const { name, isFile } of entries ?? Deno.readDirSync(directory)) {
      if (!isFile || !TEMP_NAME.test(name)) continue;
      const path = `${directory}/${name}`;
      const age = Date.now() - (Deno.lstatSync(path).mtime?.getTime() ?? Date.now());
      if (age >= STALE_TEMP_MS) removeQuietly(path);
    }
  } catch {
    // Tidying up must never fail the command that happened to do it.
  }
}
