/**
 * What a click at a point would reach: the X server's stacking order tells which window, the
 * application itself which element of it.
 */
import type { X11 } from "../../../ffi/linux/x11.ts";
import type { Deadline } from "../../deadline.ts";
import type { Node, Rect } from "../../tree/node.ts";
import type { HitTest, Point, WindowInfo } from "../platform.ts";
import {
  applicationRoot,
  extents,
  isSameObject,
  method,
  objectList,
  type ObjectRef,
  objectRef,
  property,
} from "./accessible.ts";
import { ancestorsOf } from "./ancestors.ts";
import { COORDS, hasState, LAYER, ROLE, STATE } from "./atspi.ts";
import type { Bus, Reply } from "./bus.ts";
import { childReplies } from "./children.ts";
import { sharedX11 } from "./display.ts";
import { describeWindow } from "./focus.ts";
import type { ToolkitPoint } from "./placements.ts";
import { DIALOG_ROLES, POPOVER_ROLES, roleOf } from "./roles.ts";
import { matchWindow, type X11Window, x11Windows } from "./x11_windows.ts";

// Toolkits answer with a child at a time; deeper than this no answer is worth waiting for.
const MAX_STEPS = 50;
// Containers whose children may lie over one another (overlays) have few.
const MAX_SIBLINGS = 64;
// Every X client's ids share the bits above these (with the server's default of 256 clients).
const CLIENT_ID_SHIFT = 21;

const LAYER_ROLES: ReadonlySet<number> = new Set([
  ROLE.menu,
  ROLE.popupMenu,
  ROLE.window,
  ...DIALOG_ROLES,
]);

/** What the test needs to know of the application. */
export interface HitTarget {
  bus: Bus;
  object: ObjectRef;
  /** Root element of the window; absent when the ref names none. */
  root: ObjectRef | undefined;
  window: WindowInfo | undefined;
  /** Whether the toolkit answers with the first child at the point, not with the topmost. */
  hitTestFindsFirst: boolean;
  /** The point as the toolkit counts it; absent when its place on the screen is unknown. */
  at: ToolkitPoint | undefined;
}

/** Tests one point of the screen for one element. */
export function hitTest(target: HitTarget, point: Point, deadline: Deadline): HitTest {
  const layer = layerOf(target, deadline);
  const covering = coveringWindow(target, point, layer !== undefined);
  if (covering !== undefined) {
    const role = covering.overrideRedirect ? "menu" as const : "window" as const;
    const occluder = { role, bounds: covering.outer };
    return {
      result: "occluded",
      occluder: covering.title === "" ? occluder : { ...occluder, name: covering.title },
    };
  }
  // GTK 4 does not look into a popover when it is asked for a place in the window's coordinates.
  if (layer !== undefined && target.at?.coords === COORDS.window) return { result: "unknown" };
  return elementTest(target, layer ?? target.at?.from ?? target.root, deadline);
}

/**
 * The menu, popover or inner dialog that the element lies in, if any. Such a layer is drawn above
 * the window's content, so the search for what is under the point starts there.
 */
function layerOf(target: HitTarget, deadline: Deadline): ObjectRef | undefined {
  const { bus, object, root } = target;
  const inside = ancestorsOf(bus, object, deadline);
  const end = root === undefined ? -1 : inside.findIndex((above) => isSameObject(above, root));
  const candidates = (end < 0 ? inside : inside.slice(0, end))
    .filter((above) => !isSameObject(above, applicationRoot(above.bus)));
  const replies = bus.callAll(
    candidates.flatMap((above) => [
      method(above, "Accessible", "GetRole"),
      method(above, "Accessible", "GetState"),
      method(above, "Component", "GetLayer"),
    ]),
    deadline,
  );
  return candidates.find((_, index) => {
    const [role, state, layer] = replies.slice(index * 3, index * 3 + 3);
    const number = role?.ok ? role.values[0] as number : 0;
    const words = state?.ok && Array.isArray(state.values[0]) ? state.values[0] as number[] : [];
    return LAYER_ROLES.has(number) || (hasState(words, STATE.modal) && number === ROLE.panel) ||
      (POPOVER_ROLES.has(number) && layer?.ok && layer.values[0] === LAYER.popup);
  });
}

/** The X window of the topmost window at a point, tooltips not counted; absent without one. */
export function topWindowAt(point: Point): string | undefined {
  const x = sharedX11();
  const top = x &&
    x11Windows(x).findLast((window) =>
      window.viewable && contains(window.outer, point) && !isTooltip(x, window)
    );
  return top === undefined ? undefined : String(top.xid);
}

function isTooltip(x: X11, window: X11Window): boolean {
  const type = x.property(window.xid, "_NET_WM_WINDOW_TYPE")?.items[0];
  return type === Number(x.atom("_NET_WM_WINDOW_TYPE_TOOLTIP"));
}

/** Another window that lies above the target's at the point. */
function coveringWindow(
  target: HitTarget,
  point: Point,
  inLayer: boolean,
): X11Window | undefined {
  const x = sharedX11();
  if (x === undefined || target.window === undefined) return undefined;
  const windows = x11Windows(x);
  const own = matchWindow(windows, describeWindow(target.window));
  const top = windows.findLast((window) => window.viewable && contains(window.outer, point));
  if (own === undefined || top === undefined || top.frame === own.frame) return undefined;
  if (top.overrideRedirect && sameApplication(top, own)) {
    // The application's own popup may hold the target; and a tooltip goes when the pointer comes.
    if (inLayer || isTooltip(x, top)) return undefined;
  }
  return top;
}

