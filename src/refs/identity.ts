/**
 * Whether a live element is the one a ref names (docs/refs.md, "Identity"): pure comparison of
 * stored evidence with what was read.
 */
import { isBlank, type Node } from "../tree/node.ts";
import { hasTrait, type Role } from "../tree/roles.ts";
import type { Evidence } from "./entry.ts";
import { sameText } from "./stored_text.ts";

/**
 * - `match`, `mismatch`: decided.
 * - `unreadable`: the deciding field could not be read now.
 * - `textless`: neither side has an identifier or a stable text; only geometry can decide.
 */
export type Identity = "match" | "mismatch" | "unreadable" | "textless";

type TextField = "name" | "value" | "description";

interface Texts {
  name?: string | null | undefined;
  value?: string | null | undefined;
  description?: string | null | undefined;
}

/** Whether a role's value changes in use and its name only repeats that value: a choice, no name. */
export function isNameOnlyValue(role: Role, name: string, value: string | undefined): boolean {
  return hasTrait(role, "mutableValue") && repeatsValue(name, value);
}

/** Whether a control's name only repeats its value, as words or as a number. */
function repeatsValue(name: string, value: string | null | undefined): boolean {
  if (value === undefined || value === null || isBlank(value)) return false;
  if (name === value) return true;
  const [a, b] = [Number(name), Number(value)];
  return Number.isFinite(a) && a === b;
}

/** A text field as far as it says who the element is; blank and changeable text says nothing. */
function stableText(role: Role, texts: Texts, field: TextField): string | undefined {
  const text = texts[field];
  if (text === undefined || text === null || isBlank(text)) return undefined;
  if (hasTrait(role, "mutableValue")) {
    if (field === "value") return undefined;
    if (field === "name" && repeatsValue(text, texts.value)) return undefined;
  }
  return text;
}

/** The one stored text that decides: the first of name, value, description. */
function decidingText(evidence: Evidence): { field: TextField; text: string } | undefined {
  for (const field of ["name", "value", "description"] as const) {
    const text = stableText(evidence.role, evidence, field);
    if (text !== undefined) return { field, text };
  }
  return undefined;
}

// Where a text is looked for when its own field is empty now: toolkits move labels about.
const FALLBACK: Readonly<Record<TextField, TextField>> = {
  name: "value",
  value: "name",
  description: "name",
};

function isUnreadable(node: Node, field: TextField): boolean {
  if (node.unreadable === undefined) return false;
  const isMutable = hasTrait(node.role, "mutableValue");
  // A value that changes says nothing of who the element is, read or not…
  if (field === "value" && isMutable) return false;
  if (node.unreadable.includes(field)) return true;
  // …but a name that may only repeat it is open without it. A secure field's is never read.
  return field === "name" && isMutable && mayRepeatValue(node) &&
    !node.states.includes("secure") && node.unreadable.includes("value");
}

/** Whether the name could be the element's value said once more: a text, or a number. */
function mayRepeatValue({ role, name }: Node): boolean {
  if (name === undefined || isBlank(name)) return false;
  return hasTrait(role, "textIsValue") || Number.isFinite(Number(name));
}

function compareText(field: TextField, text: string, node: Node): Identity {
  for (const where of [field, FALLBACK[field]]) {
    if (isUnreadable(node, where)) return "unreadable";
    const live = stableText(node.role, node, where);
    if (live !== undefined) return sameText(text, live) ? "match" : "mismatch";
  }
  return "mismatch";
}

/** Compares stored evidence with a live element. */
export function compareIdentity(evidence: Evidence, node: Node): Identity {
  if (node.unreadable?.includes("role")) return "unreadable";
  if (evidence.role !== node.role) return "mismatch";
  const stored = decidingText(evidence);
  if (evidence.native_id !== undefined) {
    if (node.unreadable?.includes("native_id")) return "unreadable";
    if (
      node.nativeId?.kind !== evidence.native_id.kind ||
      !sameText(evidence.native_id.value, node.nativeId.value)
    ) return "mismatch";
    // Identifiers that number rows go to the next row when one is removed; a stable name tells.
    if (stored?.field !== "name") return "match";
    return compareText("name", stored.text, node) === "mismatch" ? "mismatch" : "match";
  }
  if (stored !== undefined) return compareText(stored.field, stored.text, node);
  if (hasTrait(evidence.role, "mutableValue")) return "textless";
  for (const field of ["name", "value", "description"] as const) {
    if (isUnreadable(node, field)) return "unreadable";
    if (stableText(node.role, node, field) !== undefined) return "mismatch";
  }
  return "textless";
}

/** Whether the evidence holds an identifier or a stable text: more than geometry. */
export function hasMeaningfulIdentity(evidence: Evidence): boolean {
  return evidence.native_id !== undefined || decidingText(evidence) !== undefined;
}

/** Whether the evidence holds an identifier and nothing beside it that could contradict it. */
export function isIdentifierOnly(evidence: Evidence): boolean {
  return evidence.native_id !== undefined && decidingText(evidence)?.field !== "name";
}

/** Whether a live element has a text of its own that could be identity. */
export function hasStableText(node: Node): boolean {
  return (["name", "value", "description"] as const).some((field) =>
    stableText(node.role, node, field) !== undefined
  );
}

/** Stored evidence in the form of a live element, to compare two entries of one map. */
export function asNode(evidence: Evidence): Node {
  return {
    role: evidence.role,
    ...(evidence.name !== null && { name: evidence.name }),
    ...(evidence.value !== undefined && { value: evidence.value }),
    ...(evidence.description !== undefined && { description: evidence.description }),
    ...(evidence.native_id !== undefined && { nativeId: evidence.native_id }),
    states: evidence.states ?? [],
    actions: evidence.available_actions,
    index: 0,
    children: [],
  };
}
