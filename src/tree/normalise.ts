/**
 * First pass: makes what an application said fit to be stored and printed. Everything after it may
 * rely on well-formed text, plausible rectangles and on secure fields carrying no text.
 */
import { hasTrait } from "./roles.ts";
import { isBlank, isSaneRect, type Node } from "./node.ts";
import { documentOrder } from "./walk.ts";

/**
 * Returns the same tree with
 * - lone surrogates in any text replaced by U+FFFD and empty text removed, names and descriptions
 *   without the marks of elements that stand in them,
 * - impossible bounds and blank native ids removed (they say nothing about where or who),
 * - no value on secure fields, and no text at all on what lies inside them (some toolkits repeat
 *   the typed text in a child); controls inside keep their names, such as a "reveal" button.
 * Nodes are copied, never changed.
 */
export function normalise(root: Node): Node {
  const order = documentOrder(root);
  const copies: Node[] = [];
  const guarded: boolean[] = [];
  for (const { node, parent } of order) {
    const inside = parent >= 0 && guarded[parent]!;
    const secure = node.states.includes("secure");
    const copy = clean(node, secure || inside, inside);
    guarded.push(secure || inside);
    copies.push(copy);
    if (parent >= 0) copies[parent]!.children.push(copy);
  }
  return copies[0]!;
}

function clean(node: Node, hideValue: boolean, inside: boolean): Node {
  const copy: Node = { ...node, children: [] };
  const hideText = inside && !hasTrait(node.role, "interactive");
  setText(copy, "name", hideText ? undefined : unmarked(node.name));
  setText(copy, "value", hideValue ? undefined : node.value);
  setText(copy, "description", hideText ? undefined : unmarked(node.description));
  setText(copy, "hint", node.hint);
  if (copy.value === undefined) delete copy.valueLength;
  const id = node.nativeId?.value.toWellFormed();
  if (node.nativeId === undefined || id === undefined || isBlank(id)) delete copy.nativeId;
  else copy.nativeId = { kind: node.nativeId.kind, value: id };
  if (node.bounds !== undefined && !isSaneRect(node.bounds)) delete copy.bounds;
  return copy;
}

/** A text without the marks (U+FFFC) of elements that stand in it and are shown by themselves. */
function unmarked(text: string | undefined): string | undefined {
  return text?.includes("\ufffc") ? text.replaceAll("\ufffc", "").trim() : text;
}

function setText(
  node: Node,
  field: "name" | "value" | "description" | "hint",
  text: string | undefined,
): void {
  if (text === undefined || text === "") delete node[field];
  else node[field] = text.toWellFormed();
}
