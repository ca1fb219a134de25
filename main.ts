/**
 * The process: argv in, one envelope out, exit code. Everything else is `src/`.
 *
 * ```sh
 * agent-desktop snapshot --app gnome-calculator -i --compact
 * ```
 */
import { guardProcess, main } from "./src/cli/program.ts";
import type { Platform } from "./src/platform/platform.ts";

export { main };

async function openPlatform(): Promise<Platform> {
  const { openPlatform } = await import("./src/platform/select.ts");
  return await openPlatform();
}

if (import.meta.main) {
  guardProcess();
  Deno.exit(await main(Deno.args, openPlatform));
}
