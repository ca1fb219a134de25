/** Core Foundation: ownership, text, numbers, collections. Values in and out are plain JavaScript. */
import type { Calls } from "../library.ts";
import { NativeError, open, RANGE, range } from "./library.ts";

const typeId = { parameters: [], result: "u64" } as const;

/** Declarations, checked against the stand-in's own table by the tests. */
export const CORE_FOUNDATION = {
  CFRetain: { parameters: ["pointer"], result: "pointer" },
  CFRelease: { parameters: ["pointer"], result: "void" },
  CFGetTypeID: { parameters: ["pointer"], result: "u64" },
  CFEqual: { parameters: ["pointer", "pointer"], result: "u8" },
  CFHash: { parameters: ["pointer"], result: "u64" },
  CFStringGetTypeID: typeId,
  CFBooleanGetTypeID: typeId,
  CFNumberGetTypeID: typeId,
  CFArrayGetTypeID: typeId,
  CFDictionaryGetTypeID: typeId,
  CFNullGetTypeID: typeId,
  CFURLGetTypeID: typeId,
  CFDateGetTypeID: typeId,
  CFAttributedStringGetTypeID: { ...typeId, optional: true },
  CFStringCreateWithBytes: {
    parameters: ["pointer", "buffer", "isize", "u32", "u8"],
    result: "pointer",
  },
  CFStringGetLength: { parameters: ["pointer"], result: "isize" },
  CFStringGetCharacters: { parameters: ["pointer", RANGE, "buffer"], result: "void" },
  CFAttributedStringGetString: { parameters: ["pointer"], result: "pointer", optional: true },
  CFArrayGetCount: { parameters: ["pointer"], result: "isize" },
  CFArrayGetValues: { parameters: ["pointer", RANGE, "buffer"], result: "void" },
  CFArrayCreate: { parameters: ["pointer", "buffer", "isize", "pointer"], result: "pointer" },
  CFDictionaryGetValue: { parameters: ["pointer", "pointer"], result: "pointer" },
  CFDictionaryCreate: {
    parameters: ["pointer", "buffer", "buffer", "isize", "pointer", "pointer"],
    result: "pointer",
  },
  CFNumberIsFloatType: { parameters: ["pointer"], result: "u8" },
  CFNumberGetType: { parameters: ["pointer"], result: "isize" },
  CFNumberGetValue: { parameters: ["pointer", "isize", "buffer"], result: "u8" },
  CFNumberCreate: { parameters: ["pointer", "isize", "buffer"], result: "pointer" },
  CFBooleanGetValue: { parameters: ["pointer"], result: "u8" },
  CFDataCreate: { parameters: ["pointer", "buffer", "isize"], result: "pointer" },
  CFDataGetLength: { parameters: ["pointer"], result: "isize" },
  CFDataGetBytes: { parameters: ["pointer", RANGE, "buffer"], result: "void" },
  CFURLGetString: { parameters: ["pointer"], result: "pointer" },
  CFURLCopyFileSystemPath: { parameters: ["pointer", "isize"], result: "pointer" },
  CFURLCreateWithFileSystemPath: {
    parameters: ["pointer", "pointer", "isize", "u8"],
    result: "pointer",
  },
  CFURLCreateWithString: { parameters: ["pointer", "pointer", "pointer"], result: "pointer" },
  CFDateGetAbsoluteTime: { parameters: ["pointer"], result: "f64" },
  CFRunLoopRunInMode: { parameters: ["pointer", "f64", "u8"], result: "i32" },
  // "usize" reads the reference stored there; "pointer" is the symbol's own address.
  kCFBooleanTrue: { type: "usize" },
  kCFBooleanFalse: { type: "usize" },
  kCFRunLoopDefaultMode: { type: "usize" },
  kCFTypeArrayCallBacks: { type: "pointer" },
  kCFTypeDictionaryKeyCallBacks: { type: "pointer" },
  kCFTypeDictionaryValueCallBacks: { type: "pointer" },
} as const satisfies Deno.ForeignLibraryInterface;

/** Core Foundation's constants, by the names in its headers. */
export const CF = {
  kCFStringEncodingUTF8: 0x08000100,
  kCFNumberSInt64Type: 4n,
  kCFNumberFloat32Type: 5n,
  kCFNumberFloat64Type: 6n,
  kCFNumberFloatType: 12n,
  kCFURLPOSIXPathStyle: 0n,
  kCFRunLoopRunHandledSource: 4,
} as const;
/** CFAbsoluteTime counts from 2001-01-01; Unix time from 1970. */
const EPOCH_2001 = 978_307_200;

