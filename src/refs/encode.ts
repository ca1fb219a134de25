/**
 * The ref map as a file (docs/refs.md, "The ref map"): one JSON object. `decode.ts` reads it back.
 *
 * `shared` holds what many entries have in common (sources, action and state lists, the leading
 * part of live handles), `inner` one compact entry a ref, in ascending order. A path is written as
 * the number of leading indexes it shares with the entry before it, then the rest. Hashes are
 * written as hexadecimal text: a JSON number could not hold 64 bits.
 */
import { AppError } from "../errors.ts";
import { NATIVE_ID_KINDS } from "../tree/node.ts";
import type { RefEntry, RefMap, Source } from "./entry.ts";
import { MAX_WHOLE_TEXT, storedText } from "./stored_text.ts";
import { localKey, parseLocalKey } from "./syntax.ts";

/** Largest ref map, read or written, in bytes. */
export const MAX_REFMAP_BYTES = 1_048_576;

/**
 * UTF-16 units of the longest text written as it is: less where a map would be too large otherwise.
 * Below the last a digest is hardly shorter than the text.
 */
const LONGEST_TEXTS = [MAX_WHOLE_TEXT, 64, 24] as const;

/** One of `shared.sources`. */
interface SourceForm extends Omit<Source, "source_window_bounds_hash"> {
  source_window_bounds_hash?: string;
}

/** A compact entry. */
export interface EntryForm {
  role: string;
  name?: string;
  value?: string;
  description?: string;
  /** Kind (index into `NATIVE_ID_KINDS`) and value. */
  id?: [number, string];
  /** Digest of its row's text. */
  row?: string;
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

/** The whole file. */
interface FileForm {
  counter: number;
  shared: {
    sources: SourceForm[];
    actions: string[][];
    states: string[][];
    handles: string[];
  };
  inner: Record<string, EntryForm>;
}

/** A list in which equal values are kept once. */
class SharedList<Value> {
  readonly values: Value[] = [];
  readonly #indexes = new Map<string, number>();

  /** Index of the value with this key; `value` is called for the first of its kind. */
  index(key: string, value: () => Value): number {
    let index = this.#indexes.get(key);
    if (index === undefined) {
      index = this.values.length;
      this.#indexes.set(key, index);
      this.values.push(value());
    }
    return index;
  }
}

/** Writes entries in ascending order, and gathers what they share. */
class Encoder {
  /** @param longest UTF-16 units of the longest text that is written as it is. */
  constructor(private readonly longest: number) {}

  readonly #sources = new SharedList<SourceForm>();
  readonly #actions = new SharedList<string[]>();
  readonly #states = new SharedList<string[]>();
  readonly #handles = new SharedList<string>();
  /** Of the entry before. */
  #path: readonly number[] = [];
  #source: Source | undefined;
  #sourceIndex = 0;

  /** What the entries encoded so far have in common. */
  get shared(): FileForm["shared"] {
    return {
      sources: this.#sources.values,
      actions: this.#actions.values,
      states: this.#states.values,
      handles: this.#handles.values,
    };
  }

  /** The compact form of the next entry. */
  entry(entry: RefEntry): EntryForm {
    const form: EntryForm = { role: entry.role };
    encodeIdentity(entry, form, this.longest);
    if (entry.row !== undefined) form.row = entry.row;
    encodeBounds(entry, form);
    this.#encodeShared(entry, form);
    this.#encodePath(entry, form);
    if (entry.native_handle !== undefined) {
      const [prefix, rest] = splitHandle(entry.native_handle);
      form.handle = [this.#handles.index(prefix, () => prefix), rest];
    }
    return form;
  }

  /** Indexes into the lists of sources, actions and states; 0 is left out. */
  #encodeShared(entry: RefEntry, form: EntryForm): void {
    const source = this.#indexOfSource(entry);
    if (source > 0) form.source = source;
    const { available_actions, states = [] } = entry;
    const actionsIndex = this.#actions.index(
      available_actions.join("\n"),
      () => available_actions,
    );
    if (actionsIndex > 0) form.actions = actionsIndex;
    const statesIndex = this.#states.index(states.join("\n"), () => states);
    if (statesIndex > 0) form.states = statesIndex;
  }

