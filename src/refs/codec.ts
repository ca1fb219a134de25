/**
 * The ref map as a file (refs §2, decision 17): one JSON object.
 *
 * `shared` holds what many entries have in common (sources, action and state lists, the leading
 * part of live handles), `inner` one compact entry a ref, in ascending order. A path is written as
 * the number of leading indexes it shares with the entry before it, then the rest. Hashes are
 * written as hexadecimal text: a JSON number could not hold 64 bits.
 */
import { AppError } from "../errors.ts";
import { isState, type State } from "../tree/states.ts";
import { type Action, ACTIONS } from "../tree/actions.ts";
import { NATIVE_ID_KINDS, type NativeId, type Rect } from "../tree/node.ts";
import type { Role } from "../tree/roles.ts";
import { SURFACES } from "../platform/platform.ts";
import { boundsHash } from "./bounds_hash.ts";
import type { RefEntry, RefMap, Source } from "./entry.ts";
import { evidenceFits, isSaneRect, sourceFits } from "./limits.ts";
import { localKey, MAX_REF_NUMBER, parseLocalKey } from "./syntax.ts";

/** Largest ref map, read or written, in bytes. */
export const MAX_REFMAP_BYTES = 1_048_576;

interface StoredSource extends Omit<Source, "source_window_bounds_hash"> {
  source_window_bounds_hash?: string;
}

interface StoredEntry {
  role: string;
  name?: string;
  value?: string;
  description?: string;
  /** Kind (index into `NATIVE_ID_KINDS`) and value. */
  id?: [number, string];
  /** x, y, width, height. */
  bounds?: [number, number, number, number];
  hash?: string;
  /** `bounds_space` is `window`. */
  in_window?: 1;
  /** Indexes into the shared lists; absent for 0. */
  source?: number;
  actions?: number;
  states?: number;
  /** Number of leading indexes taken from the entry before, then the other indexes. */
  path?: number[];
  /** K of `root_ref` `@eK`. */
  root?: number;
  absolute?: 1;
  /** Index into the shared prefixes and what follows it. */
  handle?: [number, string];
}

interface StoredMap {
  counter: number;
  shared: {
    sources: StoredSource[];
    actions: string[][];
    states: string[][];
    handles: string[];
  };
  inner: Record<string, StoredEntry>;
}

/** Gives equal rows the same index. */
class Table<Row> {
  readonly rows: Row[] = [];
  readonly #indexes = new Map<string, number>();

  index(key: string, row: () => Row): number {
    let index = this.#indexes.get(key);
    if (index === undefined) {
      index = this.rows.length;
      this.#indexes.set(key, index);
      this.rows.push(row());
    }
    return index;
  }
}

function hex(hash: bigint): string {
  return hash.toString(16);
}

function splitHandle(handle: string): [string, string] {
  const at = handle.lastIndexOf("/") + 1;
  return [handle.slice(0, at), handle.slice(at)];
}

function sourceOf(entry: RefEntry): StoredSource {
  return {
    pid: entry.pid,
    process_instance: entry.process_instance,
    source_app: entry.source_app,
    ...(entry.source_window_id !== undefined && { source_window_id: entry.source_window_id }),
    ...(entry.source_window_title !== undefined &&
      { source_window_title: entry.source_window_title }),
    ...(entry.source_window_bounds_hash !== undefined &&
      { source_window_bounds_hash: hex(entry.source_window_bounds_hash) }),
    ...(entry.source_surface !== undefined && { source_surface: entry.source_surface }),
  };
}

/**
 * The map as bytes of a file.
 *
 * @throws AppError `INTERNAL`, `not_delivered`, when it takes more than 1,048,576 bytes; details
 * say how many refs and bytes, and which flags observe less.
 */
