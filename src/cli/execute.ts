/**
 * Being a process that runs one command: the checks that come before it, in their order, and the
 * permissions that are given up for good.
 */
import { OpeningContext } from "../commands/context.ts";
import { runCommand } from "../commands/run.ts";
import type { Platform } from "../platform/platform.ts";
import { explicitStateRoot, resolveStateRoot } from "../store/state_root.ts";
import { readVariables, resolveGlobals } from "./globals.ts";
import type { Invocation } from "./parse.ts";
import type { Process } from "./process.ts";

/**
 * Runs a command and hands its data to `answer`, whose result it returns. The platform is closed
 * after that: the caller need not wait for it.
 *
 * @throws AppError whatever the checks or the command throw
 */
export async function execute(
  { command, args, globals: flags }: Extract<Invocation, { kind: "command" }>,
  openPlatform: () => Promise<Platform>,
  process: Process,
  answer: (data: unknown) => number,
): Promise<number> {
  const explicitRoot = explicitStateRoot({ get: process.env });
  const variables = readVariables(process.env);
  process.keepOnly(command.privileges);
  const context = new OpeningContext(resolveGlobals(flags, variables, command), {
    openPlatform,
    stateRoot: () => explicitRoot ?? resolveStateRoot({ get: process.env }),
    log: (message) => process.stderr(message),
  });
  // It opens while the arguments are validated; what is wrong with it is told in its turn.
  if (command.permission === "accessibility") context.platform().catch(() => {});
  try {
    return answer(await runCommand(command, args, context));
  } finally {
    context.close();
  }
}
