/** The tree as `data.tree` shows it (docs/observation.md, "Nodes"). */
import type { NativeId, Node, Rect } from "./node.ts";
import { documentOrder } from "./walk.ts";
import type { Role } from "./roles.ts";
import type { State } from "./states.ts";
import type { Action } from "./actions.ts";

/** One node of the output. Keys are in alphabetical order, absent fields are left out. */
export interface TreeNode {
  available_actions?: Action[];
  bounds?: Rect;
  children?: TreeNode[];
  children_count?: number;
  description?: string;
  hint?: string;
  name?: string;
  native_id?: NativeId;
  ref_id?: string;
  role: Role;
  states?: State[];
  subtree_truncated?: true;
  value?: string;
  /** UTF-8 bytes of the whole value where only its beginning is shown. */
  value_length?: number;
}

export interface RenderOptions {
  /** What a ref number follows in a qualified ref: `@<snapshot_id>:e`. */
  refPrefix: string;
  /** Print screen bounds where they are known. */
  bounds?: boolean;
}

/** Renders an allocated tree; the result holds plain JSON values only. */
export function renderTree(root: Node, options: RenderOptions): TreeNode {
  const order = documentOrder(root);
  const rendered: TreeNode[] = [];
  for (const { node, parent } of order) {
    const made = renderNode(node, options);
    rendered.push(made);
    if (parent >= 0) rendered[parent]!.children!.push(made);
  }
  return rendered[0]!;
}

function renderNode(node: Node, options: RenderOptions): TreeNode {
  // Built key by key in alphabetical order; `role` is put where it sorts.
  const out: Partial<TreeNode> = {};
  if (node.actions.length > 0) out.available_actions = [...node.actions];
  if (options.bounds && node.bounds !== undefined) {
    const { height, width, x, y } = node.bounds;
    out.bounds = { height, width, x, y };
  }
  if (node.children.length > 0) out.children = [];
  if (node.childrenCount !== undefined) out.children_count = node.childrenCount;
  if (node.description) out.description = node.description;
  if (node.hint) out.hint = node.hint;
  if (node.name) out.name = node.name;
  if (node.nativeId !== undefined) {
    out.native_id = { kind: node.nativeId.kind, value: node.nativeId.value };
  }
  if (node.ref !== undefined) out.ref_id = `${options.refPrefix}${node.ref}`;
  out.role = node.role;
  if (node.states.length > 0) out.states = [...node.states];
  if (node.truncated) out.subtree_truncated = true;
  if (node.value) out.value = node.value;
  if (node.valueLength !== undefined) out.value_length = node.valueLength;
  return out as TreeNode;
}
