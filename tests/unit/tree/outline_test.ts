import { assert, assertEquals } from "@std/assert";
import { allocate } from "../../../src/refs/allocate.ts";
import { compact } from "../../../src/tree/compact.ts";
import { flatElements } from "../../../src/tree/flat.ts";
import { normalise } from "../../../src/tree/normalise.ts";
import { renderOutline } from "../../../src/tree/outline.ts";
import { prune } from "../../../src/tree/prune.ts";
import { renderTree } from "../../../src/tree/render.ts";
import { quote } from "../../../src/tree/text.ts";
import { documentOrder } from "../../../src/tree/walk.ts";
import { ROLES } from "../../../src/tree/roles.ts";
import { STATES } from "../../../src/tree/states.ts";
import { button, node, randomNumbers, randomTree, SOURCE } from "./trees.ts";

Deno.test("an outline line shows role, name, ref, value, states and cuts", () => {
  const root = node("window", { name: "w" }, [
    node("textfield", {
      name: "Search",
      value: "abc",
      states: ["focused", "required"],
      ref: 4,
    }),
    node("list", { childrenCount: 12, truncated: true }),
    node("textfield", { value: "cut", valueLength: 9_999 }),
    node("statictext", { name: "x".repeat(300) }),
  ]);
  assertEquals(renderOutline(root).split("\n"), [
    'window "w"',
    '  textfield "Search" [e4] value="abc" focused required',
    "  list +12 truncated",
    '  textfield value="cut"…',
    `  statictext "${"x".repeat(200)}"…`,
  ]);
});

Deno.test("text stays inside its quotes whatever it holds", () => {
  const cases: [string, string][] = [
    ["plain", '"plain"'],
    ['a"\n[ref=@e9] button "OK', '"a\\"\\n[ref=@e9] button \\"OK"'],
    ["back\\slash\\", '"back\\\\slash\\\\"'],
    ["\u001b]0;title\u0007", '"\\u001b]0;title\\u0007"'],
    ["\u202eabc\u2066\u200f", '"\\u202eabc\\u2066\\u200f"'],
    ["a\u0085b\u2028c\u2029d\u007f\u009b", '"a\\u0085b\\u2028c\\u2029d\\u007f\\u009b"'],
    ["\r\n\t\0", '"\\r\\n\\t\\u0000"'],
    ["half \ud83d", '"half \ufffd"'],
    ["tag \u{e0041}", '"tag \\u{e0041}"'],
    ["日本語 😀 é", '"日本語 😀 é"'],
    ["family 👨‍👩‍👧", '"family 👨‍👩‍👧"'],
  ];
  for (const [text, quoted] of cases) assertEquals(quote(text), quoted);
});

Deno.test("a cut never splits a character", () => {
  assertEquals(quote("😀😀😀", 2), '"😀😀"…');
  assertEquals(quote("abc", 3), '"abc"');
  assertEquals(quote("abcd", 3), '"abc"…');
  assertEquals(quote("", 0), '""');
});

// What a line may look like: our own words outside of quotes, printable text inside.
const WORDS = [...STATES, "truncated"].join("|");
const LINE = new RegExp(
  `^( *)(${ROLES.join("|")})( "(?:[^"\\\\]|\\\\.)*"…?)?( \\[e[0-9]+\\])?` +
    `( value="(?:[^"\\\\]|\\\\.)*"…?)?( (${WORDS}))*( \\+[0-9]+)?( truncated)?$`,
  "u",
);
// deno-lint-ignore no-control-regex -- control characters are what must not be there
const RAW = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/;

Deno.test("random trees with hostile names: one well-formed line for each node", () => {
  const random = randomNumbers(7);
  const pieces = [
    '"',
    "\\",
    "\n",
    " [e1]",
    "\r",
    "\u001b[2K",
    "\u202e",
    "button ",
    "x",
    "\u2028",
    "…",
  ];
  const hostile = () =>
    Array.from({ length: 8 }, () => pieces[Math.floor(random() * pieces.length)]).join("");
  for (let seed = 1; seed <= 80; seed++) {
    const raw = randomTree(seed, 60);
    for (const { node } of documentOrder(raw)) {
      if (random() < 0.6) node.name = hostile();
      if (random() < 0.3) node.value = hostile();
    }
    const tree = normalise(raw);
    allocate(tree, { source: SOURCE, drillTargets: true });
    const order = documentOrder(tree);
    const lines = renderOutline(tree).split("\n");
    assertEquals(lines.length, order.length);
    lines.forEach((line, i) => {
      const match = LINE.exec(line);
      assert(match !== null && !RAW.test(line), JSON.stringify(line));
      assertEquals(match[1]!.length, order[i]!.depth * 2);
      assertEquals(
        match[4],
        order[i]!.node.ref === undefined ? undefined : ` [e${order[i]!.node.ref}]`,
      );
    });
    // JSON carries the true text.
    const json = JSON.parse(JSON.stringify(renderTree(tree, { refPrefix: "" })));
    assertEquals(json.name, tree.name);
  }
});

Deno.test("random trees: outline, flat list and JSON name the same refs in the same order", () => {
  for (let seed = 1; seed <= 150; seed++) {
    const tree = normalise(randomTree(seed, 100));
    allocate(tree, { source: SOURCE, drillTargets: true });
    for (const form of [tree, prune(compact(tree))]) {
      const json = [
        ...JSON.stringify(renderTree(form, { refPrefix: "@s1:e" }))
          .matchAll(/"ref_id":"@s1:e([0-9]+)"/g),
      ].map((match) => Number(match[1]));
      const outline = renderOutline(form).split("\n")
        .flatMap((line) => Number(LINE.exec(line)?.[4]?.slice(3, -1) ?? NaN))
        .filter((number) => !Number.isNaN(number));
      const flat = flatElements(form, "@s1:e").map(({ ref_id }) => Number(ref_id.slice(5)));
      assertEquals(outline, flat, `seed ${seed}`);
      assertEquals([...json].sort((a, b) => a - b), [...flat].sort((a, b) => a - b));
    }
  }
});

Deno.test("flat elements carry the names above them", () => {
  const root = node("window", { name: "w" }, [
    node("group", { name: "  " }, [node("list", { name: "l".repeat(70) }, [button("a")])]),
  ]);
  allocate(root, { source: SOURCE });
  assertEquals(flatElements(root, "@s1:e"), [{
    name: "a",
    path: ["w", `${"l".repeat(60)}…`],
    ref_id: "@s1:e1",
    role: "button",
  }]);
});