export function encodeRefMap(map: RefMap): Uint8Array {
  const sources = new Table<StoredSource>();
  const actions = new Table<string[]>();
  const states = new Table<string[]>();
  const handles = new Table<string>();
  const inner: Record<string, StoredEntry> = {};
  let previousPath: readonly number[] = [];
  let previousSource: RefEntry | undefined;
  let sourceIndex = 0;
  for (const number of [...map.entries.keys()].sort((a, b) => a - b)) {
    const entry = map.entries.get(number)!;
    if (previousSource === undefined || !sameSource(entry, previousSource)) {
      const source = sourceOf(entry);
      sourceIndex = sources.index(JSON.stringify(source), () => source);
      previousSource = entry;
    }
    const stored: StoredEntry = { role: entry.role };
    if (entry.name !== null) stored.name = entry.name;
    if (entry.value !== undefined) stored.value = entry.value;
    if (entry.description !== undefined) stored.description = entry.description;
    if (entry.native_id !== undefined) {
      stored.id = [NATIVE_ID_KINDS.indexOf(entry.native_id.kind), entry.native_id.value];
    }
    if (entry.bounds !== undefined) {
      const { x, y, width, height } = entry.bounds;
      stored.bounds = [x, y, width, height];
    }
    if (entry.bounds_hash !== null) {
      stored.hash = hex(entry.bounds_hash);
      if (entry.bounds_space === "window") stored.in_window = 1;
    }
    if (sourceIndex > 0) stored.source = sourceIndex;
    const actionsIndex = actions.index(
      entry.available_actions.join("\n"),
      () => entry.available_actions,
    );
    if (actionsIndex > 0) stored.actions = actionsIndex;
    const statesIndex = states.index((entry.states ?? []).join("\n"), () => entry.states ?? []);
    if (statesIndex > 0) stored.states = statesIndex;
    const path = entry.path ?? [];
    if (path.length > 0) {
      let shared = 0;
      while (shared < path.length && path[shared] === previousPath[shared]) shared++;
      stored.path = [shared, ...path.slice(shared)];
    }
    previousPath = path;
    if (entry.root_ref !== undefined) stored.root = parseLocalKey(entry.root_ref)!;
    if (entry.path_is_absolute) stored.absolute = 1;
    if (entry.native_handle !== undefined) {
      const [prefix, rest] = splitHandle(entry.native_handle);
      stored.handle = [handles.index(prefix, () => prefix), rest];
    }
    inner[localKey(number)] = stored;
  }
  const file: StoredMap = {
    counter: map.counter,
    shared: {
      sources: sources.rows,
      actions: actions.rows,
      states: states.rows,
      handles: handles.rows,
    },
    inner,
  };
  const bytes = new TextEncoder().encode(JSON.stringify(file));
  if (bytes.length > MAX_REFMAP_BYTES) throw tooLarge(map.entries.size, bytes.length);
  return bytes;
}

function sameSource(a: Source, b: Source): boolean {
  return a.pid === b.pid && a.process_instance === b.process_instance &&
    a.source_app === b.source_app && a.source_window_id === b.source_window_id &&
    a.source_window_title === b.source_window_title &&
    a.source_window_bounds_hash === b.source_window_bounds_hash &&
    a.source_surface === b.source_surface;
}

function tooLarge(entries: number, bytes: number): AppError {
  return new AppError(
    "INTERNAL",
    `The ref map of ${entries} refs takes ${bytes} bytes; the limit is ${MAX_REFMAP_BYTES}`,
    {
      delivery: "not_delivered",
      suggestion: "Observe less: add --skeleton, lower --max-depth, read one region with --root, " +
        "or use find with tighter filters.",
      details: {
        kind: "refmap_too_large",
        entries,
        bytes,
        limit_bytes: MAX_REFMAP_BYTES,
        shrink_with: ["--skeleton", "--max-depth", "--root"],
      },
    },
  );
}

/** Thrown inside this module only; the caller of `decodeRefMap` adds the file's name. */
class Broken extends Error {}

