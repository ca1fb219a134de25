/** Where the windows of applications lie on the screen: toolkit coordinates to pixels and back. */
import type { Deadline } from "../../deadline.ts";
import type { Handle, Rect } from "../../tree/node.ts";
import type { Point } from "../platform.ts";
import {
  applicationRoot,
  extents,
  interfaceSet,
  method,
  type ObjectRef,
  property,
  toHandle,
} from "./accessible.ts";
import { climb } from "./ancestors.ts";
import { COORDS } from "./atspi.ts";
import type { Bus } from "./bus.ts";
import type { LinuxWindow } from "./inventory.ts";
import type { Profile } from "./profile.ts";
import type { Told } from "./toolkits/toolkit.ts";
import { onlyPopup, type Placement, placeWindows } from "./window_geometry.ts";

function isSame(a: Rect, b: Rect): boolean {
  return a.x === b.x && a.y === b.y && a.width === b.width && a.height === b.height;
}

const RIGHT: Point = { x: 0, y: 0 };

/** Where the toolkit's rectangles of one element are. */
interface Placed extends Placement {
  /** By how much the toolkit tells it beside its place, in its units. */
  shift?: Point;
  /** The outermost element that is told as much beside its place. */
  from?: ObjectRef;
}

/** A point as a toolkit counts it. */
export interface ToolkitPoint extends Point {
  coords: number;
  /** Where a search at the point begins; absent: at the window. */
  from?: ObjectRef;
}

/** What is needed from the platform. */
export interface PlacementSource {
  bus(deadline: Deadline): Bus;
  /** Windows of the application behind a bus name. */
  windows(busName: string, deadline: Deadline): LinuxWindow[];
  profile(busName: string, deadline: Deadline): Profile;
}

/** Finds out where windows are when somebody asks, once. */
export class Placements {
  readonly #placements = new Map<Handle, Placement | undefined>();

  constructor(private readonly source: PlacementSource) {}

  /** Sets the bounds of windows whose toolkit does not tell device pixels. */
  placeWindows(windows: readonly LinuxWindow[], deadline: Deadline): void {
    const unplaced = windows.filter((window) =>
      !this.source.profile(window.object.bus, deadline).screenPixels
    );
    const own = this.#windowRects(unplaced.map(({ object }) => object), deadline);
    placeWindows(unplaced, own).forEach((placement, i) => {
      const window = unplaced[i]!;
      if (placement !== undefined) window.bounds = placement.outer;
      this.#placements.set(toHandle(window.object), placement);
    });
  }

