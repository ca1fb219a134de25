/** An advisory lock between processes that dies with its holder. */
import { LockFile } from "../../ffi/libc.ts";
import { AppError } from "../errors.ts";
import { checkFile, ensureFile, storeError } from "./private_file.ts";

/** Longest wait for the store's write lock, in milliseconds: a write takes a few of them. */
export const STORE_LOCK_WAIT_MS = 2_000;
const POLL_MS = 5;

/** Opens the lock file, creating it; refuses anything that is not a private regular file. */
export function openLockFile(path: string): LockFile {
  ensureFile(path);
  const file = LockFile.open(path);
  if (file === undefined) throw storeError("open", path, "the system refused");
  return file;
}

/**
 * Runs `body` while this process alone holds the lock on `path`.
 *
 * @throws AppError `TIMEOUT` when another process holds it for more than `waitMs`, `INTERNAL` when
 * the lock file is not private or vanished meanwhile.
 */
export function withLock<Result>(path: string, body: () => Result, waitMs: number): Result {
  using file = openLockFile(path);
  const end = performance.now() + waitMs;
  while (!file.tryLock()) {
    if (performance.now() >= end) {
      throw new AppError("TIMEOUT", `The lock ${path} was not free within ${waitMs} ms`, {
        suggestion: "Another agent-desktop process is writing; run the command again.",
        details: { kind: "store_lock", path, timeout_ms: waitMs },
      });
    }
    pauseSync(POLL_MS);
  }
  // A lock on a removed file keeps nobody out: the next process would lock a new one.
  if (!checkFile(path)) throw storeError("lock", path, "it was removed meanwhile");
  return body();
}

/** Runs `body` under the lock, or returns `undefined` when someone else holds it now. */
export function ifUnlocked<Result>(path: string, body: () => Result): Result | undefined {
  const file = openLockFile(path);
  try {
    return file.tryLock() ? body() : undefined;
  } finally {
    file[Symbol.dispose]();
  }
}

const sleeper = new Int32Array(new SharedArrayBuffer(4));

/** Blocks this thread; the store's steps are short and must not be interleaved. */
function pauseSync(ms: number): void {
  Atomics.wait(sleeper, 0, 0, ms);
}
