/**
 * The one interface between the program and an operating system. Everything above it (tree
 * passes, refs, actionability, commands) is the same on Linux, macOS and in tests.
 *
 * Rules every platform keeps: a call ends by its deadline; a read never changes the application
 * and never fetches a secure field's text; an element that is gone is `undefined`, not an
 * exception; an application that does not answer is `APP_UNRESPONSIVE`.
 */
import type { Deadline } from "../deadline.ts";
import type { Handle, Node, Rect } from "../tree/node.ts";
import type { Role } from "../tree/roles.ts";
import type { Clipboard } from "./clipboard.ts";
import type { Launcher } from "./launcher.ts";
import type { Screenshots } from "./screenshots.ts";
import type { WindowControl } from "./window_control.ts";
import type { AppInfo, WindowInfo } from "./desktop_items.ts";

export type { AppInfo, WindowInfo };

/** Application layers and shell surfaces (docs/observation.md, "Surfaces"), as printed. */
export const SURFACES = [
  "window",
  "focused",
  "menu",
  "menubar",
  "sheet",
  "popover",
  "alert",
  "desktop",
  "taskbar",
  "system-tray",
  "system-tray-overflow",
  "quick-settings",
  "notification-center",
  "toolbar",
  "dock",
  "spotlight",
  "menu-bar-extras",
  "start-menu",
  "action-center",
] as const;
export type Surface = typeof SURFACES[number];

/** An overlay or layer that is open now (`list-surfaces`). */
export interface SurfaceInfo {
  id: string;
  type: string;
  title?: string;
  itemCount?: number;
  /** Kinds that could not be decided. */
  unclassified?: string[];
  handle: Handle;
}

export interface DisplayInfo {
  id: string;
  bounds: Rect;
  isPrimary: boolean;
  scale: number;
}

export interface PermissionState {
  state: "granted" | "denied" | "not_required" | "unknown";
  suggestion?: string;
}

export interface Permissions {
  accessibility: PermissionState;
  automation: PermissionState;
  screen_recording: PermissionState;
}

/** Budgets of one observation (docs/observation.md, "Depth and limits"). */
export interface ObserveLimits {
  nodes: number;
  edges: number;
  childrenPerNode: number;
  /** Raw depth, wrappers included. */
  rawDepth: number;
  /** UTF-8 bytes of one field. */
  fieldBytes: number;
  /** UTF-8 bytes of all fields together. */
  totalBytes: number;
}

export const OBSERVE_LIMITS: ObserveLimits = {
  nodes: 50_000,
  edges: 100_000,
  childrenPerNode: 4_096,
  rawDepth: 50,
  fieldBytes: 65_536,
  totalBytes: 8 * 1_048_576,
};

export interface ObserveOptions {
  /** Logical depth of the deepest nodes shown; the root is at 0. */
  maxDepth: number;
  /** `identity`: bounds only where a ref may need them; `all`: of every node. */
  bounds: "identity" | "all";
  /** Defaults to `OBSERVE_LIMITS`. */
  limits?: ObserveLimits;
  /**
   * An overview (`--skeleton`): where the walk stops, a crowd of nameless containers is counted in
   * their parent's `childrenCount` instead of being read one by one.
   */
  overview?: boolean;
  /** Skip renderer activation and its guidance. */
  assumeRendererActive?: boolean;
}

/** What one walk saw. */
export interface Observation {
  root: Node;
  /** `false` when a budget, the deadline or a failed read cost something. */
  complete: boolean;
  nodesObserved: number;
  /** Why the tree may be less than the application has, for `data.details`. */
  details?: { kind: string; [key: string]: unknown };
  suggestion?: string;
}

/** Live elements that could be the one a ref names. */
export interface Candidates {
  /** Elements below the root (and the root) with the wanted role, evidence read, no children. */
  nodes: Node[];
  /** Elements of another role that carry the wanted native id. */
  sameIdOtherRole: Node[];
  /** `false` when some part of the tree could not be read. */
  complete: boolean;
  nodesRead: number;
}

export interface CandidateQuery {
  role: Role;
  /** Raw depth limit. */
  maxDepth: number;
  nativeId?: Node["nativeId"];
  /**
   * The name the element must have unless it has none. A platform may leave out elements that are
   * called otherwise, to spare reading the rest of them.
   */
  name?: string;
}

/** One thing an action tried, in order (docs/acting.md, "Result"). */
export interface Step {
  label: string;
  outcome: "attempted" | "skipped" | "succeeded";
  mechanism?: "semantic_api" | "physical_synthetic";
  verified?: boolean;
  /** What a click came to when it only selected the item: whether it also opened it is not known. */
  effect?: "selected";
  /**
   * The application has not come back from what it was told, and answers other questions: its
   * handler runs a dialog of its own.
   */
  handler_running?: true;
}

