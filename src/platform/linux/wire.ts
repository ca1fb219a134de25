/**
 * The D-Bus wire format: method calls out, replies in. Little-endian only, which is what we
 * write; replies are decoded in the byte order they announce.
 */

const DICTIONARY_SIGNATURE = "a{sv}";

/** A method call before it has a serial. */
export interface MethodCall {
  destination: string;
  path: string;
  interface: string;
  member: string;
  /** Types of `args`: basic types, `v` of a basic type, and `a{sv}`. */
  signature?: string;
  args?: readonly WireValue[];
}

export type WireValue = string | number | bigint | boolean | Variant | Dictionary;

/** A value that carries its own type. */
export class Variant {
  constructor(readonly signature: string, readonly value: string | number | bigint | boolean) {}
}

/** The value of an `a{sv}` argument. */
export class Dictionary {
  constructor(readonly entries: readonly (readonly [string, Variant])[] = []) {}
}

/** A decoded message as far as a caller needs it. */
export interface Message {
  type: "call" | "return" | "error" | "signal";
  replySerial: number;
  errorName: string;
  signature: string;
  /** Decodes the body; throws `Error` when it does not fit its signature. */
  body(): unknown[];
}

const encoder = new TextEncoder();
// A text may begin with U+FEFF, which is part of it.
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
// A message this long (bytes) is full of short texts. One call makes a text of it with one UTF-16
// unit for each byte; of that the parts in ASCII, nearly all, are right as they are.
const MANY_TEXTS = 1_024;
const byteUnits = new TextDecoder("latin1");
const BEYOND_ASCII = /[\u0080-\uffff]/;

const TYPE_NAMES = ["", "call", "return", "error", "signal"] as const;
// Header field codes and alignments are fixed by the D-Bus specification.
const FIELD = {
  path: 1,
  interface: 2,
  member: 3,
  error: 4,
  reply: 5,
  destination: 6,
  signature: 8,
};
/** Where the header fields start. */
const FIELDS_AT = 16;
const ALIGNMENT: Readonly<Record<string, number>> = {
  y: 1,
  b: 4,
  n: 2,
  q: 2,
  i: 4,
  u: 4,
  x: 8,
  t: 8,
  d: 8,
  s: 4,
  o: 4,
  g: 1,
  a: 4,
  "(": 8,
  "{": 8,
  v: 1,
  h: 4,
};

/** Grows as needed; one writer is reused for every call, so its result is only good until the next. */
class Writer {
  bytes = new Uint8Array(4096);
  view = new DataView(this.bytes.buffer);
  at = 0;

  reserve(size: number): void {
    if (this.at + size <= this.bytes.length) return;
    const larger = new Uint8Array(Math.max(this.bytes.length * 2, this.at + size));
    larger.set(this.bytes);
    this.bytes = larger;
    this.view = new DataView(larger.buffer);
  }

  /** Padding must be zero or libdbus refuses the message. */
  align(to: number): void {
    this.reserve(to);
    while (this.at % to !== 0) this.bytes[this.at++] = 0;
  }

  u8(value: number): void {
    this.reserve(1);
    this.bytes[this.at++] = value;
  }

  u32(value: number): void {
    this.align(4);
    this.reserve(4);
    this.view.setUint32(this.at, value, true);
    this.at += 4;
  }

  text(value: string): void {
    // Each UTF-16 unit takes at most three bytes.
    this.align(4);
    this.reserve(value.length * 3 + 5);
    const { written } = encoder.encodeInto(value, this.bytes.subarray(this.at + 4));
    this.view.setUint32(this.at, written, true);
    this.at += 4 + written;
    this.bytes[this.at++] = 0;
  }

  signature(value: string): void {
    this.reserve(value.length + 2);
    this.bytes[this.at++] = value.length;
    for (let i = 0; i < value.length; i++) this.bytes[this.at++] = value.charCodeAt(i);
    this.bytes[this.at++] = 0;
  }

