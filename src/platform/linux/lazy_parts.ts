/**
 * What only some commands need: acting, the X server, layers. Loaded when the first of them is
 * asked for, so that reading a tree does not pay for it.
 */
export { closeSharedX11 } from "./display.ts";
export { readDisplays } from "./displays.ts";
export { focusWindow } from "./focus.ts";
export { hitTest, topWindowAt } from "./hit_test.ts";
export { openInput } from "./input.ts";
export { perform } from "./perform.ts";
export { scrollIntoView } from "./perform_scroll.ts";
export { Placements } from "./placements.ts";
export { openSurfaces, surfaceRoot } from "./surfaces.ts";
export { findProcesses } from "./proxied.ts";
export { textRange } from "./text_range.ts";
export {
  correctWindows,
  unreachableApps,
  windowOfX11Id,
  withUnreachable,
} from "./window_system.ts";
