/** Trees to test with: small ones written by hand, and random ones that are the same every time. */
import type { Node } from "../../../src/tree/node.ts";
import { ROLES } from "../../../src/tree/roles.ts";
import { ACTIONS } from "../../../src/tree/actions.ts";
import { STATES } from "../../../src/tree/states.ts";
import { orderStates } from "../../support/states.ts";
import { documentOrder } from "../../../src/tree/walk.ts";
import type { Source } from "../../../src/refs/entry.ts";

export const SOURCE: Source = {
  pid: 42,
  process_instance: "test:1",
  source_app: "editor",
  source_window_id: "w-1",
  source_window_title: "Untitled",
};

/** A node with what is given; children get their native indexes. */
export function node(role: Node["role"], fields: Partial<Node> = {}, children: Node[] = []): Node {
  children.forEach((child, index) => child.index = index);
  return { role, states: [], actions: [], index: 0, ...fields, children };
}

export function button(name: string, fields: Partial<Node> = {}): Node {
  return node("button", { name, actions: ["Click", "SetFocus"], ...fields });
}

export function label(name: string): Node {
  return node("statictext", { name });
}

/** A small generator of numbers in [0, 1); the same seed gives the same numbers. */
export function randomNumbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

// Everything a name may hold: plain, blank, hostile, half a surrogate pair, many bytes.
const NAMES = [
  "Open",
  "Save",
  "",
  "  ",
  'a"\n[e9] button "OK',
  "\u001b]0;x\u0007",
  "\u202eabc",
  "\ud800",
  "日本語",
  "😀",
];

/** A random tree of `size` nodes, with every kind of field and cut. */
export function randomTree(seed: number, size: number): Node {
  const random = randomNumbers(seed);
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)]!;
  const roles: readonly Node["role"][] = ["group", "group", "button", "statictext", ...ROLES];
  const make = (): Node => {
    const made = node(random() < 0.4 ? "group" : pick(roles));
    if (random() < 0.4) made.name = pick(NAMES);
    if (random() < 0.15) made.value = pick(NAMES);
    if (random() < 0.1) made.description = pick(NAMES);
    if (random() < 0.1) made.nativeId = { kind: "ax_identifier", value: pick(["a", "b", " "]) };
    if (random() < 0.2) made.states = orderStates([pick(STATES), pick(STATES)]);
    if (random() < 0.3) made.actions = [pick(ACTIONS)];
    if (random() < 0.5) {
      made.bounds = { x: random() * 900, y: random() * 900, width: 10, height: 10 };
    }
    if (random() < 0.05) made.unreadable = ["states", "name"];
    if (made.value && random() < 0.2) made.valueLength = 70_000;
    if (random() < 0.05) made.childrenCount = Math.floor(random() * 90) + 1;
    return made;
  };
  const root = node("window", { name: "Root" });
  const all = [root];
  while (all.length < size) {
    // Mostly under recent nodes, so that trees get deep as well as wide.
    const recent = Math.floor(all.length * (1 - random() * random()));
    const parent = all[Math.min(recent, all.length - 1)]!;
    const child = make();
    child.index = parent.children.length;
    parent.children.push(child);
    all.push(child);
  }
  return root;
}

/** Refs of a tree in document order, each with the refs above it. */
export function refsWithAncestors(root: Node): string[] {
  const order = documentOrder(root);
  const above: string[] = [];
  const lines: string[] = [];
  order.forEach(({ node, parent }, i) => {
    const inherited = parent < 0 ? "" : above[parent]!;
    above[i] = node.ref === undefined ? inherited : `${inherited}/${node.ref}`;
    if (node.ref !== undefined) lines.push(above[i]!);
  });
  return lines;
}
