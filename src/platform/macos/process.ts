/** Process identity: a token that changes when a pid is used again. */
import type { LibSystem } from "../../../ffi/macos/lib_system.ts";

/** `macos-proc-v1:<start seconds>:<microseconds>`; `undefined` when there is no such process. */
export function processInstance(system: LibSystem, pid: number): string | undefined {
  const start = system.processStart(pid);
  return start && `macos-proc-v1:${start.seconds}:${start.micros}`;
}
