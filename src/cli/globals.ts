/** From the global flags and the environment to what commands are told. */
import { AppError } from "../errors.ts";
import { type Command, title } from "../commands/command.ts";
import type { Globals } from "../commands/context.ts";
import { isId, MAX_TIMEOUT_MS } from "../commands/limits.ts";
import { quote } from "../commands/quote.ts";
import { parseSelector } from "../tree/selector.ts";
import { type GlobalFlags, GLOBALS, WAIT_TIMEOUT_MS } from "./global_flags.ts";

/** The variables that stand in for global flags. */
export interface GlobalVariables {
  session: string | undefined;
  agentId: string | undefined;
}

/** Reads them. */
export function readVariables(env: (name: string) => string | undefined): GlobalVariables {
  return { session: env("AGENT_DESKTOP_SESSION"), agentId: env("AGENT_DESKTOP_AGENT_ID") };
}

/**
 * Validates the global flags in the order of docs/contract.md, "Order of checks": wait flags, session, agent id, then
 * whether this command can wait.
 *
 * @throws AppError `INVALID_ARGS`
 */
export function resolveGlobals(
  flags: GlobalFlags,
  variables: GlobalVariables,
  command: Command,
): Globals {
  checkWaitFlags(flags);
  const session = id("--session", flags.session, "AGENT_DESKTOP_SESSION", variables.session);
  const agentId = id("--agent-id", flags.agent_id, "AGENT_DESKTOP_AGENT_ID", variables.agentId);
  if (command.waits !== true && (flags.wait_for ?? flags.wait_for_gone) !== undefined) {
    throw new AppError("INVALID_ARGS", `${title(command)} does not take wait flags`, {
      suggestion: "Leave out --wait-for and --wait-for-gone, or run snapshot with them next.",
    });
  }
  const globals: Globals = {
    headed: flags.headed ?? false,
    verbose: flags.verbose ?? false,
    waitTimeoutMs: flags.wait_timeout ?? WAIT_TIMEOUT_MS,
  };
  if (session !== undefined) globals.session = session;
  if (agentId !== undefined) globals.agentId = agentId;
  if (flags.wait_for !== undefined) globals.waitFor = flags.wait_for;
  if (flags.wait_for_gone !== undefined) globals.waitForGone = flags.wait_for_gone;
  return globals;
}

function checkWaitFlags(flags: GlobalFlags): void {
  if (flags.wait_for !== undefined && flags.wait_for_gone !== undefined) {
    throw new AppError("INVALID_ARGS", "--wait-for and --wait-for-gone cannot be combined", {
      suggestion: "Give one of them; run snapshot with the other one next.",
    });
  }
  const selector = flags.wait_for ?? flags.wait_for_gone;
  if (flags.wait_timeout !== undefined) {
    if (selector === undefined) {
      throw new AppError("INVALID_ARGS", "--wait-timeout needs --wait-for or --wait-for-gone", {
        suggestion: "Say with --wait-for or --wait-for-gone what to wait for.",
      });
    }
    if (flags.wait_timeout > MAX_TIMEOUT_MS) {
      throw new AppError(
        "INVALID_ARGS",
        `Invalid --wait-timeout '${flags.wait_timeout}': expected ${GLOBALS.wait_timeout.expected}`,
        { suggestion: "Pass --wait-timeout in milliseconds, at most one day." },
      );
    }
  }
  if (selector !== undefined) parseSelector(selector);
}

/** The flag's id, else the variable's; a variable that is set counts even when it is empty. */
function id(
  flagName: string,
  flagValue: string | undefined,
  variableName: string,
  variable: string | undefined,
): string | undefined {
  const [source, value] = flagValue === undefined
    ? [variableName, variable]
    : [flagName, flagValue];
  if (value === undefined || isId(value)) return value;
  throw new AppError(
    "INVALID_ARGS",
    `Invalid ${source} '${quote(value)}': expected ${GLOBALS.session.expected}`,
    {
      suggestion: source === flagName
        ? `Pass another id with ${flagName}.`
        : `Unset ${variableName}, or set it to a valid id.`,
    },
  );
}
