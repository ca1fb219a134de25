/**
 * Makes sure that no key or button stays down. While input is being sent, the signals that end
 * a process first lift everything that is held.
 */
import { AppError } from "../errors.ts";
import type { Input } from "../platform/platform.ts";
import { deliveryBrokeOff } from "./dispatch.ts";

// Exit status of a process that a signal ends is 128 + its number (POSIX shells).
const SIGNALS: readonly (readonly [Deno.Signal, number])[] = [
  ["SIGTERM", 143],
  ["SIGINT", 130],
  ["SIGHUP", 129],
  ["SIGQUIT", 131],
];

/**
 * Runs `use` with the input devices and releases what it holds down on every way out: return,
 * exception, signal, exit. `use` must give the event loop a turn (an `await`) at least a few
 * times a second while something is held, or a signal cannot be seen.
 *
 * @param action name of the action, for the message
 * @throws AppError what `use` throws; for any other exception `INTERNAL` with an uncertain
 * delivery, because some of the input may have been sent
 */
export async function withInput(
  action: string,
  input: Input,
  use: (input: Input) => Promise<void>,
): Promise<void> {
  const handlers = SIGNALS.map(([signal, status]) => {
    const handler = () => {
      input.releaseAll();
      Deno.exit(status);
    };
    return [signal, handler] as const;
  });
  const onUnload = () => input.releaseAll();
  for (const [signal, handler] of handlers) Deno.addSignalListener(signal, handler);
  globalThis.addEventListener("unload", onUnload);
  try {
    await use(input);
  } catch (error) {
    throw error instanceof AppError ? error : deliveryBrokeOff(action, error);
  } finally {
    input.releaseAll();
    globalThis.removeEventListener("unload", onUnload);
    for (const [signal, handler] of handlers) Deno.removeSignalListener(signal, handler);
  }
}
