import { assert, assertEquals } from "@std/assert";
import { parse } from "../../../src/cli/parse.ts";
import { loadAllCommands } from "../../../src/commands/catalogue.ts";
import { validate } from "../../../src/commands/validate.ts";
import { ERROR_CODES } from "../../../src/errors.ts";

const TABLE = await loadAllCommands();

const ROOT = new URL("../../../", import.meta.url);
const read = (path: string) => Deno.readTextFileSync(new URL(path, ROOT));

function sources(folder: string): string {
  let text = "";
  for (const { name, isDirectory } of Deno.readDirSync(new URL(folder, ROOT))) {
    if (isDirectory) text += sources(`${folder}${name}/`);
    else if (name.endsWith(".ts")) text += read(folder + name);
  }
  return text;
}

/** What stands under one heading of a page. */
function section(page: string, heading: string): string {
  const text = read(page);
  const start = text.indexOf(`\n## ${heading}\n`);
  assert(start >= 0, `${page} has no heading ${heading}`);
  const end = text.indexOf("\n## ", start + 1);
  return text.slice(start, end < 0 ? undefined : end);
}

Deno.test("every error code is explained, and no other", () => {
  const table = section("docs/contract.md", "Error codes");
  const explained = [...table.matchAll(/^\| `([A-Z_]+)` +\|/gm)].map(([, code]) => code!);
  assertEquals(explained.toSorted(), [...ERROR_CODES].toSorted());
});

Deno.test("every kind that is explained occurs in the sources", () => {
  const table = section("docs/contract.md", "Kinds of failure");
  const kinds = [...table.matchAll(/^\| (`[^|]+`) +\|/gm)]
    .flatMap(([, cell]) => [...cell!.matchAll(/`([a-z_]+)`/g)].map(([, kind]) => kind!));
  assert(kinds.length > 20);
  const code = sources("src/");
  for (const kind of kinds) assert(code.includes(`"${kind}"`), kind);
});

Deno.test("every command line in the documents is one the program takes", async () => {
  let count = 0;
  const pages = [...Deno.readDirSync(new URL("docs/", ROOT))].map(({ name }) => `docs/${name}`);
  for (const file of ["README.md", ...pages]) {
    for (const [, block] of read(file).matchAll(/```(?:sh|console)\n([\s\S]*?)```/g)) {
      for (
        const [, line] of block!.matchAll(/agent-desktop ((?:--?[a-z]|[a-z]+-?[a-z]* ?)[^|)\n]*)/g)
      ) {
        const words = [...line!.replace(/ #.*/, "").matchAll(/"([^"]*)"|(\S+)/g)]
          .map(([, quoted, plain]) => quoted ?? plain!)
          .map((word) => word === "$ref" ? "@s8f3k2p9:e1" : word);
        const invocation = parse(words, TABLE);
        if (invocation.kind !== "command") continue;
        await validate(invocation.command, invocation.args);
        count++;
      }
    }
  }
  assert(count > 20, `${count} command lines found`);
});

// Files of the worked examples, which are to be written by whoever follows them.
const EXAMPLES = new Set([
  "src/commands/thumbnail.ts",
  "src/platform/linux/toolkits/slint.ts",
  "tests/e2e/screenshot_test.ts",
  "tests/unit/commands/screenshot_test.ts",
]);

Deno.test("every file that the documents name exists", () => {
  const missing: string[] = [];
  let count = 0;
  for (const { name } of Deno.readDirSync(new URL("docs/", ROOT))) {
    const text = read(`docs/${name}`);
    for (
      const [, path] of text.matchAll(
        /`((?:src|ffi|tests|fixtures|scripts|bench)\/[\w./-]+\.\w+)`/g,
      )
    ) {
      count++;
      try {
        Deno.statSync(new URL(path!, ROOT));
        if (EXAMPLES.has(path!)) missing.push(`${name}: ${path} is no example any more`);
      } catch {
        if (!EXAMPLES.has(path!) && !path!.includes("/NAME/")) missing.push(`${name}: ${path}`);
      }
    }
  }
  assertEquals(missing, []);
  assert(count > 40, `only ${count} files named`);
});
