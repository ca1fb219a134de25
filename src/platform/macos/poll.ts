/** Waiting for something to become so: looking at it again and again until a deadline. */
import type { Deadline } from "../../deadline.ts";
import { AppError } from "../../errors.ts";

/**
 * Looks at `condition` every `pollMs` milliseconds, once at least.
 *
 * @returns whether it was seen to hold before the deadline; a look that fails has seen nothing
 */
export async function waitUntil(
  condition: () => boolean,
  pollMs: number,
  deadline: Deadline,
): Promise<boolean> {
  while (true) {
    if (holds(condition)) return true;
    if (deadline.expired) return false;
    await deadline.sleep(pollMs);
  }
}

function holds(condition: () => boolean): boolean {
  try {
    return condition();
  } catch (error) {
    if (error instanceof AppError) return false;
    throw error;
  }
}
