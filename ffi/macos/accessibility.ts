/** The accessibility calls of ApplicationServices, one method each, with decoded answers. */
import {
  type Arena,
  type CoreFoundation,
  type Pointer,
  Ref,
  type Text,
} from "./core_foundation.ts";
import type { Calls } from "../library.ts";
import { open } from "./library.ts";

/** Declarations, checked against the stand-in's own table by the tests. */
export const ACCESSIBILITY = {
  AXIsProcessTrusted: { parameters: [], result: "u8" },
  AXIsProcessTrustedWithOptions: { parameters: ["pointer"], result: "u8" },
  AXUIElementGetTypeID: { parameters: [], result: "u64" },
  AXUIElementCreateApplication: { parameters: ["i32"], result: "pointer" },
  AXUIElementCreateSystemWide: { parameters: [], result: "pointer" },
  AXUIElementCopyAttributeValue: { parameters: ["pointer", "pointer", "buffer"], result: "i32" },
  AXUIElementCopyMultipleAttributeValues: {
    parameters: ["pointer", "pointer", "u32", "buffer"],
    result: "i32",
  },
  AXUIElementGetAttributeValueCount: {
    parameters: ["pointer", "pointer", "buffer"],
    result: "i32",
  },
  AXUIElementCopyAttributeValues: {
    parameters: ["pointer", "pointer", "isize", "isize", "buffer"],
    result: "i32",
  },
  AXUIElementCopyActionNames: { parameters: ["pointer", "buffer"], result: "i32" },
  AXUIElementPerformAction: { parameters: ["pointer", "pointer"], result: "i32" },
  AXUIElementIsAttributeSettable: { parameters: ["pointer", "pointer", "buffer"], result: "i32" },
  AXUIElementSetAttributeValue: { parameters: ["pointer", "pointer", "pointer"], result: "i32" },
  AXUIElementGetPid: { parameters: ["pointer", "buffer"], result: "i32" },
  AXUIElementCopyElementAtPosition: {
    parameters: ["pointer", "f32", "f32", "buffer"],
    result: "i32",
  },
  AXUIElementSetMessagingTimeout: { parameters: ["pointer", "f32"], result: "i32" },
  // Private, exported for many releases; without it windows are matched by title and place.
  _AXUIElementGetWindow: { parameters: ["pointer", "buffer"], result: "i32", optional: true },
  AXValueGetTypeID: { parameters: [], result: "u64" },
  AXValueGetType: { parameters: ["pointer"], result: "u32" },
  AXValueGetValue: { parameters: ["pointer", "u32", "buffer"], result: "u8" },
  AXValueCreate: { parameters: ["u32", "buffer"], result: "pointer" },
  kAXTrustedCheckOptionPrompt: { type: "usize" },
} as const satisfies Deno.ForeignLibraryInterface;

/** AXValueType. */
export const AX_VALUE_TYPE = { point: 1, size: 2, rect: 3, range: 4, error: 5 } as const;

/** AXError, by the names in AXError.h. */
export const AX_ERRORS = {
  kAXErrorSuccess: 0,
  kAXErrorFailure: -25200,
  kAXErrorIllegalArgument: -25201,
  kAXErrorInvalidUIElement: -25202,
  kAXErrorInvalidUIElementObserver: -25203,
  kAXErrorCannotComplete: -25204,
  kAXErrorAttributeUnsupported: -25205,
  kAXErrorActionUnsupported: -25206,
  kAXErrorNotificationUnsupported: -25207,
  kAXErrorNotImplemented: -25208,
  kAXErrorNotificationAlreadyRegistered: -25209,
  kAXErrorNotificationNotRegistered: -25210,
  kAXErrorAPIDisabled: -25211,
  kAXErrorNoValue: -25212,
  kAXErrorParameterizedAttributeUnsupported: -25213,
  kAXErrorNotEnoughPrecision: -25214,
} as const;

/** A decoded attribute value. References in it belong to the arena that was passed. */
export type Value =
  | { kind: "none" }
  | { kind: "error"; code: number }
  | ({ kind: "text" } & Text)
  | ({ kind: "attributed" } & Text)
  | { kind: "bool"; value: boolean }
  | { kind: "number"; value: number; text: string }
  | { kind: "element"; element: Ref }
  | { kind: "list"; elements: Ref[]; texts: string[] }
  | { kind: "point" | "size"; x: number; y: number }
  | { kind: "rect"; x: number; y: number; width: number; height: number }
  | { kind: "range"; location: number; length: number }
  | { kind: "url"; text: string }
  | { kind: "date"; seconds: number }
  | { kind: "other" };

