/**
 * The process: argv in, one envelope out, exit code. Everything else is `src/`.
 *
 * ```sh
 * agent-desktop snapshot --app gnome-calculator -i --compact
 * ```
 */
import { guardProcess, main, Run } from "./src/cli/program.ts";
import { openPlatform } from "./src/platform/select.ts";

export { main, Run };

if (import.meta.main) {
  const run = new Run();
  guardProcess(run);
  Deno.exit(await main(Deno.args, openPlatform, run));
}
