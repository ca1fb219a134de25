/**
 * X11 selections (the clipboard): asking their owner, and being it. Pointers and C structures stay in
 * here; what the targets mean is the caller's business.
 */
import { type Calls, openLibrary } from "../library.ts";
import { X11 } from "./x11.ts";

const SYMBOLS = {
  XCreateSimpleWindow: {
    parameters: ["pointer", "u64", "i32", "i32", "u32", "u32", "u32", "u64", "u64"],
    result: "u64",
  },
  XSelectInput: { parameters: ["pointer", "u64", "i64"], result: "i32" },
  XConvertSelection: {
    parameters: ["pointer", "u64", "u64", "u64", "u64", "u64"],
    result: "i32",
  },
  XGetSelectionOwner: { parameters: ["pointer", "u64"], result: "u64" },
  XSetSelectionOwner: { parameters: ["pointer", "u64", "u64", "u64"], result: "i32" },
  XPending: { parameters: ["pointer"], result: "i32" },
  XNextEvent: { parameters: ["pointer", "buffer"], result: "i32" },
  XGetWindowProperty: {
    parameters: [
      "pointer",
      "u64",
      "u64",
      "i64",
      "i64",
      "i32",
      "u64",
      "buffer",
      "buffer",
      "buffer",
      "buffer",
      "buffer",
    ],
    result: "i32",
  },
  XChangeProperty: {
    parameters: ["pointer", "u64", "u64", "u64", "i32", "i32", "buffer", "i32"],
    result: "i32",
  },
  XDeleteProperty: { parameters: ["pointer", "u64", "u64"], result: "i32" },
  XSendEvent: { parameters: ["pointer", "u64", "i32", "i64", "buffer"], result: "i32" },
  XFlush: { parameters: ["pointer"], result: "i32" },
  XFree: { parameters: ["pointer"], result: "i32" },
  XGetAtomName: { parameters: ["pointer", "u64"], result: "pointer" },
  XExtendedMaxRequestSize: { parameters: ["pointer"], result: "i64" },
  XMaxRequestSize: { parameters: ["pointer"], result: "i64" },
} as const;

// From X.h: event numbers and masks.
const PROPERTY_NOTIFY = 28;
const SELECTION_CLEAR = 29;
const SELECTION_REQUEST = 30;
const SELECTION_NOTIFY = 31;
const DESTROY_NOTIFY = 17;
const PROPERTY_CHANGE_MASK = 1n << 22n;
const STRUCTURE_NOTIFY_MASK = 1n << 17n;
const PROPERTY_DELETED = 1;
const XEVENT_BYTES = 192;
const CURRENT_TIME = 0n;
// One property read, in 32-bit units: 256 KiB.
const READ_UNITS = 65_536n;
// What a request needs beside the data of a property.
const REQUEST_OVERHEAD = 128;
// The X protocol: a request of at least this many bytes always fits.
const SMALLEST_REQUEST = 16_384;
// Larger parts gain nothing and keep the server from others.
const LARGEST_PART = 262_144;

let library: Calls<typeof SYMBOLS> | undefined;

/** Another client asks for the selection. */
export interface SelectionRequest {
  requestor: bigint;
  selection: bigint;
  target: bigint;
  /** `0n` from clients of old that name none. */
  property: bigint;
  time: bigint;
}

/** What happened on the connection, as far as selections are concerned. */
export type SelectionEvent =
  | { kind: "request"; request: SelectionRequest }
  | { kind: "cleared" }
  | { kind: "notify"; property: bigint }
  | { kind: "property"; window: bigint; property: bigint; deleted: boolean; time: bigint }
  | { kind: "gone"; window: bigint }
  | { kind: "other" };

/** A property's content. */
export interface PropertyData {
  type: string;
  format: number;
  bytes: Uint8Array<ArrayBuffer>;
}

/** One selection, through a window of our own that is never shown. */
export class X11Selection implements Disposable {
  readonly #s: Calls<typeof SYMBOLS>;
  readonly x: X11;
  readonly window: bigint;
  readonly #event = new Uint8Array(XEVENT_BYTES);
  readonly #view = new DataView(this.#event.buffer);

