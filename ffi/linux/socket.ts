/**
 * A connected stream socket that some library opened, read and written in large pieces. One call
 * moves hundreds of messages, where the library would take several calls for each.
 */

import { libc } from "../libc.ts";
import { type Calls, openLibrary } from "../library.ts";

const SYMBOLS = {
  poll: { parameters: ["buffer", "u64", "i32"], result: "i32" },
  send: { parameters: ["i32", "buffer", "usize", "i32"], result: "isize" },
} as const;

type SocketCalls = Calls<typeof SYMBOLS> & Pick<ReturnType<typeof libc>, "read">;
let calls: SocketCalls | undefined;

function socketCalls(): SocketCalls {
  calls ??= { ...openLibrary("libc.so.6", SYMBOLS), read: libc().read };
  return calls;
}

// <poll.h>
const POLLIN = 0x1;
const POLLOUT = 0x4;
const POLL_GONE = 0x8 | 0x10 | 0x20; // POLLERR, POLLHUP, POLLNVAL
// <sys/socket.h>: never wait, never raise SIGPIPE.
const FLAGS = 0x40 | 0x4000;
const INITIAL_BYTES = 65_536;
// A dozen requests: enough for the peer to begin while the rest is being made.
const EAGER_BYTES = 2_048;
// Free space kept for one read; a reply of many strings still comes in few pieces.
const READ_BYTES = 65_536;

/** Buffers both ways around a descriptor it does not own. */
export class Socket {
  readonly #fd: number;
  readonly #poll = new Int16Array(4);
  readonly #calls = socketCalls();
  #out = new Uint8Array(INITIAL_BYTES);
  #outEnd = 0;
  #in = new Uint8Array(INITIAL_BYTES);
  #inStart = 0;
  #inEnd = 0;
  #gone = false;
  /** The last write left something over: the next one waits until there is room. */
  #full = false;

  constructor(fd: number) {
    this.#fd = fd;
    new Int32Array(this.#poll.buffer)[0] = fd;
  }

  /** Whether the peer has closed or reset the connection. */
  get gone(): boolean {
    return this.#gone;
  }

  /** Bytes received and not consumed yet; only good until the next `exchange`. */
  get received(): Uint8Array {
    return this.#in.subarray(this.#inStart, this.#inEnd);
  }

  /** Treats the peer as gone: what it sent makes no sense. */
  giveUp(): void {
    this.#gone = true;
  }

  /** Drops the first `count` received bytes. */
  consume(count: number): void {
    this.#inStart += count;
  }

  /** Queues bytes (copied) to be written by the next `exchange`, or sooner. */
  queue(bytes: Uint8Array): void {
    if (this.#outEnd + bytes.length > this.#out.length) {
      const larger = new Uint8Array(Math.max(this.#out.length * 2, this.#outEnd + bytes.length));
      larger.set(this.#out.subarray(0, this.#outEnd));
      this.#out = larger;
    }
    this.#out.set(bytes, this.#outEnd);
    this.#outEnd += bytes.length;
    if (this.#outEnd >= EAGER_BYTES && !this.#full) this.#write();
  }

  /** Writes what is queued and reads what has come, waiting at most `timeoutMs` for either. */
  exchange(timeoutMs: number): void {
    this.#write();
    this.#poll[2] = POLLIN | (this.#outEnd > 0 ? POLLOUT : 0);
    this.#poll[3] = 0;
    if (this.#calls.poll(this.#poll, 1n, timeoutMs) <= 0) return;
    const events = this.#poll[3]!;
    if (events & POLLOUT) this.#write();
    if (events & POLLIN) this.#read();
    else if (events & POLL_GONE) this.#gone = true;
  }

  #write(): void {
    if (this.#outEnd === 0) return;
    const sent = Number(
      this.#calls.send(this.#fd, this.#out, BigInt(this.#outEnd), FLAGS),
    );
    // A refusal means the socket is full, or gone, which poll tells.
    this.#full = sent < this.#outEnd;
    if (sent <= 0) return;
    this.#out.copyWithin(0, sent, this.#outEnd);
    this.#outEnd -= sent;
  }

  #read(): void {
    this.#makeRoom();
    const free = this.#in.length - this.#inEnd;
    const target = this.#in.subarray(this.#inEnd);
    // It does not wait: the library that opened the socket made it so.
    const count = Number(this.#calls.read(this.#fd, target, BigInt(free)));
    if (count > 0) this.#inEnd += count;
    // Readable with nothing to read is the end of the stream.
    else this.#gone = true;
  }

  #makeRoom(): void {
    const length = this.#inEnd - this.#inStart;
    if (this.#inStart > 0) {
      this.#in.copyWithin(0, this.#inStart, this.#inEnd);
      this.#inStart = 0;
      this.#inEnd = length;
    }
    if (this.#in.length - length >= READ_BYTES) return;
    const larger = new Uint8Array(this.#in.length * 2);
    larger.set(this.#in.subarray(0, length));
    this.#in = larger;
  }
}
