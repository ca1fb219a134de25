/** Arguments as the command line fills them in, and the one way these tests look at failures. */
import { assertEquals, assertRejects } from "@std/assert";
import type { Context } from "../../../src/commands/context.ts";
import { type FindArgs, run as find } from "../../../src/commands/find.ts";
import { run as snapshot, type SnapshotArgs } from "../../../src/commands/snapshot.ts";
import { Deadline } from "../../../src/deadline.ts";
import { AppError } from "../../../src/errors.ts";

export const SNAPSHOT: SnapshotArgs = {
  app: undefined,
  window_id: undefined,
  interactive_only: false,
  compact: false,
  skeleton: false,
  root: undefined,
  surface: "window",
  max_depth: 10,
  include_bounds: false,
  outline: false,
  flat: false,
  since: undefined,
  force_electron_a11y: false,
  timeout_ms: 3000,
};

/** Runs `snapshot` with its whole time left. */
export function runSnapshot(args: SnapshotArgs, context: Context): Promise<unknown> {
  return snapshot(args, context, Deadline.after(args.timeout_ms));
}

/** Runs `find` with its whole time left. */
export function runFind(args: FindArgs, context: Context): Promise<unknown> {
  return find(args, context, Deadline.after(args.timeout_ms));
}

/** The error of an action that has to fail with a code. */
export async function failsWith(action: Promise<unknown>, code: string): Promise<AppError> {
  const error = await assertRejects(() => action, AppError);
  assertEquals(error.code, code, error.message);
  return error;
}
