/** Qt 5 and 6. */
import { type ApplicationFacts, DEFAULT, type Toolkit } from "./toolkit.ts";

const QT: Toolkit = {
  ...DEFAULT,
  name: "Qt",
  // Buttons are animated (`QAbstractButton::animateClick`): pressed, and released 100 ms later.
  clickDelayMs: 100,
  // QT_SCALE_FACTOR and its like scale what it counts in.
  screenPixels: false,
  comboNameIsChoice: true,
  utf16Offsets: true,
  insertLength: (text) => text.length,
};

/** Applications whose toolkit calls itself "Qt". */
export function qt({ toolkit }: ApplicationFacts): Toolkit | undefined {
  return /^qt$/i.test(toolkit) ? QT : undefined;
}
