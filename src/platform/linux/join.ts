/** Several requests with one continuation, beside whatever else is under way on the bus. */
import type { Bus, Reply } from "./bus.ts";
import type { MethodCall } from "./wire.ts";

/** Counts requests down; replies may ask on. */
export class Join {
  // One for the asker itself, until it calls `close`.
  #left = 1;

  /** @param done runs once, when the asking has ended and every reply is in */
  constructor(private readonly bus: Bus, private readonly done: () => void) {}

  /** Sends a request; `then` gets its reply and may ask more. */
  ask(call: MethodCall, then: (reply: Reply) => void): void {
    this.#left++;
    this.bus.send(call, (reply) => {
      then(reply);
      this.close();
    });
  }

  /** Ends the asking; to be called once. `done` runs now if every reply is in already. */
  close(): void {
    if (--this.#left === 0) this.done();
  }
}
