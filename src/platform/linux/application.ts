/** How one application is best talked to: its toolkit's ways. */
import type { Rect } from "../../tree/node.ts";
import type { ObjectRef } from "./accessible.ts";
import type { AppRoot } from "./inventory.ts";

/** What is known of the application an accessible belongs to. */
export interface Profile {
  toolkit: string;
  /** Whether the toolkit knows accessible ids. */
  accessibleIds: boolean;
  /**
   * Turns the toolkit's coordinates into device pixels of the screen; absent as long as nobody
   * needs the place, for toolkits that need the window system for it.
   */
  place?: ((toolkitBounds: Rect) => Rect | undefined) | undefined;
  /** Whether the toolkit's coordinates are those of the screen as they are. */
  onScreen: boolean;
  /** Whether the application's element cache may be asked (some toolkits keep none worth it). */
  cached: boolean;
  /** Roles that have nothing but a name, so that nothing else of them is asked for. */
  plain: ReadonlySet<number>;
  /** Roles whose interfaces are known without asking, as long as they are not editable. */
  structural: ReadonlySet<number>;
  /** Roles that never have many children, so that these are asked for and not only their number. */
  small: ReadonlySet<number>;
  /**
   * Chromium gives every element a context menu, behind at most one action of its own. Only an
   * element that gets a ref is asked for it: on the others it would be noise, and would keep
   * empty wrappers from being collapsed.
   */
  menuEverywhere: boolean;
  /** Roles whose action names never mean anything here, so that they are not asked for. */
  actionless: ReadonlySet<number>;
  /** Roles of which only the first action can mean something. */
  firstAction: ReadonlySet<number>;
  /** Whether the toolkit reports SHOWING; without it nothing is known to be off screen. */
  reportsShowing: boolean;
  /** Whether places on the pages of stacks and notebooks are off by the page's own place. */
  countsPagesTwice: boolean;
  /** Whether the toolkit only knows places inside a window (GTK 4, any on Wayland). */
  windowCoordinates: boolean;
}

const ROOT_PATH = "/org/a11y/atspi/accessible/root";
// What GTK 4 calls itself; GTK 3 says "gtk" in lower case.
const GTK = /^gtk$/i;
const CHROMIUM = "Chromium";
const QT = "Qt";
// GTK 4 puts an Action interface on every widget and lists the actions of menus and shortcuts
// there ("clipboard.copy", "window.close"); on these roles none of them has a name that counts as
// evidence. (AtspiRole numbers: filler, frame, image, label, list, page tab list, panel, progress
// bar, scroll bar, scroll pane, separator, viewport, section, grouping, static.)
const GTK4_ACTIONLESS: ReadonlySet<number> = new Set([
  20,
  23,
  27,
  29,
  31,
  38,
  39,
  42,
  48,
  49,
  50,
  68,
  85,
  99,
  116,
]);
// On these the widget's own action is the first; what follows are menus and shortcuts again.
// (Check box, password text, push button, radio button, text, toggle button, entry, link, switch.)
const GTK4_FIRST_ACTION: ReadonlySet<number> = new Set([7, 40, 43, 44, 61, 62, 79, 88, 130]);
// Text leaves (AtspiRole static).
const CHROMIUM_PLAIN: ReadonlySet<number> = new Set([116]);
// What pages are made of: list, list item, panel, push button, paragraph, heading, section, form,
// link, table row, grouping, landmark.
const CHROMIUM_STRUCTURAL: ReadonlySet<number> = new Set([
  31,
  32,
  39,
  43,
  73,
  83,
  85,
  87,
  88,
  90,
  99,
  110,
]);
// List item, push button, paragraph, heading, link.
const CHROMIUM_SMALL: ReadonlySet<number> = new Set([32, 43, 73, 83, 88]);
const NONE: ReadonlySet<number> = new Set();

/** The root accessible of the application behind a bus name. */
export function applicationRoot(busName: string): ObjectRef {
  return { bus: busName, path: ROOT_PATH };
}

function isScalable(toolkit: string): boolean {
  return GTK.test(toolkit) || toolkit === QT;
}

/** Whether an application says in device pixels of the screen where its elements are. */
export function reportsScreenPixels(root: AppRoot): boolean {
  return !isScalable(root.toolkit);
}

/** Major and minor number of a version text. */
function versionOf(root: AppRoot): [number, number] {
  const [major = 0, minor = 0] = root.toolkitVersion.split(".").map((part) => parseInt(part, 10));
  return [major, minor];
}

/** Whether an application is GTK 4, which knows only coordinates inside its windows. */
export function isGtk4(root: AppRoot): boolean {
  return GTK.test(root.toolkit) && versionOf(root)[0] >= 4;
}

/** Whether a process has a window on the X server; `undefined` without one. */
export type HasX11Window = (pid: number) => boolean | undefined;

/**
 * Whether an application draws on a Wayland surface: it then reports places in its window as if
 * they were places on the screen. Chromium is asked by its own means and left out. `hasX11Window`
 * is only given in a Wayland session.
 */
export function isLocal(root: AppRoot, hasX11Window: HasX11Window | undefined): boolean {
  if (hasX11Window === undefined || root.toolkit === CHROMIUM) return false;
  return hasX11Window(root.pid) !== true;
}

/**
 * How an application's elements are read, from its toolkit. `local`: its screen coordinates are
 * those of its window.
 */
export function profileOf(root: AppRoot | undefined, local = false): Profile {
  const toolkit = root?.toolkit ?? "";
  const gtk4 = root !== undefined && isGtk4(root);
  const chromium = toolkit === CHROMIUM;
  // GTK before 4.10 never reports SHOWING; up to 4.18 every accessible id is empty.
  const minor = gtk4 && versionOf(root)[0] === 4 ? versionOf(root)[1] : Infinity;
  const early = minor < 10;
  return {
    toolkit,
    // Chromium answers, but keeps DOM ids among the object attributes.
    accessibleIds: minor > 18 && !chromium,
    plain: chromium ? CHROMIUM_PLAIN : NONE,
    structural: chromium ? CHROMIUM_STRUCTURAL : NONE,
    small: chromium ? CHROMIUM_SMALL : NONE,
    menuEverywhere: chromium,
    firstAction: gtk4 ? GTK4_FIRST_ACTION : NONE,
    // Other toolkits keep one too, but with gaps that make it dearer than the questions it spares.
    cached: gtk4,
    actionless: gtk4 ? GTK4_ACTIONLESS : chromium ? CHROMIUM_PLAIN : NONE,
    reportsShowing: !early,
    countsPagesTwice: gtk4 && !early,
    windowCoordinates: gtk4 || local,
    // GTK and Qt count in units that the desktop may scale.
    onScreen: !local && !isScalable(toolkit),
  };
}
