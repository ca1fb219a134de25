/** Looking again and again until something is seen or time is up. */
import type { Deadline } from "../deadline.ts";

/**
 * Calls `look` at once and then every `everyMs` milliseconds until it finds something.
 *
 * @returns what it found; `undefined` when the deadline has passed after a look that found nothing
 * @throws what `look` throws
 */
export async function poll<T>(
  deadline: Deadline,
  everyMs: number,
  look: () => Promise<T | undefined>,
): Promise<T | undefined> {
  while (true) {
    const found = await look();
    if (found !== undefined || deadline.expired) return found;
    await deadline.sleep(everyMs);
  }
}