  /** Rectangles of elements in the coordinates of their windows. */
  #windowRects(objects: readonly ObjectRef[], deadline: Deadline): (Rect | undefined)[] {
    if (objects.length === 0) return [];
    const calls = objects.map((object) =>
      method(object, "Component", "GetExtents", "u", COORDS.window)
    );
    return this.source.bus(deadline).callAll(calls, deadline)
      .map((reply) => reply.ok ? extents(reply.values[0]) : undefined);
  }

  /** How to turn the toolkit's rectangles of the window `object` is in; `undefined`: unknown. */
  converter(
    object: ObjectRef,
    deadline: Deadline,
  ): ((rect: Rect) => Rect | undefined) | undefined {
    const profile = this.source.profile(object.bus, deadline);
    if (profile.screenPixels) return (rect) => rect;
    const placement = this.#placementOf(object, profile, deadline);
    if (placement === undefined) return undefined;
    const { outer, own, scale, shift = RIGHT } = placement;
    const origin = profile.windowCoordinates ? placement.origin : { x: 0, y: 0 };
    return (rect) => {
      if (own !== undefined && isSame(rect, own)) return outer;
      return {
        x: origin.x + (rect.x - shift.x) * scale,
        y: origin.y + (rect.y - shift.y) * scale,
        width: rect.width * scale,
        height: rect.height * scale,
      };
    };
  }

  /** A point of the screen as the toolkit of `object` counts it; `undefined`: unknown. */
  toToolkit(
    object: ObjectRef,
    point: Point,
    deadline: Deadline,
  ): ToolkitPoint | undefined {
    const profile = this.source.profile(object.bus, deadline);
    if (profile.screenPixels) return { ...point, coords: COORDS.screen };
    const placement = this.#placementOf(object, profile, deadline);
    if (placement === undefined) return undefined;
    const local = profile.windowCoordinates;
    const origin = local ? placement.origin : { x: 0, y: 0 };
    // A window that does not begin at (0, 0) adds its own corner to what it is asked for in its
    // coordinates.
    const { scale, shift = RIGHT, from } = placement;
    const own = local && placement.own !== undefined ? placement.own : { x: 0, y: 0 };
    return {
      x: Math.floor((point.x - origin.x) / scale + shift.x) + own.x,
      y: Math.floor((point.y - origin.y) / scale + shift.y) + own.y,
      coords: local ? COORDS.window : COORDS.screen,
      ...(from === undefined ? {} : { from }),
    };
  }

  #placementOf(object: ObjectRef, profile: Profile, deadline: Deadline): Placed | undefined {
    const ofApplication = () =>
      [...this.#placements].filter(([handle]) => handle.startsWith(`${object.bus}/`));
    if (ofApplication().length === 0) {
      this.placeWindows(this.source.windows(object.bus, deadline), deadline);
    }
    const known = ofApplication();
    if (known.length === 1 && !profile.windowCoordinates && profile.misplacement === undefined) {
      return known[0]![1];
    }
    const { top, popover, shift, from } = this.#windowOf(object, profile, deadline);
    const placement = top && this.#placements.get(toHandle(top));
    if (placement === undefined) return undefined;
    if (popover === undefined) {
      return { ...placement, shift, ...(from === undefined ? {} : { from }) };
    }
    // Such a popover is a window of its own. Its elements count from where it tells that its corner
    // is: at (0, 0), or at that of the button it belongs to.
    const [window] = this.source.windows(object.bus, deadline);
    const popup = window && onlyPopup(window.pid);
    if (popup === undefined) return undefined;
    const [told] = this.#windowRects([popover], deadline);
    if (told === undefined) return undefined;
    const { outer } = popup;
    const { scale } = placement;
    const origin = { x: outer.x - told.x * scale, y: outer.y - told.y * scale };
    return { outer, origin, scale };
  }

  /**
   * The top-level window an element is in, the outermost popover in between, and by how much the
   * element is told beside its place (`from` as in `Placed`).
   */
  #windowOf(
    object: ObjectRef,
    profile: Profile,
    deadline: Deadline,
  ): { top?: ObjectRef; popover: ObjectRef | undefined; shift: Point; from?: ObjectRef } {
    const { misplacement, popoverName, searchesMisplaced, windowCoordinates } = profile;
    const application = toHandle(applicationRoot(object.bus));
    const space = windowCoordinates ? COORDS.window : COORDS.screen;
    let popover: ObjectRef | undefined;
    let top: ObjectRef | undefined;
    const levels: { object: ObjectRef; told: Told }[] = [];
    const also = (at: ObjectRef) => [
      property(at, "Accessible", "Name"),
      ...(misplacement === undefined ? [] : [
        method(at, "Accessible", "GetInterfaces"),
        method(at, "Accessible", "GetRole"),
        method(at, "Component", "GetExtents", "u", space),
      ]),
    ];
    for (const level of climb(this.source.bus(deadline), object, deadline, also)) {
      const { object: at, parent, replies: [name, interfaces, role, bounds] } = level;
      if (name?.ok && popoverName?.test(String(name.values[0]))) popover = at;
      levels.unshift({
        object: at,
        told: {
          roleNumber: role?.ok ? Number(role.values[0]) : -1,
          // What does not tell its interfaces is no page.
          hasActions: !interfaces?.ok || interfaceSet(interfaces.values[0]).has("Action"),
          rect: bounds?.ok ? extents(bounds.values[0]) : undefined,
        },
      });
      if (parent !== undefined && toHandle(parent) === application) {
        top = at;
        break;
      }
    }
    let shift = RIGHT;
    let from: ObjectRef | undefined;
    for (let i = 1; i < levels.length && misplacement !== undefined; i++) {
      const next = misplacement(levels[i - 1]!.told, levels[i]!.told, shift);
      if (searchesMisplaced && !isSamePoint(next, shift)) from = levels[i]!.object;
      shift = next;
    }
    return { ...(top && { top }), popover, shift, ...(from && { from }) };
  }
}

function isSamePoint(a: Point, b: Point): boolean {
  return a.x === b.x && a.y === b.y;
}
