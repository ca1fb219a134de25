/** One run of the program: argv in, one envelope out, an exit code back. */
import { loadAllCommands, loadCommands, NAMES, usesDesktop } from "../commands/catalogue.ts";
import type { Command } from "../commands/command.ts";
import { firstLine } from "../commands/quote.ts";
import { AppError, asAppError, type Delivery, disposition } from "../errors.ts";
import type { Platform } from "../platform/platform.ts";
import { deliveryIn, errorLine, successLine } from "./envelope.ts";
import { commandWord, type Invocation, parse, ParseError, UnknownCommand } from "./parse.ts";
import { type Process, REAL_PROCESS } from "./process.ts";

/** The platform of the machine. */
export interface PlatformSource {
  /** Opens it. */
  (): Promise<Platform>;
  /** Begins to load its code, so that the command's can be loaded meanwhile. Opens nothing. */
  preload?(): void;
}

/** One run of the program: how far it is, also for failures that happen outside of any call. */
export class Run {
  readonly process: Process;
  /** The command, once it is known. */
  command = "unknown";
  /** Set when the answer is out. */
  exitCode: number | undefined;

  constructor(process: Process = REAL_PROCESS) {
    this.process = process;
  }

  /** Writes the answer; when that fails the caller at least learns on stderr what happened. */
  answer(text: string, exitCode: number, delivery?: Delivery): number {
    try {
      this.process.stdout(text);
      return this.exitCode = exitCode;
    } catch (thrown) {
      const reason = firstLine(thrown instanceof Error ? thrown.message : String(thrown));
      const made = delivery === undefined
        ? ""
        : `; disposition of the action: ${delivery}, retry ${disposition(delivery).retry}`;
      this.process.stderr(`agent-desktop: cannot write the answer to stdout (${reason})${made}`);
      return this.exitCode = 1;
    }
  }
}

/**
 * Runs one command line (without the program's name) and writes its answer.
 *
 * @returns the exit code: 0 for `ok: true` and texts, 1 for an error, 2 for a command line that
 * could not be parsed
 */
export async function main(
  argv: readonly string[],
  openPlatform: PlatformSource,
  run: Run = new Run(),
): Promise<number> {
  let verbose = false;
  try {
    const invocation = await parsed(argv, openPlatform);
    switch (invocation.kind) {
      case "help": {
        const { commandHelp, generalHelp } = await import("./help.ts");
        const name = invocation.command;
        const text = name === undefined
          ? generalHelp(await loadAllCommands())
          : commandHelp(await loadCommands(name));
        return run.answer(text, 0);
      }
      case "version": {
        const { VERSION } = await import("../version.ts");
        return run.answer(`agent-desktop ${VERSION}\n`, 0);
      }
      case "command": {
        const { command } = invocation;
        run.command = command.name;
        verbose = invocation.globals.verbose === true;
        const answer = (data: unknown) =>
          run.answer(successLine(command.name, data), 0, deliveryIn(data));
        if (command.immediate !== undefined) {
          await prepareImmediate(command, run.process);
          return answer(command.immediate());
        }
        const { execute } = await import("./execute.ts");
        return await execute(invocation, openPlatform, run.process, answer);
      }
    }
  } catch (thrown) {
    if (thrown instanceof ParseError) return run.answer(parseErrorLine(thrown), 2);
    const error = asAppError(thrown);
    if (verbose && error !== thrown) run.process.stderr(stackOf(thrown));
    return run.answer(errorLine(run.command, error), 1, error.delivery);
  }
}

/** Takes the command line apart; what its command needs is loaded side by side. */
async function parsed(argv: readonly string[], openPlatform: PlatformSource): Promise<Invocation> {
  const word = commandWord(argv);
  // Help needs none of it. (Taken for help by mistake, a command only loads a little later.)
  const asksForHelp = argv.includes("--help") || argv.includes("-h");
  if (word !== undefined && usesDesktop(word) && !asksForHelp) {
    openPlatform.preload?.();
    import("./execute.ts").catch(() => {}); // a failure is told by the import that waits for it
  }
  const commands = word === undefined ? [] : await loadCommands(word);
  try {
    return parse(argv, commands);
  } catch (thrown) {
    if (!(thrown instanceof UnknownCommand)) throw thrown;
    const { similarNames } = await import("../commands/similar_names.ts");
    throw new UnknownCommand(thrown.word, similarNames(thrown.word, NAMES, 1)[0]);
  }
}

/**
 * The one check that precedes even a command that answers at once; it loads next to nothing.
 *
 * @throws AppError `INVALID_ARGS` for a bad `AGENT_DESKTOP_HOME`
 */
async function prepareImmediate(command: Command, process: Process): Promise<void> {
  if (process.env("AGENT_DESKTOP_HOME") !== undefined) {
    const { explicitStateRoot } = await import("../store/state_root.ts");
    explicitStateRoot({ get: process.env });
  }
  process.keepOnly(command.privileges);
}

/**
 * Makes failures outside of any call (a stray rejected promise, an exception in a callback of a
 * native library) leave as an envelope too. Once the answer is out there is nothing to add, and the
 * process ends as it was going to.
 */
export function guardProcess(run: Run): void {
  const fail = (thrown: unknown, event: Event) => {
    event.preventDefault();
    Deno.exit(run.exitCode ?? run.answer(errorLine(run.command, asAppError(thrown)), 1));
  };
  globalThis.addEventListener("unhandledrejection", (event) => fail(event.reason, event));
  globalThis.addEventListener("error", (event) => fail(event.error, event));
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
