/** Qt 5 and 6. */
import { ROLE } from "../atspi.ts";
import { type ApplicationFacts, DEFAULT, type Toolkit } from "./toolkit.ts";

// A button that stays down has no action but the one that a click carries out; a menu of the menu bar
// none but the one that opens it.
const CLICKS: ReadonlyMap<number, readonly string[]> = new Map([
  [ROLE.checkBox, ["toggle"]],
  [ROLE.radioButton, ["toggle"]],
  [ROLE.toggleButton, ["toggle"]],
  [ROLE.menu, ["showmenu"]],
  [ROLE.menuItem, ["showmenu"]],
]);

const QT: Toolkit = {
  ...DEFAULT,
  name: "Qt",
  // Buttons are animated (`QAbstractButton::animateClick`): pressed, and released 100 ms later.
  clickDelayMs: 100,
  // QT_SCALE_FACTOR and its like scale what it counts in.
  screenPixels: false,
  clickActions: CLICKS,
  comboNameIsChoice: true,
  utf16Offsets: true,
  insertLength: (text) => text.length,
};

/** Applications whose toolkit calls itself "Qt". */
export function qt({ toolkit }: ApplicationFacts): Toolkit | undefined {
  return /^qt$/i.test(toolkit) ? QT : undefined;
}