/** An address that is not NULL. */
export type Pointer = NonNullable<Deno.PointerValue>;

/** One owned reference; releasing it twice does nothing. */
export class Ref implements Disposable {
  readonly #cf: CoreFoundation;
  #pointer: Pointer | undefined;

  constructor(cf: CoreFoundation, pointer: Pointer) {
    this.#cf = cf;
    this.#pointer = pointer;
  }

  /** @throws {NativeError} after the release */
  get pointer(): Pointer {
    if (!this.#pointer) throw new NativeError("a released reference was used");
    return this.#pointer;
  }

  [Symbol.dispose](): void {
    const pointer = this.#pointer;
    this.#pointer = undefined;
    if (pointer) this.#cf.release(pointer);
  }
}

/** References that live until the end of one piece of work. */
export class Arena implements Disposable {
  readonly #refs = new Set<Ref>();

  /** Puts a reference under the arena's care. */
  own(ref: Ref): Ref {
    this.#refs.add(ref);
    return ref;
  }

  [Symbol.dispose](): void {
    for (const ref of this.#refs) ref[Symbol.dispose]();
    this.#refs.clear();
  }
}

/** A text as read: at most the asked-for UTF-16 units of it. */
export interface Text {
  text: string;
  /** UTF-16 units of the whole. */
  length: number;
  cut: boolean;
}

/** Run-time type ids, asked for once. */
export interface TypeIds {
  string: bigint;
  boolean: bigint;
  number: bigint;
  array: bigint;
  dictionary: bigint;
  null: bigint;
  url: bigint;
  date: bigint;
  attributed: bigint | undefined;
}

/** Core Foundation behind plain JavaScript values. */
export class CoreFoundation {
  readonly #s: Calls<typeof CORE_FOUNDATION>;
  readonly types: TypeIds;
  readonly true: Pointer;
  readonly false: Pointer;
  readonly #names = new Map<string, Ref>();
  readonly #decoder = new TextDecoder("utf-16le");
  readonly #encoder = new TextEncoder();
  readonly #int = new BigInt64Array(1);
  readonly #float = new Float64Array(1);
  // Deno passes an empty view as NULL; one byte with length 0 is an address in every case.
  readonly #nothing = new Uint8Array(1);

  constructor(path: string) {
    const s = this.#s = open(path, CORE_FOUNDATION);
    this.types = {
      string: s.CFStringGetTypeID(),
      boolean: s.CFBooleanGetTypeID(),
      number: s.CFNumberGetTypeID(),
      array: s.CFArrayGetTypeID(),
      dictionary: s.CFDictionaryGetTypeID(),
      null: s.CFNullGetTypeID(),
      url: s.CFURLGetTypeID(),
      date: s.CFDateGetTypeID(),
      attributed: s.CFAttributedStringGetTypeID?.(),
    };
    this.true = constant(s.kCFBooleanTrue);
    this.false = constant(s.kCFBooleanFalse);
  }

  // ---- ownership ----

  /** Wraps a reference the caller owns already (a Create or Copy result). */
  adopt(pointer: Deno.PointerValue, from: string): Ref {
    if (!pointer) throw new NativeError(`${from} returned nothing`);
    return new Ref(this, pointer);
  }

  /** Takes a second reference to a borrowed object. */
  retain(pointer: Pointer): Ref {
    this.#s.CFRetain(pointer);
    return new Ref(this, pointer);
  }

  /** Only for `Ref`. */
  release(pointer: Pointer): void {
    this.#s.CFRelease(pointer);
  }

  typeOf(pointer: Pointer): bigint {
    return this.#s.CFGetTypeID(pointer);
  }

  equal(a: Pointer, b: Pointer): boolean {
    return this.#s.CFEqual(a, b) !== 0;
  }

  hash(pointer: Pointer): bigint {
    return this.#s.CFHash(pointer);
  }

  // ---- text ----

  /** A new CFString; lone surrogates become U+FFFD. */
  string(text: string): Ref {
    const bytes = this.#encoder.encode(text);
    const memory = bytes.length ? bytes : this.#nothing;
    return this.adopt(
      this.#s.CFStringCreateWithBytes(
        null,
        memory,
        BigInt(bytes.length),
        CF.kCFStringEncodingUTF8,
        0,
      ),
      "CFStringCreateWithBytes",
    );
  }

