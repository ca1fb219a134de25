/** Facts of the process table that /proc gives. */
import { readProc } from "../../../ffi/linux/proc.ts";

let bootId: string | undefined;

/**
 * `linux-proc-v1:<first 8 hex of the boot id>:<start ticks>`
 * (docs/linux.md, "Applications, windows, processes"); `undefined` when no such process runs or it
 * is a zombie.
 */
export function processInstance(pid: number): string | undefined {
  const fields = statFields(pid);
  if (fields === undefined || fields[0] === "Z" || fields[0] === "X") return undefined;
  bootId ??= readProc("/proc/sys/kernel/random/boot_id")?.slice(0, 8);
  const startTicks = fields[19];
  return bootId && startTicks ? `linux-proc-v1:${bootId}:${startTicks}` : undefined;
}

// Clock ticks a second as /proc tells them; 100 for every program on the architectures built for.
const TICKS_PER_SECOND = 100;

/** Milliseconds since a process started; `undefined` when it is gone or that cannot be told. */
export function processAge(pid: number): number | undefined {
  const started = Number(statFields(pid)?.[19]);
  const uptime = Number(readProc("/proc/uptime")?.split(" ")[0]);
  const age = (uptime - started / TICKS_PER_SECOND) * 1_000;
  return Number.isFinite(age) ? age : undefined;
}

/** The session (group of process groups) a process belongs to; `undefined` when it is gone. */
export function sessionOf(pid: number): number | undefined {
  const session = statFields(pid)?.[3];
  return session === undefined ? undefined : Number(session);
}

/** Fields of `/proc/<pid>/stat` from the state (the third, proc(5)) on. */
function statFields(pid: number): string[] | undefined {
  const stat = readProc(`/proc/${pid}/stat`);
  // The command name may itself hold spaces and brackets; the state follows its last one.
  return stat?.slice(stat.lastIndexOf(")") + 2).split(" ");
}

/** The command name of a process (`comm`, at most 15 characters), or `undefined`. */
export function commandName(pid: number): string | undefined {
  return readProc(`/proc/${pid}/comm`)?.trimEnd();
}
