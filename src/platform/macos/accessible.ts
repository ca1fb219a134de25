/**
 * Live elements and the requests made on them. Every request has a share of the command's deadline;
 * element references live in one table, under the handles the rest of the program knows.
 */
import {
  type Accessibility,
  type Answer,
  answered,
  AX_ERRORS,
  type Value,
} from "../../../ffi/macos/accessibility.ts";
import { Arena, type CoreFoundation, type Ref } from "../../../ffi/macos/core_foundation.ts";
import type { Deadline } from "../../deadline.ts";
import { AppError } from "../../errors.ts";
import type { Handle } from "../../tree/node.ts";
import { OBSERVE_LIMITS } from "../platform.ts";

/** The AXErrors that decisions depend on. */
export const AX = {
  success: AX_ERRORS.kAXErrorSuccess,
  failure: AX_ERRORS.kAXErrorFailure,
  illegalArgument: AX_ERRORS.kAXErrorIllegalArgument,
  invalidElement: AX_ERRORS.kAXErrorInvalidUIElement,
  cannotComplete: AX_ERRORS.kAXErrorCannotComplete,
  attributeUnsupported: AX_ERRORS.kAXErrorAttributeUnsupported,
  actionUnsupported: AX_ERRORS.kAXErrorActionUnsupported,
  notImplemented: AX_ERRORS.kAXErrorNotImplemented,
  apiDisabled: AX_ERRORS.kAXErrorAPIDisabled,
  noValue: AX_ERRORS.kAXErrorNoValue,
} as const;

/** The header's name of an AXError with its number, as in `kAXErrorNoValue (-25212)`. */
export function axErrorName(code: number): string {
  const name = Object.entries(AX_ERRORS).find(([, value]) => value === code)?.[0];
  return `${name ?? "AXError"} (${code})`;
}

// Errors of a single read that mean "it has none".
const ABSENT: ReadonlySet<number> = new Set([
  AX.attributeUnsupported,
  AX.noValue,
  AX.notImplemented,
  AX.failure,
]);
/** Whether the error of a single read only says that there is nothing. */
export function isAbsent(code: number): boolean {
  return ABSENT.has(code);
}

/** Longest wait for one request: what a blocked application can cost before the next decision. */
const SLICE_MS = 250;
/** Longest wait for the answer to a mutation: after it nobody knows whether it took effect. */
const MUTATION_MS = 2_000;
/** An error that comes sooner than this (ms) is no timeout: asking again would give it again. */
const QUICK_MS = 20;
/** Timeout of this process (seconds), for a request that would go out without one of its own. */
const DEFAULT_TIMEOUT_S = 1;

/** The failure of an application that did not answer; `what` says what was being done. */
export function unresponsive(what: string, code: number = AX.cannotComplete): AppError {
  return new AppError("APP_UNRESPONSIVE", `The application did not answer while ${what}`, {
    suggestion: "Check that the application is not blocked, then retry.",
    platformDetail: axErrorName(code),
  });
}

/** The failure where the user does not let this program use accessibility. */
export function notTrusted(): AppError {
  return new AppError("PERM_DENIED", "Accessibility access is not granted", {
    suggestion: "In System Settings > Privacy & Security > Accessibility, switch on the program " +
      "that started this one (the terminal or editor), then restart it.",
    platformDetail: axErrorName(AX.apiDisabled),
  });
}

/** UTF-16 units read of a text: each takes a byte at least, so a field of the tree needs no more. */
const TEXT_UNITS = OBSERVE_LIMITS.fieldBytes;

/** Elements kept: four of the largest observations. */
const TABLE_SIZE = 200_000;

/** Requests on live elements. */
export class Elements {
  readonly ax: Accessibility;
  readonly cf: CoreFoundation;
  readonly #refs = new Map<Handle, { ref: Ref; hash: bigint }>();
  readonly #byHash = new Map<bigint, Handle[]>();
  readonly #lists = new Map<string, Ref>();
  #next = 1;
  #requests = 0;

  constructor(ax: Accessibility, cf: CoreFoundation) {
    this.ax = ax;
    this.cf = cf;
    ax.setDefaultTimeout(DEFAULT_TIMEOUT_S);
  }

