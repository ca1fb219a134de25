/** The stand-in's control functions: load a machine, inject faults, read counters and logs. */
import { singleLibrary } from "./single_library.ts";
import { privateFake, type Variant } from "./build.ts";
import { type FakeMachine, toLines } from "./fixture.ts";

const SYMBOLS = {
  fake_reset: { parameters: [], result: "void" },
  fake_clear: { parameters: [], result: "void" },
  fake_load_text: { parameters: ["buffer", "usize"], result: "i32" },
  fake_live_objects: { parameters: [], result: "isize" },
  fake_mark: { parameters: [], result: "void" },
  fake_live_since_mark: { parameters: [], result: "isize" },
  fake_leak_report: { parameters: ["buffer", "usize"], result: "isize" },
  fake_errors: { parameters: ["u32"], result: "isize" },
  fake_error_log: { parameters: ["buffer", "usize"], result: "isize" },
  fake_calls: { parameters: ["buffer"], result: "isize" },
  fake_call_log: { parameters: ["buffer", "usize"], result: "isize" },
  fake_events: { parameters: ["buffer", "usize"], result: "isize" },
  fake_signatures: { parameters: ["buffer", "usize"], result: "isize" },
  fake_attribute: { parameters: ["buffer", "buffer", "buffer", "usize"], result: "isize" },
  fake_element: { parameters: ["buffer"], result: "pointer" },
  fake_null_nth: { parameters: ["u32"], result: "void" },
  fake_fail_nth: { parameters: ["u32", "i32"], result: "void" },
  fake_fail_pending: { parameters: [], result: "i32" },
  fake_fail_next: { parameters: ["buffer", "buffer", "i32", "u32"], result: "void" },
  fake_set_trusted: { parameters: ["u8", "u8"], result: "void" },
  fake_invalidate: { parameters: ["buffer"], result: "void" },
  fake_mutate: { parameters: ["buffer"], result: "void" },
  fake_after_calls: { parameters: ["buffer", "u32", "buffer"], result: "void" },
  fake_set_latency_us: { parameters: ["buffer", "buffer", "i64"], result: "void" },
  fake_default_timeout: { parameters: [], result: "f32" },
  fake_untimed_calls: { parameters: [], result: "isize" },
  fake_poison_out: { parameters: ["u8"], result: "void" },
  fake_open_pools: { parameters: [], result: "i32" },
  fake_mark_main_thread: { parameters: [], result: "void" },
  fake_set_pointer_drift: { parameters: ["f64", "f64"], result: "void" },
  fake_set_no_windows: { parameters: ["u8"], result: "void" },
  fake_set_paste_access: { parameters: ["i32"], result: "void" },
  fake_clip_bump: { parameters: [], result: "isize" },
} as const satisfies Deno.ForeignLibraryInterface;

/** Kinds of misuse the stand-in notices. */
const ERROR_KINDS = 9;

const c = (text: string) => new TextEncoder().encode(text + "\0") as Uint8Array<ArrayBuffer>;

export class FakeMac {
  readonly path: string;
  readonly #s: Deno.DynamicLibrary<typeof SYMBOLS>["symbols"];

  private constructor(path: string) {
    this.path = path;
    this.#s = Deno.dlopen(path, SYMBOLS).symbols;
    this.#s.fake_mark_main_thread();
  }

  /** A stand-in whose state nobody else shares. */
  static async load(variant: Variant = "full"): Promise<FakeMac> {
    return new FakeMac(await privateFake(variant));
  }

  /** Paths for `Native`. */
  get libraries() {
    return singleLibrary(this.path);
  }

  /** Forgets everything and becomes this machine. */
  become(machine: FakeMachine): void {
    this.#s.fake_reset();
    const lines = toLines(machine);
    const bytes = new TextEncoder().encode(lines);
    const bad = this.#s.fake_load_text(bytes, BigInt(bytes.length));
    if (bad) throw new Error(`fixture line ${bad}: ${lines.split("\n")[bad - 1]}`);
    this.#s.fake_mark();
  }

  /** Clears counters and logs and marks now as the time to count live objects from. */
  mark(): void {
    this.#s.fake_clear();
    this.#s.fake_mark();
  }

