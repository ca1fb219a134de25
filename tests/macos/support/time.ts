/** Time that passes only when somebody sleeps, so that waits and polls cost a test nothing. */

/** Runs `work` on virtual time: `setTimeout` comes at once and `performance.now` has moved on. */
export async function withVirtualTime<T>(work: () => Promise<T>): Promise<T> {
  const realTimeout = globalThis.setTimeout;
  const realNow = performance.now;
  let offset = 0;
  performance.now = () => realNow.call(performance) + offset;
  const virtual = (wake: () => void, ms = 0) => {
    offset += ms;
    queueMicrotask(wake);
    return 0;
  };
  // The program only ever sleeps with it; nothing cancels such a timer.
  globalThis.setTimeout = virtual as unknown as typeof setTimeout;
  try {
    return await work();
  } finally {
    globalThis.setTimeout = realTimeout;
    performance.now = realNow;
  }
}
