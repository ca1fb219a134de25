/** What a command gets besides its own arguments. */
import type { Platform } from "../platform/platform.ts";
import { RefStore } from "../store/ref_store.ts";
import type { Baseline } from "./wait_events.ts";

/** What every command is told, whoever calls it: flags, or the environment in their place. */
export interface Globals {
  headed: boolean;
  verbose: boolean;
  /** Namespace of snapshots; `undefined` is the global one. */
  session?: string;
  agentId?: string;
  waitFor?: string;
  waitForGone?: string;
  /** Milliseconds; 30000 when not given. */
  waitTimeoutMs: number;
}

/** What commands use of the machine; nothing is opened that no command asks for. */
export interface Context {
  readonly globals: Globals;
  /** Opens the platform (bus probe included) on first use. */
  platform(): Promise<Platform>;
  /** Ref store of the selected namespace. Throws when there is no usable state root. */
  store(): RefStore;
  /** Absolute path of the state root. Throws as `store` does. */
  stateRoot(): string;
  /** Writes one line to stderr when `--verbose` is on. */
  log(message: string): void;
  /** What was there before the command before this one, for `wait --event` in a batch. */
  readonly baseline?: Baseline | undefined;
}

/** Where a context gets what it opens. */
export interface Sources {
  openPlatform(): Promise<Platform>;
  stateRoot(): string;
  /** Takes one line of the log. */
  log(message: string): void;
}

/** A context that opens each thing once, when it is asked for. Close it after the last command. */
export class OpeningContext implements Context {
  readonly globals: Globals;
  readonly #sources: Sources;
  #platform: Promise<Platform> | undefined;
  #opened: Platform | undefined;
  #store: RefStore | undefined;

  constructor(globals: Globals, sources: Sources) {
    this.globals = globals;
    this.#sources = sources;
  }

  platform(): Promise<Platform> {
    this.#platform ??= this.#sources.openPlatform().then((platform) => this.#opened = platform);
    return this.#platform;
  }

  store(): RefStore {
    this.#store ??= new RefStore(this.stateRoot(), this.globals.session);
    return this.#store;
  }

  stateRoot(): string {
    return this.#sources.stateRoot();
  }

  log(message: string): void {
    if (this.globals.verbose) this.#sources.log(message);
  }

  /** Closes the platform if it was opened; a failure of that is only logged. */
  close(): void {
    try {
      this.#opened?.close();
    } catch (thrown) {
      this.log(`closing the platform failed: ${thrown}`);
    }
  }
}

/**
 * The context of one of several commands that share a process: the platform of all, the namespace of
 * its own session, and none of the waits that the command line asked for.
 */
export class EntryContext implements Context {
  readonly globals: Globals;
  readonly #shared: Context;
  #store: RefStore | undefined;

  constructor(shared: Context, session?: string, readonly baseline?: Baseline) {
    const { waitFor: _, waitForGone: __, ...globals } = shared.globals;
    this.globals = session === undefined ? globals : { ...globals, session };
    this.#shared = shared;
  }

  platform(): Promise<Platform> {
    return this.#shared.platform();
  }

  store(): RefStore {
    this.#store ??= new RefStore(this.stateRoot(), this.globals.session);
    return this.#store;
  }

  stateRoot(): string {
    return this.#shared.stateRoot();
  }

  log(message: string): void {
    this.#shared.log(message);
  }
}
