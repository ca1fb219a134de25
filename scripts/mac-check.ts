/**
 * Settles on a Mac what no other machine can: `deno run -A scripts/mac-check.ts [options]`.
 *
 *   --intrusive   also run the checks that open and stop a TextEdit and type into it
 *   --app NAME    read this application's front window too (may be given more than once)
 *   --json        one JSON object instead of the table
 *   --out FILE    write the report there as well
 *
 * Run it from the terminal that will run the program, once before and once after granting that
 * terminal Accessibility. Nothing is changed without --intrusive. The exit code is 1 when a check
 * fails; a check that says `info` is for reading.
 */
import { parseArgs } from "@std/cli/parse-args";
import { ACCESSIBILITY } from "../ffi/macos/accessibility.ts";
import { Arena, CORE_FOUNDATION } from "../ffi/macos/core_foundation.ts";
import { CORE_GRAPHICS } from "../ffi/macos/core_graphics.ts";
import { CORE_SERVICES } from "../ffi/macos/core_services.ts";
import { LIB_SYSTEM } from "../ffi/macos/lib_system.ts";
import { type LibraryName, type LibraryPaths, libraryPaths } from "../ffi/macos/library.ts";
import { OBJC } from "../ffi/macos/objc.ts";
import { Deadline } from "../src/deadline.ts";
import { axErrorName } from "../src/platform/macos/accessible.ts";
import { captureScreen } from "../src/platform/macos/screenshot.ts";
import { MacPlatform } from "../src/platform/macos/platform.ts";
import type { Node } from "../src/tree/node.ts";

/** What a check came to. */
export interface Finding {
  name: string;
  status: "pass" | "fail" | "info" | "skip";
  detail: string;
}

export interface CheckOptions {
  intrusive: boolean;
  apps: readonly string[];
  /** Off macOS: stand-ins for the libraries. */
  libraries?: LibraryPaths;
}

type Outcome = Omit<Finding, "name">;
type Check = (on: MacPlatform, options: CheckOptions) => Promise<Outcome> | Outcome;

const pass = (detail: string): Outcome => ({ status: "pass", detail });
const fail = (detail: string): Outcome => ({ status: "fail", detail });
const info = (detail: string): Outcome => ({ status: "info", detail });
const skip = (detail: string): Outcome => ({ status: "skip", detail });
const verdict = (good: boolean, detail: string): Outcome => good ? pass(detail) : fail(detail);

const TABLES: Partial<Record<LibraryName, Deno.ForeignLibraryInterface>> = {
  coreFoundation: CORE_FOUNDATION,
  applicationServices: ACCESSIBILITY,
  coreGraphics: CORE_GRAPHICS,
  coreServices: CORE_SERVICES,
  objc: OBJC,
  libSystem: LIB_SYSTEM,
};
const TEXT_EDIT = "com.apple.TextEdit";
const LIMIT_MS = 20_000;

function symbols(_on: MacPlatform, options: CheckOptions): Outcome {
  const paths = libraryPaths(options.libraries);
  const missing: string[] = [];
  const absent: string[] = [];
  let count = 0;
  for (const [key, path] of Object.entries(paths)) {
    const table = TABLES[key as LibraryName] ?? {};
    try {
      Deno.dlopen(path, {});
    } catch (error) {
      missing.push(`${key}: ${error instanceof Error ? error.message : error}`);
      continue;
    }
    for (const [name, declared] of Object.entries(table)) {
      count++;
      try {
        Deno.dlopen(path, { [name]: { ...declared, optional: false } });
      } catch {
        ("optional" in declared && declared.optional ? absent : missing).push(name);
      }
    }
  }
  const optional = absent.length > 0 ? `; optional and absent: ${absent.join(", ")}` : "";
  return verdict(
    missing.length === 0,
    missing.length === 0
      ? `${count} symbols on ${Deno.build.arch}${optional}`
      : `missing: ${missing.join(", ")}${optional}`,
  );
}

function structResults(on: MacPlatform): Outcome {
  const displays = on.native.cg.displays();
  const pointer = on.native.cg.pointer();
  const main = displays[0];
  if (!main) return fail("no display");
  const frame = on.native.appKit.visibleFrames(main.bounds.height).get(main.id);
  const { x, y, width, height } = main.bounds;
  const sane = width >= 640 && height >= 400 && Number.isFinite(pointer.x) &&
    frame !== undefined && frame.width <= width && frame.y >= y && frame.height <= height;
  return verdict(
    sane,
    `main ${x},${y} ${width}×${height} scale ${main.scale}; pointer ${pointer.x},${pointer.y}; ` +
      `usable ${frame ? `${frame.x},${frame.y} ${frame.width}×${frame.height}` : "unknown"}`,
  );
}

