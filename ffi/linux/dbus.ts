/**
 * libdbus-1: a connection that takes and gives whole messages as wire bytes. No protocol
 * knowledge, no policy: what the bytes mean is the caller's business.
 */

const SYMBOLS = {
  dbus_connection_open_private: { parameters: ["buffer", "buffer"], result: "pointer" },
  dbus_connection_close: { parameters: ["pointer"], result: "void" },
  dbus_connection_unref: { parameters: ["pointer"], result: "void" },
  dbus_connection_get_is_connected: { parameters: ["pointer"], result: "u32" },
  dbus_connection_set_exit_on_disconnect: { parameters: ["pointer", "u32"], result: "void" },
  dbus_connection_set_max_message_size: { parameters: ["pointer", "i64"], result: "void" },
  dbus_connection_send: { parameters: ["pointer", "pointer", "pointer"], result: "u32" },
  dbus_connection_read_write: { parameters: ["pointer", "i32"], result: "u32" },
  dbus_connection_pop_message: { parameters: ["pointer"], result: "pointer" },
  dbus_message_demarshal: { parameters: ["buffer", "i32", "buffer"], result: "pointer" },
  dbus_message_marshal: { parameters: ["pointer", "buffer", "buffer"], result: "u32" },
  dbus_message_unref: { parameters: ["pointer"], result: "void" },
  dbus_error_init: { parameters: ["buffer"], result: "void" },
  dbus_error_free: { parameters: ["buffer"], result: "void" },
  dbus_free: { parameters: ["pointer"], result: "void" },
} as const;

type Library = Deno.DynamicLibrary<typeof SYMBOLS>["symbols"];
let library: Library | undefined;

function libdbus(): Library {
  library ??= Deno.dlopen("libdbus-1.so.3", SYMBOLS).symbols;
  return library;
}

// DBusError: two string pointers, five one-bit flags in an unsigned int, one padding pointer.
const ERROR_BYTES = 32;

/** A NUL-terminated copy of `text`, as C functions want it. */
function cString(text: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(new TextEncoder().encode(text + "\0"));
}

/** Reads and frees a DBusError; its message, or `undefined` when it is not set. */
function takeError(error: BigUint64Array<ArrayBuffer>): string | undefined {
  const pointer = Deno.UnsafePointer.create(error[1]!);
  const message = pointer === null ? undefined : Deno.UnsafePointerView.getCString(pointer);
  libdbus().dbus_error_free(error);
  return message;
}

/** A D-Bus connection; owns the native object unless it was adopted. */
export class BusConnection implements Disposable {
  #pointer: Deno.PointerObject;
  readonly #owned: boolean;
  readonly #length = new Int32Array(1);
  readonly #data = new BigUint64Array(1);
  #closed = false;

  private constructor(pointer: Deno.PointerObject, owned: boolean) {
    this.#pointer = pointer;
    this.#owned = owned;
    libdbus().dbus_connection_set_exit_on_disconnect(pointer, 0);
  }

  /**
   * Connects to a server address (`unix:path=…`, `unix:abstract=…`). Authentication goes on
   * in the first `receive` calls. Throws `Error` with libdbus's reason.
   */
  static open(address: string): BusConnection {
    const error = new BigUint64Array(ERROR_BYTES / 8);
    libdbus().dbus_error_init(error);
    const pointer = libdbus().dbus_connection_open_private(cString(address), error);
    const reason = takeError(error);
    if (pointer === null) throw new Error(reason ?? "cannot connect");
    return new BusConnection(pointer, true);
  }

  /** Uses a connection that another library made and keeps. */
  static adopt(pointer: Deno.PointerObject): BusConnection {
    return new BusConnection(pointer, false);
  }

  /** Whether the peer is still there. */
  get connected(): boolean {
    return !this.#closed && libdbus().dbus_connection_get_is_connected(this.#pointer) !== 0;
  }

  /**
   * Queues one complete message. The bytes must carry a serial of their own (non-zero and unique
   * on this connection). Throws `Error` when libdbus refuses them.
   */
  send(bytes: Uint8Array<ArrayBuffer>): void {
    const lib = libdbus();
    const message = lib.dbus_message_demarshal(bytes, bytes.byteLength, null);
    if (message === null) throw new Error("libdbus refused a message");
    const sent = lib.dbus_connection_send(this.#pointer, message, null);
    lib.dbus_message_unref(message);
    if (sent === 0) throw new Error("out of memory in libdbus");
  }

  /**
   * Writes what is queued and reads what has come, waiting at most `timeoutMs` for either.
   * `false`: the peer is gone and nothing more will come.
   */
  readWrite(timeoutMs: number): boolean {
    return libdbus().dbus_connection_read_write(this.#pointer, timeoutMs) !== 0;
  }

  /** The next received message as wire bytes (a copy), or `undefined` when none waits. */
  pop(): Uint8Array<ArrayBuffer> | undefined {
    const lib = libdbus();
    const message = lib.dbus_connection_pop_message(this.#pointer);
    if (message === null) return undefined;
    try {
      if (lib.dbus_message_marshal(message, this.#data, this.#length) === 0) {
        throw new Error("out of memory in libdbus");
      }
      const data = Deno.UnsafePointer.create(this.#data[0]!)!;
      const bytes = new Uint8Array(this.#length[0]!);
      Deno.UnsafePointerView.copyInto(data, bytes);
      lib.dbus_free(data);
      return bytes;
    } finally {
      lib.dbus_message_unref(message);
    }
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