/** One semantic operation on one element; a platform has exactly one method for each. */
export type SemanticRequest =
  | { kind: "click" }
  | { kind: "right-click" }
  | { kind: "set-value"; value: string }
  | { kind: "type"; text: string }
  | { kind: "clear" }
  | { kind: "focus" }
  | { kind: "select"; option: string }
  | { kind: "toggle" }
  | { kind: "check" }
  | { kind: "uncheck" }
  | { kind: "expand" }
  | { kind: "collapse" }
  | { kind: "scroll"; direction: "up" | "down" | "left" | "right"; amount: number }
  | { kind: "scroll-to" };

/** What the caller's mode permits while something is delivered (docs/acting.md, "Policy"). */
export interface Permits {
  /** Moving the keyboard focus. */
  focus: boolean;
}

/** Selected characters (Unicode code points) of a text; a caret when both are equal. */
export interface TextRange {
  start: number;
  end: number;
}

export interface Point {
  x: number;
  y: number;
}

/** What lies under a point, asked for one target. */
export type HitTest =
  | { result: "target" }
  | { result: "occluded"; occluder: { role: Role; name?: string; bounds?: Rect } }
  | { result: "unknown" };

export type PointerButton = "left" | "right" | "middle";
export type Modifier = "shift" | "ctrl" | "alt" | "meta";

/** Synthetic input. Whatever goes down is remembered and released by `releaseAll`. */
export interface Input {
  position(): Point;
  move(to: Point): void;
  button(button: PointerButton, down: boolean): void;
  /** Whole wheel notches; positive `dy` is up, positive `dx` is left. */
  wheel(dx: number, dy: number): void;
  modifier(modifier: Modifier, down: boolean): void;
  /**
   * Presses and releases one key by its name (docs/acting.md, "Keys"); `false` when no key makes
   * it.
   */
  key(name: string, deadline: Deadline): Promise<boolean>;
  /**
   * Types text through the keyboard, any characters. For characters the layout lacks, spare keys may
   * be given those characters; `releaseAll`, to be called once the text has arrived, empties them.
   */
  text(text: string, deadline: Deadline): Promise<void>;
  /** Whether keys stand for other characters now, until `releaseAll` gives them back. */
  readonly lends?: boolean;
  /** Lifts every key and button this process holds down; safe in a signal handler. */
  releaseAll(): void;
}

/** Which windows are listed, and what of them (`Platform.windows`). */
export interface WindowOptions {
  placed?: boolean;
  unreachable?: boolean;
  connection?: string | undefined;
}

export interface Platform {
  readonly name: "linux" | "macos" | "test";
  /** Surfaces `--surface` understands here. */
  readonly surfaces: readonly Surface[];

  permissions(deadline: Deadline): Promise<Permissions>;
  /**
   * Checked before a command that needs accessibility: throws `PERM_DENIED` when the user withholds
   * it, `PLATFORM_NOT_SUPPORTED` when the service does not answer. Where it is absent the report
   * of `permissions` decides.
   */
  requireAccess?(deadline: Deadline): Promise<void>;
  /** Asks the user for what is missing and reports; absent where nothing can be asked. */
  requestPermissions?(deadline: Deadline): Promise<Permissions>;
  /** Opens the settings pane that grants access; absent where there is none. */
  openPermissionGuide?(): "started" | "already_running";
  /**
   * Running applications. Each gets a short share of the time to answer; with `patient`, most of
   * what is left before the deadline. With `unreachable`, also those that only the window system
   * knows.
   */
  apps(
    deadline: Deadline,
    options?: { patient?: boolean; unreachable?: boolean },
  ): Promise<AppInfo[]>;
  /**
   * Windows of one process, or of all that answer. One process that leaves the question open
   * until the deadline is `APP_UNRESPONSIVE`. With `placed`, the window system is asked for the bounds
   * a toolkit does not know; without, such bounds are absent. With `unreachable`, windows that
   * accessibility does not reach are among them, also those of an application that does not answer. With `connection` (of `AppInfo`), only of that
   * application.
   */
  windows(
    pid: number | undefined,
    deadline: Deadline,
    options?: WindowOptions,
  ): Promise<WindowInfo[]>;
  displays(deadline: Deadline): Promise<DisplayInfo[]>;
  /**
   * Milliseconds of processor time a process has used so far; `undefined` when that is not known.
   * Absent where the system does not tell.
   */
  processorTime?(pid: number): number | undefined;
  /**
   * Milliseconds the toolkit of an element lets pass before it begins to act on a semantic click.
   * None where it is absent.
   */
  clickDelay?(handle: Handle, deadline: Deadline): number;
  /** Token that changes when the pid is reused; `undefined` when no such process runs. */
  processInstance(pid: number): string | undefined;
  /**
   * The open window with that id; `undefined` when there is none. One cheap read where it can; with
   * `placed`, what the window system knows better (the focus) is its word.
   */
  windowById(
    id: string,
    deadline: Deadline,
    options?: { placed?: boolean },
  ): Promise<WindowInfo | undefined>;

