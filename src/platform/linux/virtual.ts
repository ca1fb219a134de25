/**
 * Children of a container that claims more of them than can be listed: those that show, found
 * by looking at points of its visible part, else a first page.
 */
import type { Rect } from "../../tree/node.ts";
import { extents, method, type ObjectRef, objectRef, property } from "./accessible.ts";
import { COORDS } from "./atspi.ts";
import type { Bus, Reply } from "./bus.ts";

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
  let left = 2;
  const measured = () => {
    if (--left > 0) return;
    const visible = intersect(rects[0], rects[1]);
    if (visible === undefined) readRange(bus, container, 0, firstPage(count), done);
    else probe(bus, container, count, visible, done);
  };
  const measure = (object: ObjectRef, slot: number) =>
    bus.send(method(object, "Component", "GetExtents", "u", COORDS.screen), (reply) => {
      rects[slot] = reply.ok ? extents(reply.values[0]) : undefined;
      measured();
    });
  measure(container, 0);
  bus.send(property(container, "Accessible", "Parent"), (reply) => {
    const parent = reply.ok ? objectRef(reply.values[0]) : undefined;
    if (parent) measure(parent, 1);
    else measured();
  });
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
  let left = PROBES * 2;
  const answered = () => {
    if (--left > 0) return;
    if (indexes.length === 0) return readRange(bus, container, 0, firstPage(count), done);
    const first = Math.min(...indexes);
    const last = Math.max(...indexes);
    readRange(bus, container, first, Math.min(last + 1, first + VISIBLE_MAX), done);
  };
  for (let i = 0; i < PROBES; i++) {
    const y = Math.round(area.y + INSET + (area.height - 2 * INSET) * i / (PROBES - 1));
    for (const x of [area.x + INSET, area.x + area.width - INSET]) {
      bus.send(
        method(
          container,
          "Component",
          "GetAccessibleAtPoint",
          "iiu",
          Math.round(x),
          y,
          COORDS.screen,
        ),
        (reply) => {
          const hit = reply.ok ? objectRef(reply.values[0]) : undefined;
          if (!hit || hit.path === container.path) return answered();
          bus.send(method(hit, "Accessible", "GetIndexInParent"), (index) => {
            const value = index.ok ? index.values[0] : undefined;
            if (typeof value === "number" && value >= 0 && (count < 0 || value < count)) {
              indexes.push(value);
            }
            answered();
          });
        },
      );
    }
  }
}

function readRange(
  bus: Bus,
  container: ObjectRef,
  from: number,
  to: number,
  done: (children: VirtualChild[]) => void,
): void {
  const found: VirtualChild[] = [];
  let left = to - from;
  if (left <= 0) return done([]);
  for (let index = from; index < to; index++) {
    bus.send(method(container, "Accessible", "GetChildAtIndex", "i", index), (reply: Reply) => {
      const object = reply.ok ? objectRef(reply.values[0]) : undefined;
      if (object) found.push({ object, index });
      if (--left === 0) done(found.sort((a, b) => a.index - b.index));
    });
  }
}
