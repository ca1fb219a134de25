/** Reading a ref map file back (the form is described in `encode.ts`). Everything is checked. */
import { AppError } from "../errors.ts";
import { type Surface, SURFACES } from "../platform/platform.ts";
import { type Action, ACTIONS } from "../tree/actions.ts";
import { isBlank, isSaneRect, NATIVE_ID_KINDS, type Rect } from "../tree/node.ts";
import { isKnownRole, type Role } from "../tree/roles.ts";
import { isState, type State } from "../tree/states.ts";
import { fitsUtf8 } from "../tree/utf8.ts";
import { boundsHash } from "./bounds_hash.ts";
import type { EntryForm } from "./encode.ts";
import type { RefEntry, RefMap, Source } from "./entry.ts";
import { LazyMap } from "./lazy_map.ts";
import { MAX_CHILD_INDEX, MAX_PATH, MAX_STRING_BYTES, MAX_TOKENS, sourceFits } from "./limits.ts";
import { isDigest } from "./stored_text.ts";
import { localKey, MAX_REF_NUMBER, parseLocalKey } from "./syntax.ts";

/** What is wrong with a file; `decodeRefMap` makes it an error that names the file. */
class Broken extends Error {}

function ensure(condition: boolean, what: string): asserts condition {
  if (!condition) throw new Broken(what);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isOptionalText(value: unknown): value is string | undefined {
  return value === undefined || (typeof value === "string" && fitsUtf8(value, MAX_STRING_BYTES));
}

/** Whether `value` is an integer from `least` to `most`. */
function isInteger(value: unknown, least: number, most: number): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= least && value <= most;
}

const HASH = /^[0-9a-f]{1,16}$/;

function isHash(value: unknown): value is string {
  return typeof value === "string" && HASH.test(value);
}

function toHash(text: string): bigint {
  return BigInt(`0x${text}`);
}

function readSource(row: unknown): Source {
  ensure(isObject(row), "a source");
  const { pid, process_instance, source_app, source_surface } = row;
  const id = row["source_window_id"];
  const title = row["source_window_title"];
  const hash = row["source_window_bounds_hash"];
  ensure(typeof pid === "number" && typeof process_instance === "string", "a process");
  ensure(source_app === null || typeof source_app === "string", "a source application");
  ensure(isOptionalText(id) && isOptionalText(title), "a window");
  ensure(hash === undefined || isHash(hash), "a window bounds hash");
  ensure(source_surface === undefined || isLayer(source_surface), "a surface");
  const source: Source = {
    pid,
    process_instance,
    source_app,
    ...(id !== undefined && { source_window_id: id }),
    ...(title !== undefined && { source_window_title: title }),
    ...(hash !== undefined && { source_window_bounds_hash: toHash(hash) }),
    ...(source_surface !== undefined && { source_surface }),
  };
  ensure(sourceFits(source), "a source");
  return source;
}

function isLayer(value: unknown): value is Exclude<Surface, "window"> {
  return value !== "window" && (SURFACES as readonly unknown[]).includes(value);
}

const KNOWN_ACTIONS: ReadonlySet<unknown> = new Set(ACTIONS);

function isAction(value: unknown): value is Action {
  return KNOWN_ACTIONS.has(value);
}

function isKnownState(value: unknown): value is State {
  return typeof value === "string" && isState(value);
}

function readLists<Token>(
  rows: unknown,
  isKnown: (token: unknown) => token is Token,
  what: string,
): Token[][] {
  ensure(Array.isArray(rows), what);
  for (const row of rows) {
    ensure(Array.isArray(row) && row.length <= MAX_TOKENS && row.every(isKnown), what);
  }
  return rows;
}

function toRect([x, y, width, height]: NonNullable<EntryForm["bounds"]>): Rect {
  return { x, y, width, height };
}

/** The shared lists of one file. */
interface Shared {
  sources: Source[];
  actions: Action[][];
  states: State[][];
  handles: string[];
}

/**
 * Checks one entry.
 *
 * @param above Length of the path of the entry before.
 * @returns The length of its own path.
 */
