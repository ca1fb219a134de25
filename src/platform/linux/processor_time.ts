/** How much a process and its children have worked: a change says that it is not at rest. */
import { readProc } from "../../../ffi/linux/proc.ts";

// A browser has a process for each page; more are no single application.
const MAX_PROCESSES = 24;
// <unistd.h> `_SC_CLK_TCK` is 100 on every Linux architecture we build for.
const MS_PER_TICK = 10;
// Fields of /proc/<pid>/stat after the state (proc(5)): utime and stime are the 14th and 15th.
const UTIME = 11;

/**
 * Processor time in milliseconds: what the main threads of a process and its descendants have used
 * exactly, and all threads of the process in steps of 10 ms; `undefined` when it is gone or the
 * kernel does not tell.
 */
export function processorTime(pid: number): number | undefined {
  const stat = readProc(`/proc/${pid}/stat`);
  if (stat === undefined) return undefined;
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  let total = (Number(fields[UTIME]) + Number(fields[UTIME + 1])) * MS_PER_TICK;
  const open = [pid];
  for (let looked = 0; open.length > 0 && looked < MAX_PROCESSES; looked++) {
    const one = open.shift()!;
    const nanoseconds = Number(readProc(`/proc/${one}/schedstat`)?.split(" ", 1)[0]);
    if (Number.isFinite(nanoseconds)) total += nanoseconds / 1e6;
    const children = readProc(`/proc/${one}/task/${one}/children`) ?? "";
    open.push(...children.split(" ").map(Number).filter((child) => child > 0));
  }
  return Number.isFinite(total) ? total : undefined;
}
