/**
 * The few calls of the C library that Deno has no equivalent for. Opened on first use: a command
 * that stores nothing never loads it.
 */

import { type Calls, openLibrary } from "./library.ts";

const SYMBOLS = {
  open: { parameters: ["buffer", "i32"], result: "i32" },
  read: { parameters: ["i32", "buffer", "usize"], result: "isize" },
  close: { parameters: ["i32"], result: "i32" },
  flock: { parameters: ["i32", "i32"], result: "i32" },
  geteuid: { parameters: [], result: "u32" },
  readlink: { parameters: ["buffer", "buffer", "usize"], result: "isize" },
} as const;

// <fcntl.h>: read and write, not through a symlink, not inherited by child processes.
const O_RDWR = 2;
const OPEN_FLAGS = Deno.build.os === "darwin"
  ? O_RDWR | 0x0100 | 0x0100_0000
  : O_RDWR | (Deno.build.arch === "aarch64" ? 0o100000 : 0o400000) | 0o2000000;
// <sys/file.h>
const LOCK_EX = 2;
const LOCK_NB = 4;

let library: Calls<typeof SYMBOLS> | undefined;

/** The functions. */
export function libc(): Calls<typeof SYMBOLS> {
  library ??= openLibrary(
    Deno.build.os === "darwin" ? "/usr/lib/libSystem.B.dylib" : "libc.so.6",
    SYMBOLS,
  );
  return library;
}

/** The effective user id of this process. */
export function effectiveUserId(): number {
  return libc().geteuid();
}

/** An existing file opened for an advisory lock; never follows a symlink. */
export class LockFile implements Disposable {
  #descriptor: number;

  private constructor(descriptor: number) {
    this.#descriptor = descriptor;
  }

  /** Opens `path`, which must exist; `undefined` when the system refuses. */
  static open(path: string): LockFile | undefined {
    const descriptor = libc().open(new TextEncoder().encode(`${path}\0`), OPEN_FLAGS);
    return descriptor < 0 ? undefined : new LockFile(descriptor);
  }

  /** Takes the exclusive lock if nobody holds it; never waits. */
  tryLock(): boolean {
    return libc().flock(this.#descriptor, LOCK_EX | LOCK_NB) === 0;
  }

  /** Closes the file, which gives the lock up. The system does the same when the process ends. */
  [Symbol.dispose](): void {
    if (this.#descriptor < 0) return;
    libc().close(this.#descriptor);
    this.#descriptor = -1;
  }
}
