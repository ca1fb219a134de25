/** What a command gets besides its own arguments. */
import type { Platform } from "../platform/platform.ts";
import type { RefStore } from "../store/ref_store.ts";

/** Flags accepted with every command (contract §5), after parsing and environment. */
export interface Globals {
  headed: boolean;
  verbose: boolean;
  /** Namespace of snapshots and traces; `undefined` is the global one. */
  session?: string;
  agentId?: string;
  waitFor?: string;
  waitForGone?: string;
  /** Milliseconds; 30000 when not given. */
  waitTimeoutMs: number;
}

/** Lazily opened services; nothing is loaded that the command does not ask for. */
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
}

/** A command's module: `run` returns what becomes `data`; failures are `AppError`. */
export interface CommandModule<Args> {
  run(args: Args, context: Context): Promise<unknown>;
}
