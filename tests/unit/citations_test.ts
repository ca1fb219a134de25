/** Comments cite the documents as `docs/PAGE.md, "Heading"`; both have to exist. */
import { assert, assertEquals } from "@std/assert";

const ROOT = new URL("../../", import.meta.url);
const FOLDERS = ["src", "ffi", "tests", "fixtures", "scripts", "bench"];
const SOURCE = /(\.(ts|js|py|c|h|sh)|\/[^./]+)$/;
const SELF = "tests/unit/citations_test.ts";

/** Paths of the files below a folder, from the root of the project. */
function files(folder: string): string[] {
  const found: string[] = [];
  for (const { name, isDirectory } of Deno.readDirSync(new URL(`${folder}/`, ROOT))) {
    if (name === "node_modules" || name === "__pycache__") continue;
    if (isDirectory) found.push(...files(`${folder}/${name}`));
    else found.push(`${folder}/${name}`);
  }
  return found;
}

/** Whether there is such a file. */
function isFile(path: string): boolean {
  try {
    return Deno.statSync(new URL(path, ROOT)).isFile;
  } catch {
    return false;
  }
}

const read = (path: string) => Deno.readTextFileSync(new URL(path, ROOT));

const sources = ["main.ts", ...FOLDERS.flatMap(files)]
  .filter((path) => SOURCE.test(path) && path !== SELF)
  // A citation may go over the end of a comment's line.
  .map((path) => ({ path, text: read(path).replace(/\n\s*(?:\*|\/\/|#)? ?(?!\/)/g, " ") }));

const pages = new Map(
  files("docs").map((page) => {
    const headings = [...read(page).matchAll(/^#+ (.+)$/gm)].map(([, heading]) => heading!);
    return [page, new Set(headings)] as const;
  }),
);

Deno.test("what a comment cites exists in the documents", () => {
  const wrong: string[] = [];
  let count = 0;
  for (const { path, text } of sources) {
    for (const [cited, page, heading] of text.matchAll(/(docs\/\w+\.md)(?:, "([^"]*)")?/g)) {
      count++;
      const headings = pages.get(page!);
      const exists = headings !== undefined && (heading === undefined || headings.has(heading));
      if (!exists) wrong.push(`${path}: ${cited}`);
    }
  }
  assertEquals(wrong, []);
  assert(count > 50, `only ${count} citations found`);
});

Deno.test("no comment cites sections or decisions by number", () => {
  const numbered =
    /\b(?:contract|observation|refs|interaction|system|macos|wayland)(?:\.md)? §|§ ?\d|\bdecisions? \d|[( ]C\d\d[),. ]/gi;
  const left = sources.flatMap(({ path, text }) =>
    [...text.matchAll(numbered)].map(([cited]) => `${path}: ${cited}`)
  );
  assertEquals(left, []);
});

Deno.test("links between the documents lead somewhere", () => {
  const slug = (heading: string) =>
    heading.toLowerCase().replace(/[^\p{L}\p{N} _-]/gu, "").replaceAll(" ", "-");
  const wrong: string[] = [];
  let count = 0;
  for (const [page, folder] of [["README.md", ""], ...[...pages.keys()].map((p) => [p, "docs/"])]) {
    for (const [link, target, anchor] of read(page!).matchAll(/\]\(([\w/.]*)(?:#([\w-]+))?\)/g)) {
      count++;
      const path = target === "" ? page! : `${folder}${target}`;
      const headings = pages.get(path);
      const exists = anchor === undefined
        ? isFile(path)
        : [...headings ?? []].some((heading) => slug(heading) === anchor);
      if (!exists) wrong.push(`${page}: ${link}`);
    }
  }
  assertEquals(wrong, []);
  assert(count > 20, `only ${count} links found`);
});
