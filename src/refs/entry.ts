/** What a ref stores: the evidence that finds the same element again (docs/refs.md, "Entries"). */
import type { Handle, NativeId, Rect } from "../tree/node.ts";
import type { Role } from "../tree/roles.ts";
import type { State } from "../tree/states.ts";
import type { Action } from "../tree/actions.ts";
import type { Surface } from "../platform/platform.ts";
import type { Ref } from "./syntax.ts";

/** Where the elements of one observation live; shared by all its refs. */
export interface Source {
  pid: number;
  process_instance: string;
  source_app: string | null;
  source_window_id?: string;
  source_window_title?: string;
  source_window_bounds_hash?: bigint;
  /** Absent for `window`. */
  source_surface?: Exclude<Surface, "window">;
}

/** One element's evidence. */
export interface Evidence {
  role: Role;
  name: string | null;
  value?: string;
  description?: string;
  native_id?: NativeId;
  /**
   * Digest of the text of the row it is in (`row_text.ts`), where another element of the tree had
   * the same role, id and text.
   */
  row?: string;
  /** Only with `--include-bounds`; always agrees with the hash. */
  bounds?: Rect;
  bounds_hash: bigint | null;
  /** Written whenever `bounds_hash` is. */
  bounds_space?: "screen" | "window";
  states?: State[];
  available_actions: Action[];
  /** Native child indexes from the observation root; absent when empty. */
  path?: number[];
  /** Local key (`@eK`) of the drill root. */
  root_ref?: string;
  path_is_absolute?: boolean;
  /** Bus name and object path on Linux: where to look first, never identity (docs/refs.md, "Handles"). */
  native_handle?: Handle;
}

/** A whole ref: its source and its evidence. */
export type RefEntry = Source & Evidence;

/** The refs of one snapshot. */
export interface RefMap {
  /** Highest number ever given out; continues across drills. */
  counter: number;
  /** By number N of `@eN`. */
  entries: Map<number, RefEntry>;
}

/** A ref with what its snapshot saved of it; not looked up on the screen yet. */
export interface SavedRef {
  ref: Ref;
  entry: RefEntry;
  map: RefMap;
}