  /**
   * Opens a connection of its own, because the events of a shared one may be thrown away.
   *
   * @throws Error without library or server
   */
  constructor(displayName: string) {
    const x = X11.open(displayName);
    this.x = x;
    this.#s = library ??= openLibrary("libX11.so.6", SYMBOLS);
    this.window = this.#s.XCreateSimpleWindow(
      x.display,
      BigInt(x.root),
      -10,
      -10,
      1,
      1,
      0,
      0n,
      0n,
    );
    this.#s.XSelectInput(x.display, this.window, PROPERTY_CHANGE_MASK);
  }

  [Symbol.dispose](): void {
    this.x.close();
  }

  /** Bytes of one property change that the server surely takes. */
  get partBytes(): number {
    const units = this.#s.XExtendedMaxRequestSize(this.x.display) ||
      this.#s.XMaxRequestSize(this.x.display);
    const bytes = Number(units) * 4 - REQUEST_OVERHEAD;
    return Math.max(SMALLEST_REQUEST - REQUEST_OVERHEAD, Math.min(LARGEST_PART, bytes));
  }

  /** The window that owns the selection; `0n` when nobody does. */
  ownerOf(selection: string): bigint {
    return this.#s.XGetSelectionOwner(this.x.display, this.x.atom(selection));
  }

  /** Whether this connection owns the selection. */
  isOurs(selection: string): boolean {
    return this.ownerOf(selection) === this.window;
  }

  /** Takes the selection over at a time of the server. Returns whether it is ours then. */
  own(selection: string, time: bigint): boolean {
    this.#s.XSetSelectionOwner(this.x.display, this.x.atom(selection), this.window, time);
    return this.isOurs(selection);
  }

  /** The server's time (milliseconds), as a change of one of our own properties tells it. */
  serverTime(): bigint {
    const property = this.x.atom("_AGENT_DESKTOP_TIME");
    this.#change(this.window, property, "INTEGER", 8, new Uint8Array(1), 0);
    this.#s.XFlush(this.x.display);
    while (true) {
      const event = this.next();
      if (event.kind === "property" && event.property === property) return event.time;
    }
  }

  /** Leaves the selection without an owner, whoever had it. */
  disown(selection: string): void {
    this.#s.XSetSelectionOwner(this.x.display, this.x.atom(selection), 0n, CURRENT_TIME);
    this.#s.XFlush(this.x.display);
  }

  /** Asks the owner for a target; the answer arrives as `notify`, with the data in `property`. */
  convert(selection: string, target: string, property: string): void {
    this.#s.XDeleteProperty(this.x.display, this.window, this.x.atom(property));
    this.#s.XConvertSelection(
      this.x.display,
      this.x.atom(selection),
      this.x.atom(target),
      this.x.atom(property),
      this.window,
      CURRENT_TIME,
    );
    this.#s.XFlush(this.x.display);
  }

  /** The next event that has already arrived; `undefined` when there is none. */
  poll(): SelectionEvent | undefined {
    if (this.x.lost || this.#s.XPending(this.x.display) === 0) return undefined;
    return this.next();
  }

  /** Waits for the next event, however long that takes. */
  next(): SelectionEvent {
    this.#s.XNextEvent(this.x.display, this.#event);
    const view = this.#view;
    const long = (offset: number) => view.getBigUint64(offset, true);
    switch (view.getInt32(0, true)) {
      // Offsets of 64-bit systems: type, serial, send_event, display, then each event's own fields.
      case SELECTION_REQUEST:
        return {
          kind: "request",
          request: {
            requestor: long(40),
            selection: long(48),
            target: long(56),
            property: long(64),
            time: long(72),
          },
        };
      case SELECTION_CLEAR:
        return { kind: "cleared" };
      case SELECTION_NOTIFY:
        return { kind: "notify", property: long(56) };
      case PROPERTY_NOTIFY:
        return {
          kind: "property",
          window: long(32),
          property: long(40),
          time: long(48),
          deleted: view.getInt32(56, true) === PROPERTY_DELETED,
        };
      case DESTROY_NOTIFY:
        return { kind: "gone", window: long(40) };
      default:
        return { kind: "other" };
    }
  }

  /** Whether `atom` is the one of that name. */
  isAtom(atom: bigint, name: string): boolean {
    return atom === this.x.atom(name);
  }

  /** The name of an atom; empty when there is no such atom. */
  nameOf(atom: bigint): string {
    if (atom === 0n) return "";
    const pointer = this.#s.XGetAtomName(this.x.display, atom);
    if (pointer === null) return "";
    try {
      return Deno.UnsafePointerView.getCString(pointer);
    } finally {
      this.#s.XFree(pointer);
    }
  }

  /**
   * The content of a property of our own window, which is deleted by reading it (that asks the
   * owner of a long selection for the next part). `undefined` when it is not there or longer than
   * `maxBytes`.
   */
  take(property: string, maxBytes: number): PropertyData | undefined {
    const atom = this.x.atom(property);
    const data = this.read(this.window, atom, maxBytes);
    if (data === undefined) return undefined;
    this.#s.XDeleteProperty(this.x.display, this.window, atom);
    this.#s.XFlush(this.x.display);
    return data;
  }

  /** The content of a property of any window; `undefined` as for {@linkcode take}. */
  read(window: bigint, atom: bigint, maxBytes: number): PropertyData | undefined {
    const parts: Uint8Array[] = [];
    let [type, format, offset, total] = ["", 0, 0n, 0];
    while (true) {
      const part = this.#part(window, atom, offset);
      if (part === undefined) return undefined;
      [type, format] = [part.type, part.format];
      parts.push(part.bytes);
      total += part.bytes.length;
      if (total > maxBytes) return undefined;
      if (part.left === 0) break;
      offset += BigInt(part.bytes.length / 4);
    }
    const bytes = new Uint8Array(total);
    let at = 0;
    for (const part of parts) {
      bytes.set(part, at);
      at += part.length;
    }
    return { type, format, bytes };
  }

  #part(
    window: bigint,
    atom: bigint,
    offset: bigint,
  ): { type: string; format: number; bytes: Uint8Array; left: number } | undefined {
    const type = new BigUint64Array(1);
    const format = new Int32Array(1);
    const [count, left, data] = [0, 0, 0].map(() => new BigUint64Array(1));
    const status = this.#s.XGetWindowProperty(
      this.x.display,
      window,
      atom,
      offset,
      READ_UNITS,
      0,
      0n,
      type,
      format,
      count!,
      left!,
      data!,
    );
    const pointer = Deno.UnsafePointer.create(data![0]!);
    try {
      if (status !== 0 || pointer === null || type[0] === 0n) return undefined;
      const items = Number(count![0]!);
      // X keeps 32-bit items in C longs.
      const size = format[0] === 32 ? 8 : format[0]! / 8;
      const raw = items === 0
        ? new Uint8Array(0)
        : new Uint8Array(Deno.UnsafePointerView.getArrayBuffer(pointer, items * size)).slice();
      const bytes = format[0] === 32 ? packLongs(raw) : raw;
      return {
        type: this.nameOf(type[0]!),
        format: format[0]!,
        bytes,
        left: Number(left![0]!),
      };
    } finally {
      if (pointer !== null) this.#s.XFree(pointer);
    }
  }

  /** The items of a property of format 32: atoms, windows, numbers. */
  longs({ bytes }: PropertyData): bigint[] {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    const count = Math.floor(bytes.length / 4);
    return Array.from({ length: count }, (_, index) => BigInt(view.getUint32(index * 4, true)));
  }

  /** Puts bytes into a property of another client's window. */
  put(window: bigint, property: bigint, type: string, bytes: Uint8Array<ArrayBuffer>): void {
    this.#change(
      window,
      property,
      type,
      8,
      bytes.length === 0 ? new Uint8Array(1) : bytes,
      bytes.length,
    );
  }

  /** Puts a list of atoms (or, with type `INTEGER`, of numbers) into a property. */
  putLongs(window: bigint, property: bigint, type: string, items: readonly bigint[]): void {
    const longs = BigInt64Array.from(items.length === 0 ? [0n] : items);
    this.#change(window, property, type, 32, new Uint8Array(longs.buffer), items.length);
  }

  #change(
    window: bigint,
    property: bigint,
    type: string,
    format: number,
    bytes: Uint8Array<ArrayBuffer>,
    count: number,
  ): void {
    const REPLACE = 0;
    this.#s.XChangeProperty(
      this.x.display,
      window,
      property,
      this.x.atom(type),
      format,
      REPLACE,
      bytes,
      count,
    );
  }

  /** Watches another client's window: its properties, and its end. */
  watch(window: bigint): void {
    this.#s.XSelectInput(this.x.display, window, PROPERTY_CHANGE_MASK | STRUCTURE_NOTIFY_MASK);
  }

  /** Watches it no more. */
  unwatch(window: bigint): void {
    this.#s.XSelectInput(this.x.display, window, 0n);
  }

  /** Answers a request: the data is in `property`; `0n` says that there is none. */
  answer(request: SelectionRequest, property: bigint): void {
    const event = new Uint8Array(XEVENT_BYTES);
    const view = new DataView(event.buffer);
    view.setInt32(0, SELECTION_NOTIFY, true);
    view.setBigUint64(32, request.requestor, true);
    view.setBigUint64(40, request.selection, true);
    view.setBigUint64(48, request.target, true);
    view.setBigUint64(56, property, true);
    view.setBigUint64(64, request.time, true);
    this.#s.XSendEvent(this.x.display, request.requestor, 0, 0n, event);
    this.#s.XFlush(this.x.display);
  }
}

/** The low halves of C longs, which hold what X calls 32-bit items. */
function packLongs(raw: Uint8Array<ArrayBuffer>): Uint8Array {
  const longs = new BigUint64Array(raw.buffer, 0, raw.length / 8);
  return new Uint8Array(Uint32Array.from(longs, (value) => Number(value & 0xffff_ffffn)).buffer);
}
