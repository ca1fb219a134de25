/** Builds the stand-in for the macOS libraries with the system's C compiler. */
import { fromFileUrl, join } from "@std/path";

const SOURCES = fromFileUrl(new URL("../../../fixtures/fake_macos/", import.meta.url));

/** A variant of the library. */
export type Variant = "full" | "no-window-numbers" | "no-screen-preflight";

const DEFINES: Record<Variant, string[]> = {
  full: [],
  "no-window-numbers": ["-DWITHOUT_GET_WINDOW"],
  "no-screen-preflight": ["-DWITHOUT_SCREEN_PREFLIGHT"],
};

async function hashOf(files: readonly string[]): Promise<string> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  for (const file of files) parts.push(await Deno.readFile(file));
  const digest = await crypto.subtle.digest("SHA-256", await new Blob(parts).arrayBuffer());
  return Array.from(new Uint8Array(digest).subarray(0, 8), (b) => b.toString(16).padStart(2, "0"))
    .join("");
}

/**
 * Path of the compiled library. Compiled once for each state of the sources and kept in the
 * system's temporary folder.
 *
 * @throws {Error} with the compiler's words when it does not compile
 */
export async function buildFake(variant: Variant = "full"): Promise<string> {
  const files: string[] = [];
  for await (const entry of Deno.readDir(SOURCES)) {
    if (/\.[ch]$/.test(entry.name)) files.push(join(SOURCES, entry.name));
  }
  files.sort();
  const folder = join(Deno.env.get("TMPDIR") ?? "/tmp", `fake-macos-${Deno.uid()}`);
  await Deno.mkdir(folder, { recursive: true, mode: 0o700 });
  const target = join(folder, `${variant}-${await hashOf(files)}.so`);
  try {
    await Deno.stat(target);
    return target;
  } catch {
    // Not compiled yet.
  }
  const partial = `${target}.${Deno.pid}`;
  const { success, stderr } = await new Deno.Command("gcc", {
    args: [
      ...["-shared", "-fPIC", "-O1", "-g", "-Wall", "-Wextra", "-Wno-missing-field-initializers"],
      ...DEFINES[variant],
      ...files.filter((file) => file.endsWith(".c")),
      ...["-o", partial, "-lpthread", "-lm", "-Wl,-Bsymbolic"],
    ],
  }).output();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
  await Deno.rename(partial, target);
  // What older sources were compiled to is of no more use.
  for await (const entry of Deno.readDir(folder)) {
    const path = join(folder, entry.name);
    if (entry.name.startsWith(`${variant}-`) && path !== target && entry.name.endsWith(".so")) {
      await Deno.remove(path);
    }
  }
  return target;
}

/**
 * A copy of the library with a state of its own: one path loaded twice is one library, so every
 * test module that counts objects takes its own copy.
 */
export async function privateFake(variant: Variant = "full"): Promise<string> {
  const built = await buildFake(variant);
  const copy = await Deno.makeTempFile({ prefix: "fake-macos-", suffix: ".so" });
  await Deno.copyFile(built, copy);
  globalThis.addEventListener("unload", () => Deno.removeSync(copy));
  return copy;
}
