/**
 * The ref map as a file (refs §2, decision 17): one JSON object. `decode.ts` reads it back.
 *
 * `shared` holds what many entries have in common (sources, action and state lists, the leading
 * part of live handles), `inner` one compact entry a ref, in ascending order. A path is written as
 * the number of leading indexes it shares with the entry before it, then the rest. Hashes are
 * written as hexadecimal text: a JSON number could not hold 64 bits.
 */
import { AppError } from "../errors.ts";
import { NATIVE_ID_KINDS } from "../tree/node.ts";
import type { RefEntry, RefMap, Source } from "./entry.ts";
import { localKey, parseLocalKey } from "./syntax.ts";

/** Largest ref map, read or written, in bytes. */
export const MAX_REFMAP_BYTES = 1_048_576;

/** A row of `shared.sources`. */
export interface StoredSource extends Omit<Source, "source_window_bounds_hash"> {
  source_window_bounds_hash?: string;
}

/** A compact entry. */
export interface StoredEntry {
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
