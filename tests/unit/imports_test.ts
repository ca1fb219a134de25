/**
 * The layers of the program, read off its import statements: types count, lazy imports count. What
 * a folder may import is one line of `MAY_IMPORT`.
 */
import { assertEquals } from "@std/assert";
import { fromFileUrl } from "@std/path";

const ROOT = fromFileUrl(new URL("../..", import.meta.url));

/** The layer of a file: the folder that decides what it may import. */
function layerOf(file: string): string {
  if (file === "main.ts") return "main";
  // `platform` itself holds the interface and what all systems share; `select.ts` chooses one.
  if (file === "src/platform/select.ts") return "platform/select";
  const folders = file.replace(/^src\//, "").split("/").slice(0, -1);
  const hasSystems = folders[0] === "platform" || folders[0] === "ffi";
  return folders.slice(0, hasSystems ? 2 : 1).join("/") || "basics";
}

/** Layers each layer may import, besides itself. `basics` are the files right below `src`. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  "basics": [],
  "ffi": [],
  "ffi/linux": ["ffi"],
  "ffi/macos": ["ffi"],
  "image": ["basics"],
  "tree": ["basics"],
  "platform": ["basics", "tree"],
  "platform/linux": ["basics", "image", "tree", "platform", "ffi", "ffi/linux"],
  "platform/macos": ["basics", "image", "tree", "platform", "ffi", "ffi/macos"],
  "platform/select": ["basics", "platform", "platform/linux", "platform/macos"],
  "refs": ["basics", "tree", "platform"],
  "store": ["basics", "refs", "ffi"],
  "act": ["basics", "tree", "platform", "refs"],
  "commands": ["basics", "image", "tree", "platform", "refs", "store", "act"],
  "cli": ["basics", "tree", "platform", "store", "commands"],
  "main": ["platform/select", "cli"],
};

type Graph = ReadonlyMap<string, ReadonlySet<string>>;

const STATEMENT =
  /(?:^|\n)\s*(?:import|export)\b[^;"']*?\bfrom\s*["']([^"']+)["']|(?:^|\n)\s*import\s*["']([^"']+)["']|\bimport\(\s*[`"']([^`"']+)[`"']/g;

/** Modules a source names in import and export statements and in lazy imports. */
function modulesIn(source: string): string[] {
  return [...source.matchAll(STATEMENT)].map((match) => match[1] ?? match[2] ?? match[3]!);
}

function sourcesBelow(folder: string): string[] {
  return [...Deno.readDirSync(`${ROOT}/${folder}`)].flatMap(({ name, isDirectory }) => {
    const path = `${folder}/${name}`;
    if (isDirectory) return sourcesBelow(path);
    return path.endsWith(".ts") && !path.endsWith(".d.ts") ? [path] : [];
  });
}

function importGraph(): Graph {
  const graph = new Map<string, Set<string>>();
  for (const file of ["main.ts", ...sourcesBelow("src"), ...sourcesBelow("ffi")]) {
    const own = modulesIn(Deno.readTextFileSync(`${ROOT}/${file}`))
      .filter((module) => module.startsWith(".") && module.endsWith(".ts"))
      .map((module) => new URL(module, `file:///${file}`).pathname.slice(1));
    graph.set(file, new Set(own));
  }
  return graph;
}

/** Groups of files that import each other, directly or through others of the group. */
function circles(graph: Graph): string[][] {
  const reach = new Map<string, Set<string>>();
  for (const file of graph.keys()) {
    const seen = new Set<string>();
    const open = [...graph.get(file)!];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      if (seen.has(next)) continue;
      seen.add(next);
      open.push(...graph.get(next) ?? []);
    }
    reach.set(file, seen);
  }
  const done = new Set<string>();
  const found: string[][] = [];
  for (const [file, seen] of reach) {
    if (done.has(file) || !seen.has(file)) continue;
    const group = [...seen].filter((other) => reach.get(other)!.has(file)).sort();
    for (const other of group) done.add(other);
    found.push(group);
  }
  return found;
}

/** Imports of layers that `MAY_IMPORT` does not name. */
function forbidden(graph: Graph): string[] {
  return [...graph].flatMap(([file, imported]) => {
    const layer = layerOf(file);
    return [...imported].filter((other) =>
      layerOf(other) !== layer && !MAY_IMPORT[layer]?.includes(layerOf(other))
    ).map((other) => `${file} imports ${other}`);
  });
}

Deno.test("import statements of every form are seen", () => {
  const source = `/** Says \`import x from "./no.ts"\`. */
import { a } from "./a.ts";
import type {
  B,
} from '../b.ts';
export * from "./c.ts";
export type { D } from "./d.ts";
import "./e.ts";
const lazy = () => import("./f.ts");
type G = import("./g.ts").G;
`;
  assertEquals(modulesIn(source), [
    "./a.ts",
    "../b.ts",
    "./c.ts",
    "./d.ts",
    "./e.ts",
    "./f.ts",
    "./g.ts",
  ]);
});

Deno.test("a circle is found, whatever leads into it and out of it", () => {
  const graph = new Map([
    ["in", new Set(["a"])],
    ["a", new Set(["b"])],
    ["b", new Set(["c", "out"])],
    ["c", new Set(["a"])],
    ["out", new Set<string>()],
    ["self", new Set(["self"])],
  ]);
  assertEquals(circles(graph), [["a", "b", "c"], ["self"]]);
});

Deno.test("an import that runs up is found", () => {
  const graph = new Map([
    ["src/tree/node.ts", new Set(["src/refs/entry.ts", "src/errors.ts"])],
    ["src/commands/find.ts", new Set(["src/platform/platform.ts", "src/platform/linux/bus.ts"])],
    ["src/act/flow.ts", new Set(["ffi/libc.ts"])],
  ]);
  assertEquals(forbidden(graph), [
    "src/tree/node.ts imports src/refs/entry.ts",
    "src/commands/find.ts imports src/platform/linux/bus.ts",
    "src/act/flow.ts imports ffi/libc.ts",
  ]);
});

Deno.test("files of the product import in one direction", () => {
  const graph = importGraph();
  // As a guard against reading nothing: the one file that everything is reached from.
  assertEquals(graph.get("main.ts")!.size > 0, true);
  for (const [file, imported] of graph) {
    for (const other of imported) assertEquals(graph.has(other), true, `${file}: ${other}`);
  }
  assertEquals(circles(graph), []);
  assertEquals(forbidden(graph), []);
});
