/**
 * Which of the live elements a ref names (refs §5 step 8, decisions 15 and 16): pure, so that the
 * same evidence gives the same answer on every platform.
 */
import type { Candidates, Platform } from "../platform/platform.ts";
import { isBlank, type Node } from "../tree/node.ts";
import { boundsHash } from "./bounds_hash.ts";
import type { RefEntry, RefMap } from "./entry.ts";
import { compareIdentity, hasMeaningfulIdentity, identityKey } from "./identity.ts";

export type Verdict =
  | { result: "accept"; node: Node }
  | { result: "absent" }
  | { result: "role-reuse" }
  | { result: "incomplete" }
  | { result: "unknown" }
  | { result: "ambiguous"; nodes: Node[] };

export interface Scope {
  /** The source window or surface itself was searched, not every window of the application. */
  verified: boolean;
  /** `Platform.handlesPersist`. */
  handlesPersist: Platform["handlesPersist"];
}

/** Whether the live element stands where the stored one stood; `undefined` when unknown. */
export function boundsAgree(entry: RefEntry, node: Node): boolean | undefined {
  const place = node.localBounds ?? node.bounds;
  if (entry.bounds_hash === null || place === undefined) return undefined;
  const space = node.localBounds === undefined ? node.boundsSpace ?? "screen" : "window";
  return (entry.bounds_space ?? "screen") === space
    ? boundsHash(place) === entry.bounds_hash
    : undefined;
}

/**
 * Whether one element alone, found where the ref points (by handle or path), is the one.
 *
 * @param mustStandStill Also demand the stored bounds, if there are any.
 */
export function isTheOne(entry: RefEntry, node: Node, mustStandStill: boolean): boolean {
  const identity = compareIdentity(entry, node);
  if (identity !== "match" && identity !== "textless") return false;
  const geometryDecides = identity === "textless" || !hasMeaningfulIdentity(entry);
  if (geometryDecides || (mustStandStill && entry.bounds_hash !== null)) {
    return boundsAgree(entry, node) === true;
  }
  return true;
}

/** Handles of the other refs of the snapshot that only geometry or a handle tells apart. */
export interface Twins {
  count: number;
  handles: ReadonlySet<string>;
}

/** The refs of the map with the same identity as `entry`, itself not counted. */
export function findTwins(entry: RefEntry, map: RefMap): Twins {
  const key = identityKey(entry);
  const handles = new Set<string>();
  let count = 0;
  for (const other of map.entries.values()) {
    if (other === entry || other.role !== entry.role || identityKey(other) !== key) continue;
    // A drill lists its own root once more: the same element, not a twin.
    if (other.native_handle !== undefined && other.native_handle === entry.native_handle) continue;
    if (other.native_handle === undefined && samePlace(entry, other)) continue;
    count++;
    if (other.native_handle !== undefined) handles.add(other.native_handle);
  }
  return { count, handles };
}

function samePlace(a: RefEntry, b: RefEntry): boolean {
  const [pathA, pathB] = [a.path ?? [], b.path ?? []];
  return a.bounds_hash === b.bounds_hash && pathA.length === pathB.length &&
    pathA.every((index, at) => index === pathB[at]);
}

/** Decides among everything a search found. */
export function classify(
  entry: RefEntry,
  map: RefMap,
  found: Candidates,
  scope: Scope,
): Verdict {
  const twins = findTwins(entry, map);
  const matched: Node[] = [];
  const unreadable: Node[] = [];
  let survivors = 0;
  for (const node of found.nodes) {
    const identity = compareIdentity(entry, node);
    if (identity === "mismatch") continue;
    // An element another ref of the same snapshot named by its handle is that other element: one
    // of several equal rows must not answer for a removed one.
    if (
      scope.handlesPersist && node.handle !== undefined && twins.handles.has(node.handle) &&
      node.handle !== entry.native_handle
    ) {
      survivors++;
      continue;
    }
    (identity === "unreadable" ? unreadable : matched).push(node);
  }

  const meaningful = hasMeaningfulIdentity(entry);
  const inPlace = matched.filter((node) => boundsAgree(entry, node) === true);
  const handle = scope.handlesPersist ? entry.native_handle : undefined;
  const own = handle === undefined ? undefined : matched.find((node) => node.handle === handle);
  if (own !== undefined && (meaningful || inPlace.includes(own))) {
    return { result: "accept", node: own };
  }
  if (unreadable.length > 0 && !(inPlace.length === 1 && unreadable.every(isElsewhere(entry)))) {
    return { result: "unknown" };
  }
  if (matched.length === 0) return none(found);
  if (!found.complete && inPlace.length !== 1) return { result: "incomplete" };
  if (matched.length === 1 && twins.count === 0 && scope.verified && meaningful) {
    return { result: "accept", node: matched[0]! };
  }
  // A rectangle is taken for an element that stood there, unless that element is known to be
  // elsewhere. Among twins that takes more: where handles outlive a command, losing the handle says
  // that the element was replaced; where they do not, no twin may have come or gone.
  const twinsUnchanged = handle === undefined &&
    (matched.length === 1 || matched.length + survivors === twins.count + 1);
  if (inPlace.length === 1 && own === undefined && (twins.count === 0 || twinsUnchanged)) {
    return { result: "accept", node: inPlace[0]! };
  }
  if (matched.length === 1 && !(meaningful && twins.count > 0)) return none(found);
  return { result: "ambiguous", nodes: matched };
}

function isElsewhere(entry: RefEntry): (node: Node) => boolean {
  return (node) => boundsAgree(entry, node) === false;
}

function none(found: Candidates): Verdict {
  if (!found.complete) return { result: "incomplete" };
  if (found.sameIdOtherRole.length > 0) return { result: "role-reuse" };
  return { result: "absent" };
}

/** Length of a text in messages and details: what it says never leaves the map. */
export function textLength(text: string | null | undefined): number {
  return isBlank(text) ? 0 : text!.length;
}
