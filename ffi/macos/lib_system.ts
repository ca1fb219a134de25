/** libSystem: who a process is, and signals. */
import type { Calls } from "../library.ts";
import { open } from "./library.ts";

/** Declarations, checked against the stand-in's own table by the tests. */
export const LIB_SYSTEM = {
  proc_pidinfo: { parameters: ["i32", "i32", "u64", "buffer", "i32"], result: "i32" },
  proc_pidpath: { parameters: ["i32", "buffer", "u32"], result: "i32" },
  kill: { parameters: ["i32", "i32"], result: "i32" },
} as const satisfies Deno.ForeignLibraryInterface;

/** libSystem's constants, by the names in its headers. */
export const SYS = { PROC_PIDTBSDINFO: 3, PROC_PIDPATHINFO_MAXSIZE: 4096, SIGKILL: 9 } as const;
/** Bytes of a `proc_bsdinfo`. */
const BSD_INFO_SIZE = 136;
/** Offsets inside `proc_bsdinfo`. */
const PID_AT = 12, START_SECONDS_AT = 120, START_MICROS_AT = 128;

/** When a process started. */
export interface ProcessStart {
  seconds: bigint;
  micros: bigint;
}

export class LibSystem {
  readonly #s: Calls<typeof LIB_SYSTEM>;

  constructor(path: string) {
    this.#s = open(path, LIB_SYSTEM);
  }

  /** Start time of a process; `undefined` when there is none or it may not be asked. */
  processStart(pid: number): ProcessStart | undefined {
    const memory = new Uint8Array(BSD_INFO_SIZE);
    if (
      this.#s.proc_pidinfo(pid, SYS.PROC_PIDTBSDINFO, 0n, memory, BSD_INFO_SIZE) !== BSD_INFO_SIZE
    ) {
      return undefined;
    }
    const view = new DataView(memory.buffer);
    const seconds = view.getBigUint64(START_SECONDS_AT, true);
    if (view.getUint32(PID_AT, true) !== pid || seconds === 0n) return undefined;
    return { seconds, micros: view.getBigUint64(START_MICROS_AT, true) };
  }

  /** Path of a process's executable. */
  processPath(pid: number): string | undefined {
    const memory = new Uint8Array(SYS.PROC_PIDPATHINFO_MAXSIZE);
    const length = this.#s.proc_pidpath(pid, memory, memory.length);
    return length > 0 ? new TextDecoder().decode(memory.subarray(0, length)) : undefined;
  }

  /** Sends a signal; whether the process was there to get it. */
  signal(pid: number, signal: number): boolean {
    return this.#s.kill(pid, signal) === 0;
  }
}
