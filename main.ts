/**
 * The process: argv in, one envelope out, exit code. Everything else is `src/`.
 *
 * ```sh
 * agent-desktop snapshot --app gnome-calculator -i --compact
 * ```
 */
import { guardProcess, main } from "./src/cli/program.ts";
import { openPlatform } from "./src/platform/select.ts";

export { main };

if (import.meta.main) {
  guardProcess();
  Deno.exit(await main(Deno.args, openPlatform));
}
