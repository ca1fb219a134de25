/**
 * Reads the structure of a tree and nothing else: role, states, children. What a caller is
 * interested in, it reads itself as it is told of it.
 */
import { method, objectList, type ObjectRef, property, toHandle } from "./accessible.ts";
import { hasState, ROLE, STATE } from "./atspi.ts";
import { isShownInsideSecrets } from "./basics.ts";
import { type Bus, type Reply, saysGone } from "./bus.ts";
import { cachedChildren, type ElementCache } from "./cache.ts";
import { askListed, isListable } from "./children.ts";
import { Join } from "./join.ts";

/** One element with what its structure says. */
export interface Seen {
  object: ObjectRef;
  /** Native child indexes from the root of the reading. */
  path: readonly number[];
  roleNumber: number;
  states: readonly number[];
  parent: Seen | undefined;
  /** Inside a password field, whose text must not be asked for. */
  inSecret: boolean;
}

export interface StructureOptions {
  maxDepth: number;
  maxNodes: number;
  /** Called for each visible element, parents first; says whether to go on below it. */
  visit: (seen: Seen) => boolean;
  /** Whether elements that are not visible are told of as well (the options of a closed list). */
  hidden?: boolean;
  /** What the application has told of many elements at once; spares questions. */
  cache?: ElementCache | undefined;
}

/** A reading under way; its requests are answered while the bus runs. */
export class StructureReader {
  readonly #seen = new Set<string>();
  /** Whether everything within the limits was read. */
  complete = true;
  nodesRead = 0;

  constructor(private readonly bus: Bus, private readonly options: StructureOptions) {}

  /** Queues the tree below `root`; the caller runs the bus. */
  start(root: ObjectRef): void {
    this.#seen.add(toHandle(root));
    this.#visit(root, [], undefined);
  }

  #visit(object: ObjectRef, path: readonly number[], parent: Seen | undefined): void {
    if (++this.nodesRead > this.options.maxNodes) {
      this.complete = false;
      return;
    }
    const inSecret = parent !== undefined &&
      (parent.inSecret || parent.roleNumber === ROLE.passwordText);
    const seen: Seen = { object, path, roleNumber: -1, states: [], parent, inSecret };
    let count = 0;
    const judge = () => {
      // What is not visible is no part of the tree, except the root, which was asked for.
      const visible = this.options.hidden === true || hasState(seen.states, STATE.visible);
      if (parent !== undefined && !visible) return;
      if (inSecret && !isShownInsideSecrets(seen.roleNumber)) return;
      if (this.options.visit(seen)) this.#descend(seen, count);
    };
    const known = this.options.cache?.basics.get(toHandle(object));
    if (known?.childCount !== undefined) {
      seen.states = known.states;
      seen.roleNumber = known.roleNumber;
      count = known.childCount;
      return judge();
    }
    // A vanished element is no gap; a question that got no answer, or a senseless one, is.
    const missed = (reply: Reply) => {
      if (!saysGone(reply)) this.complete = false;
    };
    const join = new Join(this.bus, () => {
      if (seen.roleNumber >= 0) judge();
    });
    join.ask(method(object, "Accessible", "GetState"), (reply) => {
      const words = reply.ok ? reply.values[0] : undefined;
      if (Array.isArray(words)) seen.states = words as number[];
      else missed(reply);
    });
    join.ask(method(object, "Accessible", "GetRole"), (reply) => {
      const role = reply.ok ? reply.values[0] : undefined;
      if (typeof role === "number") seen.roleNumber = role;
      else missed(reply);
    });
    // Counted first: a container that claims millions must not be asked to list them.
    join.ask(property(object, "Accessible", "ChildCount"), (reply) => {
      const told = reply.ok ? reply.values[0] : undefined;
      if (typeof told === "number") count = told;
      else missed(reply);
    });
    join.close();
  }

  #descend(seen: Seen, count: number): void {
    if (count === 0) return;
    if (!isListable(count)) {
      this.complete = false;
      return;
    }
    if (seen.path.length >= this.options.maxDepth) return;
    const known = this.options.cache && cachedChildren(this.options.cache, seen.object, count);
    if (known) return this.#follow(seen, known);
    askListed(this.bus, seen.object, count, (reply) => {
      if (!reply.ok || !Array.isArray(reply.values[0])) {
        if (!saysGone(reply)) this.complete = false;
        return;
      }
      this.#follow(seen, objectList(reply.values[0]));
    });
  }

  #follow(parent: Seen, children: readonly ObjectRef[]): void {
    children.forEach((child, index) => {
      const key = toHandle(child);
      if (this.#seen.has(key)) return;
      this.#seen.add(key);
      this.#visit(child, [...parent.path, index], parent);
    });
  }
}