function checkEntry(entry: unknown, shared: Shared, counter: number, above: number): number {
  ensure(isObject(entry), "an entry");
  const { role, name, value, description, id, bounds, hash, path, root, handle } = entry;
  ensure(typeof role === "string" && isKnownRole(role), "a known role");
  ensure(isOptionalText(name) && isOptionalText(value) && isOptionalText(description), "texts");
  const row = entry["row"];
  ensure(row === undefined || (typeof row === "string" && isDigest(row)), "the text of a row");
  ensure(hash === undefined || isHash(hash), "a bounds hash");
  ensure(isInteger(entry["source"] ?? 0, 0, shared.sources.length - 1), "a source");
  ensure(isInteger(entry["actions"] ?? 0, 0, shared.actions.length - 1), "actions");
  ensure(isInteger(entry["states"] ?? 0, 0, shared.states.length - 1), "states");
  ensure(root === undefined || isInteger(root, 1, counter), "a root ref");
  if (id !== undefined) {
    ensure(Array.isArray(id) && id.length === 2, "a native id");
    ensure(isInteger(id[0], 0, NATIVE_ID_KINDS.length - 1), "a native id");
    ensure(isOptionalText(id[1]) && !isBlank(id[1]), "a native id");
  }
  if (handle !== undefined) {
    ensure(Array.isArray(handle) && handle.length === 2, "a handle");
    ensure(isInteger(handle[0], 0, shared.handles.length - 1), "a handle");
    ensure(isOptionalText(handle[1]) && handle[1] !== undefined, "a handle");
  }
  if (bounds !== undefined) {
    ensure(Array.isArray(bounds) && bounds.length === 4 && hash !== undefined, "bounds");
    ensure(bounds.every((part) => typeof part === "number"), "bounds");
    const rect = toRect(bounds as [number, number, number, number]);
    ensure(isSaneRect(rect) && boundsHash(rect) === toHash(hash), "bounds as their hash says");
  }
  if (path === undefined) return 0;
  ensure(Array.isArray(path) && path.length > 0 && isInteger(path[0], 0, above), "a path");
  const length = path[0] + path.length - 1;
  ensure(length > 0 && length <= MAX_PATH, "a path");
  for (let i = 1; i < path.length; i++) ensure(isInteger(path[i], 0, MAX_CHILD_INDEX), "a path");
  return length;
}

/** The entries of one file, and the path put together last. */
interface Entries {
  stored: EntryForm[];
  last: { at: number; path: number[] };
}

/**
 * The path of an entry: the indexes it shares with the entry before, then its own. Those it shares
 * are collected going back entry by entry, until all are known or the entry is met whose path was
 * put together last; so going through all entries in order takes one step each.
 */
function pathOf({ stored, last }: Entries, at: number): number[] {
  let path: number[] = [];
  let wanted = Infinity;
  for (let i = at; wanted > 0; i--) {
    if (i === last.at) {
      path = [...last.path.slice(0, wanted), ...path];
      break;
    }
    const row = stored[i]!.path;
    const shared = row?.[0] ?? 0;
    // All that is still wanted, this entry has from the one before it too.
    if (shared >= wanted) continue;
    if (row !== undefined) path = [...row.slice(1, 1 + wanted - shared), ...path];
    wanted = shared;
  }
  last.at = at;
  last.path = path;
  return path;
}

function build(entries: Entries, at: number, shared: Shared): RefEntry {
  const stored = entries.stored[at]!;
  const states = shared.states[stored.states ?? 0]!;
  const path = pathOf(entries, at);
  return {
    ...shared.sources[stored.source ?? 0]!,
    role: stored.role as Role,
    name: stored.name ?? null,
    ...(stored.value !== undefined && { value: stored.value }),
    ...(stored.description !== undefined && { description: stored.description }),
    ...(stored.id !== undefined &&
      { native_id: { kind: NATIVE_ID_KINDS[stored.id[0]]!, value: stored.id[1] } }),
    ...(stored.row !== undefined && { row: stored.row }),
    ...(stored.bounds !== undefined && { bounds: toRect(stored.bounds) }),
    bounds_hash: stored.hash === undefined ? null : toHash(stored.hash),
    ...(stored.hash !== undefined &&
      { bounds_space: stored.in_window === 1 ? "window" as const : "screen" as const }),
    ...(states.length > 0 && { states: [...states] }),
    available_actions: [...shared.actions[stored.actions ?? 0]!],
    ...(path.length > 0 && { path: [...path] }),
    ...(stored.root !== undefined && { root_ref: localKey(stored.root) }),
    ...(stored.absolute === 1 && { path_is_absolute: true }),
    ...(stored.handle !== undefined &&
      { native_handle: shared.handles[stored.handle[0]]! + stored.handle[1] }),
  };
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
  ensure(isInteger(counter, 0, MAX_REF_NUMBER), "a counter");
  const { sources, actions, states, handles } = file["shared"];
  ensure(Array.isArray(sources), "sources");
  ensure(Array.isArray(handles) && handles.every((row) => typeof row === "string"), "handles");
  const shared: Shared = {
    sources: sources.map(readSource),
    actions: readLists(actions, isAction, "actions"),
    states: readLists(states, isKnownState, "states"),
    handles,
  };
  const numbers: number[] = [];
  const entries: Entries = { stored: [], last: { at: -1, path: [] } };
  let above = 0;
  for (const [key, entry] of Object.entries(file["inner"])) {
    const number = parseLocalKey(key);
    ensure(number !== undefined && number <= counter, "ref keys up to the counter");
    above = checkEntry(entry, shared, counter, above);
    numbers.push(number);
    entries.stored.push(entry as EntryForm);
  }
  return { counter, entries: new LazyMap(numbers, (at) => build(entries, at, shared)) };
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
