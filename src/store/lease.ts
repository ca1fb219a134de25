/**
 * The right to deliver input (docs/acting.md, "The lease"): one process of this user at a time,
 * whatever state root or session it works with, because they all share one keyboard, pointer and
 * focus.
 */
import { effectiveUserId, type LockFile } from "../../ffi/libc.ts";
import type { Deadline } from "../deadline.ts";
import { AppError } from "../errors.ts";
import { openLockFile } from "./lock.ts";
import { checkFile, ensureDirectory } from "./private_file.ts";

const POLL_MS = 10;

/** The held right; the system takes it back when the process ends, however it ends. */
export class Lease implements Disposable {
  /** How often the lock was found taken. */
  readonly contentionCount: number;
  readonly #file: LockFile;
  readonly #path: string;

  constructor(file: LockFile, path: string, contentionCount: number) {
    this.#file = file;
    this.#path = path;
    this.contentionCount = contentionCount;
  }

  /**
   * Milliseconds since any process of this user noted a pointer click; `Infinity` when unknown.
   * It is kept as the time the lock file was changed: nothing is ever written to that file.
   */
  msSinceClick(): number {
    try {
      const changed = Deno.statSync(this.#path).mtime?.getTime();
      return changed === undefined ? Infinity : Math.max(0, Date.now() - changed);
    } catch {
      return Infinity;
    }
  }

  /** Notes that a pointer click was made just now. */
  noteClick(): void {
    try {
      const now = new Date();
      Deno.utimeSync(this.#path, now, now);
    } catch {
      // Only the spacing of clicks suffers.
    }
  }

  /** Gives it up; doing so twice is harmless. */
  release(): void {
    this.#file[Symbol.dispose]();
  }

  [Symbol.dispose](): void {
    this.release();
  }
}

/** Where the lock of this user lies. */
export function leaseDirectory(): string {
  return `/tmp/agent-desktop-${effectiveUserId()}`;
}

/**
 * Waits for the lease.
 *
 * @param directory For tests; everyone who shares a desktop must use the same.
 * @throws AppError `TIMEOUT` (`not_delivered`) when another process holds it until the deadline,
 * `INTERNAL` when the lock is not this user's own private file.
 */
export async function acquireLease(
  deadline: Deadline,
  directory: string = leaseDirectory(),
): Promise<Lease> {
  ensureDirectory(directory);
  const path = `${directory}/interaction.lock`;
  const file = openLockFile(path);
  let contention = 0;
  while (!file.tryLock()) {
    contention++;
    if (deadline.expired) {
      file[Symbol.dispose]();
      throw new AppError("TIMEOUT", "Another process was delivering input all the time", {
        suggestion: "Wait for the other action to end, then run the command again.",
        details: { kind: "interaction_lease", path, lease_contention_count: contention },
      });
    }
    await deadline.sleep(POLL_MS);
  }
  try {
    checkFile(path);
  } catch (error) {
    file[Symbol.dispose]();
    throw error;
  }
  return new Lease(file, path, contention);
}
