/** What an action is asked of: the call, the element it names, and what acting needs. */
import type { Deadline } from "../deadline.ts";
import type { Platform, SemanticRequest, WindowInfo } from "../platform/platform.ts";
import type { Handle, Node } from "../tree/node.ts";
import type { RefEntry } from "../refs/entry.ts";
import type { ActionNote } from "./settle.ts";
import type { Budgets } from "./action_budgets.ts";
import type { RefAction } from "./action_rules.ts";

/** Milliseconds of a command with `--timeout-ms 0`: a single look still has to read. */
export const SINGLE_ATTEMPT_MS = 1_500;
/** Milliseconds of the pointer and key commands that have no timeout flag. */
export const OPERATION_MS = 5_000;

/** The live element a ref names. */
export interface LiveElement {
  handle: Handle;
  /** A reading made while resolving, when it was a whole one. */
  node?: Node;
  /** The window the element lives in, when the ref names one. */
  window?: WindowInfo;
}

/**
 * The right to deliver input, one process at a time; disposing of it gives it up
 * (docs/acting.md, "The lease").
 */
export interface HeldLease extends Disposable {
  /** How often the lock was found taken. */
  readonly contentionCount: number;
  /** Milliseconds since the last pointer click of any process; `Infinity` when there was none. */
  msSinceClick(): number;
  /** Notes a pointer click for the next process. */
  noteClick(): void;
}

/** A ref: what was stored of its element, and how to find it again. */
export interface TargetRef {
  entry: RefEntry;
  /** Finds the live element. Throws what resolution raises. */
  resolve(deadline: Deadline): Promise<LiveElement>;
}

/** One ref action as asked for. */
export interface ActionCall {
  action: RefAction;
  request: SemanticRequest;
  ref: TargetRef;
  headed: boolean;
  /** What the command was given, for messages; 0: a single attempt without polling. */
  timeoutMs: number;
}

/** What acting needs from the rest of the program; tests pass their own. */
export interface ActionContext {
  platform: Platform;
  lease(deadline: Deadline): Promise<HeldLease>;
  budgets: Budgets;
  /** Keeps what was delivered for whoever reads next; never throws. */
  note(note: ActionNote): void;
  /** The end of the command's time; delivering and looking at its effect have a minimum beyond. */
  deadline: Deadline;
}