/** An answer: AXError 0 and a value, or another AXError. */
export type Answer<T> = { error: 0; value: T } | { error: number; value?: undefined };

/** Whether an answer holds a value. */
export function answered<T>(answer: Answer<T>): answer is { error: 0; value: T } {
  return answer.error === 0;
}

/** Nothing where an object was promised. */
const NO_VALUE: { error: number; value?: undefined } = { error: AX_ERRORS.kAXErrorNoValue };
/** A reply that does not have the promised form. */
const MALFORMED: { error: number; value?: undefined } = { error: AX_ERRORS.kAXErrorFailure };

/**
 * Every request sets the messaging timeout of the very reference it uses, because the setting
 * belongs to the reference and not to the element; `seconds` must be positive.
 */
export class Accessibility {
  readonly #s: Calls<typeof ACCESSIBILITY>;
  readonly #cf: CoreFoundation;
  readonly elementType: bigint;
  readonly valueType: bigint;
  readonly #out = new BigUint64Array(1);
  readonly #count = new BigInt64Array(1);
  readonly #int = new Int32Array(1);
  readonly #uint = new Uint32Array(1);
  readonly #byte = new Uint8Array(1);
  readonly #numbers = new Float64Array(4);
  #defaultSeconds: number | undefined;

  constructor(path: string, cf: CoreFoundation) {
    this.#s = open(path, ACCESSIBILITY);
    this.#cf = cf;
    this.elementType = this.#s.AXUIElementGetTypeID();
    this.valueType = this.#s.AXValueGetTypeID();
  }

  // ---- trust ----

  trusted(): boolean {
    return this.#s.AXIsProcessTrusted() !== 0;
  }

  /** Shows the system's permission dialog, which answers later. */
  requestTrust(): void {
    const key = Deno.UnsafePointer.create(BigInt(this.#s.kAXTrustedCheckOptionPrompt));
    if (!key) return;
    using options = this.#cf.dictionary([[key, this.#cf.true]]);
    this.#s.AXIsProcessTrustedWithOptions(options.pointer);
  }

  // ---- elements ----

  /** The application element of a pid; made even for a pid nobody has. */
  application(pid: number): Ref {
    return this.#cf.adopt(
      this.#s.AXUIElementCreateApplication(pid),
      "AXUIElementCreateApplication",
    );
  }

  systemWide(): Ref {
    return this.#cf.adopt(this.#s.AXUIElementCreateSystemWide(), "AXUIElementCreateSystemWide");
  }

  /** Timeout of every request of this process that goes out without one of its own. */
  setDefaultTimeout(seconds: number): void {
    this.#defaultSeconds = seconds;
    using system = this.systemWide();
    this.#s.AXUIElementSetMessagingTimeout(system.pointer, seconds);
  }

  /** Owner of an element; 0 when it cannot be told. */
  pidOf(element: Ref): number {
    this.#int[0] = 0;
    return this.#s.AXUIElementGetPid(element.pointer, this.#int) === 0 ? this.#int[0]! : 0;
  }

  #timed(element: Ref, seconds: number): Pointer {
    const pointer = element.pointer;
    this.#s.AXUIElementSetMessagingTimeout(pointer, seconds);
    return pointer;
  }

