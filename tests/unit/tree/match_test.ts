import { assertEquals, assertThrows } from "@std/assert";
import { AppError } from "../../../src/errors.ts";
import {
  type Filters,
  findMatches,
  nothingEarlier,
  rolesPresent,
} from "../../../src/tree/match.ts";
import { parseSelector, selectorMatches } from "../../../src/tree/selector.ts";
import type { Node } from "../../../src/tree/node.ts";
import { button, label, node } from "./trees.ts";

const TREE = node("window", { name: "Main" }, [
  node("toolbar", { name: "Tools" }, [
    button("Save  as…", { description: "Writes the\tfile", states: ["focused"] }),
    button("Open", { nativeId: { kind: "ax_identifier", value: "Open-1" } }),
  ]),
  node("list", { name: "Files" }, [
    node("option", { name: "Row" }, [label("Ünïcode Text"), node("checkbox", { value: "1" })]),
  ]),
]);

function names(root: Node, filters: Filters): string[] {
  const { order, indexes } = findMatches(root, filters);
  return indexes.map((index) => order[index]!.node.name ?? order[index]!.node.role);
}

Deno.test("filters add up and texts are normalised", () => {
  const cases: [Filters, string[]][] = [
    [{ role: "button" }, ["Save  as…", "Open"]],
    [{ name: " SAVE as" }, ["Save  as…"]],
    [{ name: "save as…", exact: true }, ["Save  as…"]],
    [{ name: "save", exact: true }, []],
    [{ description: "the file" }, ["Save  as…"]],
    [{ value: "1" }, ["checkbox"]],
    [{ nativeId: "Open-1" }, ["Open"]],
    [{ nativeId: "open-1" }, []],
    [{ role: "button", name: "open" }, ["Open"]],
    [{ role: "list", name: "open" }, []],
    [{ states: [{ state: "focused", present: true }] }, ["Save  as…"]],
    [{ role: "button", states: [{ state: "focused", present: false }] }, ["Open"]],
    // Composed or decomposed makes no difference.
    [{ text: "u\u0308ni\u0308code" }, ["Main", "Files", "Row", "Ünïcode Text"]],
    [{ role: "option", text: "ünïcode" }, ["Row"]],
    [{ text: "writes the file" }, ["Main", "Tools", "Save  as…"]],
    [{ role: "button", name: "", exact: true }, []],
  ];
  for (const [filters, expected] of cases) {
    assertEquals(names(TREE, filters), expected, JSON.stringify(filters));
  }
  assertEquals(findMatches(TREE, {}).indexes.length, 8);
  assertEquals(rolesPresent(findMatches(TREE, {}).order), [
    "button",
    "checkbox",
    "list",
    "option",
    "statictext",
    "toolbar",
    "window",
  ]);
});

Deno.test("what could not be read makes a verdict unknown, unless another filter settles it", () => {
  const mute = node("button", { unreadable: ["name", "states"] });
  const root = node("window", { name: "w" }, [mute]);
  assertEquals(findMatches(root, { name: "x" }).uncertain, true);
  assertEquals(findMatches(root, { role: "list", name: "x" }).uncertain, false);
  assertEquals(findMatches(root, { states: [{ state: "busy", present: false }] }).uncertain, true);
  assertEquals(findMatches(root, { role: "button" }).uncertain, false);
  assertEquals(findMatches(root, { text: "x" }).uncertain, true);
  assertEquals(findMatches(root, { text: "w" }).indexes, [0]);
});

Deno.test("the first match stands when nothing that was lost could come before it", () => {
  const first = (root: Node) => {
    const matches = findMatches(root, { role: "button" });
    return nothingEarlier(matches, matches.indexes[0]!);
  };
  const tree = (fields: Partial<Node>, before: Node[], after: Node[] = []) =>
    node("window", { truncated: true }, [
      node("group", fields, [...before, button("hit"), ...after]),
    ]);
  assertEquals(first(tree({}, [])), true);
  // Lost after the match, in the same group or in a later one.
  assertEquals(first(tree({ truncated: true }, [label("x")])), true);
  assertEquals(first(tree({ truncated: true }, [], [node("group", { truncated: true })])), true);
  // Lost before it.
  assertEquals(first(tree({ truncated: true }, [node("group", { truncated: true })])), false);
  const gap = tree({ truncated: true }, [label("x")]);
  gap.children[0]!.children[1]!.index = 2;
  assertEquals(first(gap), false);
  assertEquals(first(tree({}, [node("group", { unreadable: ["name"] })])), true);
  const matches = findMatches(
    tree({}, [node("button", { unreadable: ["name"] })]),
    { role: "button", name: "hit" },
  );
  assertEquals(nothingEarlier(matches, matches.indexes[0]!), false);
});

Deno.test("selectors: role, text or both, split at the first colon", () => {
  assertEquals(parseSelector("button"), { text: "button", role: "button" });
  assertEquals(parseSelector(":Save: now"), { text: ":Save: now", contains: "Save: now" });
  assertEquals(parseSelector(" TextBox :a:b").role, "textfield");
  assertEquals(parseSelector("textbox:a:b").contains, "a:b");
  for (const bad of ["", ":", "  :  ", "nosuchrole", "nosuchrole:x", "unknown:x"]) {
    const error = assertThrows(() => parseSelector(bad), AppError);
    assertEquals(error.code, "INVALID_ARGS");
  }
  assertEquals(selectorMatches(TREE, parseSelector("option:ünïcode text")).indexes.length, 1);
  assertEquals(selectorMatches(TREE, parseSelector("button:ünïcode")).indexes.length, 0);
});
