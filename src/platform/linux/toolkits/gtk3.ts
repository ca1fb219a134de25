/** GTK 3 (and 2): its accessibility goes through ATK. */
import { type ApplicationFacts, DEFAULT, type Toolkit } from "./toolkit.ts";

const GTK3: Toolkit = {
  ...DEFAULT,
  name: "GTK 3",
  // GDK_SCALE and its like scale what it counts in.
  screenPixels: false,
  hitTestFindsFirst: true,
  scrollBarsCountPixels: true,
};

/** GTK before 4; it calls itself "gtk". */
export function gtk3({ toolkit }: ApplicationFacts): Toolkit | undefined {
  return /^gtk$/i.test(toolkit) ? GTK3 : undefined;
}
