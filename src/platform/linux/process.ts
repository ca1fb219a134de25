/** Facts of the process table that /proc gives. */

/** The part of /proc/PID/stat behind the command name, which may itself hold spaces and `)`. */
function statFields(pid: number): string[] | undefined {
  try {
    const stat = Deno.readTextFileSync(`/proc/${pid}/stat`);
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  } catch {
    return undefined;
  }
}

let bootId: string | undefined;

/**
 * `linux-proc-v1:<first 8 hex of the boot id>:<start ticks>` (decision 12); `undefined` when no
 * such process runs or it is a zombie.
 */
export function processInstance(pid: number): string | undefined {
  const fields = statFields(pid);
  // Field 3 is the state, field 22 the start time; the slice starts at field 3.
  if (fields === undefined || fields[0] === "Z" || fields[0] === "X") return undefined;
  bootId ??= Deno.readTextFileSync("/proc/sys/kernel/random/boot_id").slice(0, 8);
  return `linux-proc-v1:${bootId}:${fields[19]}`;
}

/** The command name of a process (`comm`, at most 15 characters), or `undefined`. */
export function commandName(pid: number): string | undefined {
  try {
    return Deno.readTextFileSync(`/proc/${pid}/comm`).trimEnd();
  } catch {
    return undefined;
  }
}
