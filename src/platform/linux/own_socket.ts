/**
 * The socket of its own that an application with ATK's bridge (GTK 3) listens on beside the bus,
 * from the first time it is asked for the address.
 *
 * The bridge runs the handler of an action inside of the dispatch of the connection that asked for
 * it. A handler that runs a dialog of its own (`gtk_dialog_run`) keeps that connection from being
 * served until the dialog closes; others are served meanwhile, and such a one is made here. The
 * bridge never frees what it keeps for a connection, and every turn of the application's main loop
 * looks at it (docs/linux.md, "Dialogs inside an action"), so this is for where nothing else serves.
 */
import { readPages, readProc, readProcLink } from "../../../ffi/linux/proc.ts";
import type { Deadline } from "../../deadline.ts";
import { Bus } from "./bus.ts";
import { sleepSync } from "./element.ts";

// /proc/net/unix has some 60 bytes a socket: this is enough for ten thousand.
const MAX_PAGES = 160;
// Applications have far fewer open files; past it the socket is not found.
const MAX_FILES = 1_024;
// __SO_ACCEPTCON: somebody listens there.
const LISTENS = "00010000";
const AT_SPI_PATH = /at-spi2/;
// How long (ms) a busy one is watched for, and how often.
const IDLE_MS = 250;
const IDLE_LOOK_MS = 10;
// A main loop that turns answers at once.
const CONNECT_MS = 500;

/**
 * Reaches an application over its own socket from now on, when the way so far is blocked: its main
 * loop waits for events, and yet it answers nothing.
 *
 * @returns whether it is reached that way
 */
export function reachBlocked(
  bus: Bus,
  busName: string,
  pid: number,
  deadline: Deadline,
): boolean {
  const address = ownSocketAddress(pid);
  if (address === undefined || !comesToWait(pid, deadline)) return false;
  const peer = connectOwnSocket(address, deadline);
  if (!peer) return false;
  bus.route(busName, peer);
  return true;
}

/** A connection to an application's own socket; `undefined` when it does not take it. */
export function connectOwnSocket(address: string, deadline: Deadline): Bus | undefined {
  // libdbus can also start programs for an address.
  if (!/^unix:(path|abstract)=[^;]+$/.test(address)) return undefined;
  try {
    return Bus.connectPeer(address, deadline.within(CONNECT_MS));
  } catch {
    return undefined;
  }
}

/** Whether the main loop waits for events, now or in a moment: a dialog that opens keeps it busy. */
function comesToWait(pid: number, deadline: Deadline): boolean {
  const until = deadline.within(IDLE_MS);
  while (!isWaitingForEvents(pid)) {
    if (until.expired) return false;
    sleepSync(IDLE_LOOK_MS);
  }
  return true;
}

/** Whether the main thread sleeps until something happens; one that computes or hangs does not. */
function isWaitingForEvents(pid: number): boolean {
  if (!/^State:\s*S/m.test(readProc(`/proc/${pid}/status`) ?? "")) return false;
  const where = readProc(`/proc/${pid}/wchan`) ?? "";
  // A kernel that keeps the place to itself says "0".
  return where === "" || where === "0" || /poll/.test(where);
}

/** D-Bus address of the AT-SPI socket a process listens on. */
function ownSocketAddress(pid: number): string | undefined {
  const listening = new Map<string, string>();
  for (const line of (readPages("/proc/net/unix", MAX_PAGES) ?? "").split("\n")) {
    const [, , , flags, , , inode, path] = line.trim().split(/\s+/);
    if (flags === LISTENS && inode && path && AT_SPI_PATH.test(path)) listening.set(inode, path);
  }
  for (let file = 0; listening.size > 0 && file < MAX_FILES; file++) {
    const inode = /^socket:\[(\d+)\]$/.exec(readProcLink(`/proc/${pid}/fd/${file}`) ?? "")?.[1];
    const path = inode && listening.get(inode);
    if (path) return path.startsWith("@") ? `unix:abstract=${path.slice(1)}` : `unix:path=${path}`;
  }
  return undefined;
}
