/**
 * Gives refs: which nodes get one, in which order, and the evidence each stores
 * (docs/observation.md, "Which elements get a ref"). It runs on the whole observed tree, before anything is pruned, so numbers depend on the tree
 * alone and not on how it is printed.
 */
import { type Action, isRefable } from "../tree/actions.ts";
import { evidenceBounds, isBlank, type Node } from "../tree/node.ts";
import { hasTrait, isKnownRole, type Role } from "../tree/roles.ts";
import { documentOrder, type Visit } from "../tree/walk.ts";
import { boundsHash } from "./bounds_hash.ts";
import type { RefEntry, Source } from "./entry.ts";
import { evidenceFits, MAX_PATH } from "./limits.ts";
import { isNameOnlyValue } from "./identity.ts";
import { digestOf, storedText } from "./stored_text.ts";
import { isRow, rowTexts } from "./row_text.ts";
import { MAX_REF_NUMBER } from "./syntax.ts";

/** Parts of a page or window that a person would name when telling where something is. */
const LANDMARKS: ReadonlySet<Role> = new Set<Role>([
  "banner",
  "complementary",
  "contentinfo",
  "form",
  "main",
  "navigation",
  "region",
  "search",
]);

export interface AllocateOptions {
  /** Process, window and surface the tree was read from; part of every entry. */
  source: Source;
  /** Numbers up to this one are taken already; 0 when absent. A drill passes its map's counter. */
  counter?: number;
  /** Store `bounds`, not only their hash (`--include-bounds`). */
  storeBounds?: boolean;
  /** Store live handles as evidence; only where a later process can use them. */
  storeHandles?: boolean;
  /** Also give refs to containers through which cut-off children can be reached (docs/observation.md, "Drill targets"). */
  drillTargets?: boolean;
  /** Only these nodes may get a ref; every node when absent. */
  only?: ReadonlySet<Node>;
  /**
   * The ref the tree is below: its local key, its own path from the observation root, and the row
   * it is in.
   */
  drill?: { rootRef: string; path: readonly number[]; row?: string };
}

export interface Allocation {
  /** New entries by ref number, in ascending order. */
  entries: Map<number, RefEntry>;
  /** Highest number given out so far. */
  counter: number;
}

/**
 * Numbers the nodes of a normalised tree in document order and collects their entries.
 *
 * Sets `ref` on the nodes that get one and removes it from all others. A node whose evidence is
 * over a limit of the ref map gets none and uses up no number.
 */
export function allocate(root: Node, options: AllocateOptions): Allocation {
  const order = documentOrder(root);
  const offers = order.map(({ node }, i): RefEntry | undefined => {
    if (!isRefable(node) || options.only?.has(node) === false) return undefined;
    return entryAt(order, i, node.actions, options);
  });
  offerRegions(order, offers, options);
  if (options.drillTargets) offerDrillTargets(order, offers, options);
  addRows(order, offers, options.drill);
  const entries = new Map<number, RefEntry>();
  let counter = options.counter ?? 0;
  order.forEach(({ node }, i) => {
    delete node.ref;
    const entry = offers[i];
    if (entry === undefined || counter >= MAX_REF_NUMBER) return;
    node.ref = ++counter;
    entries.set(counter, entry);
  });
  return { entries, counter };
}

/**
 * Adds the entries of regions to `offers`: rows that hold something with a ref, and landmarks, so
 * that a later command can look inside one of them only. A region is an address and offers no action.
 */
function offerRegions(
  order: readonly Visit[],
  offers: (RefEntry | undefined)[],
  options: AllocateOptions,
): void {
  const holdsRef = order.map(({ node }) => isRefable(node));
  for (let i = order.length - 1; i > 0; i--) {
    const { node, parent } = order[i]!;
    if (holdsRef[i]) holdsRef[parent] = true;
    if (offers[i] !== undefined || options.only?.has(node) === false) continue;
    const isRegion = LANDMARKS.has(node.role) || (isRow(node.role) && holdsRef[i]);
    if (isRegion) offers[i] = entryAt(order, i, [], options);
  }
}

/**
 * Gives the entries that look like another element of the tree the text of their row. Below a drill
 * root all get it: what looks like them may be outside of the tree.
 */
