/** `launch`: starts an application, or attaches to the one that runs, and waits for its window. */
import type { Deadline } from "../deadline.ts";
import { AppError, disposition } from "../errors.ts";
import type { Launched, Launcher } from "../platform/launcher.ts";
import { acquireLease } from "../store/lease.ts";
import { flag, integer } from "./arg_values.ts";
import { appItem } from "./app_item.ts";
import { type Args, describe, type Zod } from "./command.ts";
import type { Context } from "./context.ts";
import { DevTools, freePort, requirePortFree } from "./dev_tools.ts";
import { MAX_TIMEOUT_MS } from "./limits.ts";
import { windowItem } from "./window_item.ts";

/** Default of `--timeout`, in milliseconds. */
const LAUNCH_MS = 30_000;
/** Longest name, argument or setting, in UTF-16 units. */
const MAX_TEXT = 32_768;
/** Most arguments or settings. */
const MAX_LIST = 256;
const MAX_PORT = 65_535;

/** Switches of Chromium that `--cdp` sets itself. */
const CDP_SWITCHES = /^--?(remote-debugging-(port|pipe|address)|remote-allow-origins)(=|$)/;

const ENV_EXPECTED = "KEY=VALUE";

const text = (z: Zod) => z.string().check(z.refine((value) => value.length <= MAX_TEXT));
const list = (z: Zod, accept: (value: string) => boolean) =>
  z._default(
    z.array(text(z).check(z.refine(accept))).check(z.refine((all) => all.length <= MAX_LIST)),
    [],
  );

const schema = (z: Zod) =>
  z.strictObject({
    app: text(z).check(z.refine((value) => value.trim() !== "")),
    arg: list(z, (value) => !value.includes("\0")),
    env: list(z, (value) => /^[^=\0]+=[^\0]*$/.test(value)),
    cwd: z.optional(text(z)),
    no_attach: flag(z),
    activate: flag(z),
    cdp: z.optional(integer(z, 0, MAX_PORT)),
    timeout: z._default(integer(z, 0, MAX_TIMEOUT_MS), LAUNCH_MS),
  });
type LaunchArgs = Args<typeof schema>;

export const COMMAND = describe({
  group: "Windows and applications",
  summary: "Start an application and wait for its window",
  about:
    "An instance that runs already is taken as it is; --no-attach refuses that. The application " +
    "is started on its own: it goes on when this program and its terminal have ended.",
  args: {
    app: {
      kind: "string",
      value: "APP",
      help: "Desktop-entry id or name, a program on PATH, or an absolute path",
      expected: "a name or a path",
    },
    arg: {
      kind: "string",
      flag: "arg",
      value: "V",
      repeat: true,
      text: true,
      help: "Argument for the application; repeat it for more (--arg=-x when it starts with -)",
      expected: `at most ${MAX_LIST} texts`,
    },
    env: {
      kind: "string",
      flag: "env",
      value: "KEY=VALUE",
      repeat: true,
      text: true,
      help: "Variable for the application; repeat it for more",
      expected: ENV_EXPECTED,
    },
    cwd: { kind: "string", flag: "cwd", value: "DIR", help: "Working folder of the application" },
    no_attach: {
      kind: "boolean",
      flag: "no-attach",
      help: "Refuse when it runs already",
    },
    activate: {
      kind: "boolean",
      flag: "activate",
      help: "Bring its window forward, and wait for one up to the timeout",
    },
    cdp: {
      kind: "integer",
      flag: "cdp",
      value: "PORT",
      help: "Open Chromium's DevTools on that port of this machine; 0 takes a free one",
      expected: `an integer from 0 to ${MAX_PORT}`,
    },
    timeout: {
      kind: "integer",
      flag: "timeout",
      value: "MS",
      help: "Time for everything",
      default: LAUNCH_MS,
      expected: `an integer from 0 to ${MAX_TIMEOUT_MS}`,
    },
  },
  schema,
  example: "gnome-calculator",
  privileges: ["read", "write", "run", "net", "ffi", "env"],
  permission: "accessibility",
  run,
});

