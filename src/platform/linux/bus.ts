/**
 * Requests and replies over one connection, many in flight at once. Replies are handed to their
 * request as they come, so that a reply may ask on; nothing waits past the deadline given.
 */
import { BusConnection } from "../../../ffi/linux/dbus.ts";
import type { Deadline } from "../../deadline.ts";
import { decodeMessage, encodeCall, type Message, type MethodCall } from "./wire.ts";

/** The outcome of one request. */
export type Reply =
  | { ok: true; values: unknown[]; signature: string }
  | { ok: false; error: string; message: string };

/** `error` of a request that got no answer before the deadline. */
export const NO_ANSWER = "no-answer";
/** `error` of a request on a connection that is gone. */
export const DISCONNECTED = "disconnected";

/** Whether a reply says that there is no such object, and not only that asking it went wrong. */
export function saysGone(reply: Reply): boolean {
  // Toolkits without the object answer that it has no such method.
  return !reply.ok &&
    /\.(Unknown(Object|Method|Interface)|ServiceUnknown|NameHasNoOwner)$/.test(reply.error);
}

// libdbus counts its own serials up from 1; ours start where it will never get to.
const FIRST_SERIAL = 0x40000000;
// Enough to keep the application busy, few enough for its socket buffer and the bus's limits.
const IN_FLIGHT = 256;
// A blocked read wakes at least this often (ms), so that a deadline is never overslept.
const SLICE_MS = 50;
// With several connections, how long (ms) each is waited for before the next has its turn.
const TURN_MS = 2;

interface Waiting {
  call: MethodCall;
  done: (reply: Reply) => void;
}

/** One connection with its requests. */
export class Bus implements Disposable {
  readonly #connection: BusConnection;
  readonly #inFlight = new Map<number, (reply: Reply) => void>();
  readonly #queue: Waiting[] = [];
  #queueHead = 0;
  #serial = FIRST_SERIAL;
  /** Own sockets of applications, by bus name. */
  readonly #peers = new Map<string, Bus>();
  #abandoning = false;
  /** Unique name the bus gave us; empty on a connection that another library made. */
  name = "";

  constructor(connection: BusConnection) {
    this.#connection = connection;
  }

  /** Connects to an address and says hello to the bus there. Throws `Error` with the reason. */
  static connect(address: string, deadline: Deadline): Bus {
    const bus = new Bus(BusConnection.open(address, deadline.remaining));
    const reply = bus.call(
      {
        destination: "org.freedesktop.DBus",
        path: "/org/freedesktop/DBus",
        interface: "org.freedesktop.DBus",
        member: "Hello",
      },
      deadline,
    );
    if (!reply.ok) {
      bus[Symbol.dispose]();
      throw new Error(reply.error === NO_ANSWER ? "no answer" : reply.message || reply.error);
    }
    bus.name = String(reply.values[0]);
    return bus;
  }

  /**
   * Connects to an application's own socket, where there is no bus to say hello to. Throws `Error`
   * with the reason.
   */
  static connectPeer(address: string, deadline: Deadline): Bus {
    return new Bus(BusConnection.open(address, deadline.remaining));
  }

  /** From now on requests to an application go over its own socket; this connection owns that. */
  route(busName: string, peer: Bus): void {
    this.#peers.get(busName)?.[Symbol.dispose]();
    this.#peers.set(busName, peer);
  }

  /** Whether requests to an application go over its own socket. */
  isRouted(busName: string): boolean {
    return this.#peers.has(busName);
  }

  get connected(): boolean {
    return this.#connection.connected;
  }

  /** Requests sent or queued and not answered. */
  get outstanding(): number {
    let count = this.#own;
    for (const peer of this.#peers.values()) count += peer.outstanding;
    return count;
  }

  /** Those of this connection alone. */
  get #own(): number {
    return this.#inFlight.size + this.#queue.length - this.#queueHead;
  }

