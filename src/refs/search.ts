/** The search of a ref's whole source for its element, where neither handle nor path led to it. */
import { isBlank } from "../tree/node.ts";
import { hasTrait } from "../tree/roles.ts";
import { asObserved, mayBeNamedByChildren } from "./as_observed.ts";
import type { Node } from "../tree/node.ts";
import { normalise } from "../tree/normalise.ts";
import { documentOrder } from "../tree/walk.ts";
import { classify, type Decision, trustedHandle } from "./classify.ts";
import { rowTexts } from "./row_text.ts";
import type { RefEntry } from "./entry.ts";
import { isDigest } from "./stored_text.ts";
import type { Resolution } from "./resolution.ts";
import type { FoundRoots } from "./roots.ts";

/** Native levels below the root a search goes down, wrappers included. */
export const SEARCH_DEPTH = 50;
/** Unnamed candidates whose children are read for a label; with more, the search stays open. */
const MAX_LABEL_READS = 512;

/** Reads every element below the roots that could be the one, and decides among them. */
export async function searchRoots(resolution: Resolution, roots: FoundRoots): Promise<Decision> {
  const { platform, saved: { entry, map }, deadline } = resolution;
  const query = {
    role: entry.role,
    maxDepth: SEARCH_DEPTH,
    ...(entry.native_id !== undefined && !isDigest(entry.native_id.value) &&
      { nativeId: entry.native_id }),
    ...nameFilter(entry),
  };
  const parts = await Promise.all(
    roots.handles.map((root) => platform.candidates(root, query, deadline)),
  );
  const found = {
    nodes: parts.flatMap((part) => part.nodes),
    sameIdOtherRole: parts.flatMap((part) => part.sameIdOtherRole),
    complete: roots.complete && parts.every((part) => part.complete),
    nodesRead: parts.reduce((sum, part) => sum + part.nodesRead, 0),
  };
  resolution.nodesRead += found.nodesRead;
  if (found.nodes.filter(mayBeNamedByChildren).length > MAX_LABEL_READS) found.complete = false;
  else {
    found.nodes = await Promise.all(
      found.nodes.map((node) => asObserved(platform, node, deadline)),
    );
  }
  const options = { sourceSearched: roots.verified, handlesPersist: platform.handlesPersist };
  const decision = classify(entry, map, found, options);
  if (entry.row === undefined || !roots.verified || found.nodes.length === 0) return decision;
  const isOwn = decision.result === "accept" &&
    decision.node.handle === trustedHandle(entry, platform) && decision.node.handle !== undefined;
  if (isOwn || decision.result === "unknown" || decision.result === "incomplete") return decision;
  const rowOf = await readRows(resolution, roots);
  return classify(entry, map, found, { ...options, rowOf });
}

/** Reads the source once more, as a snapshot does, to tell which row each element is in. */
async function readRows(
  { platform, deadline }: Resolution,
  roots: FoundRoots,
): Promise<(node: Node) => string | undefined> {
  const rows = new Map<string, string | undefined>();
  for (const root of roots.handles) {
    const seen = await platform.observe(
      root,
      { maxDepth: SEARCH_DEPTH, bounds: "identity", assumeRendererActive: true },
      deadline,
    );
    if (seen === undefined) continue;
    const order = documentOrder(normalise(seen.root));
    const rowOf = rowTexts(order);
    order.forEach(({ node }, i) => {
      if (node.handle !== undefined) rows.set(node.handle, rowOf(i));
    });
  }
  return ({ handle }) => handle === undefined ? undefined : rows.get(handle);
}

/**
 * The stored name where a differing one rules an element out: not where the value is part of the
 * name, and not a text so long that only its length and hash were stored.
 */
function nameFilter(entry: RefEntry): { name?: string } {
  const { name, role } = entry;
  const decides = !isBlank(name) && !hasTrait(role, "mutableValue") && !isDigest(name!);
  return decides ? { name: name! } : {};
}
