/** What happens to a parsed command line: checks in the order of contract §7, then the command. */
import { Deadline } from "../deadline.ts";
import { AppError } from "../errors.ts";
import type { Platform } from "../platform/platform.ts";
import { RefStore } from "../store/ref_store.ts";
import { explicitStateRoot, resolveStateRoot } from "../store/state_root.ts";
import { loadCommand } from "./commands.ts";
import type { Context, Globals } from "./context.ts";
import { readVariables, resolveGlobals } from "./globals.ts";
import type { Invocation } from "./parse.ts";
import type { Process } from "./process.ts";
import { validate } from "./validate.ts";

/** Longest check of the grant before a command, in milliseconds. */
const PREFLIGHT_MS = 2000;

/**
 * Runs a command and hands its data to `answer`, whose result it returns. The platform is closed
 * after that.
 *
 * @throws AppError whatever the checks or the command throw
 */
export async function execute(
  { row, args, globals: flags }: Extract<Invocation, { kind: "command" }>,
  openPlatform: () => Promise<Platform>,
  process: Process,
  answer: (data: unknown) => number,
): Promise<number> {
  const explicitRoot = explicitStateRoot({ get: process.env });
  const variables = readVariables(process.env);
  process.keepOnly(row.privileges);
  const globals = resolveGlobals(flags, variables, row);
  const services = new Services(globals, openPlatform, process, explicitRoot);
  // What the command needs is loaded side by side; what is wrong with it is told in its turn.
  const command = loadCommand(row.name);
  command.catch(() => {});
  if (row.permission === "accessibility") services.platform().catch(() => {});
  try {
    const valid = await validate(row, args);
    if (row.permission === "accessibility") {
      await requireAccess(await services.platform(), Deadline.after(preflightMs(valid)));
    }
    const { run } = await command;
    return answer(await run(valid, services));
  } finally {
    services.close();
  }
}

/** The preflight counts against the command's own timeout, when it has one. */
function preflightMs(args: unknown): number {
  const { timeout_ms: timeout } = args as { timeout_ms?: number };
  return timeout === undefined || timeout === 0 ? PREFLIGHT_MS : Math.min(timeout, PREFLIGHT_MS);
}

/** @throws AppError `PERM_DENIED` when the user withholds accessibility from this program */
async function requireAccess(platform: Platform, deadline: Deadline): Promise<void> {
  if (platform.requireAccess !== undefined) return await platform.requireAccess(deadline);
  const { accessibility } = await platform.permissions(deadline);
  if (accessibility.state !== "denied") return;
  throw new AppError("PERM_DENIED", "Accessibility access has not been granted", {
    suggestion: accessibility.suggestion ??
      "Grant it in the system settings under Privacy & Security, Accessibility.",
  });
}

/** Opens what a command asks for, once, when it asks. */
class Services implements Context {
  readonly globals: Globals;
  readonly #openPlatform: () => Promise<Platform>;
  readonly #process: Process;
  readonly #explicitRoot: string | undefined;
  #platform: Promise<Platform> | undefined;
  #opened: Platform | undefined;
  #store: RefStore | undefined;

  constructor(
    globals: Globals,
    openPlatform: () => Promise<Platform>,
    process: Process,
    explicitRoot: string | undefined,
  ) {
    this.globals = globals;
    this.#explicitRoot = explicitRoot;
    this.#openPlatform = openPlatform;
    this.#process = process;
  }

  platform(): Promise<Platform> {
    this.#platform ??= this.#openPlatform().then((platform) => this.#opened = platform);
    return this.#platform;
  }

  store(): RefStore {
    this.#store ??= new RefStore(this.stateRoot(), this.globals.session);
    return this.#store;
  }

  stateRoot(): string {
    return this.#explicitRoot ?? resolveStateRoot({ get: this.#process.env });
  }

  log(message: string): void {
    if (this.globals.verbose) this.#process.stderr(message);
  }

  close(): void {
    try {
      this.#opened?.close();
    } catch (thrown) {
      this.log(`closing the platform failed: ${thrown}`);
    }
  }
}