function stringsAndArrays(on: MacPlatform): Outcome {
  const { cf } = on.native;
  for (const text of ["", "a", "é你😀", "nul\0inside", "x".repeat(100_000)]) {
    using ref = cf.string(text);
    if (cf.text(ref.pointer).text !== text) return fail(`text of ${text.length} units changed`);
  }
  using one = cf.string("one");
  using two = cf.number(2.5);
  using list = cf.array([one.pointer, two.pointer]);
  const items = cf.items(list.pointer);
  const whole = items.length === 2 && cf.equal(items[0]!, one.pointer) &&
    cf.numberValue(items[1]!).text === "2.5";
  return verdict(whole, "CFString with NULL memory and length 0, ranges, arrays, numbers");
}

async function trust(on: MacPlatform): Promise<Outcome> {
  const report = await on.permissions(Deadline.after(LIMIT_MS));
  const states = Object.entries(report).map(([name, { state }]) => `${name} ${state}`).join(", ");
  using arena = new Arena();
  using app = on.native.ax.application(Deno.ppid);
  const answer = on.elements.attribute(app, "AXRole", Deadline.after(1_000), arena);
  return info(
    `${states}; post events ${on.native.cg.postEvents()}; AXRole of the parent process: ` +
      (answer.error === 0 ? "answered" : axErrorName(answer.error)),
  );
}

function countNodes(node: Node): number {
  return 1 + node.children.reduce((sum, child) => sum + countNodes(child), 0);
}

async function readings(on: MacPlatform, options: CheckOptions): Promise<Outcome> {
  if (!on.native.ax.trusted()) return skip("needs Accessibility");
  const deadline = Deadline.after(120_000);
  const wanted = new Set(
    ["Finder", "TextEdit", "System Settings", "Safari", ...options.apps].map((name) =>
      name.toLowerCase()
    ),
  );
  const lines: string[] = [];
  for (const app of await on.apps(deadline)) {
    if (!wanted.has(app.name.toLowerCase())) continue;
    const windows = await on.windows(app.pid, deadline);
    const window = windows.find((w) => w.handle && w.visible) ?? windows.find((w) => w.handle);
    if (!window?.handle) {
      lines.push(`${app.name}: no window`);
      continue;
    }
    const before = on.elements.requests;
    const started = performance.now();
    const seen = await on.observe(
      window.handle,
      { maxDepth: 50, bounds: "all" },
      Deadline.after(LIMIT_MS),
    );
    const ms = performance.now() - started;
    const requests = on.elements.requests - before;
    const nodes = seen ? countNodes(seen.root) : 0;
    const per = (value: number) => (value / Math.max(1, nodes)).toFixed(2);
    lines.push(
      `${app.name}: ${nodes} nodes, ${per(requests)} requests and ${per(ms)} ms a node, ` +
        `${Math.round(ms)} ms, ${seen?.complete ? "complete" : "incomplete"}` +
        (seen?.details ? ` (${seen.details.kind})` : ""),
    );
  }
  return lines.length > 0 ? info(lines.join("; ")) : skip("none of the applications runs");
}

async function windowNumbers(on: MacPlatform): Promise<Outcome> {
  if (!on.native.ax.trusted()) return skip("needs Accessibility");
  const windows = await on.windows(undefined, Deadline.after(LIMIT_MS));
  const visible = windows.filter((window) => window.visible);
  const reached = visible.filter((window) => window.handle !== undefined);
  const detail = `${reached.length} of ${visible.length} visible windows have an element, ` +
    `_AXUIElementGetWindow ${on.native.ax.hasWindowNumbers ? "present" : "absent"}`;
  return visible.length === 0 ? skip("no window on screen") : verdict(
    reached.length > 0 && on.native.ax.hasWindowNumbers,
    detail,
  );
}

