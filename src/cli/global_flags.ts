/** Flags that every command takes, before or after its name. */
import type { ArgSpec } from "../commands/command.ts";
import { ID_EXPECTED, MAX_TIMEOUT_MS } from "../commands/limits.ts";

/** Default budget of the wait flags, in milliseconds. */
export const WAIT_TIMEOUT_MS = 30_000;

/** The global flags by property name. */
export const GLOBALS = {
  headed: {
    kind: "boolean",
    flag: "headed",
    help: "Permit focus changes, cursor movement and synthesized keys",
  },
  session: {
    kind: "string",
    flag: "session",
    value: "ID",
    help: "Session whose snapshots are used (else AGENT_DESKTOP_SESSION, else none)",
    expected: ID_EXPECTED,
  },
  agent_id: {
    kind: "string",
    flag: "agent-id",
    value: "ID",
    help: "Who is acting, in a session of several agents (else AGENT_DESKTOP_AGENT_ID)",
    expected: ID_EXPECTED,
  },
  wait_for: {
    kind: "string",
    flag: "wait-for",
    short: "w",
    value: "SEL",
    help: "Afterwards wait until an element matches role:text",
  },
  wait_for_gone: {
    kind: "string",
    flag: "wait-for-gone",
    value: "SEL",
    help: "Afterwards wait until no element matches role:text",
  },
  wait_timeout: {
    kind: "integer",
    flag: "wait-timeout",
    value: "MS",
    help: "Budget of either wait",
    default: WAIT_TIMEOUT_MS,
    expected: `an integer from 0 to ${MAX_TIMEOUT_MS}`,
  },
  verbose: { kind: "boolean", flag: "verbose", short: "v", help: "Log to stderr" },
  help: { kind: "boolean", flag: "help", short: "h", help: "Print this text" },
  version: { kind: "boolean", flag: "version", short: "V", help: "Print the version" },
} as const satisfies Record<string, ArgSpec>;

/** What the command line said about the global flags. */
export interface GlobalFlags {
  headed?: boolean;
  session?: string;
  agent_id?: string;
  wait_for?: string;
  wait_for_gone?: string;
  wait_timeout?: number;
  verbose?: boolean;
}
