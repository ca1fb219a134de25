/**
 * What is read right after an action waits until the application has worked it off
 * (docs/acting.md, "Reading after an action").
 */
import { Deadline } from "../deadline.ts";
import type { Platform } from "../platform/platform.ts";

/** What is kept of an action for whoever reads next. */
export interface ActionNote {
  /** When it was delivered, in milliseconds since 1970. */
  at: number;
  /** The process it was for; absent when only a point of the screen was named. */
  pid?: number;
  /** Milliseconds after that at which the process was looked at last. */
  seen: number;
  /** Processor time (milliseconds) the process had used at that look, where the system tells. */
  processorTime?: number;
  /** Milliseconds the toolkit lets pass before it begins to act on it. */
  delay: number;
}

// Applications pass on results by timers (gnome-calculator looks for its own every 50 ms): one that
// has done nothing for this long has come to rest.
const QUIET_MS = 60;
// Later than this after an action nothing is waited for: an application that is always busy (a
// video) holds readers up no longer.
const LIMIT_MS = 600;
const POLL_MS = 10;
// Processor time (milliseconds) that a look at the clock or a message costs without a reason.
const NOISE_MS = 0.15;

/** The time as this module sees it; tests have their own. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  sleep(ms: number): Promise<void>;
}

const SYSTEM_CLOCK: Clock = {
  now: () => Date.now(),
  sleep: (ms) => Deadline.after(ms).sleep(ms),
};

/** The note of an action delivered at a time (milliseconds since 1970), with a look at it now. */
export function noteOf(
  platform: Pick<Platform, "processorTime">,
  pid: number | undefined,
  delay = 0,
  at = Date.now(),
): ActionNote {
  const processorTime = pid === undefined ? undefined : platform.processorTime?.(pid);
  return {
    at,
    seen: Math.max(0, Date.now() - at),
    delay,
    ...(pid === undefined ? {} : { pid }),
    ...(processorTime === undefined ? {} : { processorTime }),
  };
}

/**
 * Waits until the application has been at rest for 60 ms since the action, but no longer than
 * 600 ms after it and never beyond the deadline. An action that is longer ago costs nothing.
 */
export async function settle(
  note: ActionNote,
  platform: Pick<Platform, "processorTime">,
  deadline: Deadline,
  clock: Clock = SYSTEM_CLOCK,
): Promise<void> {
  const age = () => clock.now() - note.at;
  let used = note.processorTime;
  let busyAt = Math.max(note.seen, note.delay);
  // A clock that was set back must not make anybody wait.
  while (age() >= 0 && age() < LIMIT_MS && !deadline.expired) {
    const now = note.pid === undefined ? undefined : platform.processorTime?.(note.pid);
    // Work of the time before the toolkit begins is not what is waited for.
    if (now !== undefined && used !== undefined && now - used > NOISE_MS) {
      busyAt = Math.max(busyAt, age());
    }
    used = now ?? used;
    const left = busyAt + QUIET_MS - age();
    if (left <= 0) return;
    await clock.sleep(Math.min(left, POLL_MS, deadline.remaining));
  }
}
