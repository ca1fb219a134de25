/**
 * A test build of the program: the same process on the macOS platform over the stand-in that the
 * environment names. It is an entry point of its own, so that no other build can be told to load a
 * library.
 */
import { singleLibrary } from "./single_library.ts";
import { main, Run } from "../../../main.ts";
import { guardProcess } from "../../../src/cli/program.ts";
import { MacPlatform } from "../../../src/platform/macos/platform.ts";

const library = Deno.env.get("FAKE_MAC_LIBRARY") ?? "";
const run = new Run();
guardProcess(run);
Deno.exit(
  await main(Deno.args, () => Promise.resolve(new MacPlatform(singleLibrary(library))), run),
);
