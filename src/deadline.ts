/** One absolute point in time that every wait of a command counts down to. */

/** A point on the monotonic clock; `Infinity` is not allowed: every wait is bounded. */
export class Deadline {
  readonly #at: number;
  readonly #start: number;

  private constructor(start: number, at: number) {
    this.#start = start;
    this.#at = at;
  }

  /** A deadline `ms` milliseconds from now. */
  static after(ms: number): Deadline {
    const now = performance.now();
    return new Deadline(now, now + ms);
  }

  /** Milliseconds left, never negative. */
  get remaining(): number {
    return Math.max(0, this.#at - performance.now());
  }

  /** Whether no time is left. */
  get expired(): boolean {
    return performance.now() >= this.#at;
  }

  /** Whole milliseconds since the deadline was set. */
  get elapsed(): number {
    return Math.round(performance.now() - this.#start);
  }

  /** This deadline or `ms` from now, whichever comes first. */
  within(ms: number): Deadline {
    const now = performance.now();
    return new Deadline(now, Math.min(this.#at, now + ms));
  }

  /** Sleeps `ms` milliseconds, or until the deadline if that is earlier. */
  async sleep(ms: number): Promise<void> {
    const pause = Math.min(ms, this.remaining);
    await new Promise((wake) => setTimeout(wake, pause));
  }
}