  dictionary(value: Dictionary): void {
    this.u32(0);
    const length = this.at - 4;
    this.align(8);
    const start = this.at;
    for (const [key, entry] of value.entries) {
      this.align(8);
      this.text(key);
      this.value("v", entry);
    }
    this.view.setUint32(length, this.at - start, true);
  }

  value(type: string, value: WireValue): void {
    if (value instanceof Dictionary) return this.dictionary(value);
    if (value instanceof Variant) {
      this.signature(value.signature);
      this.value(value.signature, value.value);
      return;
    }
    switch (type) {
      case "s":
      case "o":
        return this.text(String(value));
      case "u":
      case "i":
        return this.u32(Number(value) >>> 0);
      case "b":
        return this.u32(value ? 1 : 0);
      case "d":
        this.align(8);
        this.reserve(8);
        this.view.setFloat64(this.at, Number(value), true);
        this.at += 8;
        return;
      case "y":
        return this.u8(Number(value));
      default:
        throw new Error(`cannot encode D-Bus type ${type}`);
    }
  }

  field(code: number, type: string, value: string): void {
    this.align(8);
    this.u8(code);
    this.signature(type);
    if (type === "g") this.signature(value);
    else this.text(value);
  }
}

const writer = new Writer();

// The header of a call is the same for every element but for the path, which is put last. One
// template for each application and method; a process meets a few hundred at most.
const templates = new Map<string, Uint8Array>();

function headerTemplate(call: MethodCall): Uint8Array {
  const key = `${call.destination}/${call.interface}/${call.member}/${call.signature}`;
  let template = templates.get(key);
  if (template === undefined) {
    const out = new Writer();
    out.u8(0x6c); // "l": little-endian
    out.u8(1); // method call
    out.u8(0);
    out.u8(1); // protocol version
    out.u32(0); // body length, serial and header field bytes are filled in for each call
    out.u32(0);
    out.u32(0);
    out.field(FIELD.interface, "s", call.interface);
    out.field(FIELD.member, "s", call.member);
    out.field(FIELD.destination, "s", call.destination);
    if (call.signature) out.field(FIELD.signature, "g", call.signature);
    out.align(8);
    out.u8(FIELD.path);
    out.signature("o");
    template = out.bytes.slice(0, out.at);
    templates.set(key, template);
  }
  return template;
}

/**
 * The wire bytes of a call with the given serial. The array is reused by the next call: hand it
 * on at once.
 */
export function encodeCall(call: MethodCall, serial: number): Uint8Array {
  const out = writer;
  const template = headerTemplate(call);
  out.at = 0;
  out.reserve(template.length);
  out.bytes.set(template);
  out.at = template.length;
  out.text(call.path);
  const { view } = out;
  view.setUint32(8, serial, true);
  view.setUint32(12, out.at - FIELDS_AT, true);
  out.align(8);
  const body = out.at;
  if (call.signature && call.args) {
    // Arguments are basic types, one signature character each, or a whole dictionary.
    let at = 0;
    for (const arg of call.args) {
      out.value(call.signature[at]!, arg);
      at += arg instanceof Dictionary ? DICTIONARY_SIGNATURE.length : 1;
    }
  }
  out.view.setUint32(4, out.at - body, true);
  return out.bytes.subarray(0, out.at);
}

/** Reads values by signature; every length is checked against the message. */
class Reader {
  readonly view: DataView;
  #units: string | undefined;
  constructor(readonly bytes: Uint8Array, public at: number, readonly little: boolean) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  align(to: number): void {
    this.at = Math.ceil(this.at / to) * to;
  }

  u32(): number {
    this.align(4);
    const value = this.view.getUint32(this.at, this.little);
    this.at += 4;
    return value;
  }

