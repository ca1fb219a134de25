/** From an element up to its application: what it is in. */
import type { Deadline } from "../../deadline.ts";
import type { Handle } from "../../tree/node.ts";
import { applicationRoot, type ObjectRef, objectRef, property, toHandle } from "./accessible.ts";
import { type Bus, NO_ANSWER, type Reply } from "./bus.ts";
import type { MethodCall } from "./wire.ts";

// Deeper than any real tree.
const MAX_ANCESTORS = 256;

/** One step of a climb. */
export interface Level {
  object: ObjectRef;
  /** `undefined` where the climb ends without an answer. */
  parent: ObjectRef | undefined;
  /** What else was asked of `object`, in order. */
  replies: Reply[];
}

/**
 * The levels from an element up to, not including, its application's root; ends where a parent is
 * missing or comes a second time. Each level is read when it is asked for, in one round.
 *
 * @param also What to ask of each level together with its parent
 */
export function* climb(
  bus: Bus,
  from: ObjectRef,
  deadline: Deadline,
  also: (object: ObjectRef) => MethodCall[] = () => [],
): Generator<Level> {
  const seen = new Set<Handle>();
  let object: ObjectRef | undefined = from;
  while (object !== undefined && seen.size < MAX_ANCESTORS) {
    const handle = toHandle(object);
    if (seen.has(handle) || handle === toHandle(applicationRoot(object.bus))) return;
    seen.add(handle);
    const calls = [property(object, "Accessible", "Parent"), ...also(object)];
    const [above, ...replies] = bus.callAll(calls, deadline);
    const parent: ObjectRef | undefined = above?.ok ? objectRef(above.values[0]) : undefined;
    yield { object, parent, replies };
    object = parent;
  }
}

/** What an element is in, nearest first, up to its application's root. */
export function ancestorsOf(bus: Bus, object: ObjectRef, deadline: Deadline): ObjectRef[] {
  return [...climb(bus, object, deadline)].flatMap(({ parent }) => parent ?? []);
}

/** An element and its ancestors, as far as they have been read. */
export interface Lineage {
  handles: Set<Handle>;
  /** A question was left open, or the chain has no end: more may stand above. */
  open: boolean;
}

/**
 * Adds `object` and its ancestors to `lineage`, up to one of `tops` (which may be found meanwhile)
 * or the application, beside whatever else is under way on the bus.
 */
export function readLineage(
  bus: Bus,
  object: ObjectRef,
  tops: ReadonlySet<Handle>,
  lineage: Lineage,
): void {
  const { handles } = lineage;
  const handle = toHandle(object);
  if (handles.size >= MAX_ANCESTORS || handles.has(handle)) {
    lineage.open = true;
    return;
  }
  handles.add(handle);
  if (tops.has(handle) || handle === toHandle(applicationRoot(object.bus))) return;
  bus.send(property(object, "Accessible", "Parent"), (reply) => {
    if (!reply.ok) {
      lineage.open = reply.error === NO_ANSWER;
      return;
    }
    const parent = objectRef(reply.values[0]);
    if (parent !== undefined) readLineage(bus, parent, tops, lineage);
  });
}

/** Whether `object` is `root` or has it as an ancestor; `undefined` when that cannot be read. */
export function isBelow(
  bus: Bus,
  object: ObjectRef,
  root: ObjectRef,
  deadline: Deadline,
): boolean | undefined {
  const wanted = toHandle(root);
  const lineage: Lineage = { handles: new Set(), open: false };
  readLineage(bus, object, new Set([wanted]), lineage);
  bus.run(deadline);
  if (lineage.handles.has(wanted)) return true;
  return lineage.open ? undefined : false;
}
