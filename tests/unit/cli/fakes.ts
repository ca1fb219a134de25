/** A process and a platform that exist only in memory. */
import { effectiveUserId } from "../../../ffi/libc.ts";
import { main, Run } from "../../../src/cli/program.ts";
import type { Process } from "../../../src/cli/process.ts";
import type { Privilege } from "../../../src/commands/command.ts";
import { TestPlatform } from "../../support/test_platform/platform.ts";
import type { AppInfo, Platform, WindowInfo } from "../../../src/platform/platform.ts";

// The C library stays loaded for the life of the process; loaded here it is no test's leak.
effectiveUserId();

/** What a run left behind. */
export interface Outcome {
  code: number;
  stdout: string;
  stderr: string;
  kept: readonly Privilege[] | undefined;
  /** The envelope, when stdout holds exactly one line of JSON. */
  envelope: Envelope;
}

export interface Envelope {
  version: string;
  ok: boolean;
  command: string;
  // deno-lint-ignore no-explicit-any -- tests look at answers of every command
  data?: any;
  error?: {
    code: string;
    message: string;
    suggestion?: string;
    recovery?: unknown;
    // deno-lint-ignore no-explicit-any -- as above
    details?: any;
    disposition: { delivery: string; retry: string };
  };
}

export interface RunOptions {
  env?: Record<string, string>;
  platform?: Platform | (() => Promise<Platform>);
  /** Called instead of writing to stdout. */
  stdout?: (text: string) => void;
}

/** Runs a command line in memory. */
export async function run(argv: string[], options: RunOptions = {}): Promise<Outcome> {
  const outcome = { stdout: "", stderr: "", kept: undefined as Outcome["kept"] };
  const process: Process = {
    env: (name) => options.env?.[name],
    stdout: options.stdout ?? ((text) => void (outcome.stdout += text)),
    stderr: (line) => void (outcome.stderr += line + "\n"),
    keepOnly: (privileges) => void (outcome.kept = privileges),
  };
  const { platform = fakePlatform() } = options;
  const open = typeof platform === "function" ? platform : () => Promise.resolve(platform);
  const code = await main(argv, open, new Run(process));
  return {
    code,
    ...outcome,
    get envelope(): Envelope {
      const lines = outcome.stdout.split("\n");
      if (lines.length !== 2 || lines[1] !== "") {
        throw new Error(`not one line: ${outcome.stdout}`);
      }
      return JSON.parse(lines[0]!);
    },
  };
}

/** A platform with the given methods; reading anything else of a desktop fails the test. */
export function fakePlatform(methods: Partial<Platform> = {}): Platform {
  const unreadable = (method: string) => {
    throw new Error(`the command uses platform.${method}`);
  };
  return new TestPlatform({ apps: [], before: unreadable, handlesPersist: false }, {
    surfaces: ["window", "menu"],
    ...methods,
  });
}

/** A platform with these applications and windows. */
export function desktop(apps: AppInfo[], windows: WindowInfo[] = []): Platform {
  return fakePlatform({
    apps: () => Promise.resolve(apps),
    windows: (pid) =>
      Promise.resolve(windows.filter((window) => pid === undefined || window.pid === pid)),
    windowById: (id) => Promise.resolve(windows.find((window) => window.id === id)),
  });
}

export function app(name: string, pid: number, aliases: string[] = []): AppInfo {
  return { name, pid, aliases, processInstance: `test-proc:${pid}`, presentation: "foreground" };
}

export function window(id: string, pid: number, rest: Partial<WindowInfo> = {}): WindowInfo {
  return {
    id,
    title: `Title of ${id}`,
    appName: "app",
    pid,
    isFocused: false,
    visible: true,
    accessible: true,
    handle: `handle-${id}`,
    ...rest,
  };
}