  /** Layers and overlays that are open in a process now. */
  openSurfaces(pid: number, deadline: Deadline): Promise<SurfaceInfo[]>;
  /** Root of a surface other than `window`; `undefined` when it is not open. */
  surfaceRoot(pid: number, surface: Surface, deadline: Deadline): Promise<Handle | undefined>;

  /** Walks the tree below `root`. `undefined` when the root is gone before the first read. */
  observe(
    root: Handle,
    options: ObserveOptions,
    deadline: Deadline,
  ): Promise<Observation | undefined>;

  /**
   * Reads one element, all fields, no children. `undefined` when it is gone.
   *
   * @param options `ancestry`: `isInside` is asked of it next, so what is above the element may be read along.
   */
  inspect(
    handle: Handle,
    deadline: Deadline,
    options?: { ancestry?: boolean },
  ): Promise<Node | undefined>;
  /** The element at native child indexes below `root`; `undefined` when the path leads nowhere. */
  atPath(root: Handle, path: readonly number[], deadline: Deadline): Promise<Handle | undefined>;
  /**
   * Where a rectangle in toolkit coordinates is on the screen, in device pixels; `undefined` when
   * that cannot be told. Absent on platforms whose nodes always carry screen bounds.
   */
  toScreen?(handle: Handle, toolkitBounds: Rect, deadline: Deadline): Promise<Rect | undefined>;
  /** Whether the element is `root` or below it; `undefined` when that cannot be read. */
  isInside(handle: Handle, root: Handle, deadline: Deadline): Promise<boolean | undefined>;
  /** Elements of one role below `root`. */
  candidates(root: Handle, query: CandidateQuery, deadline: Deadline): Promise<Candidates>;
  /** Native children of an element, in order, not read yet. */
  children(handle: Handle, deadline: Deadline): Promise<Handle[]>;
  /** The whole text of an element, at most `maxBytes` of UTF-8; `undefined` when it has none. */
  wholeValue(
    handle: Handle,
    maxBytes: number,
    deadline: Deadline,
  ): Promise<{ text: string; truncated: boolean } | undefined>;
  /** Whether handles may be stored and used by a later process. */
  readonly handlesPersist: boolean;

  /** Selection of a text element, or its caret; absent where the platform cannot tell. */
  textRange?(handle: Handle, deadline: Deadline): Promise<TextRange | undefined>;

  /** Delivers one semantic operation, once. Errors say how far it got. */
  perform(
    handle: Handle,
    request: SemanticRequest,
    permits: Permits,
    deadline: Deadline,
  ): Promise<Step[]>;
  /** Asks the application to bring an element into view. `false`: it cannot. */
  scrollIntoView(handle: Handle, deadline: Deadline): Promise<boolean>;
  /** What a click at `point` would reach. */
  hitTest(
    handle: Handle,
    point: Point,
    window: WindowInfo | undefined,
    deadline: Deadline,
  ): Promise<HitTest>;
  /**
   * A token of the topmost window at a point, tooltips not counted; `undefined` where there is
   * none. Absent where `hitTest` sees every window.
   */
  topWindowAt?(point: Point): Promise<string | undefined>;
  /** Brings a window to the front; resolves to whether the focus was seen there. */
  focusWindow(window: WindowInfo, deadline: Deadline): Promise<boolean>;
  /**
   * Keyboard and pointer; throws `PLATFORM_NOT_SUPPORTED` where there is none. With a `pid`, keys
   * that reach that process whether or not it has the focus: only where `keysReachProcess`.
   */
  input(pid?: number): Promise<Input>;
  /**
   * Presses the menu item that has a shortcut, in a process that need not have the focus.
   * `undefined` when no menu item that is enabled has it. Absent where menus do not tell.
   *
   * @param key canonical key name (docs/acting.md, "Keys")
   */
  pressShortcut?(
    pid: number,
    modifiers: readonly Modifier[],
    key: string,
    deadline: Deadline,
  ): Promise<Step[] | undefined>;
  /** Whether keys can be sent to a process that does not have the focus. */
  readonly keysReachProcess: boolean;
  /** Whether a headed click is made by the pointer even where a semantic method exists. */
  readonly pointerFirst: boolean;
  /** The modifier of the desktop's own shortcuts (select all, copy). */
  readonly shortcutModifier: Modifier;

  // Parts that few commands need, each loaded when it is asked for. They throw
  // `PLATFORM_NOT_SUPPORTED` where this session has no such thing.

  windowControl(): Promise<WindowControl>;
  screenshots(): Promise<Screenshots>;
  /** @param folder a private folder for what has to be a file for a moment */
  clipboard(folder: () => string): Promise<Clipboard>;
  launcher(): Promise<Launcher>;

  /**
   * Forgets what was read of applications and windows: a process that runs several commands calls it
   * before each, because what one of them did changes what the next one sees.
   */
  forget?(): void;

  /** Frees connections and libraries. */
  close(): void;
}
