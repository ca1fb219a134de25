/**
 * Which of the live elements a ref names (docs/refs.md, "What a search decides"): pure, so that the
 * same evidence gives the same answer on every platform.
 */
import type { Candidates, Platform } from "../platform/platform.ts";
import { evidenceBounds, type Handle, type Node } from "../tree/node.ts";
import { boundsHash } from "./bounds_hash.ts";
import type { RefEntry, RefMap } from "./entry.ts";
import {
  asNode,
  compareIdentity,
  hasMeaningfulIdentity,
  hasStableText,
  type Identity,
  isIdentifierOnly,
} from "./identity.ts";

/** What the search came to. */
export type Decision =
  /** With `byRow` its row proved it, wherever it stands. */
  | { result: "accept"; node: Node; byRow?: true }
  | { result: "absent" }
  /** The identifier belongs to an element of another role now. */
  | { result: "role-reuse" }
  /** The element may be where the search could not read. */
  | { result: "incomplete" }
  /** An element was found whose identity could not be read. */
  | { result: "unknown" }
  | { result: "ambiguous"; nodes: Node[] };

/** What the decision may build on. */
export interface ClassifyOptions extends Pick<Platform, "handlesPersist"> {
  /** The source window or surface itself was searched, not every window of the application. */
  sourceSearched: boolean;
  /**
   * The digest of the text of the row a live element is in (`row_text.ts`), `undefined` when that
   * is unknown. Absent when rows were not read.
   */
  rowOf?: (node: Node) => string | undefined;
}

/** Whether the live element stands where the stored one stood; `undefined` when unknown. */
function boundsAgree(entry: RefEntry, node: Node): boolean | undefined {
  const bounds = evidenceBounds(node);
  if (entry.bounds_hash === null || bounds === undefined) return undefined;
  return (entry.bounds_space ?? "screen") === (node.boundsSpace ?? "screen")
    ? boundsHash(bounds) === entry.bounds_hash
    : undefined;
}

/**
 * `compareIdentity`, knowing which handle the ref stored. Behind another handle an identifier alone
 * is not enough: the texts must agree as well, and an element that has one where the stored one had
 * none is another.
 */
function judge(entry: RefEntry, node: Node, handle: string | undefined): Identity {
  const identity = compareIdentity(entry, node);
  if (handle === undefined || node.handle === handle) return identity;
  if (identity !== "match" && identity !== "textless") return identity;
  const { native_id: _, ...texts } = entry;
  const byText = compareIdentity(texts, node);
  const isOther = byText === "mismatch" || (byText === "textless" && hasStableText(node));
  return isOther ? "mismatch" : identity;
}

/** The stored handle where it says anything: where handles outlive the process that stored them. */
export function trustedHandle(
  entry: RefEntry,
  { handlesPersist }: Pick<Platform, "handlesPersist">,
): Handle | undefined {
  return handlesPersist ? entry.native_handle : undefined;
}

/**
 * Whether one element alone, found where the ref points (by handle or path), is the one.
 *
 * @param mustStandStill Also demand the stored bounds, if there are any.
 * @param byRow Its row tells that it is the one, so that its place need not.
 */
export function isTheOne(
  platform: Pick<Platform, "handlesPersist">,
  entry: RefEntry,
  node: Node,
  mustStandStill: boolean,
  byRow = false,
): boolean {
  const identity = judge(entry, node, trustedHandle(entry, platform));
  if (identity !== "match" && identity !== "textless") return false;
  if (byRow) return true;
  const geometryDecides = identity === "textless" || !hasMeaningfulIdentity(entry);
  if (geometryDecides || (mustStandStill && entry.bounds_hash !== null)) {
    return boundsAgree(entry, node) === true;
  }
  return true;
}

/** Other refs of the snapshot whose elements could be taken for this one's. */
export interface Twins {
  /** How many would answer to this ref just as well. */
  count: number;
  /** How many of them are in a row of the same text, or in none that is known. */
  inRow: number;
  /** Handles that belong to other elements, whatever these look like now. */
  handles: ReadonlySet<string>;
}

