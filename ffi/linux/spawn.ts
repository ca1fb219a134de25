/**
 * Starting a process of its own by the C library: a new session without this process's streams,
 * which neither a closed terminal nor the end of this process takes along. Deno's own way has no new
 * session.
 */
import { type Calls, openLibrary } from "../library.ts";

const SYMBOLS = {
  posix_spawnp: {
    parameters: ["buffer", "buffer", "buffer", "buffer", "buffer", "buffer"],
    result: "i32",
  },
  posix_spawnattr_init: { parameters: ["buffer"], result: "i32" },
  posix_spawnattr_setflags: { parameters: ["buffer", "i16"], result: "i32" },
  posix_spawnattr_setsigmask: { parameters: ["buffer", "buffer"], result: "i32" },
  posix_spawnattr_setsigdefault: { parameters: ["buffer", "buffer"], result: "i32" },
  posix_spawnattr_destroy: { parameters: ["buffer"], result: "i32" },
  posix_spawn_file_actions_init: { parameters: ["buffer"], result: "i32" },
  posix_spawn_file_actions_addopen: {
    parameters: ["buffer", "i32", "buffer", "i32", "u32"],
    result: "i32",
  },
  posix_spawn_file_actions_addchdir_np: { parameters: ["buffer", "buffer"], result: "i32" },
  posix_spawn_file_actions_destroy: { parameters: ["buffer"], result: "i32" },
  sigemptyset: { parameters: ["buffer"], result: "i32" },
  sigfillset: { parameters: ["buffer"], result: "i32" },
  waitpid: { parameters: ["i32", "buffer", "i32"], result: "i32" },
  kill: { parameters: ["i32", "i32"], result: "i32" },
} as const;

// <spawn.h> of glibc: sizes of posix_spawnattr_t and posix_spawn_file_actions_t with room to spare.
const ATTRIBUTES_BYTES = 512;
const ACTIONS_BYTES = 128;
const SIGSET_BYTES = 128;
const SETSIGDEF = 0x04;
const SETSIGMASK = 0x08;
const SETSID = 0x80;
// <fcntl.h>
const O_RDONLY = 0;
const O_WRONLY = 1;
// <sys/wait.h>
const WNOHANG = 1;
// Errors of the C library (errno) that say that there is no such program.
const ENOENT = 2;
const EACCES = 13;
const ENOTDIR = 20;

let library: Calls<typeof SYMBOLS> | undefined;

function libc(): Calls<typeof SYMBOLS> {
  return library ??= openLibrary("libc.so.6", SYMBOLS);
}

function cString(text: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(new TextEncoder().encode(`${text}\0`));
}

/** A null-terminated array of C strings; the strings live as long as the result's `keep`. */
function cStrings(texts: readonly string[]): { array: BigUint64Array<ArrayBuffer>; keep: unknown } {
  const strings = texts.map(cString);
  const array = new BigUint64Array(strings.length + 1);
  strings.forEach((string, index) => {
    array[index] = Deno.UnsafePointer.value(Deno.UnsafePointer.of(string)) as bigint;
  });
  return { array, keep: strings };
}

/** What to start, and in which surroundings. */
export interface SpawnRequest {
  /** A path, or a name that is looked for on PATH. */
  program: string;
  /** Without the program itself. */
  args: readonly string[];
  env: Readonly<Record<string, string>>;
  cwd?: string;
  /** File that the process reads as its standard input; `/dev/null` when absent. */
  stdin?: string;
}

/** How an attempt to start a process ended. */
export type SpawnResult =
  | { result: "started"; pid: number }
  | { result: "not_found" }
  | { result: "refused"; errno: number };

/** Starts a process in a session of its own, all streams at `/dev/null`. */
export function spawnDetached(request: SpawnRequest): SpawnResult {
  const c = libc();
  const pid = new Int32Array(1);
  const attributes = new Uint8Array(ATTRIBUTES_BYTES);
  const actions = new Uint8Array(ACTIONS_BYTES);
  const none = new Uint8Array(SIGSET_BYTES);
  const all = new Uint8Array(SIGSET_BYTES);
  const argv = cStrings([request.program, ...request.args]);
  const envp = cStrings(Object.entries(request.env).map(([name, value]) => `${name}=${value}`));
  c.posix_spawnattr_init(attributes);
  c.posix_spawn_file_actions_init(actions);
  try {
    c.sigemptyset(none);
    c.sigfillset(all);
    // The child must not inherit what this process ignores or blocks.
    c.posix_spawnattr_setsigmask(attributes, none);
    c.posix_spawnattr_setsigdefault(attributes, all);
    c.posix_spawnattr_setflags(attributes, SETSID | SETSIGMASK | SETSIGDEF);
    c.posix_spawn_file_actions_addopen(
      actions,
      0,
      cString(request.stdin ?? "/dev/null"),
      O_RDONLY,
      0,
    );
    for (const stream of [1, 2]) {
      c.posix_spawn_file_actions_addopen(actions, stream, cString("/dev/null"), O_WRONLY, 0);
    }
    if (request.cwd !== undefined) {
      c.posix_spawn_file_actions_addchdir_np(actions, cString(request.cwd));
    }
    const errno = c.posix_spawnp(
      new Uint8Array(pid.buffer),
      cString(request.program),
      actions,
      attributes,
      argv.array,
      envp.array,
    );
    if (errno === 0) return { result: "started", pid: pid[0]! };
    return errno === ENOENT || errno === ENOTDIR || errno === EACCES
      ? { result: "not_found" }
      : { result: "refused", errno };
  } finally {
    c.posix_spawn_file_actions_destroy(actions);
    c.posix_spawnattr_destroy(attributes);
  }
}

/**
 * Whether a process this one started has ended; its exit status is taken then, so that no dead
 * process is left in the table. For other processes always `false`.
 */
export function hasEnded(pid: number): boolean {
  return libc().waitpid(pid, new Int32Array(1), WNOHANG) === pid;
}

/** Signals of `kill` that are used here (POSIX numbers). */
export const SIGNAL = { term: 15, kill: 9 } as const;

/** Sends a signal to one process; `false` when it is not there or not ours to signal. */
export function signal(pid: number, number: number): boolean {
  return pid > 1 && libc().kill(pid, number) === 0;
}