/** The list's keys are used by their names; the exported constants must say the same. */
function windowKeys(on: MacPlatform, options: CheckOptions): Outcome {
  const keys = [
    ...["kCGWindowNumber", "kCGWindowOwnerPID", "kCGWindowOwnerName", "kCGWindowLayer"],
    ...["kCGWindowBounds", "kCGWindowName", "kCGWindowIsOnscreen", "kCGWindowAlpha"],
  ];
  const wrong: string[] = [];
  for (const key of keys) {
    try {
      const path = libraryPaths(options.libraries).coreGraphics;
      const { symbols } = Deno.dlopen(path, { [key]: { type: "usize" } });
      const pointer = Deno.UnsafePointer.create(BigInt(symbols[key] as bigint));
      if (!pointer || on.native.cf.text(pointer).text !== key) wrong.push(key);
    } catch {
      wrong.push(`${key} (not exported)`);
    }
  }
  return verdict(
    wrong.length === 0,
    wrong.length === 0 ? `${keys.length} keys` : `differ: ${wrong.join(", ")}`,
  );
}

async function processStart(on: MacPlatform): Promise<Outcome> {
  const own = on.native.system.processStart(Deno.pid);
  if (!own) return fail("proc_pidinfo does not answer for this process");
  const { stdout } = await new Deno.Command("/bin/ps", {
    args: ["-o", "lstart=", "-p", String(Deno.pid)],
    env: { LC_ALL: "C" },
  }).output();
  const text = new TextDecoder().decode(stdout).trim();
  const seconds = Math.floor(Date.parse(text) / 1000);
  const other = on.native.system.processStart(1);
  return verdict(
    seconds === Number(own.seconds),
    `${own.seconds} s, ps says ${seconds}; launchd: ${other ? "readable" : "not readable"}`,
  );
}

async function mainThread(on: MacPlatform, options: CheckOptions): Promise<Outcome> {
  const path = libraryPaths(options.libraries).libSystem;
  const { symbols } = Deno.dlopen(path, {
    pthread_main_np: { parameters: [], result: "i32", optional: true },
  });
  const main = symbols.pthread_main_np?.();
  const before = on.native.appKit.applications().length;
  await Deadline.after(50).sleep(50);
  on.native.cf.pumpRunLoop();
  const after = on.native.appKit.applications().length;
  const detail = `pthread_main_np ${main ?? "absent"}; applications ${before}, then ${after}`;
  return main === undefined ? info(detail) : verdict(main === 1, detail);
}

async function screenshots(on: MacPlatform): Promise<Outcome> {
  if (on.native.cg.screenCapture() === false) {
    const { code, stderr } = await new Deno.Command(on.tools.screencapture, {
      args: ["-x", "-t", "png", "/dev/null"],
    }).output();
    const said = new TextDecoder().decode(stderr).trim();
    return info(`not permitted; the tool ends with ${code} ${said}`);
  }
  const parts: string[] = [];
  let good = true;
  for (const [i, display] of (await on.displays(Deadline.after(LIMIT_MS))).entries()) {
    const target = { display: i };
    const seen = await captureScreen(on.native, on.tools, target, Deadline.after(LIMIT_MS));
    const wide = Math.round(display.bounds.width * display.scale);
    good &&= seen.width === wide;
    parts.push(`-D ${i + 1}: ${seen.width}×${seen.height}, expected width ${wide}`);
  }
  return verdict(good, parts.join("; "));
}

async function signature(): Promise<Outcome> {
  if (Deno.build.os !== "darwin") return skip("only on macOS");
  const { stderr } = await new Deno.Command("/usr/bin/codesign", {
    args: ["-dv", "--entitlements", "-", Deno.execPath()],
  }).output();
  const lines = new TextDecoder().decode(stderr).split("\n")
    .filter((line) => /^(Identifier|Signature|CodeDirectory|TeamIdentifier)/.test(line));
  return info(lines.join("; ") || "no signature");
}

// ---- with --intrusive: a TextEdit of our own ----

/** Runs `work` with a fresh TextEdit and its text area; ends that TextEdit afterwards. */
async function withTextEdit(
  on: MacPlatform,
  work: (pid: number, area: Node, deadline: Deadline) => Promise<Outcome>,
): Promise<Outcome> {
  if (!on.native.ax.trusted()) return skip("needs Accessibility");
  const deadline = Deadline.after(60_000);
  const before = new Set((await on.apps(deadline)).map((app) => app.pid));
  const file = await Deno.makeTempFile({ suffix: ".txt" });
  const args = ["-n", "-b", TEXT_EDIT, file];
  const { success } = await new Deno.Command(on.tools.open, { args }).output();
  if (!success) return fail("TextEdit did not open");
  let pid = 0;
  try {
    while (!deadline.expired) {
      await deadline.sleep(100);
      const app = (await on.apps(deadline)).find((a) =>
        a.bundleId === TEXT_EDIT && !before.has(a.pid)
      );
      if (!app) continue;
      pid = app.pid;
      for (const window of await on.windows(pid, deadline)) {
        if (!window.handle) continue;
        await on.focusWindow(window, deadline);
        const query = { role: "textfield", maxDepth: 50 } as const;
        const area = (await on.candidates(window.handle, query, deadline)).nodes[0];
        if (area) return await work(pid, area, deadline);
      }
    }
    return fail("TextEdit showed no text area");
  } finally {
    if (pid > 0) on.native.system.signal(pid, 9);
    await Deno.remove(file);
  }
}