  #indexOfSource(entry: RefEntry): number {
    // Nearly always that of the entry before; comparing is cheaper than making its key.
    if (this.#source === undefined || !sameSource(entry, this.#source)) {
      const form = sourceForm(entry);
      this.#sourceIndex = this.#sources.index(JSON.stringify(form), () => form);
      this.#source = entry;
    }
    return this.#sourceIndex;
  }

  #encodePath(entry: RefEntry, form: EntryForm): void {
    const path = entry.path ?? [];
    if (path.length > 0) {
      let shared = 0;
      while (shared < path.length && path[shared] === this.#path[shared]) shared++;
      form.path = [shared, ...path.slice(shared)];
    }
    this.#path = path;
    if (entry.root_ref !== undefined) form.root = parseLocalKey(entry.root_ref)!;
    if (entry.path_is_absolute) form.absolute = 1;
  }
}

function encodeIdentity(entry: RefEntry, form: EntryForm, longest: number): void {
  if (entry.name !== null) form.name = storedText(entry.name, longest);
  if (entry.value !== undefined) form.value = storedText(entry.value, longest);
  if (entry.description !== undefined) form.description = storedText(entry.description, longest);
  if (entry.native_id !== undefined) {
    const { kind, value } = entry.native_id;
    form.id = [NATIVE_ID_KINDS.indexOf(kind), storedText(value, longest)];
  }
}

function encodeBounds(entry: RefEntry, form: EntryForm): void {
  if (entry.bounds !== undefined) {
    const { x, y, width, height } = entry.bounds;
    form.bounds = [x, y, width, height];
  }
  if (entry.bounds_hash !== null) {
    form.hash = hex(entry.bounds_hash);
    if (entry.bounds_space === "window") form.in_window = 1;
  }
}

/** A handle up to and with its last slash, which many have in common, and what follows. */
function splitHandle(handle: string): [string, string] {
  const at = handle.lastIndexOf("/") + 1;
  return [handle.slice(0, at), handle.slice(at)];
}

function hex(hash: bigint): string {
  return hash.toString(16);
}

function sourceForm(source: Source): SourceForm {
  return {
    pid: source.pid,
    process_instance: source.process_instance,
    source_app: source.source_app,
    ...(source.source_window_id !== undefined && { source_window_id: source.source_window_id }),
    ...(source.source_window_title !== undefined &&
      { source_window_title: source.source_window_title }),
    ...(source.source_window_bounds_hash !== undefined &&
      { source_window_bounds_hash: hex(source.source_window_bounds_hash) }),
    ...(source.source_surface !== undefined && { source_surface: source.source_surface }),
  };
}

/**
 * The map as bytes of a file.
 *
 * @throws AppError `INTERNAL`, `not_delivered`, when it takes more than 1,048,576 bytes; details
 * say how many refs and bytes, and which flags observe less.
 */
export function encodeRefMap(map: RefMap): Uint8Array {
  let bytes: Uint8Array = new Uint8Array();
  for (const longest of LONGEST_TEXTS) {
    bytes = encodeWith(map, longest);
    if (bytes.length <= MAX_REFMAP_BYTES) return bytes;
  }
  throw tooLarge(map.entries.size, bytes.length);
}

function encodeWith(map: RefMap, longest: number): Uint8Array {
  const encoder = new Encoder(longest);
  const inner: Record<string, EntryForm> = {};
  for (const number of [...map.entries.keys()].sort((a, b) => a - b)) {
    inner[localKey(number)] = encoder.entry(map.entries.get(number)!);
  }
  const file: FileForm = { counter: map.counter, shared: encoder.shared, inner };
  return new TextEncoder().encode(JSON.stringify(file));
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