  /** A CFString for a name that is used again and again; kept until `close`. */
  name(text: string): Pointer {
    let ref = this.#names.get(text);
    if (!ref) this.#names.set(text, ref = this.string(text));
    return ref.pointer;
  }

  /** Reads a CFString, at most `limit` UTF-16 units, never half a surrogate pair. */
  text(pointer: Pointer, limit = 0x7fffffff): Text {
    const length = Number(this.#s.CFStringGetLength(pointer));
    let take = Math.min(length, limit);
    if (take === 0) return { text: "", length, cut: length > 0 };
    const units = new Uint16Array(take);
    this.#s.CFStringGetCharacters(pointer, range(0, take), units);
    if (take < length && (units[take - 1]! & 0xfc00) === 0xd800) take--;
    const text = this.#decoder.decode(units.subarray(0, take));
    return { text, length, cut: take < length };
  }

  /** Text of an attributed string. */
  attributedText(pointer: Pointer, limit?: number): Text | undefined {
    const inner = this.#s.CFAttributedStringGetString?.(pointer);
    return inner ? this.text(inner, limit) : undefined;
  }

  // ---- numbers ----

  /** A new CFNumber: 64-bit integer when `value` is whole, else a double. */
  number(value: number): Ref {
    const whole = Number.isSafeInteger(value) && !Object.is(value, -0);
    if (whole) this.#int[0] = BigInt(value);
    else this.#float[0] = value;
    const kind = whole ? CF.kCFNumberSInt64Type : CF.kCFNumberFloat64Type;
    return this.adopt(
      this.#s.CFNumberCreate(null, kind, whole ? this.#int : this.#float),
      "CFNumberCreate",
    );
  }

  /** A CFNumber's value, and the text form that loses nothing and has no exponent. */
  numberValue(pointer: Pointer): { value: number; text: string } {
    if (this.#s.CFNumberIsFloatType(pointer) === 0) {
      this.#int[0] = 0n;
      this.#s.CFNumberGetValue(pointer, CF.kCFNumberSInt64Type, this.#int);
      const value = this.#int[0]!;
      return { value: Number(value), text: value.toString() };
    }
    this.#float[0] = 0;
    this.#s.CFNumberGetValue(pointer, CF.kCFNumberFloat64Type, this.#float);
    const value = this.#float[0]!;
    const type = BigInt(this.#s.CFNumberGetType(pointer));
    const single = type === CF.kCFNumberFloat32Type || type === CF.kCFNumberFloatType;
    return { value, text: decimal(value, single) };
  }

  booleanValue(pointer: Pointer): boolean {
    return this.#s.CFBooleanGetValue(pointer) !== 0;
  }

  boolean(value: boolean): Pointer {
    return value ? this.true : this.false;
  }

  /** Seconds since 1970 of a CFDate. */
  dateSeconds(pointer: Pointer): number {
    return this.#s.CFDateGetAbsoluteTime(pointer) + EPOCH_2001;
  }

  // ---- collections ----

  /** Borrowed items of a CFArray, valid while the array lives. NULL items are left out. */
  items(array: Pointer): Pointer[] {
    const count = Number(this.#s.CFArrayGetCount(array));
    if (count <= 0) return [];
    const addresses = new BigUint64Array(count);
    this.#s.CFArrayGetValues(array, range(0, count), addresses);
    const items: Pointer[] = [];
    for (const address of addresses) {
      const item = Deno.UnsafePointer.create(address);
      if (item) items.push(item);
    }
    return items;
  }

  /** A new CFArray that retains its items. */
  array(items: readonly Pointer[]): Ref {
    const addresses = BigUint64Array.from(items, (item) => Deno.UnsafePointer.value(item));
    return this.adopt(
      this.#s.CFArrayCreate(
        null,
        items.length ? addresses : this.#nothing,
        BigInt(items.length),
        this.#s.kCFTypeArrayCallBacks,
      ),
      "CFArrayCreate",
    );
  }

  /** A new CFArray of plain numbers the size of a pointer, as window ids are passed. */
  rawArray(values: readonly number[]): Ref {
    const raw = BigUint64Array.from(values, BigInt);
    return this.adopt(
      this.#s.CFArrayCreate(null, values.length ? raw : this.#nothing, BigInt(values.length), null),
      "CFArrayCreate",
    );
  }

  /** Borrowed value under a text key. */
  entry(dictionary: Pointer, key: string): Pointer | null {
    return this.#s.CFDictionaryGetValue(dictionary, this.name(key));
  }

  /** A new CFDictionary that retains keys and values. */
  dictionary(entries: readonly (readonly [Pointer, Pointer])[]): Ref {
    const address = (p: Pointer) => Deno.UnsafePointer.value(p);
    const keys = BigUint64Array.from(entries, ([key]) => address(key));
    const values = BigUint64Array.from(entries, ([, value]) => address(value));
    return this.adopt(
      this.#s.CFDictionaryCreate(
        null,
        keys,
        values,
        BigInt(entries.length),
        this.#s.kCFTypeDictionaryKeyCallBacks,
        this.#s.kCFTypeDictionaryValueCallBacks,
      ),
      "CFDictionaryCreate",
    );
  }

  // ---- data and URLs ----

  data(bytes: Uint8Array<ArrayBuffer>): Ref {
    const memory = bytes.length ? bytes : this.#nothing;
    return this.adopt(this.#s.CFDataCreate(null, memory, BigInt(bytes.length)), "CFDataCreate");
  }

  bytes(data: Pointer): Uint8Array<ArrayBuffer> {
    const bytes = new Uint8Array(Number(this.#s.CFDataGetLength(data)));
    if (bytes.length) this.#s.CFDataGetBytes(data, range(0, bytes.length), bytes);
    return bytes;
  }

  dataLength(data: Pointer): number {
    return Number(this.#s.CFDataGetLength(data));
  }

  urlText(url: Pointer, limit?: number): Text | undefined {
    const text = this.#s.CFURLGetString(url);
    return text ? this.text(text, limit) : undefined;
  }

  /** File system path of a file URL. */
  urlPath(url: Pointer): string | undefined {
    const path = this.#s.CFURLCopyFileSystemPath(url, CF.kCFURLPOSIXPathStyle);
    if (!path) return undefined;
    using owned = new Ref(this, path);
    return this.text(owned.pointer).text;
  }

  /** A new CFURL; `undefined` when the text is none. */
  url(address: string): Ref | undefined {
    using text = this.string(address);
    const url = this.#s.CFURLCreateWithString(null, text.pointer, null);
    return url ? new Ref(this, url) : undefined;
  }

  fileUrl(path: string, directory: boolean): Ref {
    using text = this.string(path);
    return this.adopt(
      this.#s.CFURLCreateWithFileSystemPath(
        null,
        text.pointer,
        CF.kCFURLPOSIXPathStyle,
        directory ? 1 : 0,
      ),
      "CFURLCreateWithFileSystemPath",
    );
  }

  // ---- run loop ----

  /**
   * Lets AppKit notice what changed: its list of applications is refreshed only while the main
   * run loop runs. Never waits.
   */
  pumpRunLoop(): void {
    const mode = constant(this.#s.kCFRunLoopDefaultMode);
    // After a source that was handled more may be waiting; bounded, so that a busy one ends too.
    for (let i = 0; i < 32; i++) {
      const result = this.#s.CFRunLoopRunInMode(mode, 0, 1);
      if (result !== CF.kCFRunLoopRunHandledSource) break;
    }
  }

  /** Releases the names; they are made again when they are needed again. */
  close(): void {
    for (const ref of this.#names.values()) ref[Symbol.dispose]();
    this.#names.clear();
  }
}

function constant(address: bigint | number): Pointer {
  const pointer = Deno.UnsafePointer.create(BigInt(address));
  if (!pointer) throw new NativeError("a Core Foundation constant is missing");
  return pointer;
}

/**
 * Decimal text of a float without exponent: `1`, `0.1`, `1000000000000000000000`, `-0`.
 *
 * @param single the number was stored in 32 bits: the shortest text that reads back as the same
 */
export function decimal(value: number, single = false): string {
  if (Object.is(value, -0)) return "-0";
  if (!Number.isFinite(value)) return String(value);
  let text = String(value);
  if (single) {
    for (let digits = 1; digits <= 9; digits++) {
      const shorter = Number(value.toPrecision(digits));
      if (Math.fround(shorter) === value) {
        text = String(shorter);
        break;
      }
    }
  }
  const match = /^(-?)(\d+)(?:\.(\d+))?e([+-]\d+)$/.exec(text);
  if (!match) return text;
  const [, sign, whole, fraction = "", exponent] = match;
  const digits = whole! + fraction;
  const point = whole!.length + Number(exponent);
  if (point <= 0) return `${sign}0.${"0".repeat(-point)}${digits}`;
  if (point >= digits.length) return sign + digits + "0".repeat(point - digits.length);
  return `${sign}${digits.slice(0, point)}.${digits.slice(point)}`;
}
