/**
 * Walks a tree. Elements are read side by side, each parent's children in turns, so that one
 * endless list cannot keep what stands beside it from being read. A walk ends by its deadline and
 * says what it left out.
 */
import type { Deadline } from "../../deadline.ts";
import { evidenceBounds, isBlank, type Node } from "../../tree/node.ts";
import { completeTree } from "../../tree/complete_tree.ts";
import { type Observation, type ObserveOptions, type Point } from "../platform.ts";
import { CROWD, isNamed, isNamelessCut } from "../crowd.ts";
import { Turns } from "../turns.ts";
import { WalkBudget } from "../walk_budget.ts";
import { objectList, type ObjectRef, toHandle } from "./accessible.ts";
import { hasState, STATE } from "./atspi.ts";
import { type Basics, type BasicsResult, isShownInsideSecrets, readBasics } from "./basics.ts";
import type { Bus } from "./bus.ts";
import { cachedChildren, type ElementCache } from "./cache.ts";
import { askListed, isListable } from "./children.ts";
import { readBounds, readDetails } from "./evidence.ts";
import type { Profile } from "./profile.ts";
import { WRAPPER_ROLES } from "./roles.ts";
import type { Told } from "./toolkits/toolkit.ts";
import { readVirtualChildren } from "./virtual.ts";

// Elements under way together: each has about six requests, which fills the connection's window.
const OPEN_ELEMENTS = 64;
const NOWHERE: Point = { x: 0, y: 0 };

/** An element under way or read. */
interface Item {
  object: ObjectRef;
  parent: Item | undefined;
  index: number;
  /** Levels below the root, wrappers included. */
  raw: number;
  /** Levels below the root as `--max-depth` counts them. */
  logical: number;
  /** The same of its children, once they wait for their turn. */
  childLogical?: number;
  basics?: Basics;
  node?: Node;
  /** In native order; holes are children that were dropped. */
  children: Item[];
  childrenCount?: number;
  truncated?: true;
  /** In a popover, whose coordinates are its own. */
  floating?: boolean;
  /** Children under way that stand for all, and those that wait for what they show. */
  sample?: { left: number; rest: Entry[] };
}

/** A child that has not been read, with its place among its siblings. */
interface Entry {
  object: ObjectRef;
  index: number;
}

export type WalkResult = Observation | "gone" | "silent";

/**
 * Reads the tree below `root`. `gone`: there is no such element; `silent`: it did not answer
 * before the deadline.
 */
export function walk(
  bus: Bus,
  root: ObjectRef,
  options: ObserveOptions,
  profile: Profile,
  cache: ElementCache | undefined,
  deadline: Deadline,
): WalkResult {
  return new Walk(bus, options, profile, cache, deadline).run(root);
}

function numbered(objects: readonly ObjectRef[]): Entry[] {
  return objects.map((object, index) => ({ object, index }));
}

function told({ basics, node }: Item): Told {
  return {
    roleNumber: basics!.roleNumber,
    hasActions: basics!.interfaces.has("Action"),
    rect: node!.toolkitBounds,
  };
}

class Walk {
  readonly #budget: WalkBudget;
  readonly #seen = new Set<string>();
  readonly #turns = new Turns<Item, Entry>();
  #open = 0;
  #pumping = false;
  #rootState: "pending" | "read" | "gone" | "silent" = "pending";
  #complete = true;
  readonly #cut: Item[] = [];

  constructor(
    private readonly bus: Bus,
    private readonly options: ObserveOptions,
    private readonly profile: Profile,
    private readonly cache: ElementCache | undefined,
    private readonly deadline: Deadline,
  ) {
    this.#budget = new WalkBudget(options.limits);
  }

