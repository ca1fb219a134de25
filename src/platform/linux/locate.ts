/** Finding elements again: by path, by ancestry, by role. Structure is read, details only of hits. */
import type { Deadline } from "../../deadline.ts";
import { AppError } from "../../errors.ts";
import { type Handle, isBlank, type Node } from "../../tree/node.ts";
import { comparePaths } from "../../tree/walk.ts";
import { type CandidateQuery, type Candidates, OBSERVE_LIMITS } from "../platform.ts";
import {
  applicationRoot,
  method,
  type ObjectRef,
  objectRef,
  property,
  toHandle,
} from "./accessible.ts";
import { ROLE } from "./atspi.ts";
import type { Profile } from "./profile.ts";
import { type Bus, NO_ANSWER } from "./bus.ts";
import { readBasics, readDetails } from "./evidence.ts";
import { LANDMARK_ROLES, roleOf } from "./roles.ts";
import { type Seen, StructureReader } from "./structure.ts";

// Deeper than any real tree; also ends the climb in a cycle.
const MAX_CLIMB = 256;

/** An application that leaves a question open until the deadline. */
export function unresponsive(what: string): AppError {
  return new AppError("APP_UNRESPONSIVE", `The application did not answer while ${what}`, {
    suggestion: "Check that the application is not blocked, then retry.",
  });
}

/** The element at native child indexes below `root`; `undefined` when the path leads nowhere. */
export function pathTarget(
  bus: Bus,
  root: ObjectRef,
  path: readonly number[],
  deadline: Deadline,
): ObjectRef | undefined {
  let object = root;
  for (const index of path) {
    const reply = bus.call(
      method(object, "Accessible", "GetChildAtIndex", "i", index),
      deadline,
    );
    if (!reply.ok && reply.error === NO_ANSWER) throw unresponsive("a path was followed");
    const child = reply.ok ? objectRef(reply.values[0]) : undefined;
    if (child === undefined) return undefined;
    object = child;
  }
  return object;
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
export function climb(
  bus: Bus,
  object: ObjectRef,
  tops: ReadonlySet<Handle>,
  lineage: Lineage,
): void {
  const { handles } = lineage;
  const handle = toHandle(object);
  if (handles.size >= MAX_CLIMB || handles.has(handle)) {
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
    if (parent !== undefined) climb(bus, parent, tops, lineage);
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
  climb(bus, object, new Set([wanted]), lineage);
  bus.run(deadline);
  if (lineage.handles.has(wanted)) return true;
  return lineage.open ? undefined : false;
}

/**
 * Elements of one role below `root`. Of the others only role, states and children are read; of
 * those also the id, when one is wanted.
 */
export function findCandidates(
  bus: Bus,
  root: ObjectRef,
  query: CandidateQuery,
  profile: Profile,
  deadline: Deadline,
): Candidates {
  const found: { path: readonly number[]; node: Node }[] = [];
  const sameIdOtherRole: Node[] = [];
  const wantedId = query.nativeId;
  let answered = true;
  const visit = ({ object, path, roleNumber, states }: Seen): boolean => {
    const role = roleOf(roleNumber, states);
    const index = path.at(-1) ?? 0;
    if (
      role === query.role || (roleNumber === ROLE.landmark && LANDMARK_ROLES.has(query.role))
    ) {
      const readWhole = () =>
        readElement(bus, object, profile, (node, silent) => {
          if (silent) answered = false;
          if (node?.role === query.role) found.push({ path, node: { ...node, index } });
        });
      if (query.name === undefined) readWhole();
      else {
        // One question rules most out; what has no name of its own, or does not tell, is read.
        bus.send(property(object, "Accessible", "Name"), (reply) => {
          const name = reply.ok ? reply.values[0] : undefined;
          const other = typeof name === "string" && !isBlank(name) && name !== query.name;
          if (!other) readWhole();
        });
      }
    } else if (wantedId?.kind === "ax_identifier" && profile.accessibleIds) {
      bus.send(property(object, "Accessible", "AccessibleId"), (reply) => {
        if (!reply.ok || reply.values[0] !== wantedId.value) return;
        const handle = toHandle(object);
        sameIdOtherRole.push({
          role,
          states: [],
          actions: [],
          index,
          children: [],
          nativeId: wantedId,
          handle,
        });
      });
    }
    return true;
  };
  const reader = new StructureReader(bus, {
    maxDepth: query.maxDepth,
    maxNodes: OBSERVE_LIMITS.nodes,
    visit,
  });
  reader.start(root);
  const done = bus.run(deadline);
  // Document order, whatever order the replies came in.
  found.sort((a, b) => comparePaths(a.path, b.path));
  return {
    nodes: found.map((hit) => hit.node),
    sameIdOtherRole,
    complete: done && answered && reader.complete,
    nodesRead: reader.nodesRead,
  };
}

/** Reads one element whole; `undefined` to `done` when it is gone or does not answer. */
export function readElement(
  bus: Bus,
  object: ObjectRef,
  profile: Profile,
  done: (node: Node | undefined, silent: boolean) => void,
): void {
  readBasics(bus, object, profile, { inSecret: false, children: false }, (basics) => {
    if (basics === "gone" || basics === "silent") return done(undefined, basics === "silent");
    const wants = { bounds: "all", fieldBytes: OBSERVE_LIMITS.fieldBytes } as const;
    readDetails(bus, basics, 0, profile, wants, (node) => done(node, false));
  });
}
