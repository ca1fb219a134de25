/**
 * Walks a tree. Parents take turns, so that one endless list cannot keep what stands beside it
 * from being read. A walk ends by its deadline and says what it left out.
 */
import { Arena, type Ref } from "../../../ffi/macos/core_foundation.ts";
import type { Deadline } from "../../deadline.ts";
import { completeTree } from "../../tree/complete_tree.ts";
import type { Handle, Node } from "../../tree/node.ts";
import { isBlank } from "../../tree/node.ts";
import { type Observation, type ObserveOptions } from "../platform.ts";
import { CROWD, isNamelessCut } from "../crowd.ts";
import { Turns } from "../turns.ts";
import { WalkBudget } from "../walk_budget.ts";
import { type Elements, notTrusted } from "./accessible.ts";
import { type Basics, readBasics } from "./basics.ts";
import { nameFromChildren, readDetails, type Scene } from "./evidence.ts";
import { insideSecret, WRAPPER_ROLES } from "./roles.ts";
import { type Child, countChildren, listChildren } from "./children.ts";

/** Elements in a row that do not answer before the application is taken for blocked. */
const SILENT_LIMIT = 3;
/** How often a busy application is asked for the root: until the deadline. */
const ROOT_ATTEMPTS = 1_000;
/** The event loop gets a turn this often (ms), so that signals are seen. */
const TURN_MS = 100;

/** An element under way or read. */
interface Item {
  handle: Handle;
  parent: Item | undefined;
  index: number;
  /** Levels below the root, wrappers included. */
  raw: number;
  /** Levels below the root as `--max-depth` counts them. */
  logical: number;
  /** The same of its children. */
  childLogical: number;
  axRole?: string | undefined;
  /** What its children draw may be a secret. */
  mayShowSecret?: boolean;
  node?: Node;
  children: Item[];
  childrenCount?: number;
  truncated?: true;
  /** Children to be read that stand for all, and those that wait for what they show. */
  sample?: { left: number; rest: Child[] };
}

function isAncestor(handle: Handle, item: Item): boolean {
  for (let at: Item | undefined = item; at; at = at.parent) if (at.handle === handle) return true;
  return false;
}

export type WalkResult = Observation | "gone" | "silent";

/**
 * Reads the tree below `root`. `gone`: there is no such element; `silent`: it did not answer
 * before the deadline.
 *
 * @throws AppError `PERM_DENIED` when access is denied
 */
export function walk(
  elements: Elements,
  root: Handle,
  options: ObserveOptions,
  scene: Scene,
  deadline: Deadline,
): Promise<WalkResult> {
  return new Walk(elements, options, scene, deadline).run(root);
}

class Walk {
  readonly #budget: WalkBudget;
  readonly #seen = new Set<Handle>();
  readonly #turns = new Turns<Item, Child>();
  #silentRun = 0;
  #complete = true;

  constructor(
    private readonly elements: Elements,
    private readonly options: ObserveOptions,
    private readonly scene: Scene,
    private readonly deadline: Deadline,
  ) {
    this.#budget = new WalkBudget(options.limits);
  }

  async run(handle: Handle): Promise<WalkResult> {
    const root: Item = {
      handle,
      parent: undefined,
      index: 0,
      raw: 0,
      logical: 0,
      childLogical: 1,
      children: [],
    };
    this.#seen.add(handle);
    const outcome = this.#visit(root);
    if (outcome === "gone" || outcome === "silent") return outcome;
    let turn = performance.now();
    while (this.#turns.waiting && !this.deadline.expired && this.#silentRun < SILENT_LIMIT) {
      this.#turn();
      if (performance.now() - turn > TURN_MS) {
        await new Promise((wake) => setTimeout(wake, 0));
        turn = performance.now();
      }
    }
    for (const parent of this.#turns.left()) this.#lose(parent);
    const tree = this.#assemble(root);
    if (completeTree(tree)) this.#complete = false;
    return { root: tree, complete: this.#complete, nodesObserved: this.#budget.nodes };
  }

  #turn(): void {
    const stop = () => this.deadline.expired || this.#silentRun >= SILENT_LIMIT;
    this.#turns.turn((parent, { handle, index }) => {
      const item: Item = {
        handle,
        parent,
        index,
        raw: parent.raw + 1,
        logical: parent.childLogical,
        childLogical: parent.childLogical + 1,
        children: [],
      };
      if (this.#visit(item) === "read") parent.children.push(item);
      else this.#lose(parent);
      if (parent.sample && --parent.sample.left === 0) {
        this.#judgeSample(parent, parent.sample.rest);
      }
    }, stop);
  }

