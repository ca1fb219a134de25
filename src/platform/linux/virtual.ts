/**
 * Children of a container that claims more of them than can be listed: those that show, found
 * by looking at points of its visible part, else a first page.
 */
import type { Rect } from "../../tree/node.ts";
import { extents, method, type ObjectRef, objectRef, property } from "./accessible.ts";
import { COORDS } from "./atspi.ts";
import type { Bus } from "./bus.ts";
import { Join } from "./join.ts";

// Read when nothing tells which children show.
const FIRST_PAGE = 100;
// Read at most, however much shows: a screen of a dense table has about this many cells.
const VISIBLE_MAX = 400;
// Points looked at along the visible part; both ends matter most.
const PROBES = 9;
const INSET = 4;

/** A child with its native index. */
export interface VirtualChild {
  object: ObjectRef;
  index: number;
}

/**
 * Finds children worth reading of `container`, which claims `count` of them (negative: it does
 * not know). Calls `done` once, with nothing in the worst case.
 */
export function readVirtualChildren(
  bus: Bus,
  container: ObjectRef,
  count: number,
  done: (children: VirtualChild[]) => void,
): void {
  const rects: (Rect | undefined)[] = [];
  const join = new Join(bus, () => {
    const visible = intersect(rects[0], rects[1]);
    if (visible === undefined) readRange(bus, container, 0, firstPage(count), done);
    else probe(bus, container, count, visible, done);
  });
  const measure = (object: ObjectRef, slot: number) =>
    join.ask(method(object, "Component", "GetExtents", "u", COORDS.screen), (reply) => {
      rects[slot] = reply.ok ? extents(reply.values[0]) : undefined;
    });
  measure(container, 0);
  join.ask(property(container, "Accessible", "Parent"), (reply) => {
    const parent = reply.ok ? objectRef(reply.values[0]) : undefined;
    if (parent) measure(parent, 1);
  });
  join.close();
}

function firstPage(count: number): number {
  return count < 0 ? FIRST_PAGE : Math.min(count, FIRST_PAGE);
}

function intersect(a: Rect | undefined, b: Rect | undefined): Rect | undefined {
  if (!a || !b) return a;
  const x = Math.max(a.x, b.x);
  const y = Math.max(a.y, b.y);
  const width = Math.min(a.x + a.width, b.x + b.width) - x;
  const height = Math.min(a.y + a.height, b.y + b.height) - y;
  return width > 0 && height > 0 ? { x, y, width, height } : undefined;
}

/** Asks what lies at points down the visible part and reads the range of indexes they span. */
function probe(
  bus: Bus,
  container: ObjectRef,
  count: number,
  area: Rect,
  done: (children: VirtualChild[]) => void,
): void {
  const indexes: number[] = [];
  const join = new Join(bus, () => {
    if (indexes.length === 0) return readRange(bus, container, 0, firstPage(count), done);
    const first = Math.min(...indexes);
    const last = Math.max(...indexes);
    readRange(bus, container, first, Math.min(last + 1, first + VISIBLE_MAX), done);
  });
  const look = (x: number, y: number) => {
    const at = [Math.round(x), Math.round(y), COORDS.screen] as const;
    join.ask(method(container, "Component", "GetAccessibleAtPoint", "iiu", ...at), (reply) => {
      const hit = reply.ok ? objectRef(reply.values[0]) : undefined;
      if (!hit || hit.path === container.path) return;
      join.ask(method(hit, "Accessible", "GetIndexInParent"), (index) => {
        const value = index.ok ? index.values[0] : undefined;
        if (typeof value === "number" && value >= 0 && (count < 0 || value < count)) {
          indexes.push(value);
        }
      });
    });
  };
  for (let i = 0; i < PROBES; i++) {
    const y = area.y + INSET + (area.height - 2 * INSET) * i / (PROBES - 1);
    for (const x of [area.x + INSET, area.x + area.width - INSET]) look(x, y);
  }
  join.close();
}

function readRange(
  bus: Bus,
  container: ObjectRef,
  from: number,
  to: number,
  done: (children: VirtualChild[]) => void,
): void {
  const found: VirtualChild[] = [];
  const join = new Join(bus, () => done(found.sort((a, b) => a.index - b.index)));
  for (let index = from; index < to; index++) {
    join.ask(method(container, "Accessible", "GetChildAtIndex", "i", index), (reply) => {
      const object = reply.ok ? objectRef(reply.values[0]) : undefined;
      if (object) found.push({ object, index });
    });
  }
  join.close();
}
