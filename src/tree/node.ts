/**
 * The plain tree every pass works on. A node is what a platform read of one accessible, in the
 * product's own vocabulary; it holds no live object, so passes over it are pure.
 */
import type { Role } from "./roles.ts";
import type { State } from "./states.ts";
import type { Action } from "./actions.ts";

/** A rectangle in screen points (device pixels on X11), origin top left. */
export interface Rect {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Largest coordinate or size, either way, that is taken for one: no desktop is larger. */
export const MAX_COORDINATE = 10_000_000;

/** Whether the rectangle is finite, in range and not of negative size. */
export function isSaneRect(rect: Rect): boolean {
  return Math.abs(rect.x) <= MAX_COORDINATE && Math.abs(rect.y) <= MAX_COORDINATE &&
    rect.width >= 0 && rect.width <= MAX_COORDINATE &&
    rect.height >= 0 && rect.height <= MAX_COORDINATE;
}

export const NATIVE_ID_KINDS = [
  "ax_identifier",
  "ax_dom_identifier",
  "automation_id",
  "runtime_id",
  "atspi_object_path",
] as const;

/** An identifier the application itself gave the element. */
export interface NativeId {
  kind: typeof NATIVE_ID_KINDS[number];
  value: string;
}

/**
 * Names one live element inside its platform. Opaque to everything outside the platform that
 * made it; on Linux it is the unique bus name followed by the object path and may be stored as
 * evidence, on macOS it is only good inside the process.
 */
export type Handle = string;

/** Parts of a node that are read one by one, each of which may fail to be read. */
export const FIELDS = [
  "role",
  "name",
  "value",
  "description",
  "native_id",
  "states",
  "actions",
  "bounds",
] as const;

/** One of them. What could not be read is listed; what is merely absent is known to be absent. */
export type Field = typeof FIELDS[number];

/** One accessible as read, with the children that were read. */
export interface Node {
  role: Role;
  name?: string;
  value?: string;
  /** UTF-8 bytes of the whole value, when `value` is only its beginning (docs/observation.md, "Long text"). */
  valueLength?: number;
  /**
   * Its text has other elements in it, so its characters are not those of the toolkit's text;
   * `lost` when what some of them say is not known, so that the text is not the whole one.
   */
  embedded?: "filled" | "lost";
  description?: string;
  /** `column i of n` under a splitter. */
  hint?: string;
  nativeId?: NativeId;
  /** In the order of `STATES`. */
  states: State[];
  /** In derivation order (docs/observation.md, "Actions"). */
  actions: Action[];
  /** On the screen, in device pixels; absent when unknown or not asked for. */
  bounds?: Rect;
  /**
   * As the toolkit says it, where that is not the place on the screen: scaled, or counted from the
   * window. Identity goes by it then, without asking the window system.
   */
  toolkitBounds?: Rect;
  /** Coordinate space of `toolkitBounds`; `screen` when absent. */
  boundsSpace?: "screen" | "window";
  handle?: Handle;
  /** Position among the native children of its parent. */
  index: number;
  children: Node[];
  /** Native children that are not shown: cut by depth, skeleton or a virtual container. */
  childrenCount?: number;
  /** Set where a descendant was lost to a budget, the deadline or a failed read. */
  truncated?: true;
  /** What could not be read. */
  unreadable?: Field[];
  /** The ref number the allocation pass gave it: N of `@<snapshot>:eN`. */
  ref?: number;
}

/** The rectangle identity goes by, and the only one many questions need. */
export function evidenceBounds(node: Node): Rect | undefined {
  return node.toolkitBounds ?? node.bounds;
}

/** Whether text carries no evidence: absent, empty or only white space. */
export function isBlank(text: string | undefined | null): boolean {
  return text === undefined || text === null || text.trim() === "";
}