  /** Queues a request; `done` runs inside a later `run` (or at once when it cannot be sent). */
  send(call: MethodCall, done: (reply: Reply) => void): void {
    const peer = this.#peers.get(call.destination);
    if (peer !== undefined) return peer.send(call, done);
    // A request made while others are given up must not outlive them.
    if (this.#abandoning) done({ ok: false, error: NO_ANSWER, message: "" });
    else if (this.#inFlight.size >= IN_FLIGHT) this.#queue.push({ call, done });
    else this.#transmit(call, done);
  }

  /**
   * Works until every request is answered, or `until` says enough, or the deadline. At the
   * deadline what is left is answered with `NO_ANSWER`. Returns whether all were answered.
   */
  run(deadline: Deadline, until?: () => boolean): boolean {
    while (this.outstanding > 0) {
      if (until?.()) return true;
      if (deadline.expired) {
        this.#abandon(NO_ANSWER);
        return false;
      }
      const slice = Math.ceil(Math.min(deadline.remaining, SLICE_MS));
      const peers = [...this.#peers.values()].filter((peer) => peer.outstanding > 0);
      // Several connections take turns, none of them waiting for long.
      for (const peer of peers) peer.#exchange(Math.min(slice, TURN_MS));
      if (peers.length > 0 && this.#own === 0) continue;
      if (!this.#exchange(peers.length > 0 ? Math.min(slice, TURN_MS) : slice)) return false;
    }
    return true;
  }

  /** Waits for this connection alone; `false` when it is gone. */
  #exchange(waitMs: number): boolean {
    const there = this.#connection.readWrite(waitMs);
    this.#drain();
    if (!there && this.outstanding > 0) this.#abandon(DISCONNECTED);
    return there;
  }

  /** Gives up what is under way; each request is answered with `NO_ANSWER`. */
  giveUp(): void {
    this.#abandon(NO_ANSWER);
  }

  /** One request, answered before the deadline or with `NO_ANSWER`. */
  call(call: MethodCall, deadline: Deadline): Reply {
    let answer: Reply | undefined;
    this.send(call, (reply) => answer = reply);
    this.run(deadline, () => answer !== undefined);
    return answer ?? { ok: false, error: NO_ANSWER, message: "" };
  }

  /**
   * Several requests at once; the replies in the same order. What else is under way goes on beside
   * them and is not waited for.
   */
  callAll(calls: readonly MethodCall[], deadline: Deadline): Reply[] {
    const replies: Reply[] = calls.map(() => ({ ok: false, error: NO_ANSWER, message: "" }));
    let left = calls.length;
    calls.forEach((call, index) =>
      this.send(call, (reply) => {
        replies[index] = reply;
        left--;
      })
    );
    this.run(deadline, () => left === 0);
    return replies;
  }

  [Symbol.dispose](): void {
    for (const peer of this.#peers.values()) peer[Symbol.dispose]();
    this.#peers.clear();
    this.#connection[Symbol.dispose]();
  }

  #transmit(call: MethodCall, done: (reply: Reply) => void): void {
    const serial = this.#serial++;
    try {
      this.#connection.send(encodeCall(call, serial));
      this.#inFlight.set(serial, done);
    } catch (error) {
      done({ ok: false, error: "not-sent", message: error instanceof Error ? error.message : "" });
    }
  }

  #drain(): void {
    for (let bytes = this.#connection.pop(); bytes; bytes = this.#connection.pop()) {
      this.#dispatch(decodeMessage(bytes));
    }
  }

  #dispatch(message: Message): void {
    // Signals, and calls made to this program, answer no request.
    if (message.type !== "return" && message.type !== "error") return;
    const done = this.#inFlight.get(message.replySerial);
    if (done === undefined) return;
    this.#inFlight.delete(message.replySerial);
    this.#refill();
    let reply: Reply;
    try {
      const values = message.body();
      reply = message.type === "return"
        ? { ok: true, values, signature: message.signature }
        : { ok: false, error: message.errorName, message: String(values[0] ?? "") };
    } catch {
      reply = { ok: false, error: "malformed", message: "the reply does not fit its signature" };
    }
    done(reply);
  }

  #refill(): void {
    while (this.#queueHead < this.#queue.length && this.#inFlight.size < IN_FLIGHT) {
      const next = this.#queue[this.#queueHead++]!;
      this.#transmit(next.call, next.done);
    }
    if (this.#queueHead === this.#queue.length) {
      this.#queue.length = 0;
      this.#queueHead = 0;
    }
  }

  #abandon(error: string): void {
    for (const peer of this.#peers.values()) peer.#abandon(error);
    const left = [
      ...this.#inFlight.values(),
      ...this.#queue.slice(this.#queueHead).map((w) => w.done),
    ];
    this.#inFlight.clear();
    this.#queue.length = 0;
    this.#queueHead = 0;
    this.#abandoning = true;
    for (const done of left) done({ ok: false, error, message: "" });
    this.#abandoning = false;
  }
}