function addRows(
  order: readonly Visit[],
  offers: readonly (RefEntry | undefined)[],
  drill: AllocateOptions["drill"],
): void {
  const looks = order.map(({ node }) => lookOf(node));
  const counts = new Map<string, number>();
  for (const look of looks) counts.set(look, (counts.get(look) ?? 0) + 1);
  const rowOf = rowTexts(order);
  offers.forEach((offer, i) => {
    if (offer === undefined || (drill === undefined && counts.get(looks[i]!)! < 2)) return;
    const row = rowOf(i) || drill?.row;
    if (row) offer.row = row;
  });
}

/** Equal for elements that role, identifier and text do not tell apart. */
function lookOf(node: Node): string {
  const { role, description, nativeId } = node;
  const name = storedName(node);
  const text = isBlank(name) ? description ?? "" : name;
  return `${role}\n${nativeId?.value ?? ""}\n${text}`;
}

/** Native child indexes of a node, behind those of the root. */
function pathOf(order: readonly Visit[], index: number, options: AllocateOptions): number[] {
  const below: number[] = [];
  for (let at = order[index]!; at.parent >= 0; at = order[at.parent]!) below.push(at.node.index);
  return [...(options.drill?.path ?? []), ...below.reverse()];
}

/**
 * Adds the entries of drill targets to `offers`: from the bottom up, every node with cut-off
 * children must be reachable through a ref at or above it. It goes to the deepest node that can be
 * found again, and never to the root.
 */
function offerDrillTargets(
  order: readonly Visit[],
  offers: (RefEntry | undefined)[],
  options: AllocateOptions,
): void {
  const uncovered = order.map(({ node }) => node.childrenCount !== undefined);
  for (let i = order.length - 1; i > 0; i--) {
    if (!uncovered[i] || offers[i] !== undefined) continue;
    const { node, parent } = order[i]!;
    if (isKnownRole(node.role) && canBeFoundAgain(node)) {
      // A drill target is an address, not something to act on: it offers no action.
      offers[i] = entryAt(order, i, [], options);
      if (offers[i] !== undefined) continue;
    }
    uncovered[parent] = true;
  }
}

function canBeFoundAgain(node: Node): boolean {
  return !isBlank(node.name) || !isBlank(node.description) || node.nativeId !== undefined ||
    evidenceBounds(node) !== undefined;
}

/**
 * What is stored of the value: nothing where it changes in use, because there it never says which
 * element it is; of other roles its length and hash, which is all that comparing takes.
 */
function storedValue(node: Node): string | undefined {
  if (isBlank(node.value) || hasTrait(node.role, "mutableValue")) return undefined;
  return digestOf(node.value!);
}

/** What is stored of the name: nothing where it is a choice, as long as what was chosen is. */
function storedName({ role, name, value }: Node): string | null {
  if (name === undefined || name === null || isNameOnlyValue(role, name, value)) return null;
  return storedText(name);
}

/** The entry of a node, or `undefined` when its evidence is over a limit. */
function entryAt(
  order: readonly Visit[],
  index: number,
  actions: readonly Action[],
  options: AllocateOptions,
): RefEntry | undefined {
  const { node, depth } = order[index]!;
  const depthAbove = options.drill?.path.length ?? 0;
  if (depth + depthAbove > MAX_PATH) return undefined;
  const path = pathOf(order, index, options);
  const bounds = evidenceBounds(node);
  const entry: RefEntry = {
    ...options.source,
    role: node.role,
    name: storedName(node),
    bounds_hash: bounds === undefined ? null : boundsHash(bounds),
    available_actions: [...actions],
  };
  const value = storedValue(node);
  if (value !== undefined) entry.value = value;
  if (node.description !== undefined) entry.description = storedText(node.description);
  if (node.nativeId !== undefined) {
    const { kind, value } = node.nativeId;
    entry.native_id = { kind, value: storedText(value) };
  }
  if (bounds !== undefined) {
    entry.bounds_space = node.boundsSpace ?? "screen";
    if (options.storeBounds) entry.bounds = { ...bounds };
  }
  if (node.states.length > 0) entry.states = [...node.states];
  if (path.length > 0) entry.path = path;
  if (options.drill !== undefined) {
    entry.root_ref = options.drill.rootRef;
    entry.path_is_absolute = true;
  }
  if (options.storeHandles && node.handle !== undefined) entry.native_handle = node.handle;
  return evidenceFits(entry) ? entry : undefined;
}