  run(object: ObjectRef): WalkResult {
    const root: Item = { object, parent: undefined, index: 0, raw: 0, logical: 0, children: [] };
    this.#seen.add(toHandle(object));
    this.#start(root, false);
    const answered = this.bus.run(this.deadline);
    if (this.#rootState === "gone" || this.#rootState === "silent") return this.#rootState;
    if (root.node === undefined) return "silent";
    for (const parent of this.#turns.left()) this.#lose(parent);
    if (!answered) this.#complete = false;
    this.#boundsForCuts();
    const tree = this.#assemble(root, NOWHERE);
    if (completeTree(tree)) this.#complete = false;
    return { root: tree, complete: this.#complete, nodesObserved: this.#budget.nodes };
  }

  #start(item: Item, inSecret: boolean): void {
    this.#open++;
    const judge = (result: BasicsResult) => {
      if (result === "gone" || result === "silent") {
        if (item.parent === undefined) this.#rootState = result;
        else this.#lose(item.parent);
        return this.#end(item);
      }
      this.#take(item, result);
    };
    const known = inSecret ? undefined : this.cache?.basics.get(toHandle(item.object));
    if (known) judge(known);
    else readBasics(this.bus, item.object, this.profile, inSecret, judge);
  }

  #lose(item: Item): void {
    item.truncated = true;
    this.#complete = false;
  }

  /** One thing under way is done; `item` is given when that was a whole element. */
  #end(item?: Item): void {
    this.#open--;
    const sample = item?.parent?.sample;
    if (sample && --sample.left === 0) this.#judgeSample(item!.parent!, sample.rest);
    this.#pump();
  }