const stopped: Check = (on, options) => {
  if (!options.intrusive) return skip("needs --intrusive");
  return withTextEdit(on, async (pid, area) => {
    const SIGSTOP = 17, SIGCONT = 19;
    on.native.system.signal(pid, SIGSTOP);
    try {
      const started = performance.now();
      const element = on.elements.find(area.handle!)!;
      using arena = new Arena();
      const answer = on.elements.attribute(element, "AXRole", Deadline.after(10_000), arena);
      const ms = Math.round(performance.now() - started);
      await Promise.resolve();
      return verdict(
        answer.error !== 0 && ms < 1_000,
        `a stopped application: ${axErrorName(answer.error)} after ${ms} ms (two slices of 250)`,
      );
    } finally {
      on.native.system.signal(pid, SIGCONT);
    }
  });
};

const typing: Check = (on, options) => {
  if (!options.intrusive) return skip("needs --intrusive");
  return withTextEdit(on, async (_pid, area, deadline) => {
    await on.perform(area.handle!, { kind: "focus" }, { focus: true }, deadline);
    const text = "20 units: ä😀; and more than one event of them. ".repeat(3);
    await (await on.input()).text(text, deadline);
    await deadline.sleep(500);
    const typed = (await on.wholeValue(area.handle!, 65_536, deadline))?.text;
    return verdict(typed === text, `typed ${text.length} units, read ${typed?.length ?? 0}`);
  });
};

const CHECKS: readonly [name: string, check: Check][] = [
  ["libraries and symbols", symbols],
  ["structures as results", structResults],
  ["strings, arrays, numbers", stringsAndArrays],
  ["permissions", trust],
  ["reading windows", readings],
  ["window numbers", windowNumbers],
  ["window list keys", windowKeys],
  ["process start times", processStart],
  ["main thread and run loop", mainThread],
  ["screenshots", screenshots],
  ["signature of this binary", signature],
  ["a stopped application", stopped],
  ["typed text", typing],
];

/** Runs every check; none of them stops the others. */
export async function runChecks(options: CheckOptions): Promise<Finding[]> {
  const platform = new MacPlatform(options.libraries);
  const findings: Finding[] = [];
  for (const [name, check] of CHECKS) {
    try {
      findings.push({ name, ...await check(platform, options) });
    } catch (error) {
      const detail = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
      findings.push({ name, status: "fail", detail });
    }
  }
  platform.close();
  return findings;
}

/** The findings as a table, one line each. */
export function report(findings: readonly Finding[]): string {
  const width = Math.max(...findings.map((finding) => finding.name.length));
  const lines = findings.map(({ name, status, detail }) =>
    `${status.padEnd(4)}  ${name.padEnd(width)}  ${detail}`
  );
  const count = (status: Finding["status"]) => findings.filter((f) => f.status === status).length;
  const sum = (["pass", "fail", "info", "skip"] as const).map((s) => `${count(s)} ${s}`);
  return [...lines, sum.join(", ")].join("\n") + "\n";
}

if (import.meta.main) {
  const flags = parseArgs(Deno.args, {
    boolean: ["intrusive", "json"],
    string: ["app", "out"],
    collect: ["app"],
  });
  if (Deno.build.os !== "darwin") {
    console.error("mac-check runs on macOS; the tests exercise everything else.");
    Deno.exit(2);
  }
  const findings = await runChecks({
    intrusive: flags.intrusive === true,
    apps: (flags.app as string[] | undefined) ?? [],
  });
  const text = flags.json ? JSON.stringify({ findings }) + "\n" : report(findings);
  await Deno.stdout.write(new TextEncoder().encode(text));
  if (typeof flags.out === "string") await Deno.writeTextFile(flags.out, text);
  // Libraries are never unloaded; leaving at once keeps their threads out of the way.
  Deno.exit(findings.some((finding) => finding.status === "fail") ? 1 : 0);
}