/**
 * Starts the application or attaches to it.
 *
 * @throws AppError `APP_NOT_FOUND`, `AMBIGUOUS_TARGET` (several instances run), `ACTION_FAILED`
 * (`--no-attach` or `--cdp` while one runs, or no DevTools), `APP_UNRESPONSIVE` (it ended before it
 * showed a window), `INVALID_ARGS`
 */
async function run(args: LaunchArgs, context: Context, deadline: Deadline): Promise<unknown> {
  requireFolder(args.cwd);
  const port = args.cdp === undefined ? undefined : portFor(args.cdp, args.arg);
  const launcher = await (await context.platform()).launcher();
  const running = await launcher.running(args.app, deadline);
  if (running.length > 0 && (args.no_attach || port !== undefined)) {
    throw new AppError("ACTION_FAILED", "The application runs already", {
      suggestion: "Close it with close-app, or leave out --no-attach and --cdp to use it as it is.",
      details: {
        kind: port === undefined ? "already_running" : "cdp_requires_fresh_launch",
        pids: running.map(({ pid }) => pid),
      },
    });
  }
  using _lease = await acquireLease(deadline);
  const found = running.length > 0
    ? await attach(launcher, running, args.activate, deadline)
    : await start(launcher, args, port, deadline);
  const cdp = port === undefined ? undefined : await new DevTools(port).await(found.app, deadline);
  return report(found, cdp);
}

async function attach(
  launcher: Launcher,
  running: Launched["app"][],
  activate: boolean,
  deadline: Deadline,
): Promise<Launched> {
  const [app] = running;
  if (running.length === 1) return await launcher.attach(app!, activate, deadline);
  throw new AppError("AMBIGUOUS_TARGET", `${running.length} instances of the application run`, {
    suggestion: "Use the pid of the one you mean with --app of other commands.",
    details: {
      candidate_count: running.length,
      candidate_summaries_truncated: running.length > 10,
      candidates: running.slice(0, 10).map(({ name, pid }) => ({ name, pid })),
    },
  });
}

async function start(
  launcher: Launcher,
  args: LaunchArgs,
  port: number | undefined,
  deadline: Deadline,
): Promise<Launched> {
  const switches = port === undefined
    ? []
    : [`--remote-debugging-port=${port}`, "--remote-debugging-address=127.0.0.1"];
  return await launcher.start({
    query: args.app,
    args: [...switches, ...args.arg],
    env: Object.fromEntries(
      args.env.map((entry) => {
        const at = entry.indexOf("=");
        return [entry.slice(0, at), entry.slice(at + 1)];
      }),
    ),
    ...(args.cwd === undefined ? {} : { cwd: args.cwd }),
    activate: args.activate,
  }, deadline);
}

/** @throws AppError `INVALID_ARGS` when a switch of `--arg` contradicts, or the port is taken */
function portFor(wanted: number, args: readonly string[]): number {
  if (args.some((arg) => CDP_SWITCHES.test(arg))) {
    throw new AppError("INVALID_ARGS", "--cdp sets the DevTools switches itself", {
      suggestion: "Leave the remote-debugging and remote-allow-origins switches out of --arg.",
      details: { kind: "cdp_switch_conflict" },
    });
  }
  if (wanted === 0) return freePort();
  requirePortFree(wanted);
  return wanted;
}

function requireFolder(path: string | undefined): void {
  if (path === undefined) return;
  try {
    if (Deno.statSync(path).isDirectory) return;
  } catch {
    // said below
  }
  throw new AppError("INVALID_ARGS", "The folder of --cwd is not there", {
    suggestion: "Pass an existing folder.",
  });
}

function report({ app, window, attached, renderer }: Launched, cdp: unknown): unknown {
  return {
    app: appItem(app),
    pid: app.pid,
    attached,
    ...(app.processInstance === undefined ? {} : { process_instance: app.processInstance }),
    ...(window === undefined ? {} : { window: windowItem(window) }),
    ...(renderer === undefined ? {} : { renderer }),
    ...(cdp === undefined ? {} : { cdp }),
    ...(renderer !== undefined && cdp === undefined
      ? {
        suggestion: "Its pages can also be asked over DevTools: close it and launch it with --cdp.",
      }
      : {}),
    disposition: disposition(attached ? "not_delivered" : "delivered_verified"),
  };
}
