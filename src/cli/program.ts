/** One run of the program: argv in, one envelope out, an exit code back (contract §1, §7). */
import { AppError, type Delivery, disposition } from "../errors.ts";
import type { Platform } from "../platform/platform.ts";
import { asAppError, deliveryOf, errorLine, successLine } from "./envelope.ts";
import { firstLine, parse, ParseError } from "./parse.ts";
import { type Process, REAL_PROCESS } from "./process.ts";
import { rowsFor } from "./table/files.ts";

/** How far this process is, for failures that happen outside of any call. */
const progress: { command: string; exitCode: number | undefined } = {
  command: "unknown",
  exitCode: undefined,
};

/** Opens the platform of the machine. */
export type OpenPlatform = () => Promise<Platform>;

/**
 * Runs one command line (without the program's name) and writes its answer.
 *
 * @returns the exit code: 0 for `ok: true` and texts, 1 for an error, 2 for a command line that
 * could not be parsed
 */
export async function main(
  argv: readonly string[],
  openPlatform: OpenPlatform,
  process: Process = REAL_PROCESS,
): Promise<number> {
  progress.command = "unknown";
  progress.exitCode = undefined;
  let verbose = false;
  try {
    const invocation = parse(argv, await rowsFor(argv));
    switch (invocation.kind) {
      case "help": {
        const { commandHelp, generalHelp } = await import("./help.ts");
        const name = invocation.command;
        return write(process, name === undefined ? generalHelp() : commandHelp(name), 0);
      }
      case "version": {
        const { VERSION } = await import("../version.ts");
        return write(process, `agent-desktop ${VERSION}\n`, 0);
      }
      case "command": {
        const command = progress.command = invocation.row.name;
        verbose = invocation.globals.verbose === true;
        const answer = (data: unknown) =>
          write(process, successLine(command, data), 0, deliveryOf(data));
        if (invocation.row.immediate === true) {
          const { answerAtOnce } = await import("./immediate.ts");
          return answer(await answerAtOnce(process));
        }
        const { execute } = await import("./execute.ts");
        return await execute(invocation, openPlatform, process, answer);
      }
    }
  } catch (thrown) {
    if (thrown instanceof ParseError) return write(process, parseErrorLine(thrown), 2);
    const error = asAppError(thrown);
    if (verbose && error !== thrown) process.stderr(stackOf(thrown));
    return write(process, errorLine(progress.command, error), 1, error.delivery);
  }
}

/**
 * Makes failures outside of any call (a stray rejected promise, an exception in a callback of a
 * native library) leave as an envelope too. Once the answer is out there is nothing to add, and the
 * process ends as it was going to.
 */
export function guardProcess(process: Process = REAL_PROCESS): void {
  const fail = (thrown: unknown, event: Event) => {
    event.preventDefault();
    const { command, exitCode } = progress;
    Deno.exit(exitCode ?? write(process, errorLine(command, asAppError(thrown)), 1));
  };
  globalThis.addEventListener("unhandledrejection", (event) => fail(event.reason, event));
  globalThis.addEventListener("error", (event) => fail(event.error, event));
}

/** Writes the answer; when that fails the caller at least learns on stderr what happened. */
function write(process: Process, text: string, exitCode: number, delivery?: Delivery): number {
  try {
    process.stdout(text);
    return progress.exitCode = exitCode;
  } catch (thrown) {
    const reason = firstLine(thrown instanceof Error ? thrown.message : String(thrown));
    const made = delivery === undefined
      ? ""
      : `; disposition of the action: ${delivery}, retry ${disposition(delivery).retry}`;
    process.stderr(`agent-desktop: cannot write the answer to stdout (${reason})${made}`);
    return progress.exitCode = 1;
  }
}

function parseErrorLine(error: ParseError): string {
  const help = error.command === undefined
    ? "Run 'agent-desktop --help' for the commands."
    : `Run 'agent-desktop ${error.command} --help' to see what it takes.`;
  return errorLine("unknown", new AppError("INVALID_ARGS", error.message, { suggestion: help }));
}

function stackOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.stack ?? thrown.message : String(thrown);
}
