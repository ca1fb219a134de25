/**
 * What is special about a toolkit: how its accessibility tree is to be read and its elements are to
 * be acted on. Each toolkit has a file of its own here and changes what differs from `DEFAULT`;
 * nothing outside this folder asks for a toolkit by name or version.
 */
import type { Rect } from "../../../tree/node.ts";
import type { Point } from "../../platform.ts";

/** What an application says of itself, from which its toolkit is known. */
export interface ApplicationFacts {
  /** `Application.ToolkitName`; empty when it was not told. */
  toolkit: string;
  /** `Application.Version`, the toolkit's; empty when it was not told. */
  version: string;
  /** `Accessible.Name` of the application's root; empty when it was not told. */
  name: string;
}

/** What a toolkit tells of an element and its place. */
export interface Told {
  roleNumber: number;
  /** Whether it has the interface `Action`. */
  hasActions: boolean;
  /** In toolkit units; `undefined` when it was not asked for or says nothing. */
  rect: Rect | undefined;
}

/** How one toolkit is read and acted on. */
export interface Toolkit {
  /** What it is called in reports and tests. */
  readonly name: string;

  // Where elements are.

  /** Whether it counts in device pixels of the screen; else in units that the desktop may scale. */
  readonly screenPixels: boolean;
  /** Whether it only knows places inside a window (GTK 4). */
  readonly windowCoordinates: boolean;
  /** Whether it takes its window for the screen when it draws on a Wayland surface. */
  readonly windowIsScreenOnWayland: boolean;
  /**
   * Name of popovers that are windows of their own, whose elements count from the popover's corner;
   * absent where there are none.
   */
  readonly popoverName?: RegExp;
  /**
   * By how much `inner` is told beside its place, from what is told of it and of what it is in, and
   * by how much that is (`shift`); absent where everything is told where it is.
   */
  readonly misplacement?: (outer: Told, inner: Told, shift: Point) => Point;
  /** Whether a search at a point takes misplaced elements to be where they are told to be. */
  readonly searchesMisplaced: boolean;
  /** Whether popovers can only be told from panels by their layer. */
  readonly layeredPopovers: boolean;

  // Reading.

  /** Whether it knows accessible ids; else they are not asked for. */
  readonly accessibleIds: boolean;
  /** Whether it says that it takes text through `EditableText`, and drops it. */
  readonly ignoresEditableText: boolean;
  /** Whether `GetAttributes` has DOM ids and placeholders. */
  readonly webAttributes: boolean;
  /** Whether its element cache spares more questions than it costs. */
  readonly usesCache: boolean;
  /** Whether it reports SHOWING; without it nothing is known to be off screen. */
  readonly reportsShowing: boolean;
  /** Whether its pages are published on demand only, and may still be on their way. */
  readonly publishesOnDemand: boolean;
  /**
   * Milliseconds after the start of its process in which its tree may still be under construction
   * without saying so; 0 where what is there is whole.
   */
  readonly buildsLateMs: number;
  /**
   * Whether the text of a paragraph or another container has no element of its own, and is only
   * known from the container's `Text`.
   */
  readonly textInContainers: boolean;
  /** Whether it keeps hidden windows that claim to be showing. */
  readonly claimsHiddenWindows: boolean;
  /**
   * Whether every element has a context menu, behind at most one action of its own. Only an element
   * that gets a ref is asked for it then: on the others it would be noise, and would keep empty
   * wrappers from being collapsed.
   */
  readonly menuEverywhere: boolean;
  /** Roles that have nothing but a name, so that nothing else of them is asked for. */
  readonly nameOnlyRoles: ReadonlySet<number>;
  /** Roles that have `Component` and `Action` and nothing more as long as they are not editable. */
  readonly structuralRoles: ReadonlySet<number>;
  /** Roles whose action names never mean anything, so that they are not asked for. */
  readonly actionlessRoles: ReadonlySet<number>;
  /** Roles of which only the first action can mean something. */
  readonly firstActionRoles: ReadonlySet<number>;

  // Acting.

  /**
   * Actions, as `actions.ts` compares their names, that are what a mouse click does to elements of a
   * role, beside those that mean a click on every element.
   */
  readonly clickActions: ReadonlyMap<number, readonly string[]>;
  /** Milliseconds between the request for a click and what the application does about it. */
  readonly clickDelayMs: number;
  /**
   * Roles of items whose `activate` the application may answer with what it does to the current
   * item of their list, whichever item that is.
   */
  readonly currentItemRoles: ReadonlySet<number>;
  /**
   * Whether it answers that an action was taken and then runs the handler before it serves that
   * connection again, so that a handler with a dialog of its own leaves it unserved.
   */
  readonly handlersBlockConnection: boolean;
  /** Whether a search at a point finds the first child there, not the topmost. */
  readonly hitTestFindsFirst: boolean;
  /** Whether the accessible name of a combo box is its current choice, and not its label. */
  readonly comboNameIsChoice: boolean;
  /**
   * Whether an option of a page's drop-down is chosen in a list that the window shows while the
   * drop-down is open; what the page itself has of its options takes nothing.
   */
  readonly choosesInWindowList: boolean;
  /** Whether what an action does shows late: the page is in another process than the answers. */
  readonly showsLate: boolean;
  /** Whether scroll bars count pixels; else lines or items. */
  readonly scrollBarsCountPixels: boolean;
  /** Whether text offsets count UTF-16 units; else characters. */
  readonly utf16Offsets: boolean;
  /** The length that `InsertText` wants beside the text. */
  readonly insertLength: (text: string) => number;
}

const NONE: ReadonlySet<number> = new Set();

/** A toolkit that nothing special is known of. */
export const DEFAULT: Toolkit = {
  name: "default",
  screenPixels: true,
  windowCoordinates: false,
  windowIsScreenOnWayland: true,
  searchesMisplaced: false,
  layeredPopovers: false,
  accessibleIds: true,
  ignoresEditableText: false,
  webAttributes: false,
  usesCache: false,
  reportsShowing: true,
  publishesOnDemand: false,
  buildsLateMs: 0,
  textInContainers: false,
  claimsHiddenWindows: false,
  menuEverywhere: false,
  nameOnlyRoles: NONE,
  structuralRoles: NONE,
  actionlessRoles: NONE,
  firstActionRoles: NONE,
  clickActions: new Map(),
  clickDelayMs: 0,
  currentItemRoles: NONE,
  handlersBlockConnection: false,
  hitTestFindsFirst: false,
  comboNameIsChoice: false,
  choosesInWindowList: false,
  showsLate: false,
  scrollBarsCountPixels: false,
  utf16Offsets: false,
  // The interface speaks of characters; GTK, Chromium and LibreOffice take bytes of UTF-8.
  insertLength: (text) => new TextEncoder().encode(text).length,
};
