/** `--outline`: the tree as text, one line a node (docs/observation.md, "Outline"). */
import type { Node } from "./node.ts";
import { quote } from "./text.ts";
import { documentOrder } from "./walk.ts";

/** Longest name or value in a line, in characters; the JSON tree has the whole. */
const MAX_TEXT = 200;

/**
 * Renders an allocated tree. A line is indented by two spaces a level and reads
 *
 *     role "name" [e6] value="…" states… +children_count truncated
 *
 * with what a node lacks left out. Text stands escaped between quotes and everything outside of
 * quotes is our own vocabulary, so no application text can look like a line or a ref. `+12` counts
 * children that are not shown, `truncated` says that something below could not be read, `…` behind
 * a quote that the text is longer.
 */
export function renderOutline(root: Node): string {
  return documentOrder(root)
    .map(({ node, depth }) => "  ".repeat(depth) + outlineLine(node))
    .join("\n");
}

function outlineLine(node: Node): string {
  const words: string[] = [node.role];
  if (node.name) words.push(quote(node.name, MAX_TEXT));
  if (node.ref !== undefined) words.push(`[e${node.ref}]`);
  if (node.value) {
    const cut = node.valueLength !== undefined && node.value.length <= MAX_TEXT ? "…" : "";
    words.push(`value=${quote(node.value, MAX_TEXT)}${cut}`);
  }
  words.push(...node.states);
  if (node.childrenCount !== undefined) words.push(`+${node.childrenCount}`);
  if (node.truncated) words.push("truncated");
  return words.join(" ");
}