  /**
   * In an overview, a crowd of nameless containers is counted and not listed: the parent opens
   * them all. The first few stand for the rest.
   */
  #judgeSample(parent: Item, rest: Child[]): void {
    const { children } = parent;
    if (children.length === 0 || !children.every(isNamelessCut)) {
      this.#turns.add(parent, rest);
      return;
    }
    this.#budget.giveBackNodes(children.length);
    parent.childrenCount ??= CROWD + rest.length;
    parent.children = [];
  }

  #lose(item: Item): void {
    item.truncated = true;
    this.#complete = false;
  }

  /** `hidden`: it may be what a secure field draws. */
  #visit(item: Item): "read" | "gone" | "silent" | "hidden" {
    const element = this.elements.find(item.handle);
    if (!element) return "gone";
    if (this.#budget.isOutOfNodes) return "silent";
    using arena = new Arena();
    // What a scroll area holds may be a table of many thousand rows: those are counted first.
    const children = item.parent?.axRole !== "AXScrollArea";
    const attempts = item.parent ? 2 : ROOT_ATTEMPTS;
    const basics = readBasics(
      this.elements,
      element,
      { children, attempts },
      this.deadline,
      arena,
    );
    if (basics === "denied") throw notTrusted();
    if (basics === "gone" || basics === "silent") {
      if (basics === "silent") this.#silentRun++;
      return basics;
    }
    this.#silentRun = 0;
    const inside = item.parent?.mayShowSecret ? insideSecret(basics.role) : "show";
    if (inside === "hide") return "hidden";
    item.mayShowSecret = basics.secrecy.childrenMayShow || inside === "enter";
    if (basics.unreadable.has("role")) this.#complete = false;
    this.#budget.takeNode();
    if (this.#budget.isTextShort) this.#complete = false;
    item.axRole = basics.axRole;
    const node = item.node = readDetails(
      this.elements,
      element,
      basics,
      item.index,
      this.scene,
      this.#budget.fieldBytes,
      this.deadline,
    );
    this.#budget.spendText(node);
    this.#descend(item, node, element, basics, children);
    return "read";
  }

  #descend(item: Item, node: Node, element: Ref, basics: Basics, listed: boolean): void {
    // What a secure field holds is drawn by its children; none of it may be read.
    if (basics.secrecy.value === "secure") return;
    const known = listed ? basics : undefined;
    const wrapper = item.parent !== undefined && WRAPPER_ROLES.has(basics.axRole ?? "") &&
      isBlank(node.name) && isBlank(node.value);
    const logical = wrapper ? item.logical : item.logical + 1;
    if (logical > this.options.maxDepth || item.raw + 1 > this.#budget.limits.rawDepth) {
      return this.#cut(item, node, element, basics, known);
    }
    const list = listChildren(
      this.elements,
      element,
      basics.axRole,
      known,
      this.#budget.limits.childrenPerNode,
      this.deadline,
    );
    if (list.count !== undefined) item.childrenCount = list.count;
    if (list.incomplete) this.#lose(item);
    item.childLogical = logical;
    this.#enqueue(item, list.children);
  }

  // Cut by depth: that is asked for, and no failure.
  #cut(
    item: Item,
    node: Node,
    element: Ref,
    basics: Basics,
    known: Basics | undefined,
  ): void {
    const count = known?.children?.length ??
      countChildren(this.elements, element, basics.axRole, this.deadline);
    if (count === undefined || count < 0) return this.#lose(item);
    if (count === 0) return;
    item.childrenCount = count;
    nameFromChildren(this.elements, node, () => known?.children ?? [], this.deadline);
  }

  #enqueue(parent: Item, entries: readonly Child[]): void {
    const fresh: Child[] = [];
    for (const entry of entries) {
      if (!this.#budget.takeEdge()) {
        this.#lose(parent);
        break;
      }
      if (!this.#seen.has(entry.handle)) {
        this.#seen.add(entry.handle);
        fresh.push(entry);
      } else if (isAncestor(entry.handle, parent)) {
        this.#lose(parent);
      }
      // Otherwise it has another parent too, as a cell has its row and its column: shown once.
    }
    const isLast = parent.childLogical === this.options.maxDepth;
    if (this.options.overview && isLast && fresh.length > CROWD) {
      parent.sample = { left: CROWD, rest: fresh.splice(CROWD) };
    }
    this.#turns.add(parent, fresh);
  }

  /** Puts the nodes together; recursion is bounded by the raw depth limit. */
  #assemble(item: Item): Node {
    const node = item.node!;
    node.children = item.children.sort((a, b) => a.index - b.index)
      .map((child) => this.#assemble(child));
    if (item.childrenCount !== undefined) node.childrenCount = item.childrenCount;
    if (item.truncated) node.truncated = true;
    return node;
  }
}
