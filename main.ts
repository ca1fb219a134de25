/**
 * The process: argv in, one envelope out, exit code. Everything else is `src/`.
 *
 * ```sh
 * agent-desktop snapshot --app gnome-calculator -i --compact
 * ```
 */
import { guardProcess, main, Run } from "./src/cli/program.ts";
import { keepClipboard, KEEPER_ARGUMENT, openPlatform } from "./src/platform/select.ts";

export { main, Run };

if (import.meta.main) {
  if (Deno.args[0] === KEEPER_ARGUMENT) {
    // Not a command: `clipboard-set` starts this process, which keeps what was copied.
    await keepClipboard(Deno.args.slice(1));
    Deno.exit(0);
  }
  const run = new Run();
  guardProcess(run);
  Deno.exit(await main(Deno.args, openPlatform, run));
}
