/**
 * The tree kept beside a ref map, for `--since`. It holds what comparing needs and no live object;
 * the text is deterministic for the same tree.
 */
import { type Action, ACTIONS } from "../tree/actions.ts";
import { type Field, FIELDS, NATIVE_ID_KINDS, type NativeId, type Node } from "../tree/node.ts";
import { type Role, ROLES } from "../tree/roles.ts";
import { isState } from "../tree/states.ts";
import { documentOrder } from "../tree/walk.ts";
import type { Source } from "./entry.ts";

const FORMAT = 1;

/** Where a stored tree came from; trees of different origin are not compared. */
export type TreeOrigin = Pick<Source, "pid" | "process_instance"> & {
  window: string | null;
  surface: string;
};

export interface StoredTree {
  origin: TreeOrigin;
  root: Node;
}

/** The origin of what a source's refs belong to. */
export function originOf(source: Source): TreeOrigin {
  return {
    pid: source.pid,
    process_instance: source.process_instance,
    window: source.source_window_id ?? null,
    surface: source.source_surface ?? "window",
  };
}

// One of these a node, in document order, trailing nulls cut off. Column order is the format.
type NodeRow = [
  parent: number,
  role: Role,
  index: number,
  ref?: number | null,
  name?: string | null,
  value?: string | null,
  description?: string | null,
  hint?: string | null,
  states?: readonly string[] | null,
  actions?: readonly string[] | null,
  nativeId?: readonly [kind: string, value: string] | null,
  childrenCount?: number | null,
  truncated?: 1 | null,
  handle?: string | null,
  valueLength?: number | null,
  unreadable?: readonly string[] | null,
];

/** The columns behind the first eight. */
type Tail<T extends unknown[]> = T extends
  [unknown, unknown, unknown, unknown?, unknown?, unknown?, unknown?, unknown?, ...infer Rest]
  ? Rest
  : never;

/** Writes an allocated tree as JSON text. */
export function encodeTree(root: Node, source: Source): string {
  const nodes = documentOrder(root).map(({ node, parent }) => {
    const row: NodeRow = [
      parent,
      node.role,
      node.index,
      node.ref ?? null,
      node.name ?? null,
      node.value ?? null,
      node.description ?? null,
      node.hint ?? null,
      node.states.length > 0 ? node.states : null,
      node.actions.length > 0 ? node.actions : null,
      node.nativeId === undefined ? null : [node.nativeId.kind, node.nativeId.value],
      node.childrenCount ?? null,
      node.truncated ? 1 : null,
      node.handle ?? null,
      node.valueLength ?? null,
      node.unreadable ?? null,
    ];
    while (row.length > 3 && row.at(-1) === null) row.pop();
    return row;
  });
  return JSON.stringify({ format: FORMAT, origin: originOf(source), nodes });
}

/** Reads what `encodeTree` wrote; `undefined` when the text is anything else. */
export function decodeTree(text: string): StoredTree | undefined {
  try {
    const stored = JSON.parse(text);
    if (stored?.format !== FORMAT || !Array.isArray(stored.nodes)) return undefined;
    const made: Node[] = [];
    for (const row of stored.nodes as NodeRow[]) {
      const node = decodeNode(row);
      const parent = row[0];
      if (node === undefined || (parent < 0) !== (made.length === 0)) return undefined;
      if (parent >= 0) {
        const above = made[parent];
        if (above === undefined) return undefined;
        above.children.push(node);
      }
      made.push(node);
    }
    const root = made[0];
    return root && { origin: stored.origin as TreeOrigin, root };
  } catch {
    // Not JSON, or rows that are no rows: as good as no tree.
    return undefined;
  }
}

function decodeNode(row: NodeRow): Node | undefined {
  const [, role, index, ref, name, value, description, hint] = row;
  const [states, actions, nativeId, childrenCount, truncated, handle, valueLength, unreadable] = row
    .slice(8) as Tail<NodeRow>;
  if (!ROLES.includes(role)) return undefined;
  const node: Node = {
    role,
    index,
    states: (states ?? []).filter(isState),
    actions: (actions ?? []).filter((action): action is Action =>
      ACTIONS.includes(action as Action)
    ),
    children: [],
  };
  if (typeof ref === "number") node.ref = ref;
  if (typeof name === "string") node.name = name;
  if (typeof value === "string") node.value = value;
  if (typeof description === "string") node.description = description;
  if (typeof hint === "string") node.hint = hint;
  const kind = NATIVE_ID_KINDS.find((known) => known === nativeId?.[0]);
  if (kind !== undefined && nativeId) {
    node.nativeId = { kind, value: nativeId[1] } satisfies NativeId;
  }
  if (typeof childrenCount === "number") node.childrenCount = childrenCount;
  if (truncated === 1) node.truncated = true;
  if (typeof handle === "string") node.handle = handle;
  if (typeof valueLength === "number") node.valueLength = valueLength;
  if (unreadable) {
    node.unreadable = unreadable.filter((field): field is Field => FIELDS.includes(field as Field));
  }
  return node;
}
