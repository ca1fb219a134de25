/** Facts of the process table that /proc gives. */
import { readProc } from "../../../ffi/linux/proc.ts";

let bootId: string | undefined;

/**
 * `linux-proc-v1:<first 8 hex of the boot id>:<start ticks>`
 * (docs/linux.md, "Applications, windows, processes"); `undefined` when no such process runs or it
 * is a zombie.
 */
export function processInstance(pid: number): string | undefined {
  const stat = readProc(`/proc/${pid}/stat`);
  if (stat === undefined) return undefined;
  // The command name may itself hold spaces and brackets; the state (field 3) follows its last one.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  if (fields[0] === "Z" || fields[0] === "X") return undefined;
  bootId ??= readProc("/proc/sys/kernel/random/boot_id")?.slice(0, 8);
  const startTicks = fields[19];
  return bootId && startTicks ? `linux-proc-v1:${bootId}:${startTicks}` : undefined;
}

/** The command name of a process (`comm`, at most 15 characters), or `undefined`. */
export function commandName(pid: number): string | undefined {
  return readProc(`/proc/${pid}/comm`)?.trimEnd();
}