  #result(error: number, arena: Arena): Answer<Ref> {
    if (error !== 0) return { error };
    const pointer = Deno.UnsafePointer.create(this.#out[0]!);
    return pointer ? { error: 0, value: arena.own(new Ref(this.#cf, pointer)) } : NO_VALUE;
  }

  // ---- reading ----

  /** One attribute. */
  attribute(
    element: Ref,
    name: string,
    seconds: number,
    arena: Arena,
    textLimit?: number,
  ): Answer<Value> {
    const pointer = this.#timed(element, seconds);
    this.#out[0] = 0n;
    const error = this.#s.AXUIElementCopyAttributeValue(pointer, this.#cf.name(name), this.#out);
    return this.#decodeOut(error, arena, textLimit);
  }

  #decodeOut(error: number, arena: Arena, textLimit?: number): Answer<Value> {
    if (error !== 0) return { error };
    const result = Deno.UnsafePointer.create(this.#out[0]!);
    if (!result) return NO_VALUE;
    using owned = new Ref(this.#cf, result);
    return { error: 0, value: this.decode(owned.pointer, arena, textLimit) };
  }

  /** A list of attribute names, to be read again and again in one request. */
  names(names: readonly string[]): Ref {
    return this.#cf.array(names.map((name) => this.#cf.name(name)));
  }

  /**
   * Several attributes in one request, every slot filled. The error is about the element as a
   * whole; a slot has its own.
   */
  attributes(
    element: Ref,
    names: Ref,
    count: number,
    seconds: number,
    arena: Arena,
    textLimit?: number,
  ): Answer<Value[]> {
    const pointer = this.#timed(element, seconds);
    this.#out[0] = 0n;
    const error = this.#s.AXUIElementCopyMultipleAttributeValues(
      pointer,
      names.pointer,
      0,
      this.#out,
    );
    if (error !== 0) return { error };
    const result = Deno.UnsafePointer.create(this.#out[0]!);
    if (!result) return NO_VALUE;
    using owned = new Ref(this.#cf, result);
    const items = this.#cf.items(owned.pointer);
    // A reply of another length cannot be matched to the names.
    if (items.length !== count) return MALFORMED;
    return { error: 0, value: items.map((item) => this.decode(item, arena, textLimit)) };
  }

  /** Length of an array attribute. */
  count(element: Ref, name: string, seconds: number): Answer<number> {
    const pointer = this.#timed(element, seconds);
    this.#count[0] = 0n;
    const error = this.#s.AXUIElementGetAttributeValueCount(
      pointer,
      this.#cf.name(name),
      this.#count,
    );
    return error === 0 ? { error: 0, value: Number(this.#count[0]) } : { error };
  }

  /** Elements `index` to `index + max` of an array attribute. */
  page(
    element: Ref,
    name: string,
    index: number,
    max: number,
    seconds: number,
    arena: Arena,
  ): Answer<Ref[]> {
    const pointer = this.#timed(element, seconds);
    this.#out[0] = 0n;
    const error = this.#s.AXUIElementCopyAttributeValues(
      pointer,
      this.#cf.name(name),
      BigInt(index),
      BigInt(max),
      this.#out,
    );
    const answer = this.#decodeOut(error, arena);
    if (!answered(answer)) return answer;
    return answer.value.kind === "list" ? { error: 0, value: answer.value.elements } : MALFORMED;
  }

  /** Names of the actions an element offers; custom ones are texts of several lines. */
  actions(element: Ref, seconds: number, arena: Arena): Answer<string[]> {
    const pointer = this.#timed(element, seconds);
    this.#out[0] = 0n;
    const answer = this.#decodeOut(
      this.#s.AXUIElementCopyActionNames(pointer, this.#out),
      arena,
    );
    if (!answered(answer)) return answer;
    return answer.value.kind === "list" ? { error: 0, value: answer.value.texts } : MALFORMED;
  }

  settable(element: Ref, name: string, seconds: number): Answer<boolean> {
    const pointer = this.#timed(element, seconds);
    this.#byte[0] = 0;
    const error = this.#s.AXUIElementIsAttributeSettable(
      pointer,
      this.#cf.name(name),
      this.#byte,
    );
    return error === 0 ? { error: 0, value: this.#byte[0] !== 0 } : { error };
  }

  // A timeout set on the system-wide element is the default of the whole process, so it is put back.
  #ofSystem(seconds: number, ask: (system: Pointer) => number): number {
    using system = this.systemWide();
    const error = ask(this.#timed(system, seconds));
    if (this.#defaultSeconds !== undefined) {
      this.#s.AXUIElementSetMessagingTimeout(system.pointer, this.#defaultSeconds);
    }
    return error;
  }

  /** The application that gets what is typed. */
  focusedApplication(seconds: number, arena: Arena): Answer<Ref> {
    this.#out[0] = 0n;
    const name = this.#cf.name("AXFocusedApplication");
    const error = this.#ofSystem(
      seconds,
      (system) => this.#s.AXUIElementCopyAttributeValue(system, name, this.#out),
    );
    return this.#result(error, arena);
  }

  /**
   * What lies at a point (global, top-left origin).
   *
   * @param app only what belongs to this application; `undefined`: the topmost of all
   */
  atPosition(
    app: Ref | undefined,
    x: number,
    y: number,
    seconds: number,
    arena: Arena,
  ): Answer<Ref> {
    const ask = (pointer: Pointer) =>
      this.#s.AXUIElementCopyElementAtPosition(pointer, x, y, this.#out);
    this.#out[0] = 0n;
    const error = app ? ask(this.#timed(app, seconds)) : this.#ofSystem(seconds, ask);
    return this.#result(error, arena);
  }

  /** Whether windows can be asked for their number. */
  get hasWindowNumbers(): boolean {
    return this.#s._AXUIElementGetWindow !== null;
  }

  /** CGWindowID of a window element. */
  windowNumber(element: Ref, seconds: number): Answer<number> {
    if (!this.#s._AXUIElementGetWindow) return NO_VALUE;
    const pointer = this.#timed(element, seconds);
    this.#uint[0] = 0;
    const error = this.#s._AXUIElementGetWindow(pointer, this.#uint);
    return error === 0 ? { error: 0, value: this.#uint[0]! } : { error };
  }

  // ---- writing ----

  /** Performs an action; the AXError. */
  perform(element: Ref, action: string, seconds: number): number {
    const pointer = this.#timed(element, seconds);
    return this.#s.AXUIElementPerformAction(pointer, this.#cf.name(action));
  }

  /** Sets an attribute; the AXError. */
  set(element: Ref, name: string, value: Pointer, seconds: number): number {
    const pointer = this.#timed(element, seconds);
    return this.#s.AXUIElementSetAttributeValue(pointer, this.#cf.name(name), value);
  }

  /** A new AXValue holding a point or a size. */
  pair(kind: "point" | "size", x: number, y: number): Ref {
    const type = AX_VALUE_TYPE[kind];
    return this.#cf.adopt(this.#s.AXValueCreate(type, Float64Array.of(x, y)), "AXValueCreate");
  }

  // ---- decoding ----

  /** Decodes any value; types nobody documents become `other` and are not touched further. */
  decode(pointer: Pointer, arena: Arena, textLimit?: number): Value {
    const cf = this.#cf;
    const types = cf.types;
    switch (cf.typeOf(pointer)) {
      case types.string:
        return { kind: "text", ...cf.text(pointer, textLimit) };
      case types.boolean:
        return { kind: "bool", value: cf.booleanValue(pointer) };
      case types.number:
        return { kind: "number", ...cf.numberValue(pointer) };
      case this.elementType:
        return { kind: "element", element: arena.own(cf.retain(pointer)) };
      case types.array:
        return this.#decodeList(pointer, arena, textLimit);
      case this.valueType:
        return this.#decodeValue(pointer);
      case types.null:
        return { kind: "none" };
      case types.url: {
        const url = cf.urlText(pointer, textLimit);
        return url ? { kind: "url", text: url.text } : { kind: "other" };
      }
      case types.attributed: {
        const text = cf.attributedText(pointer, textLimit);
        return text ? { kind: "attributed", ...text } : { kind: "other" };
      }
      case types.date:
        return { kind: "date", seconds: cf.dateSeconds(pointer) };
      default:
        return { kind: "other" };
    }
  }

  #decodeList(pointer: Pointer, arena: Arena, textLimit?: number): Value {
    const elements: Ref[] = [];
    const texts: string[] = [];
    for (const item of this.#cf.items(pointer)) {
      const type = this.#cf.typeOf(item);
      if (type === this.elementType) elements.push(arena.own(this.#cf.retain(item)));
      else if (type === this.#cf.types.string) texts.push(this.#cf.text(item, textLimit).text);
    }
    return { kind: "list", elements, texts };
  }

  #decodeValue(pointer: Pointer): Value {
    const type = this.#s.AXValueGetType(pointer);
    if (type === AX_VALUE_TYPE.error) {
      this.#int[0] = 0;
      return this.#s.AXValueGetValue(pointer, type, this.#int)
        ? { kind: "error", code: this.#int[0]! }
        : { kind: "other" };
    }
    const memory = this.#numbers;
    memory.fill(0);
    const { point, size, rect: box, range: span } = AX_VALUE_TYPE;
    if (type < point || type > span || !this.#s.AXValueGetValue(pointer, type, memory)) {
      return { kind: "other" };
    }
    const [x = 0, y = 0, width = 0, height = 0] = memory;
    if (type === point) return { kind: "point", x, y };
    if (type === size) return { kind: "size", x, y };
    if (type === box) return { kind: "rect", x, y, width, height };
    const range = new BigInt64Array(memory.buffer, 0, 2);
    return { kind: "range", location: Number(range[0]), length: Number(range[1]) };
  }
}