  #string(length: number): string {
    const end = this.at + length;
    if (end + 1 > this.bytes.length) throw new Error("string runs past the message");
    let text: string | undefined;
    if (this.bytes.length > MANY_TEXTS) {
      this.#units ??= byteUnits.decode(this.bytes);
      text = this.#units.slice(this.at, end);
      if (BEYOND_ASCII.test(text)) text = undefined;
    }
    text ??= decoder.decode(this.bytes.subarray(this.at, end));
    this.at = end + 1;
    return text;
  }

  /** Passes over a text. */
  skipText(): void {
    const length = this.u32();
    this.at += length + 1;
  }

  text(): string {
    return this.#string(this.u32());
  }

  signature(): string {
    const length = this.view.getUint8(this.at++);
    // Most are a letter or two, and often the only text of a message.
    if (length > 8) return this.#string(length);
    let text = "";
    for (const end = this.at + length; this.at < end; this.at++) {
      text += String.fromCharCode(this.view.getUint8(this.at));
    }
    this.at++;
    return text;
  }

  /** Reads one complete type starting at `signature[from]`. */
  value(signature: string, from: number): unknown {
    const type = signature[from]!;
    this.align(ALIGNMENT[type] ?? 1);
    switch (type) {
      case "s":
      case "o":
        return this.text();
      case "g":
        return this.signature();
      case "y":
        return this.view.getUint8(this.at++);
      case "b":
        return this.u32() !== 0;
      case "u":
      case "h":
        return this.u32();
      case "n":
      case "q": {
        const value = type === "n"
          ? this.view.getInt16(this.at, this.little)
          : this.view.getUint16(this.at, this.little);
        this.at += 2;
        return value;
      }
      case "i": {
        const value = this.view.getInt32(this.at, this.little);
        this.at += 4;
        return value;
      }
      case "x":
      case "t": {
        const value = type === "x"
          ? this.view.getBigInt64(this.at, this.little)
          : this.view.getBigUint64(this.at, this.little);
        this.at += 8;
        return value;
      }
      case "d": {
        const value = this.view.getFloat64(this.at, this.little);
        this.at += 8;
        return value;
      }
      case "v":
        return this.value(this.signature(), 0);
      case "(":
      case "{": {
        const parts: unknown[] = [];
        const close = type === "(" ? ")" : "}";
        for (let i = from + 1; signature[i] !== close; i = typeEnd(signature, i)) {
          parts.push(this.value(signature, i));
        }
        return parts;
      }
      case "a": {
        const length = this.u32();
        this.align(ALIGNMENT[signature[from + 1]!] ?? 1);
        const end = this.at + length;
        if (end > this.bytes.length) throw new Error("array runs past the message");
        const items: unknown[] = [];
        while (this.at < end) items.push(this.value(signature, from + 1));
        return items;
      }
      default:
        throw new Error(`unknown D-Bus type ${type}`);
    }
  }
}

/** Index behind the complete type that starts at `from`. */
function typeEnd(signature: string, from: number): number {
  const type = signature[from];
  if (type === undefined) throw new Error("signature ends early");
  if (type === "a") return typeEnd(signature, from + 1);
  if (type !== "(" && type !== "{") return from + 1;
  const close = type === "(" ? ")" : "}";
  let at = from + 1;
  while (signature[at] !== close) at = typeEnd(signature, at);
  return at + 1;
}

/** Decodes a message's header; the body is decoded on demand. Throws `Error` on nonsense. */
export function decodeMessage(bytes: Uint8Array): Message {
  const little = bytes[0] === 0x6c;
  const reader = new Reader(bytes, 12, little);
  const end = 16 + reader.u32();
  const message: Message = {
    type: TYPE_NAMES[bytes[1]!] as Message["type"],
    replySerial: 0,
    errorName: "",
    signature: "",
    body: () => {
      const body = new Reader(bytes, Math.ceil(end / 8) * 8, little);
      const values: unknown[] = [];
      for (let i = 0; i < message.signature.length; i = typeEnd(message.signature, i)) {
        values.push(body.value(message.signature, i));
      }
      return values;
    },
  };
  while (reader.at < end) {
    reader.align(8);
    const code = bytes[reader.at++]!;
    const type = reader.signature();
    if (code === FIELD.reply && type === "u") message.replySerial = reader.u32();
    else if (code === FIELD.signature && type === "g") message.signature = reader.signature();
    else if (code === FIELD.error && type === "s") message.errorName = reader.text();
    else if (type === "s" || type === "o") reader.skipText();
    else reader.value(type, 0);
  }
  return message;
}