function ensure(condition: boolean, what: string): asserts condition {
  if (!condition) throw new Broken(what);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

function isOptionalText(value: unknown): value is string | undefined {
  return value === undefined || typeof value === "string";
}

const HASH = /^[0-9a-f]{1,16}$/;

function readHash(value: unknown): bigint {
  ensure(isText(value) && HASH.test(value), "a bounds hash");
  return BigInt(`0x${value}`);
}

function readSource(row: unknown): Source {
  ensure(isObject(row), "a source");
  const {
    pid,
    process_instance,
    source_app,
    source_window_id,
    source_window_title,
    source_window_bounds_hash,
    source_surface,
  } = row;
  ensure(typeof pid === "number" && isText(process_instance), "a process");
  ensure(source_app === null || isText(source_app), "a source application");
  ensure(isOptionalText(source_window_id) && isOptionalText(source_window_title), "a window");
  ensure(
    source_surface === undefined ||
      (source_surface !== "window" && (SURFACES as readonly unknown[]).includes(source_surface)),
    "a surface",
  );
  const source: Source = {
    pid,
    process_instance,
    source_app,
    ...(source_window_id !== undefined && { source_window_id }),
    ...(source_window_title !== undefined && { source_window_title }),
    ...(source_window_bounds_hash !== undefined &&
      { source_window_bounds_hash: readHash(source_window_bounds_hash) }),
    ...(source_surface !== undefined &&
      { source_surface: source_surface as NonNullable<Source["source_surface"]> }),
  };
  ensure(sourceFits(source), "a source");
  return source;
}

const KNOWN_ACTIONS: ReadonlySet<unknown> = new Set(ACTIONS);

function readLists<Token>(
  rows: unknown,
  isKnown: (token: unknown) => boolean,
  what: string,
): Token[][] {
  ensure(Array.isArray(rows), what);
  for (const row of rows) ensure(Array.isArray(row) && row.every(isKnown), what);
  return rows;
}

function readPath(value: unknown, previous: readonly number[]): number[] {
  if (value === undefined) return [];
  ensure(Array.isArray(value) && value.length > 0, "a path");
  const shared: unknown = value[0];
  ensure(
    Number.isInteger(shared) && (shared as number) >= 0 && (shared as number) <= previous.length,
    "a path",
  );
  return [...previous.slice(0, shared as number), ...value.slice(1)];
}

function readRect(value: unknown, hash: bigint | null): Rect {
  ensure(
    Array.isArray(value) && value.length === 4 && value.every((part) => typeof part === "number"),
    "bounds",
  );
  const [x, y, width, height] = value as [number, number, number, number];
  const rect = { x, y, width, height };
  ensure(isSaneRect(rect) && boundsHash(rect) === hash, "bounds that agree with their hash");
  return rect;
}

function readNativeId(value: unknown): NativeId {
  ensure(Array.isArray(value) && value.length === 2, "a native id");
  const kind = NATIVE_ID_KINDS[value[0] as number];
  const text: unknown = value[1];
  ensure(kind !== undefined && isText(text), "a native id");
  return { kind, value: text };
}

function readHandle(value: unknown, prefixes: readonly string[]): string {
  ensure(Array.isArray(value) && value.length === 2, "a handle");
  const prefix = prefixes[value[0] as number];
  const rest: unknown = value[1];
  ensure(prefix !== undefined && isText(rest), "a handle");
  return prefix + rest;
}

/** One row of a shared list; an absent index means the first. */
function pick<Row>(rows: readonly Row[], index: unknown, what: string): Row {
  const row = rows[(index ?? 0) as number];
  ensure(row !== undefined, what);
  return row;
}

function decode(text: string): RefMap {
  let file: unknown;
  try {
    file = JSON.parse(text);
  } catch {
    throw new Broken("valid JSON");
  }
  ensure(isObject(file) && isObject(file["shared"]) && isObject(file["inner"]), "a ref map");
  const counter = file["counter"];
  ensure(
    Number.isInteger(counter) && (counter as number) >= 0 && (counter as number) <= MAX_REF_NUMBER,
    "a counter",
  );
  const shared = file["shared"];
  ensure(Array.isArray(shared["sources"]), "sources");
  const sources = shared["sources"].map(readSource);
  const actions = readLists<Action>(shared["actions"], (a) => KNOWN_ACTIONS.has(a), "actions");
  const states = readLists<State>(shared["states"], (s) => isText(s) && isState(s), "states");
  ensure(Array.isArray(shared["handles"]) && shared["handles"].every(isText), "handles");
  const prefixes = shared["handles"];

  const entries = new Map<number, RefEntry>();
  let previousPath: readonly number[] = [];
  for (const key in file["inner"]) {
    const number = parseLocalKey(key);
    ensure(number !== undefined && number <= (counter as number), "ref keys up to the counter");
    const stored = file["inner"][key];
    ensure(isObject(stored), "an entry");
    const { role, name, value, description } = stored;
    ensure(
      isText(role) && isOptionalText(name) && isOptionalText(value) && isOptionalText(description),
      "an entry",
    );
    const path = readPath(stored["path"], previousPath);
    previousPath = path;
    const hash = stored["hash"] === undefined ? null : readHash(stored["hash"]);
    const entryStates = pick(states, stored["states"], "states");
    const entry: RefEntry = {
      ...pick(sources, stored["source"], "a source"),
      role: role as Role,
      name: name ?? null,
      bounds_hash: hash,
      available_actions: pick(actions, stored["actions"], "actions"),
    };
    if (value !== undefined) entry.value = value;
    if (description !== undefined) entry.description = description;
    if (stored["id"] !== undefined) entry.native_id = readNativeId(stored["id"]);
    if (stored["bounds"] !== undefined) entry.bounds = readRect(stored["bounds"], hash);
    if (hash !== null) entry.bounds_space = stored["in_window"] === 1 ? "window" : "screen";
    if (entryStates.length > 0) entry.states = entryStates;
    if (path.length > 0) entry.path = path;
    if (stored["root"] !== undefined) {
      const root = stored["root"];
      ensure(
        Number.isInteger(root) && (root as number) > 0 && (root as number) <= (counter as number),
        "a root ref",
      );
      entry.root_ref = localKey(root as number);
    }
    if (stored["absolute"] === 1) entry.path_is_absolute = true;
    if (stored["handle"] !== undefined) {
      entry.native_handle = readHandle(stored["handle"], prefixes);
    }
    ensure(evidenceFits(entry), "an entry within the limits");
    entries.set(number, entry);
  }
  return { counter: counter as number, entries };
}

/**
 * Reads a ref map file back.
 *
 * @param path Named in the error.
 * @throws AppError `INTERNAL` for anything but a complete, consistent map.
 */
export function decodeRefMap(text: string, path: string): RefMap {
  try {
    return decode(text);
  } catch (error) {
    if (!(error instanceof Broken)) throw error;
    throw new AppError("INTERNAL", `Broken ref map ${path}: expected ${error.message}`, {
      delivery: "not_delivered",
      suggestion: "Take a new snapshot; the broken file is never used again.",
      details: { kind: "refmap_broken", path },
    });
  }
}
