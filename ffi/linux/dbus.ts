/**
 * libdbus-1: opens and authenticates connections. Whole messages then go over the connection's
 * socket as wire bytes; what they mean is the caller's business.
 */
import { type Calls, openLibrary } from "../library.ts";
import { Socket } from "./socket.ts";

const SYMBOLS = {
  dbus_connection_open_private: { parameters: ["buffer", "buffer"], result: "pointer" },
  dbus_connection_close: { parameters: ["pointer"], result: "void" },
  dbus_connection_unref: { parameters: ["pointer"], result: "void" },
  dbus_connection_get_is_authenticated: { parameters: ["pointer"], result: "u32" },
  dbus_connection_get_unix_fd: { parameters: ["pointer", "buffer"], result: "u32" },
  dbus_connection_read_write: { parameters: ["pointer", "i32"], result: "u32" },
} as const;

let library: Calls<typeof SYMBOLS> | undefined;

function libdbus(): Calls<typeof SYMBOLS> {
  library ??= openLibrary("libdbus-1.so.3", SYMBOLS);
  return library;
}

// DBusError: two string pointers, five one-bit flags in an unsigned int, one padding pointer.
const ERROR_BYTES = 32;
// D-Bus specification: no message is longer than 128 MiB. More announced is no D-Bus.
const MAX_MESSAGE = 134_217_728;
const LITTLE_ENDIAN = 0x6c;
// Shortest message: the fixed part of a header.
const FIXED_HEADER = 16;

/** The message of a DBusError; `undefined` when it is not set. Not freed: who fails, ends. */
function reasonOf(error: BigUint64Array): string | undefined {
  const pointer = Deno.UnsafePointer.create(error[1]!);
  return pointer === null ? undefined : Deno.UnsafePointerView.getCString(pointer);
}

/** A D-Bus connection; owns the native object unless it was adopted. */
export class BusConnection implements Disposable {
  readonly #pointer: Deno.PointerObject;
  readonly #owned: boolean;
  readonly #socket: Socket;
  #closed = false;

  private constructor(pointer: Deno.PointerObject, owned: boolean) {
    this.#pointer = pointer;
    this.#owned = owned;
    const fd = new Int32Array(1);
    if (libdbus().dbus_connection_get_unix_fd(pointer, fd) === 0) {
      throw new Error("the connection has no socket");
    }
    this.#socket = new Socket(fd[0]!);
  }

  /**
   * Connects to a server address (`unix:path=…`, `unix:abstract=…`) and authenticates, within
   * `timeoutMs`. Throws `Error` with libdbus's reason.
   */
  static open(address: string, timeoutMs: number): BusConnection {
    const lib = libdbus();
    const name = new Uint8Array(new TextEncoder().encode(address + "\0"));
    // A DBusError of zeros is one that is not set.
    const error = new BigUint64Array(ERROR_BYTES / 8);
    const pointer = lib.dbus_connection_open_private(name, error);
    if (pointer === null) throw new Error(reasonOf(error) ?? "cannot connect");
    const end = performance.now() + timeoutMs;
    while (lib.dbus_connection_get_is_authenticated(pointer) === 0) {
      const left = end - performance.now();
      if (left <= 0 || lib.dbus_connection_read_write(pointer, Math.ceil(left)) === 0) {
        lib.dbus_connection_close(pointer);
        lib.dbus_connection_unref(pointer);
        throw new Error(left <= 0 ? "no answer" : "the server closed the connection");
      }
    }
    return new BusConnection(pointer, true);
  }

  /**
   * Uses an authenticated connection that another library made and keeps. That library must not
   * be asked to send or receive on it any more.
   */
  static adopt(pointer: Deno.PointerObject): BusConnection {
    return new BusConnection(pointer, false);
  }

  /** Whether the peer is still there. */
  get connected(): boolean {
    return !this.#closed && !this.#socket.gone;
  }

  /** Queues one complete message with a serial of its own (non-zero, unique here). */
  send(bytes: Uint8Array): void {
    this.#socket.queue(bytes);
  }

  /**
   * Writes what is queued and reads what has come, waiting at most `timeoutMs` for either.
   * `false`: the peer is gone and nothing more will come.
   */
  readWrite(timeoutMs: number): boolean {
    this.#socket.exchange(timeoutMs);
    return !this.#socket.gone;
  }

  /**
   * The next received message as wire bytes, or `undefined` when none is complete. The bytes are
   * only good until the next `readWrite`. What cannot be a D-Bus message ends the connection.
   */
  pop(): Uint8Array | undefined {
    const bytes = this.#socket.received;
    if (bytes.length < FIXED_HEADER) return undefined;
    const view = new DataView(bytes.buffer, bytes.byteOffset, FIXED_HEADER);
    const little = bytes[0] === LITTLE_ENDIAN;
    const fields = view.getUint32(12, little);
    const length = FIXED_HEADER + ((fields + 7) & ~7) + view.getUint32(4, little);
    if (fields > MAX_MESSAGE || length > MAX_MESSAGE) {
      this.#socket.giveUp();
      return undefined;
    }
    if (bytes.length < length) return undefined;
    this.#socket.consume(length);
    return bytes.subarray(0, length);
  }

  /** Closes an owned connection; an adopted one is left to its owner. */
  [Symbol.dispose](): void {
    if (this.#closed) return;
    this.#closed = true;
    if (!this.#owned) return;
    libdbus().dbus_connection_close(this.#pointer);
    libdbus().dbus_connection_unref(this.#pointer);
  }
}
