/** GTK 3 (and 2): its accessibility goes through ATK. */
import { ROLE } from "../atspi.ts";
import { type ApplicationFacts, DEFAULT, type Toolkit } from "./toolkit.ts";

// Cells of tree views and items of icon views: `activate` emits a signal for the row, and
// applications (Thunar) act on the selection then, or on the cursor.
const CURRENT_ITEMS: ReadonlySet<number> = new Set([ROLE.tableCell, ROLE.icon]);

/** What is special about it. */
export const GTK3: Toolkit = {
  ...DEFAULT,
  name: "GTK 3",
  // GDK_SCALE and its like scale what it counts in.
  screenPixels: false,
  currentItemRoles: CURRENT_ITEMS,
  handlersBlockConnection: true,
  hitTestFindsFirst: true,
  scrollBarsCountPixels: true,
};

/** GTK before 4; it calls itself "gtk". */
export function gtk3({ toolkit }: ApplicationFacts): Toolkit | undefined {
  return /^gtk$/i.test(toolkit) ? GTK3 : undefined;
}
