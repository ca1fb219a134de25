/** Finding elements again: by path, by role. Structure is read, details only of hits. */
import type { Deadline } from "../../deadline.ts";
import { AppError } from "../../errors.ts";
import { isBlank, type Node } from "../../tree/node.ts";
import { comparePaths } from "../../tree/walk.ts";
import { type CandidateQuery, type Candidates, OBSERVE_LIMITS } from "../platform.ts";
import { method, type ObjectRef, objectRef, property, toHandle } from "./accessible.ts";
import { ROLE } from "./atspi.ts";
import { type Bus, NO_ANSWER } from "./bus.ts";
import { readElement } from "./evidence.ts";
import type { Profile } from "./profile.ts";
import { LANDMARK_ROLES, roleOf } from "./roles.ts";
import { type Seen, StructureReader } from "./structure.ts";

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
