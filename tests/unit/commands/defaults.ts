/** Arguments as the command line fills them in, and the one way these tests look at failures. */
import { assertEquals, assertRejects } from "@std/assert";
import type { SnapshotArgs } from "../../../src/cli/table/mod.ts";
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

/** The error of an action that has to fail with a code. */
export async function failsWith(action: Promise<unknown>, code: string): Promise<AppError> {
  const error = await assertRejects(() => action, AppError);
  assertEquals(error.code, code, error.message);
  return error;
}