function sameApplication(a: X11Window, b: X11Window): boolean {
  if (a.pid !== undefined && b.pid !== undefined) return a.pid === b.pid;
  return a.xid >>> CLIENT_ID_SHIFT === b.xid >>> CLIENT_ID_SHIFT;
}

function contains(rect: Rect, point: Point): boolean {
  return point.x >= rect.x && point.y >= rect.y &&
    point.x < rect.x + rect.width && point.y < rect.y + rect.height;
}

/** Follows `GetAccessibleAtPoint` from the window or layer down to the element under the point. */
function elementTest(
  target: HitTarget,
  root: ObjectRef | undefined,
  deadline: Deadline,
): HitTest {
  const { at, bus, object } = target;
  if (root === undefined || at === undefined) return { result: "unknown" };
  let current = root;
  for (let step = 0; step < MAX_STEPS; step++) {
    const reply = bus.call(
      method(current, "Component", "GetAccessibleAtPoint", "iiu", at.x, at.y, at.coords),
      deadline,
    );
    const next = reply.ok ? objectRef(reply.values[0]) : undefined;
    if (next === undefined || isSameObject(next, current)) break;
    if (isSameObject(next, object)) return uncovered(target, root, deadline);
    current = next;
  }
  if (isSameObject(current, root)) return { result: "unknown" };
  return judge(target, current, deadline);
}

/** The target, unless a later child of one of its ancestors lies over it at the point. */
function uncovered(target: HitTarget, root: ObjectRef, deadline: Deadline): HitTest {
  const { at, bus, object, hitTestFindsFirst } = target;
  if (!hitTestFindsFirst || at === undefined) return { result: "target" };
  const above = ancestorsOf(bus, object, deadline);
  const chain = [object, ...above.slice(0, above.findIndex((one) => isSameObject(one, root)) + 1)];
  const lists = childReplies(bus, chain.slice(1), deadline);
  const later = lists.flatMap((reply, index) => {
    const children = reply.ok ? objectList(reply.values[0]) : [];
    const place = children.findIndex((child) => isSameObject(child, chain[index]!));
    return place < 0 || children.length > MAX_SIBLINGS ? [] : children.slice(place + 1);
  });
  const replies = bus.callAll(
    later.flatMap((one) => [
      method(one, "Component", "GetExtents", "u", at.coords),
      method(one, "Accessible", "GetState"),
    ]),
    deadline,
  );
  const cover = later.find((_, index) => {
    const [bounds, state] = replies.slice(index * 2, index * 2 + 2);
    const rect = bounds?.ok ? extents(bounds.values[0]) : undefined;
    const words = state?.ok && Array.isArray(state.values[0]) ? state.values[0] as number[] : [];
    return rect !== undefined && contains(rect, at) && hasState(words, STATE.showing);
  });
  return cover === undefined ? { result: "target" } : judge(target, cover, deadline);
}

/**
 * Whether two accessibles are one element: Qt 5 and LibreOffice make a new accessible of a cell for
 * each answer. Two different elements with one parent, role and name are never at one place.
 */
function isAlike(bus: Bus, a: ObjectRef, b: ObjectRef, deadline: Deadline): boolean {
  const questions = (object: ObjectRef) => [
    method(object, "Accessible", "GetRole"),
    property(object, "Accessible", "Name"),
    property(object, "Accessible", "Parent"),
    method(object, "Component", "GetExtents", "u", COORDS.window),
  ];
  const replies = bus.callAll([...questions(a), ...questions(b)], deadline);
  const half = replies.length / 2;
  if (!replies.every((reply) => reply.ok)) return false;
  const [, , , bounds] = replies;
  if (!bounds?.ok || extents(bounds.values[0]) === undefined) return false;
  return replies.slice(0, half).every((reply, i) => isSameAnswer(reply, replies[half + i]!));
}

function isSameAnswer(a: Reply, b: Reply): boolean {
  return a.ok && b.ok && JSON.stringify(a.values) === JSON.stringify(b.values);
}

/**
 * Decides by kinship: what is the target, though under another name, and what lies below it is the
 * target; what lies above it is a toolkit that stopped half-way, which says nothing; anything else
 * covers it.
 */
function judge(target: HitTarget, found: ObjectRef, deadline: Deadline): HitTest {
  const { bus, object } = target;
  if (isAlike(bus, object, found, deadline)) return { result: "target" };
  if (ancestorsOf(bus, found, deadline).some((above) => isSameObject(above, object))) {
    return { result: "target" };
  }
  if (ancestorsOf(bus, object, deadline).some((above) => isSameObject(above, found))) {
    return { result: "unknown" };
  }
  const [role, state, name, bounds] = bus.callAll([
    method(found, "Accessible", "GetRole"),
    method(found, "Accessible", "GetState"),
    property(found, "Accessible", "Name"),
    method(found, "Component", "GetExtents", "u", COORDS.screen),
  ], deadline);
  if (!role?.ok || typeof role.values[0] !== "number") return { result: "unknown" };
  const states = state?.ok && Array.isArray(state.values[0]) ? state.values[0] as number[] : [];
  const occluder: { role: Node["role"]; name?: string; bounds?: Rect } = {
    role: roleOf(role.values[0], states),
  };
  if (name?.ok && typeof name.values[0] === "string" && name.values[0] !== "") {
    occluder.name = name.values[0];
  }
  const rect = bounds?.ok ? extents(bounds.values[0]) : undefined;
  if (rect !== undefined && target.at?.coords === COORDS.screen) occluder.bounds = rect;
  return { result: "occluded", occluder };
}
