/** Requests under way together: who waits for whom, and what is left at the deadline. */
import { assertEquals } from "@std/assert";
import type { BusConnection } from "../../../../ffi/linux/dbus.ts";
import { Deadline } from "../../../../src/deadline.ts";
import { Bus, NO_ANSWER, type Reply } from "../../../../src/platform/linux/bus.ts";

/** A peer that answers each request, in order, once the test lets it. */
class Peer {
  readonly connected = true;
  /** Serials of the requests that have come. */
  readonly requests: number[] = [];
  readonly #replies: Uint8Array[] = [];
  /** Called when the bus waits. */
  onWait: () => void = () => {};

  send(bytes: Uint8Array): void {
    this.requests.push(new DataView(bytes.buffer, bytes.byteOffset).getUint32(8, true));
  }
  readWrite(): boolean {
    this.onWait();
    return true;
  }
  pop(): Uint8Array | undefined {
    return this.#replies.shift();
  }
  /** A method return without a body. */
  answer(serial: number): void {
    const bytes = new Uint8Array(24);
    const view = new DataView(bytes.buffer);
    bytes.set([0x6c, 2, 1, 1]);
    view.setUint32(8, serial + 1, true);
    view.setUint32(12, 8, true);
    // Header field 5, REPLY_SERIAL, of type u.
    bytes.set([5, 1, 0x75, 0], 16);
    view.setUint32(20, serial, true);
    this.#replies.push(bytes);
  }
  bus(): Bus {
    return new Bus(this as unknown as BusConnection);
  }
}

const CALL = { destination: ":1.1", path: "/", interface: "a.b", member: "C" };

Deno.test("several calls wait for their own replies only; others go on beside them", () => {
  const peer = new Peer();
  const bus = peer.bus();
  const order: string[] = [];
  bus.send(CALL, () => order.push("earlier"));
  peer.onWait = () => peer.requests.slice(1).forEach((serial) => peer.answer(serial));
  const replies = bus.callAll([CALL, CALL], Deadline.after(1_000));
  assertEquals(replies.map((reply) => reply.ok), [true, true]);
  assertEquals([order, bus.outstanding], [[], 1]);

  peer.onWait = () => peer.answer(peer.requests[0]!);
  assertEquals(bus.run(Deadline.after(1_000)), true);
  assertEquals([order, bus.outstanding], [["earlier"], 0]);
});

Deno.test("at the deadline whatever is left gets no answer, once", () => {
  const peer = new Peer();
  const bus = peer.bus();
  const replies: Reply[] = [];
  bus.send(CALL, (reply) => {
    replies.push(reply);
    // What is asked then must not outlive the others.
    bus.send(CALL, (second) => replies.push(second));
  });
  const own = bus.callAll([CALL], Deadline.after(0));
  assertEquals(own.map((reply) => !reply.ok && reply.error), [NO_ANSWER]);
  assertEquals(replies.map((reply) => !reply.ok && reply.error), [NO_ANSWER, NO_ANSWER]);
  assertEquals(bus.outstanding, 0);
});

Deno.test("an answer to nobody, or after its time, is passed over", () => {
  const peer = new Peer();
  const bus = peer.bus();
  assertEquals(bus.call(CALL, Deadline.after(0)).ok, false);
  peer.onWait = () => {
    peer.answer(12_345);
    peer.answer(peer.requests[0]!);
    peer.answer(peer.requests[1]!);
  };
  assertEquals(bus.call(CALL, Deadline.after(1_000)).ok, true);
});
