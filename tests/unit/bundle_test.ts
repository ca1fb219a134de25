/**
 * The minifier of the bundle moves the value of a `using` declaration into the one place it is used
 * at, and with the declaration the release is gone: a lock is then held until the process ends. Where
 * that would happen the sources release by hand.
 */
import { assertEquals } from "@std/assert";
import { fromFileUrl } from "@std/path";

const ROOT = fromFileUrl(new URL("../../", import.meta.url));

async function usingDeclarations(...flags: string[]): Promise<number> {
  const folder = await Deno.makeTempDir();
  try {
    const { success } = await new Deno.Command(Deno.execPath(), {
      args: ["bundle", "--quiet", ...flags, "--code-splitting", "--outdir", folder, "main.ts"],
      cwd: ROOT,
      stdout: "null",
      stderr: "inherit",
    }).output();
    assertEquals(success, true);
    let count = 0;
    for await (const { name } of Deno.readDir(folder)) {
      const text = await Deno.readTextFile(`${folder}/${name}`);
      count += text.match(/\busing [A-Za-z_$][\w$]* ?=/g)?.length ?? 0;
    }
    return count;
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("the minified bundle has every `using` declaration of the sources", async () => {
  const plain = await usingDeclarations();
  assertEquals(await usingDeclarations("--minify"), plain);
});
