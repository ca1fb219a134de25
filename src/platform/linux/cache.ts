/**
 * The accessibility cache an application keeps of its own elements: one message with the basics
 * of every element some client has already visited. It is read live, but it is never complete,
 * so it only spares questions; what it lacks is asked one by one.
 */
import type { Deadline } from "../../deadline.ts";
import { interfaceSet, type ObjectRef, objectRef, toHandle } from "./accessible.ts";
import { ROLE } from "./atspi.ts";
import type { Basics } from "./basics.ts";
import type { Bus } from "./bus.ts";

// The item layout of at-spi2-core 2.46 and later: object, application, parent, index, child count,
// interfaces, name, role, description, states. Older layouts list children without their order.
const ITEMS = "a((so)(so)(so)iiassusau)";
// What the cache may cost of the time left; an application that takes longer is read element by
// element.
const SHARE = 0.25;

type Item = [unknown, unknown, unknown, number, number, unknown, string, number, string, number[]];

/** Basics by element, and each parent's children by index. */
export interface ElementCache {
  basics: Map<string, Basics>;
  children: Map<string, ObjectRef[]>;
}

/** Asks the application behind a bus name for its cache; empty when it has none we can use. */
export function readElementCache(bus: Bus, busName: string, deadline: Deadline): ElementCache {
  const cache: ElementCache = { basics: new Map(), children: new Map() };
  const reply = bus.call({
    destination: busName,
    path: "/org/a11y/atspi/cache",
    interface: "org.a11y.atspi.Cache",
    member: "GetItems",
  }, deadline.within(deadline.remaining * SHARE));
  if (!reply.ok || reply.signature !== ITEMS) return cache;
  // A hidden element keeps the place in its parent that a visible one has now.
  const disputed = new Set<string>();
  for (const item of reply.values[0] as Item[]) {
    const object = objectRef(item[0]);
    const parent = objectRef(item[2]);
    if (object === undefined || parent === undefined) continue;
    // Containers that make their children on demand are not counted here.
    if (item[4] < 0) continue;
    const secure = item[7] === ROLE.passwordText;
    cache.basics.set(toHandle(object), {
      object,
      roleNumber: item[7],
      states: item[9],
      interfaces: interfaceSet(item[5]),
      childCount: item[4],
      name: item[6],
      description: item[8],
      unreadable: [],
      secure,
    });
    if (item[3] < 0) continue;
    const key = toHandle(parent);
    const siblings = cache.children.get(key) ?? [];
    if (siblings[item[3]] !== undefined) disputed.add(key);
    siblings[item[3]] = object;
    cache.children.set(key, siblings);
  }
  for (const parent of disputed) cache.children.delete(parent);
  return cache;
}

/** The children of an element in order, when the cache has all `count` of them. */
export function cachedChildren(
  cache: ElementCache,
  parent: ObjectRef,
  count: number,
): ObjectRef[] | undefined {
  const key = toHandle(parent);
  // A hidden scroll bar may be in the cache alone, in the place of the one that shows.
  if (cache.basics.get(key)?.roleNumber === ROLE.scrollPane) return undefined;
  const children = cache.children.get(key);
  if (children === undefined || children.length !== count) return undefined;
  for (let i = 0; i < count; i++) if (children[i] === undefined) return undefined;
  return children;
}