  // ---- handles ----

  /** The handle of an element; equal elements have equal handles. The table keeps its own ref. */
  hold(element: Ref): Handle {
    const hash = this.cf.hash(element.pointer);
    const bucket = this.#byHash.get(hash) ?? [];
    for (const handle of bucket) {
      const known = this.#refs.get(handle);
      if (known && this.cf.equal(known.ref.pointer, element.pointer)) return handle;
    }
    const handle = `ax-${this.#next++}`;
    this.#refs.set(handle, { ref: this.cf.retain(element.pointer), hash });
    bucket.push(handle);
    this.#byHash.set(hash, bucket);
    return handle;
  }

  /** The element of a handle; `undefined` when it is no longer kept. */
  find(handle: Handle): Ref | undefined {
    return this.#refs.get(handle)?.ref;
  }

  /** Empties half of a full table: the oldest elements, which then count as gone. */
  trim(limit = TABLE_SIZE): void {
    if (this.#refs.size <= limit) return;
    for (const handle of [...this.#refs.keys()].slice(0, this.#refs.size - limit / 2)) {
      this.#forget(handle);
    }
  }

  #forget(handle: Handle): void {
    const entry = this.#refs.get(handle);
    if (!entry) return;
    this.#refs.delete(handle);
    const rest = this.#byHash.get(entry.hash)?.filter((other) => other !== handle) ?? [];
    if (rest.length > 0) this.#byHash.set(entry.hash, rest);
    else this.#byHash.delete(entry.hash);
    entry.ref[Symbol.dispose]();
  }

  close(): void {
    for (const handle of [...this.#refs.keys()]) this.#forget(handle);
    for (const list of this.#lists.values()) list[Symbol.dispose]();
    this.#lists.clear();
  }

  equal(a: Ref, b: Ref): boolean {
    return this.cf.equal(a.pointer, b.pointer);
  }

  // ---- requests ----

  /** Requests sent so far: what a reading costs. */
  get requests(): number {
    return this.#requests;
  }

  /** Seconds one request may take now. */
  #seconds(deadline: Deadline): number {
    const left = deadline.remaining;
    // 0 would mean the system's default of about six seconds.
    return Math.max(1, Math.min(left, SLICE_MS)) / 1000;
  }

  // A read that ran out of its slice says that the application is busy; it may be asked again
  // while there is time. One that failed at once would fail again.
  #read<T>(deadline: Deadline, attempts: number, ask: (seconds: number) => Answer<T>): Answer<T> {
    let answer: Answer<T> = { error: AX.cannotComplete };
    for (let i = 0; i < attempts && !deadline.expired; i++) {
      const start = performance.now();
      this.#requests++;
      answer = ask(this.#seconds(deadline));
      if (answer.error !== AX.cannotComplete || performance.now() - start < QUICK_MS) break;
    }
    return answer;
  }

  /**
   * One attribute.
   *
   * @param textLimit UTF-16 units of a text; more are not copied
   */
  attribute(
    element: Ref,
    name: string,
    deadline: Deadline,
    arena: Arena,
    textLimit = TEXT_UNITS,
  ): Answer<Value> {
    return this.#read(deadline, 2, (s) => this.ax.attribute(element, name, s, arena, textLimit));
  }

  /** Several attributes in one request; `attempts` bounds how often a busy application is asked. */
  attributes(
    element: Ref,
    names: readonly string[],
    deadline: Deadline,
    arena: Arena,
    attempts = 2,
  ): Answer<Value[]> {
    const key = names.join();
    let list = this.#lists.get(key);
    if (!list) this.#lists.set(key, list = this.ax.names(names));
    const kept = list;
    return this.#read(
      deadline,
      attempts,
      (s) => this.ax.attributes(element, kept, names.length, s, arena, TEXT_UNITS),
    );
  }

  /**
   * Length of a list-valued attribute. Some applications build the list to count it, so that may
   * take half of the time that is left.
   *
   * @param mostMs less than that
   */
  count(element: Ref, name: string, deadline: Deadline, mostMs = Infinity): Answer<number> {
    const share = deadline.within(Math.min(mostMs, deadline.remaining / 2));
    return this.#read(share, 1, (s) => this.ax.count(element, name, s));
  }

  page(
    element: Ref,
    name: string,
    index: number,
    max: number,
    deadline: Deadline,
    arena: Arena,
  ): Answer<Ref[]> {
    return this.#read(deadline, 2, (s) => this.ax.page(element, name, index, max, s, arena));
  }

  actions(element: Ref, deadline: Deadline, arena: Arena): Answer<string[]> {
    return this.#read(deadline, 2, (s) => this.ax.actions(element, s, arena));
  }

  settable(element: Ref, name: string, deadline: Deadline): Answer<boolean> {
    return this.#read(deadline, 2, (s) => this.ax.settable(element, name, s));
  }

  /** What lies at a point, of one application or of all. */
  atPosition(
    app: Ref | undefined,
    x: number,
    y: number,
    deadline: Deadline,
    arena: Arena,
  ): Answer<Ref> {
    return this.#read(deadline, 2, (s) => this.ax.atPosition(app, x, y, s, arena));
  }

  /**
   * What gets what is typed: an element, or the application where none has the focus; `undefined`
   * when that cannot be told.
   *
   * @param pid in this process, whether or not it is in front
   */
  focused(pid: number | undefined, deadline: Deadline): Handle | undefined {
    using arena = new Arena();
    const app = pid === undefined
      ? this.#read(deadline, 2, (s) => this.ax.focusedApplication(s, arena)).value
      : arena.own(this.ax.application(pid));
    if (!app) return undefined;
    const answer = this.attribute(app, "AXFocusedUIElement", deadline, arena);
    if (!answered(answer)) return isAbsent(answer.error) ? this.hold(app) : undefined;
    return answer.value.kind === "element" ? this.hold(answer.value.element) : undefined;
  }

  windowNumber(element: Ref, deadline: Deadline): Answer<number> {
    return this.#read(deadline, 2, (s) => this.ax.windowNumber(element, s));
  }

  // A mutation is sent once, whatever comes back. It may take longer than a read, because an
  // application that is busy acting answers late; one that opens a modal dialog answers only when
  // the dialog closes, which is not waited for.

  perform(element: Ref, action: string, deadline: Deadline): number {
    this.#requests++;
    return this.ax.perform(element, action, this.#mutationSeconds(deadline));
  }

  set(
    element: Ref,
    name: string,
    value: Ref["pointer"],
    deadline: Deadline,
  ): number {
    this.#requests++;
    return this.ax.set(element, name, value, this.#mutationSeconds(deadline));
  }

  #mutationSeconds(deadline: Deadline): number {
    return Math.max(1, Math.min(deadline.remaining, MUTATION_MS)) / 1000;
  }

  // ---- common single reads ----

  text(element: Ref, name: string, deadline: Deadline): string | undefined {
    using arena = new Arena();
    const answer = this.attribute(element, name, deadline, arena);
    return answered(answer) && answer.value.kind === "text" ? answer.value.text : undefined;
  }

  bool(element: Ref, name: string, deadline: Deadline): boolean | undefined {
    using arena = new Arena();
    const answer = this.attribute(element, name, deadline, arena);
    return answered(answer) && answer.value.kind === "bool" ? answer.value.value : undefined;
  }

  /** A number-valued attribute; `undefined` for NaN and infinities too. */
  number(element: Ref, name: string, deadline: Deadline): number | undefined {
    using arena = new Arena();
    const answer = this.attribute(element, name, deadline, arena);
    const number = answered(answer) && answer.value.kind === "number" && answer.value.value;
    return Number.isFinite(number) ? number as number : undefined;
  }

  /** An element-valued attribute, put into `arena`. */
  element(element: Ref, name: string, deadline: Deadline, arena: Arena): Ref | undefined {
    const answer = this.attribute(element, name, deadline, arena);
    return answered(answer) && answer.value.kind === "element" ? answer.value.element : undefined;
  }

  /** Elements of a list-valued attribute, put into `arena`. */
  elements(element: Ref, name: string, deadline: Deadline, arena: Arena): Ref[] {
    const answer = this.attribute(element, name, deadline, arena);
    return answered(answer) && answer.value.kind === "list" ? answer.value.elements : [];
  }
}
