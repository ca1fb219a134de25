/** Finding elements again: by path, by ancestry, by role. Structure is read, details only of hits. */
import type { Deadline } from "../../deadline.ts";
import { AppError } from "../../errors.ts";
import type { Node } from "../../tree/node.ts";
import { type CandidateQuery, type Candidates, OBSERVE_LIMITS } from "../platform.ts";
import { method, objectList, type ObjectRef, objectRef, property, toHandle } from "./accessible.ts";
import { applicationRoot } from "./application.ts";
import { type Bus, NO_ANSWER, type Reply } from "./bus.ts";
import { type Profile, readBasics, readDetails } from "./evidence.ts";
import { roleOf } from "./roles.ts";
import { hasState, STATE } from "./states.ts";

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

/** Whether `object` is `root` or has it as an ancestor; `undefined` when that cannot be read. */
export function isBelow(
  bus: Bus,
  object: ObjectRef,
  root: ObjectRef,
  deadline: Deadline,
): boolean | undefined {
  const wanted = toHandle(root);
  let at = object;
  for (let i = 0; i < MAX_CLIMB; i++) {
    if (toHandle(at) === wanted) return true;
    const reply = bus.call(property(at, "Accessible", "Parent"), deadline);
    if (!reply.ok) return reply.error === NO_ANSWER ? undefined : false;
    const parent = objectRef(reply.values[0]);
    if (parent === undefined) return false;
    at = parent;
  }
  return undefined;
}

/** The top-level window an element is in: the ancestor right below the application. */
export function topLevelOf(bus: Bus, object: ObjectRef, deadline: Deadline): ObjectRef | undefined {
  const application = toHandle(applicationRoot(object.bus));
  let at = object;
  for (let i = 0; i < MAX_CLIMB; i++) {
    const reply = bus.call(property(at, "Accessible", "Parent"), deadline);
    const parent = reply.ok ? objectRef(reply.values[0]) : undefined;
    if (parent === undefined) return undefined;
    if (toHandle(parent) === application) return at;
    at = parent;
  }
  return undefined;
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
  return new Search(bus, query, profile).run(root, deadline);
}

class Search {
  readonly #seen = new Set<string>();
  readonly #found: { order: number[]; node: Node }[] = [];
  readonly #others: Node[] = [];
  #complete = true;
  #read = 0;

  constructor(
    private readonly bus: Bus,
    private readonly query: CandidateQuery,
    private readonly profile: Profile,
  ) {}

  run(root: ObjectRef, deadline: Deadline): Candidates {
    this.#seen.add(toHandle(root));
    this.#visit(root, []);
    if (!this.bus.run(deadline)) this.#complete = false;
    // Document order, whatever order the replies came in.
    this.#found.sort((a, b) => comparePaths(a.order, b.order));
    return {
      nodes: this.#found.map((hit) => hit.node),
      sameIdOtherRole: this.#others,
      complete: this.#complete,
      nodesRead: this.#read,
    };
  }

  #visit(object: ObjectRef, path: number[]): void {
    if (++this.#read > OBSERVE_LIMITS.nodes) {
      this.#complete = false;
      return;
    }
    let role = -1;
    let states: readonly number[] = [];
    let children: ObjectRef[] = [];
    let left = 3;
    const answered = (reply: Reply) => {
      // A vanished element is no candidate; an unanswered question leaves the search open.
      if (!reply.ok && reply.error === NO_ANSWER) this.#complete = false;
      if (--left > 0) return;
      if (role < 0) return;
      if (path.length > 0 && !hasState(states, STATE.visible)) return;
      this.#judge(object, path, roleOf(role, states));
      this.#follow(children, path);
    };
    this.bus.send(method(object, "Accessible", "GetState"), (reply) => {
      if (reply.ok && Array.isArray(reply.values[0])) states = reply.values[0] as number[];
      answered(reply);
    });
    this.bus.send(method(object, "Accessible", "GetRole"), (reply) => {
      if (reply.ok && typeof reply.values[0] === "number") role = reply.values[0];
      answered(reply);
    });
    this.#askChildren(object, path, (list, reply) => {
      children = list;
      answered(reply);
    });
  }

  /** Children are counted first: a container that claims millions must not be asked to list them. */
  #askChildren(
    object: ObjectRef,
    path: number[],
    done: (children: ObjectRef[], reply: Reply) => void,
  ): void {
    this.bus.send(property(object, "Accessible", "ChildCount"), (reply) => {
      const count = reply.ok ? reply.values[0] : undefined;
      if (typeof count !== "number" || count === 0) return done([], reply);
      if (path.length >= this.query.maxDepth) return done([], reply);
      if (count < 0 || count > OBSERVE_LIMITS.childrenPerNode) {
        this.#complete = false;
        return done([], reply);
      }
      this.bus.send(method(object, "Accessible", "GetChildren"), (listed) => {
        done(listed.ok ? objectList(listed.values[0]) : [], listed);
      });
    });
  }

  #follow(children: ObjectRef[], path: number[]): void {
    children.forEach((child, index) => {
      const key = toHandle(child);
      if (this.#seen.has(key)) return;
      this.#seen.add(key);
      this.#visit(child, [...path, index]);
    });
  }

  #judge(object: ObjectRef, path: number[], role: Node["role"]): void {
    const wantedId = this.query.nativeId;
    if (role === this.query.role) {
      readElement(this.bus, object, this.profile, (node) => {
        if (node === undefined) return;
        node.index = path.at(-1) ?? 0;
        this.#found.push({ order: path, node });
      });
    } else if (wantedId?.kind === "ax_identifier" && this.profile.accessibleIds) {
      this.bus.send(property(object, "Accessible", "AccessibleId"), (reply) => {
        if (reply.ok && reply.values[0] === wantedId.value) {
          this.#others.push({
            role,
            states: [],
            actions: [],
            index: path.at(-1) ?? 0,
            children: [],
            nativeId: wantedId,
            handle: toHandle(object),
          });
        }
      });
    }
  }
}

function comparePaths(a: readonly number[], b: readonly number[]): number {
  for (let i = 0; i < Math.min(a.length, b.length); i++) {
    if (a[i] !== b[i]) return a[i]! - b[i]!;
  }
  return a.length - b.length;
}

/** Reads one element whole; `undefined` to `done` when it is gone or does not answer. */
export function readElement(
  bus: Bus,
  object: ObjectRef,
  profile: Profile,
  done: (node: Node | undefined, silent: boolean) => void,
): void {
  readBasics(bus, object, profile, false, (basics) => {
    if (basics === "gone" || basics === "silent") return done(undefined, basics === "silent");
    const wants = { bounds: "all", fieldBytes: OBSERVE_LIMITS.fieldBytes } as const;
    readDetails(bus, basics, 0, profile, wants, (node) => done(node, false));
  });
}
