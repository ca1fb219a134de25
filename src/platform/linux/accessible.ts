/** The AT-SPI calls the platform makes, one builder each, and the names they go by. */
import type { Handle } from "../../tree/node.ts";
import type { Rect } from "../../tree/node.ts";
import type { MethodCall, WireValue } from "./wire.ts";

const PREFIX = "org.a11y.atspi.";
const ROOT_PATH = "/org/a11y/atspi/accessible/root";
export const REGISTRY: ObjectRef = { bus: "org.a11y.atspi.Registry", path: ROOT_PATH };
/** Where toolkits put "no object". */
const NULL_PATH = "/org/a11y/atspi/null";

/** An accessible: the connection that owns it and its path there (paths alone are not unique). */
export interface ObjectRef {
  bus: string;
  path: string;
}

/** Whether two references name the same accessible. */
export function isSameObject(a: ObjectRef, b: ObjectRef): boolean {
  return a.bus === b.bus && a.path === b.path;
}

/** The root accessible of the application behind a bus name. */
export function applicationRoot(busName: string): ObjectRef {
  return { bus: busName, path: ROOT_PATH };
}

/** The stored form of an object reference: bus name directly followed by the path. */
export function toHandle(object: ObjectRef): Handle {
  return object.bus + object.path;
}

/** The object a handle names; `undefined` when the text is no handle. */
export function fromHandle(handle: Handle): ObjectRef | undefined {
  const slash = handle.indexOf("/");
  if (slash <= 0) return undefined;
  const object = { bus: handle.slice(0, slash), path: handle.slice(slash) };
  return /^:[0-9.]+$/.test(object.bus) && /^(\/[A-Za-z0-9_]+)+$/.test(object.path)
    ? object
    : undefined;
}

/** A method of one of the accessible's interfaces (given without the common prefix). */
export function method(
  object: ObjectRef,
  iface: string,
  member: string,
  signature?: string,
  ...args: WireValue[]
): MethodCall {
  const call: MethodCall = {
    destination: object.bus,
    path: object.path,
    interface: PREFIX + iface,
    member,
  };
  if (signature) {
    call.signature = signature;
    call.args = args;
  }
  return call;
}

/**
 * One property. Properties are only ever asked for singly: asking for all at once ends Qt 5
 * applications.
 */
export function property(object: ObjectRef, iface: string, name: string): MethodCall {
  return {
    destination: object.bus,
    path: object.path,
    interface: "org.freedesktop.DBus.Properties",
    member: "Get",
    signature: "ss",
    args: [PREFIX + iface, name],
  };
}

/** Object references of an `a(so)` reply value; malformed ones and "no object" are left out. */
export function objectList(value: unknown): ObjectRef[] {
  if (!Array.isArray(value)) return [];
  const objects: ObjectRef[] = [];
  for (const item of value) {
    const object = objectRef(item);
    if (object) objects.push(object);
  }
  return objects;
}

// A request to a name or path of another form makes the bus close the connection.
const BUS_NAME = /^:?[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)+$/;
const OBJECT_PATH = /^(\/[A-Za-z0-9_]+)+$/;
const MAX_BUS_NAME = 255;

/** The object of one `(so)` reply value; `undefined` when it is none. */
export function objectRef(value: unknown): ObjectRef | undefined {
  if (!Array.isArray(value) || typeof value[0] !== "string" || typeof value[1] !== "string") {
    return undefined;
  }
  const [bus, path] = value as [string, string];
  if (path === NULL_PATH || !OBJECT_PATH.test(path)) return undefined;
  return bus.length <= MAX_BUS_NAME && BUS_NAME.test(bus) ? { bus, path } : undefined;
}

// Elements of one kind have the same interfaces, so a few sets serve thousands of them.
const interfaceSets = new Map<string, ReadonlySet<string>>();

/** Interface names of a `GetInterfaces` reply without the prefix; the set is shared. */
export function interfaceSet(value: unknown): ReadonlySet<string> {
  if (!Array.isArray(value)) return new Set();
  const key = value.join();
  let set = interfaceSets.get(key);
  if (set === undefined) {
    set = new Set(
      value.map((name) => typeof name === "string" ? name.replace(PREFIX, "") : ""),
    );
    interfaceSets.set(key, set);
  }
  return set;
}

// Toolkits answer with these where they have no geometry: INT_MIN, or -1 for both coordinates.
const NO_COORDINATE = -2147483648;
// No list is so long; GTK 4 leaves arbitrary numbers in what it cannot measure.
const MAX_EXTENT = 16_777_216;

/**
 * The rectangle of an extents reply `(iiii)`; `undefined` when it says nothing
 * (docs/linux.md, "Places").
 */
export function extents(value: unknown): Rect | undefined {
  if (!Array.isArray(value) || value.length !== 4 || !value.every((v) => typeof v === "number")) {
    return undefined;
  }
  const [x, y, width, height] = value as [number, number, number, number];
  if (width <= 0 || height <= 0 || (x === -1 && y === -1)) return undefined;
  if (x === NO_COORDINATE || y === NO_COORDINATE) return undefined;
  // Garbage of a toolkit that has no geometry, or a rectangle without bounds.
  if (width > MAX_EXTENT || height > MAX_EXTENT) return undefined;
  return { x, y, width, height };
}

/**
 * A number as the tree prints it: up to six decimals, no trailing zeros
 * (docs/linux.md, "Values and text").
 */
export function formatNumber(value: number): string {
  if (!Number.isFinite(value)) return String(value);
  const text = value.toFixed(6).replace(/\.?0+$/, "");
  return text === "-0" ? "0" : text;
}
