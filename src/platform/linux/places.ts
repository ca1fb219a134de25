/** From toolkit coordinates to the screen and back, for one process's lifetime. */
import type { Deadline } from "../../deadline.ts";
import type { Handle, Rect } from "../../tree/node.ts";
import type { Point } from "../platform.ts";
import { COORDS, type ObjectRef, objectRef, property, toHandle } from "./accessible.ts";
import { applicationRoot } from "./application.ts";
import type { Bus } from "./bus.ts";
import type { Profile } from "./evidence.ts";
import { onlyPopup, type Placement, placeWindows } from "./geometry.ts";
import type { LinuxWindow } from "./inventory.ts";

// Deeper than any real tree; also ends the climb in a cycle.
const MAX_CLIMB = 256;
// GTK 4 gives its popovers no role of their own, only (before 4.10) their type's name.
const POPOVER_TYPE = /^(Gtk|Adw)\w*Popover\w*$/;

/** Whether a name is that of a GTK 4 popover's type. */
export function isPopoverType(name: string): boolean {
  return POPOVER_TYPE.test(name);
}

/** What the places need from the platform. */
export interface PlaceSource {
  bus(deadline: Deadline): Bus;
  /** Windows of the application behind a bus name. */
  windows(busName: string, deadline: Deadline): LinuxWindow[];
  profile(busName: string, deadline: Deadline): Profile;
}

/** Finds out where windows are when somebody asks, once. */
export class Places {
  readonly #placements = new Map<Handle, Placement | undefined>();

  constructor(private readonly source: PlaceSource) {}

  /** Sets the bounds of windows whose toolkit does not tell device pixels. */
  placeWindows(windows: readonly LinuxWindow[], deadline: Deadline): void {
    const unplaced = windows.filter((window) =>
      !this.source.profile(window.object.bus, deadline).onScreen
    );
    placeWindows(unplaced).forEach((placement, i) => {
      const window = unplaced[i]!;
      if (placement !== undefined) window.bounds = placement.outer;
      this.#placements.set(toHandle(window.object), placement);
    });
  }

  /** How to turn the toolkit's rectangles of the window `object` is in; `undefined`: unknown. */
  converter(
    object: ObjectRef,
    deadline: Deadline,
  ): ((rect: Rect) => Rect | undefined) | undefined {
    const profile = this.source.profile(object.bus, deadline);
    if (profile.onScreen) return (rect) => rect;
    const placement = this.#placementOf(object, profile, deadline);
    if (placement === undefined) return undefined;
    const { scale } = placement;
    const origin = profile.windowCoordinates ? placement.origin : { x: 0, y: 0 };
    return ({ x, y, width, height }) => ({
      x: origin.x + x * scale,
      y: origin.y + y * scale,
      width: width * scale,
      height: height * scale,
    });
  }

  /** A point of the screen as the toolkit of `object` counts it; `undefined`: unknown. */
  toToolkit(
    object: ObjectRef,
    point: Point,
    deadline: Deadline,
  ): (Point & { coords: number }) | undefined {
    const profile = this.source.profile(object.bus, deadline);
    if (profile.onScreen) return { ...point, coords: COORDS.screen };
    const placement = this.#placementOf(object, profile, deadline);
    if (placement === undefined) return undefined;
    const local = profile.windowCoordinates;
    const origin = local ? placement.origin : { x: 0, y: 0 };
    return {
      x: Math.floor((point.x - origin.x) / placement.scale),
      y: Math.floor((point.y - origin.y) / placement.scale),
      coords: local ? COORDS.window : COORDS.screen,
    };
  }

  #placementOf(object: ObjectRef, profile: Profile, deadline: Deadline): Placement | undefined {
    const ofApplication = () =>
      [...this.#placements].filter(([handle]) => handle.startsWith(`${object.bus}/`));
    if (ofApplication().length === 0) {
      this.placeWindows(this.source.windows(object.bus, deadline), deadline);
    }
    const known = ofApplication();
    if (known.length === 1 && !profile.windowCoordinates) return known[0]![1];
    const { top, inPopover } = this.#climb(object, deadline);
    const placement = top && this.#placements.get(toHandle(top));
    if (!inPopover || placement === undefined) return placement;
    // A popover of GTK 4 is a window of its own, and its elements count from its corner.
    const [window] = this.source.windows(object.bus, deadline);
    const popup = window && onlyPopup(window.pid);
    if (popup === undefined) return undefined;
    const origin = { x: popup.outer.x, y: popup.outer.y };
    return { outer: popup.outer, origin, scale: placement.scale };
  }

  /** The top-level window an element is in, and whether a popover is in between. */
  #climb(object: ObjectRef, deadline: Deadline): { top?: ObjectRef; inPopover: boolean } {
    const bus = this.source.bus(deadline);
    const application = toHandle(applicationRoot(object.bus));
    let inPopover = false;
    let at = object;
    for (let i = 0; i < MAX_CLIMB; i++) {
      const [above, name] = bus.callAll([
        property(at, "Accessible", "Parent"),
        property(at, "Accessible", "Name"),
      ], deadline);
      if (name?.ok && isPopoverType(String(name.values[0]))) inPopover = true;
      const parent = above?.ok ? objectRef(above.values[0]) : undefined;
      if (parent === undefined) break;
      if (toHandle(parent) === application) return { top: at, inPopover };
      at = parent;
    }
    return { inPopover };
  }
}