  #read(fill: (out: Uint8Array<ArrayBuffer>, size: bigint) => bigint): string {
    const length = Number(fill(new Uint8Array(1), 0n));
    if (length < 0) return "";
    const out = new Uint8Array(length + 1);
    fill(out, BigInt(out.length));
    return new TextDecoder().decode(out.subarray(0, length));
  }

  get liveObjects(): number {
    return Number(this.#s.fake_live_objects());
  }
  get liveSinceMark(): number {
    return Number(this.#s.fake_live_since_mark());
  }
  get leaks(): string {
    return this.#read((out, size) => this.#s.fake_leak_report(out, size));
  }
  /** Lifetime, type and argument errors since the mark. */
  get errors(): number {
    let sum = 0;
    for (let kind = 0; kind < ERROR_KINDS; kind++) sum += Number(this.#s.fake_errors(kind));
    return sum;
  }
  get errorLog(): string {
    return this.#read((out, size) => this.#s.fake_error_log(out, size));
  }
  get untimedCalls(): number {
    return Number(this.#s.fake_untimed_calls());
  }
  /** Seconds a request without a timeout of its own may take. */
  get defaultTimeout(): number {
    return this.#s.fake_default_timeout();
  }
  get openPools(): number {
    return this.#s.fake_open_pools();
  }
  /** Requests since the mark: function, element, attribute or action. */
  get calls(): { fn: string; node: string; name: string }[] {
    return this.#read((out, size) => this.#s.fake_call_log(out, size)).split("\n")
      .filter(Boolean).map((line) => {
        const [fn = "", node = "", name = ""] = line.split("\t");
        return { fn, node, name };
      });
  }
  /** Accessibility requests since the mark: what costs time on a Mac. */
  get requests(): { fn: string; node: string; name: string }[] {
    return this.calls.filter((call) => /^_?AX/.test(call.fn));
  }
  /** Events posted since the mark, one text each. */
  get events(): string[] {
    return this.#read((out, size) => this.#s.fake_events(out, size)).split("\n").filter(Boolean);
  }
  count(fn: string): number {
    return Number(this.#s.fake_calls(c(fn)));
  }
  /** An attribute as the application holds it now. */
  attribute(node: string, name: string): string | undefined {
    if (Number(this.#s.fake_attribute(c(node), c(name), null, 0n)) < 0) return undefined;
    return this.#read((out, size) => this.#s.fake_attribute(c(node), c(name), out, size));
  }
  /** A reference to an element, owned by the caller. */
  element(node: string): NonNullable<Deno.PointerValue> {
    const pointer = this.#s.fake_element(c(node));
    if (!pointer) throw new Error(`no element ${node}`);
    return pointer;
  }
  /** `symbol, parameters, result` of everything the library defines. */
  get signatures(): Map<string, { parameters: string[]; result: string }> {
    const rows = this.#read((out, size) => this.#s.fake_signatures(out, size)).split("\n");
    return new Map(
      rows.filter(Boolean).map((row) => {
        const [name = "", parameters = "", result = ""] = row.split("\t");
        return [name, { parameters: parameters ? parameters.split(",") : [], result }];
      }),
    );
  }

  /** The n-th accessibility request from now answers with this AXError. */
  failNth(n: number, code: number): void {
    this.#s.fake_fail_nth(n, code);
  }
  /** Whether an injected failure has not been reached yet. */
  get failurePending(): boolean {
    return this.#s.fake_fail_pending() > 0;
  }
  /** The n-th object creation from now returns NULL. */
  nullNth(n: number): void {
    this.#s.fake_null_nth(n);
  }
  /** The next `count` requests with this attribute, action or function name fail. */
  failNext(name: string, code: number, count = 1): void {
    this.#s.fake_fail_next(c(name), c(""), code, count);
  }
  /** Takes the permission away; `mode` 1 answers -25204 instead of -25211. */
  setTrusted(on: boolean, mode: 0 | 1 = 0): void {
    this.#s.fake_set_trusted(on ? 1 : 0, mode);
  }
  invalidate(node: string): void {
    this.#s.fake_invalidate(c(node));
  }
  /** Changes the machine now. */
  mutate(effects: string): void {
    this.#s.fake_mutate(c(effects));
  }
  /** Changes the machine when a function is called for the n-th time from now. */
  afterCalls(fn: string, n: number, effects: string): void {
    this.#s.fake_after_calls(c(fn), n, c(effects));
  }
  /** Delays requests; scope is a node, `pid:<n>` or `*`. */
  setLatency(scope: string, fn: string, ms: number): void {
    this.#s.fake_set_latency_us(c(scope), c(fn), BigInt(Math.round(ms * 1000)));
  }
  /** Fills out-parameters with a bad address whenever a request fails. */
  poisonOut(on: boolean): void {
    this.#s.fake_poison_out(on ? 1 : 0);
  }
  setPointerDrift(x: number, y: number): void {
    this.#s.fake_set_pointer_drift(x, y);
  }
  /** A process outside any graphical session. */
  setNoWindows(on: boolean): void {
    this.#s.fake_set_no_windows(on ? 1 : 0);
  }
  /** Another program takes the clipboard. */
  bumpClipboard(): void {
    this.#s.fake_clip_bump();
  }
  /** NSPasteboardAccessBehavior; -1 for a system that has none. */
  setPasteAccess(behavior: number): void {
    this.#s.fake_set_paste_access(behavior);
  }
}
