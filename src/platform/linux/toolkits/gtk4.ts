/** GTK 4: speaks AT-SPI itself, knows no places on the screen, and counts them by version. */
import type { Point } from "../../platform.ts";
import { ROLE } from "../atspi.ts";
import { type ApplicationFacts, DEFAULT, type Told, type Toolkit } from "./toolkit.ts";

// It puts an Action interface on every widget and lists the actions of menus and shortcuts there
// ("clipboard.copy", "window.close"); on these roles none of them has a name that counts as
// evidence.
const ACTIONLESS: ReadonlySet<number> = new Set([
  ROLE.filler,
  ROLE.frame,
  ROLE.image,
  ROLE.label,
  ROLE.list,
  ROLE.pageTabList,
  ROLE.panel,
  ROLE.progressBar,
  ROLE.scrollBar,
  ROLE.scrollPane,
  ROLE.separator,
  ROLE.viewport,
  ROLE.section,
  ROLE.grouping,
  ROLE.static,
]);
// On these the widget's own action is the first; what follows are menus and shortcuts again.
const FIRST_ACTION: ReadonlySet<number> = new Set([
  ROLE.checkBox,
  ROLE.passwordText,
  ROLE.pushButton,
  ROLE.radioButton,
  ROLE.text,
  ROLE.toggleButton,
  ROLE.entry,
  ROLE.link,
  ROLE.switch,
]);
// Before 4.10 a popover is named after its type, and places in it count from its own corner; from
// then on it has no such name, and its elements count from the window's corner like all others.
const POPOVER_TYPE = /^(Gtk|Adw)\w*Popover\w*$/;

/**
 * A page of a stack or notebook is no widget (it has no actions): it reports its content's place as
 * its own, and so that place is added twice (from 4.10 on).
 */
function misplacement(outer: Told, inner: Told, shift: Point): Point {
  if (outer.hasActions || outer.rect === undefined || inner.rect === undefined) return shift;
  return {
    x: shift.x + inner.rect.x - outer.rect.x,
    y: shift.y + inner.rect.y - outer.rect.y,
  };
}

/** GTK from 4 on; it calls itself "GTK". */
export function gtk4({ toolkit, version }: ApplicationFacts): Toolkit | undefined {
  const [major = 0, minor = 0] = version.split(".").map((part) => parseInt(part, 10));
  if (!/^gtk$/i.test(toolkit) || !(major >= 4)) return undefined;
  const upTo = (last: number) => major === 4 && minor <= last;
  return {
    ...DEFAULT,
    name: "GTK 4",
    // It activates a widget as the keyboard does: a button shows itself pressed for a while first.
    clickDelayMs: 250,
    screenPixels: false,
    windowCoordinates: true,
    ...(upTo(9) ? { popoverName: POPOVER_TYPE } : { misplacement }),
    layeredPopovers: true,
    // Up to 4.18 every id is empty.
    accessibleIds: !upTo(18),
    reportsShowing: !upTo(9),
    // Other toolkits keep a cache too, but with gaps that make it dearer than what it spares.
    usesCache: true,
    actionlessRoles: ACTIONLESS,
    firstActionRoles: FIRST_ACTION,
    scrollBarsCountPixels: true,
  };
}
