/** Observations and single readings of the test world. */
import type { Field, Node } from "../../../src/tree/node.ts";
import { isBlank } from "../../../src/tree/node.ts";
import { completeTree } from "../../../src/tree/complete_tree.ts";
import {
  type Observation,
  OBSERVE_LIMITS,
  type ObserveOptions,
} from "../../../src/platform/platform.ts";
import { cutUtf8, utf8Length } from "../../../src/tree/utf8.ts";
import { handleOf, type TestNode } from "./world.ts";

/** One element without its children, as a platform reads it. */
export function readNode(source: TestNode, index: number): Node {
  const node: Node = {
    role: source.role,
    states: [...source.states ?? []],
    actions: [...source.actions ?? []],
    handle: handleOf(source),
    index,
    children: [],
  };
  const readable = (field: Field) => !source.unreadable?.includes(field);
  if (source.name !== undefined && readable("name")) node.name = source.name;
  if (source.description !== undefined && readable("description")) {
    node.description = source.description;
  }
  if (source.nativeId !== undefined && readable("native_id")) {
    node.nativeId = { ...source.nativeId };
  }
  if (source.bounds !== undefined && readable("bounds")) {
    node.bounds = { ...source.bounds };
    if (source.boundsSpace !== undefined) node.boundsSpace = source.boundsSpace;
  }
  if (source.value !== undefined && readable("value") && !node.states.includes("secure")) {
    node.value = cutUtf8(source.value, OBSERVE_LIMITS.fieldBytes);
    if (node.value !== source.value) node.valueLength = utf8Length(source.value);
  }
  if (!readable("states")) node.states = [];
  if (!readable("actions")) node.actions = [];
  if (source.unreadable !== undefined && source.unreadable.length > 0) {
    node.unreadable = [...source.unreadable];
  }
  return Object.assign(node, source.reads);
}

/** Walks the tree below `root` as the other platforms do. */
export function observe(
  root: TestNode,
  options: ObserveOptions,
  visit: (node: TestNode) => void,
): Observation {
  const limits = options.limits ?? OBSERVE_LIMITS;
  const above = new Set<TestNode>();
  let nodes = 0;
  let edges = 0;
  const walk = (source: TestNode, index: number, raw: number, logical: number): Node => {
    nodes++;
    visit(source);
    const node = readNode(source, index);
    const children = source.children ?? [];
    const count = source.virtualCount ?? children.length;
    // Nameless groups are layout, not depth.
    const isWrapper = raw > 0 && source.role === "group" && isBlank(source.name) &&
      isBlank(source.value);
    const next = isWrapper ? logical : logical + 1;
    if (source.childrenUnreadable) {
      node.truncated = true;
    } else if (count > 0 && (next > options.maxDepth || raw + 1 > limits.rawDepth)) {
      node.childrenCount = count;
      if (next <= options.maxDepth) node.truncated = true;
    } else {
      if (source.virtualCount !== undefined || children.length > limits.childrenPerNode) {
        node.childrenCount = count;
        node.truncated = true;
      }
      above.add(source);
      for (const [at, child] of children.slice(0, limits.childrenPerNode).entries()) {
        if (above.has(child) || nodes >= limits.nodes || ++edges > limits.edges) {
          node.truncated = true;
          continue;
        }
        node.children.push(walk(child, at, raw + 1, next));
      }
      above.delete(source);
    }
    return node;
  };
  const tree = walk(root, 0, 0, 0);
  return { complete: !completeTree(tree), root: tree, nodesObserved: nodes };
}