  /**
   * In an overview, a crowd of nameless containers is counted and not listed: the parent opens
   * them all. The first few stand for the rest.
   */
  #judgeSample(parent: Item, rest: Entry[]): void {
    if (!parent.children.every(isNamelessCut) || parent.children.length === 0) {
      this.#turns.add(parent, rest);
      return;
    }
    this.#budget.giveBackNodes(parent.children.length);
    parent.children = [];
    parent.childrenCount = parent.basics!.childCount;
    this.#cut.push(parent);
  }

  /** Decides from the basics whether an element is shown and how far below it the walk goes. */
  #take(item: Item, basics: Basics): void {
    const shown = item.parent === undefined || basics.unreadable.includes("states") ||
      hasState(basics.states, STATE.visible);
    if (!shown) return this.#end(item);
    if (item.parent?.basics?.secure && !isShownInsideSecrets(basics.roleNumber)) {
      // Where it is only feared to be a password field, something may be missing.
      if (item.parent.basics.unreadable.includes("role")) this.#lose(item.parent);
      return this.#end(item);
    }
    if (item.parent === undefined) this.#rootState = "read";
    if (!this.#budget.takeNode()) {
      if (item.parent) this.#lose(item.parent);
      return this.#end(item);
    }
    item.basics = basics;
    item.parent?.children.push(item);
    this.#descend(item, basics);
    // A popover is a window of its own: the window's place says nothing about what is in it.
    item.floating = item.parent?.floating === true ||
      this.profile.popoverName?.test(basics.name) === true;
    const profile = item.floating ? { ...this.profile, toScreen: undefined } : this.profile;
    if (this.#budget.isTextShort && !isBlank(basics.name)) this.#complete = false;
    const wants = { bounds: this.options.bounds, fieldBytes: this.#budget.fieldBytes };
    readDetails(this.bus, basics, item.index, profile, wants, (node) => {
      item.node = node;
      this.#budget.spendText(node);
      this.#end(item);
    });
  }

  #descend(item: Item, basics: Basics): void {
    const count = basics.childCount;
    if (count === 0) return;
    const wrapper = item.parent !== undefined && WRAPPER_ROLES.has(basics.roleNumber) &&
      isBlank(basics.name) && !basics.interfaces.has("Value") &&
      !basics.interfaces.has("EditableText");
    const logical = wrapper ? item.logical : item.logical + 1;
    if (logical > this.options.maxDepth || item.raw + 1 > this.#budget.limits.rawDepth) {
      // Cut by the depth that was asked for: no failure. The limit of wrappers in wrappers is one.
      item.childrenCount = count !== undefined && count > 0 && !basics.secure ? count : undefined;
      const unasked = logical <= this.options.maxDepth;
      if (count === undefined || count < 0 || unasked) this.#lose(item);
      if (item.childrenCount !== undefined) this.#cut.push(item);
      return;
    }
    if (!isListable(count) || count > this.#budget.limits.childrenPerNode) {
      return this.#descendVirtual(item, count ?? -1, logical);
    }
    const known = this.cache && cachedChildren(this.cache, item.object, count);
    if (known) return this.#enqueue(item, numbered(known), logical);
    this.#open++;
    askListed(this.bus, item.object, count, (reply) => {
      if (!reply.ok) {
        this.#lose(item);
      } else if (!Array.isArray(reply.values[0])) {
        this.#lose(item);
      } else {
        const objects = objectList(reply.values[0]);
        if (objects.length > this.#budget.limits.childrenPerNode && !basics.secure) {
          item.childrenCount = objects.length;
          this.#lose(item);
        }
        this.#enqueue(
          item,
          objects.slice(0, this.#budget.limits.childrenPerNode).map((object, index) => ({
            object,
            index,
          })),
          logical,
        );
      }
      this.#end();
    });
  }

  /** A container of absurdly many children: what shows of it is read, the rest is counted. */
  #descendVirtual(item: Item, count: number, logical: number): void {
    this.#lose(item);
    if (count > 0 && !item.basics!.secure) item.childrenCount = count;
    this.#open++;
    readVirtualChildren(this.bus, item.object, count, (entries) => {
      this.#enqueue(item, entries, logical);
      this.#end();
    });
  }

  #enqueue(parent: Item, entries: Entry[], logical: number): void {
    const fresh: Entry[] = [];
    for (const entry of entries) {
      if (!this.#budget.takeEdge()) {
        this.#lose(parent);
        break;
      }
      // An element that is its own ancestor, or a child of two parents, is followed once.
      const key = toHandle(entry.object);
      if (this.#seen.has(key)) this.#lose(parent);
      else {
        this.#seen.add(key);
        fresh.push(entry);
      }
    }
    if (fresh.length === 0) return;
    parent.childLogical = logical;
    if (this.options.overview && logical === this.options.maxDepth && fresh.length > CROWD) {
      parent.sample = { left: CROWD, rest: fresh.splice(CROWD) };
    }
    this.#turns.add(parent, fresh);
  }

  /** Starts elements as long as there is room. Elements that need no question end at once. */
  #pump(): void {
    if (this.#pumping) return;
    this.#pumping = true;
    while (this.#open < OPEN_ELEMENTS && this.#turns.waiting && !this.deadline.expired) {
      this.#turns.turn((parent, { object, index }) => {
        const item: Item = {
          object,
          parent,
          index,
          raw: parent.raw + 1,
          logical: parent.childLogical!,
          children: [],
        };
        this.#start(item, parent.basics!.secure);
      });
    }
    this.#pumping = false;
  }

  /**
   * Where the walk stopped, the nearest element that can be named must become a drill target
   * (docs/observation.md, "Drill targets"); without text or id that takes bounds. Of many nameless
   * siblings not each is measured: their parent is the target that opens them all.
   */
  #boundsForCuts(): void {
    if (this.options.bounds === "all" || this.#cut.length === 0) return;
    const siblings = new Map<Item | undefined, number>();
    const cuts = this.#cut.filter((cut) =>
      !cut.parent?.sample || cut.parent.children.includes(cut)
    );
    for (const { parent } of cuts) siblings.set(parent, (siblings.get(parent) ?? 0) + 1);
    const targets = new Map<Item, { node: Node; object: ObjectRef }>();
    for (const cut of cuts) {
      const crowded = siblings.get(cut.parent)! > CROWD && !isNamed(cut);
      let item: Item | undefined = crowded ? cut.parent : cut;
      for (; item?.parent && item.node; item = item.parent) {
        if (evidenceBounds(item.node) !== undefined || targets.has(item)) break;
        const measurable = item.basics!.interfaces.has("Component");
        if (measurable) targets.set(item, { node: item.node, object: item.object });
        if (measurable || isNamed(item)) break;
      }
    }
    readBounds(this.bus, [...targets.values()], this.profile);
    this.bus.run(this.deadline);
  }

  /**
   * Puts the nodes together; recursion is bounded by the raw depth limit. `shift` is how far the
   * toolkit misplaces the element.
   */
  #assemble(item: Item, shift: Point): Node {
    const node = item.node!;
    if (shift.x !== 0 || shift.y !== 0) this.#moveBack(node, shift);
    const { misplacement } = this.profile;
    // Replies come in any order; native order is what the application says.
    item.children.sort((a, b) => a.index - b.index);
    for (const child of item.children) {
      if (child.node === undefined) {
        item.truncated = true;
        continue;
      }
      const inner = misplacement?.(told(item), told(child), shift) ?? shift;
      node.children.push(this.#assemble(child, inner));
    }
    if (item.childrenCount !== undefined) node.childrenCount = item.childrenCount;
    if (item.truncated) node.truncated = true;
    return node;
  }

  #moveBack(node: Node, shift: Point): void {
    const { toolkitBounds: told } = node;
    if (node.bounds === undefined || told === undefined) return;
    const bounds = this.profile.toScreen?.({ ...told, x: told.x - shift.x, y: told.y - shift.y });
    if (bounds !== undefined) node.bounds = bounds;
  }
}