/** The twins of an entry in its map. */
export function findTwins(entry: RefEntry, map: RefMap): Twins {
  const handles = new Set<string>();
  const idOnly = isIdentifierOnly(entry);
  let count = 0;
  let inRow = 0;
  for (const other of map.entries.values()) {
    if (other === entry || other.role !== entry.role) continue;
    const handle = other.native_handle;
    // A drill lists its own root once more: the same element, not a twin.
    if (handle === undefined ? samePosition(entry, other) : handle === entry.native_handle) {
      continue;
    }
    const isTwin = compareIdentity(entry, asNode(other)) !== "mismatch";
    if (isTwin) {
      count++;
      if (other.row === undefined || other.row === entry.row) inRow++;
    }
    // Some identifiers number rows, and the next row gets that of a removed one. Where no name
    // contradicts it, only the handle tells which of the two rows an element is.
    if (handle !== undefined && (isTwin || idOnly)) handles.add(handle);
  }
  return { count, inRow, handles };
}

/** Whether the live element is behind a handle that another ref stored. */
export function isTaken(node: Node, twins: Twins): boolean {
  return node.handle !== undefined && twins.handles.has(node.handle);
}

function samePosition(a: RefEntry, b: RefEntry): boolean {
  const [pathA, pathB] = [a.path ?? [], b.path ?? []];
  return a.bounds_hash === b.bounds_hash && pathA.length === pathB.length &&
    pathA.every((index, at) => index === pathB[at]);
}

/** Decides among everything a search found. */
export function classify(
  entry: RefEntry,
  map: RefMap,
  found: Candidates,
  options: ClassifyOptions,
): Decision {
  const twins = findTwins(entry, map);
  const handle = trustedHandle(entry, options);
  const matched: Node[] = [];
  const unreadable: Node[] = [];
  let survivors = 0;
  for (const node of found.nodes) {
    const identity = judge(entry, node, handle);
    if (identity === "mismatch") continue;
    // One of several equal rows must not answer for a removed one.
    if (options.handlesPersist && isTaken(node, twins)) {
      survivors++;
      continue;
    }
    (identity === "unreadable" ? unreadable : matched).push(node);
  }

  const meaningful = hasMeaningfulIdentity(entry);
  const inPlace = matched.filter((node) => boundsAgree(entry, node) === true);
  const own = handle === undefined ? undefined : matched.find((node) => node.handle === handle);
  if (own !== undefined && (meaningful || inPlace.includes(own))) {
    return { result: "accept", node: own };
  }
  if (unreadable.length > 0 && !(inPlace.length === 1 && unreadable.every(isElsewhere(entry)))) {
    return { result: "unknown" };
  }
  if (matched.length === 0) return none(found);
  const byRow = decideByRow(entry, twins, matched, found, options);
  if (byRow !== undefined) return byRow;
  if (!found.complete && inPlace.length !== 1) return { result: "incomplete" };
  if (matched.length === 1 && twins.count === 0 && options.sourceSearched && meaningful) {
    return { result: "accept", node: matched[0]! };
  }
  // The only match where the ref's element stood is taken for it, unless the ref's own handle was
  // found elsewhere. Among twins that takes more: where handles outlive a command, a handle that is
  // gone says that the element was replaced; where they do not, no twin may have come or gone.
  const twinsUnchanged = handle === undefined &&
    (matched.length === 1 || matched.length + survivors === twins.count + 1);
  if (inPlace.length === 1 && own === undefined && (twins.count === 0 || twinsUnchanged)) {
    return { result: "accept", node: inPlace[0]! };
  }
  if (matched.length === 1 && !(meaningful && twins.count > 0)) return none(found);
  return { result: "ambiguous", nodes: matched };
}

/** What the rows say, where they are known of everything that fits. */
function decideByRow(
  entry: RefEntry,
  twins: Twins,
  matched: readonly Node[],
  found: Candidates,
  { rowOf, sourceSearched }: ClassifyOptions,
): Decision | undefined {
  if (entry.row === undefined || rowOf === undefined || !sourceSearched || !found.complete) {
    return undefined;
  }
  const rows = matched.map(rowOf);
  if (rows.includes(undefined)) return undefined;
  const alike = matched.filter((_, i) => rows[i] === entry.row);
  if (alike.length === 0) return none(found);
  if (alike.length === 1 && twins.inRow === 0) {
    return { result: "accept", node: alike[0]!, byRow: true };
  }
  // Several equal ones in one row, or in rows of the same text.
  return undefined;
}

function isElsewhere(entry: RefEntry): (node: Node) => boolean {
  return (node) => boundsAgree(entry, node) === false;
}

function none(found: Candidates): Decision {
  if (!found.complete) return { result: "incomplete" };
  if (found.sameIdOtherRole.length > 0) return { result: "role-reuse" };
  return { result: "absent" };
}
