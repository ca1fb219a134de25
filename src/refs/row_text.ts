/**
 * What tells equal controls of a list apart (docs/refs.md, "Rows"): the text of the row, cell or
 * list item each is in. Pure; a snapshot and a later search take it from a tree in the same way.
 */
import { isBlank, type Node } from "../tree/node.ts";
import type { Role } from "../tree/roles.ts";
import type { Visit } from "../tree/walk.ts";
import { digestOf } from "./stored_text.ts";

/** Items of a list, table or tree, from a cell up. */
const ROWS: ReadonlySet<Role> = new Set<Role>([
  "article",
  "layoutitem",
  "option",
  "row",
  "treeitem",
]);

/** What a row says: words, not controls, whose text may change with their own use. */
const WORDS: ReadonlySet<Role> = new Set<Role>([
  "cell",
  "heading",
  "link",
  "paragraph",
  "statictext",
]);

/** Texts of one row that count; the first say which row it is. */
const MAX_TEXTS = 16;
/** Nodes of one row that are looked at for them. */
const MAX_NODES = 256;

/** Whether a role is an item of a list, table or tree. */
export function isRow(role: Role): boolean {
  return ROWS.has(role);
}

/**
 * Reads the rows of one tree.
 *
 * @param order The whole tree in document order.
 * @returns The digest of the text of the row that a visit is in or is: `""` where there is no such
 * row or it has no text, `undefined` where the row was not read whole.
 */
export function rowTexts(order: readonly Visit[]): (index: number) => string | undefined {
  const known = new Map<Node, string | undefined>();
  const textOf = (node: Node) => {
    if (!known.has(node)) known.set(node, textOfRow(node));
    return known.get(node);
  };
  return (index) => {
    let cell: Node | undefined;
    for (let at = index; at >= 0; at = order[at]!.parent) {
      const { node } = order[at]!;
      // A cell says less than its row, and stands for it where there is none.
      if (node.role === "cell" && at !== index) cell ??= node;
      if (!ROWS.has(node.role)) continue;
      const text = textOf(node);
      if (text !== "") return text;
    }
    return cell === undefined ? "" : textOf(cell);
  };
}

function textOfRow(row: Node): string | undefined {
  const texts: string[] = [];
  const open: Node[] = [row];
  let nodes = 0;
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.childrenCount !== undefined || node.truncated) return undefined;
    if (++nodes > MAX_NODES || texts.length === MAX_TEXTS) break;
    const { role, children, name, value } = node;
    const isLeaf = children.length === 0;
    if (node !== row && isLeaf && WORDS.has(role)) {
      if (node.unreadable?.includes("name")) return undefined;
      const text = isBlank(name) ? value : name;
      if (!isBlank(text)) texts.push(text!);
    }
    for (let i = children.length - 1; i >= 0; i--) open.push(children[i]!);
  }
  // Where a row has no words in it, it may have a name of its own.
  if (texts.length === 0 && !isBlank(row.name)) texts.push(row.name!);
  return texts.length === 0 ? "" : digestOf(texts.join("\n"));
}
