/**
 * The Objective-C runtime: classes, selectors, pools, and message sending with one declaration for
 * each signature. An exception of the other side would end the process, so only selectors are used
 * that cannot throw with the arguments given here, and all of them on the main thread.
 */
import type { CoreFoundation, Pointer } from "./core_foundation.ts";
import type { Calls } from "../library.ts";
import { cString, NativeError, open, RECT } from "./library.ts";

/** Declarations, checked against the stand-in's own table by the tests. */
export const OBJC = {
  objc_getClass: { parameters: ["buffer"], result: "pointer" },
  sel_registerName: { parameters: ["buffer"], result: "pointer" },
  objc_autoreleasePoolPush: { parameters: [], result: "pointer" },
  objc_autoreleasePoolPop: { parameters: ["pointer"], result: "void" },
  msgPointer: { name: "objc_msgSend", parameters: ["pointer", "pointer"], result: "pointer" },
  msgPointerP: {
    name: "objc_msgSend",
    parameters: ["pointer", "pointer", "pointer"],
    result: "pointer",
  },
  msgPointerI: {
    name: "objc_msgSend",
    parameters: ["pointer", "pointer", "i32"],
    result: "pointer",
  },
  msgInt32: { name: "objc_msgSend", parameters: ["pointer", "pointer"], result: "i32" },
  msgInteger: { name: "objc_msgSend", parameters: ["pointer", "pointer"], result: "isize" },
  msgBool: { name: "objc_msgSend", parameters: ["pointer", "pointer"], result: "u8" },
  msgBoolP: {
    name: "objc_msgSend",
    parameters: ["pointer", "pointer", "pointer"],
    result: "u8",
  },
  msgBoolPP: {
    name: "objc_msgSend",
    parameters: ["pointer", "pointer", "pointer", "pointer"],
    result: "u8",
  },
  msgBoolU: {
    name: "objc_msgSend",
    parameters: ["pointer", "pointer", "usize"],
    result: "u8",
  },
  // A CGRect comes back in registers on arm64, through a hidden address on x86-64.
  msgRect: { name: "objc_msgSend", parameters: ["pointer", "pointer"], result: RECT },
  msgRectIndirect: {
    name: "objc_msgSend_stret",
    parameters: ["pointer", "pointer"],
    result: RECT,
    optional: true,
  },
} as const satisfies Deno.ForeignLibraryInterface;

/** Loading AppKit registers its classes; no symbol of it is called. */
const APP_KIT = {} as const satisfies Deno.ForeignLibraryInterface;

/** Message sending. Receivers may be NULL: then the answer is NULL, 0 or false. */
export class ObjC {
  readonly #s: Calls<typeof OBJC>;
  readonly cf: CoreFoundation;
  readonly #selectors = new Map<string, Pointer>();

  constructor(objcPath: string, appKitPath: string, cf: CoreFoundation) {
    this.#s = open(objcPath, OBJC);
    open(appKitPath, APP_KIT);
    this.cf = cf;
  }

  /**
   * Runs `work` inside an autorelease pool. What the calls return is gone when it ends, so `work`
   * must turn it into JavaScript values, and must not be asynchronous.
   */
  pool<T>(work: () => T): T {
    const token = this.#s.objc_autoreleasePoolPush();
    try {
      return work();
    } finally {
      this.#s.objc_autoreleasePoolPop(token);
    }
  }

  /** @throws {NativeError} when the class does not exist */
  class(name: string): Pointer {
    const found = this.#s.objc_getClass(cString(name));
    if (!found) throw new NativeError(`Objective-C class ${name} is missing`);
    return found;
  }

  #sel(name: string): Pointer {
    let selector = this.#selectors.get(name);
    if (!selector) {
      const made = this.#s.sel_registerName(cString(name));
      if (!made) throw new NativeError(`selector ${name} cannot be registered`);
      this.#selectors.set(name, selector = made);
    }
    return selector;
  }

  /** Sends a message that returns an object, with no argument, an object or a 32-bit integer. */
  object(to: Deno.PointerValue, selector: string, argument?: Pointer | number): Pointer | null {
    if (!to) return null;
    const sel = this.#sel(selector);
    if (argument === undefined) return this.#s.msgPointer(to, sel);
    return typeof argument === "number"
      ? this.#s.msgPointerI(to, sel, argument)
      : this.#s.msgPointerP(to, sel, argument);
  }

  int32(to: Deno.PointerValue, selector: string): number {
    return to ? this.#s.msgInt32(to, this.#sel(selector)) : 0;
  }

  integer(to: Deno.PointerValue, selector: string): number {
    return to ? Number(this.#s.msgInteger(to, this.#sel(selector))) : 0;
  }

  /** Sends a message that returns BOOL, with up to two objects or one unsigned integer. */
  bool(
    to: Deno.PointerValue,
    selector: string,
    first?: Pointer | bigint,
    second?: Pointer,
  ): boolean {
    if (!to) return false;
    const sel = this.#sel(selector);
    if (first === undefined) return this.#s.msgBool(to, sel) !== 0;
    if (typeof first === "bigint") return this.#s.msgBoolU(to, sel, first) !== 0;
    return second === undefined
      ? this.#s.msgBoolP(to, sel, first) !== 0
      : this.#s.msgBoolPP(to, sel, first, second) !== 0;
  }

  /** Whether an object takes a message; asked before messages that older systems lack. */
  responds(to: Deno.PointerValue, selector: string): boolean {
    return this.bool(to, "respondsToSelector:", this.#sel(selector));
  }

  rect(to: Pointer, selector: string): { x: number; y: number; width: number; height: number } {
    const indirect = Deno.build.arch === "x86_64" ? this.#s.msgRectIndirect : null;
    const bytes = (indirect ?? this.#s.msgRect)(to, this.#sel(selector));
    const [x, y, width, height] = new Float64Array(bytes.buffer as ArrayBuffer);
    return { x: x!, y: y!, width: width!, height: height! };
  }
}
