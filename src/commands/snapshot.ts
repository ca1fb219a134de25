/** `snapshot`: reads one window or layer, saves its refs and prints its tree. */
import type { Deadline } from "../deadline.ts";
import { AppError } from "../errors.ts";
import { isSnapshotId } from "../refs/syntax.ts";
import type { RefStore } from "../store/ref_store.ts";
import {
  APP_ARG,
  flag,
  integer,
  ref,
  REF_EXPECTED,
  surface,
  SURFACE_ARG,
  timeout,
  timeoutArg,
  WINDOW_ID_ARG,
} from "./arg_values.ts";
import { type Args, describe, type Zod } from "./command.ts";
import type { Context } from "./context.ts";
import { MAX_DEPTH, openScope, type ReadOptions, readScope, SKELETON_DEPTH } from "./observe.ts";
import type { Since } from "./since.ts";
import { type OutputOptions, saveSnapshot, snapshotBody } from "./snapshot_output.ts";
import { waitForSelector, waitRequest } from "./wait_for.ts";

const snapshotSchema = (z: Zod) =>
  z.strictObject({
    app: z.optional(z.string()),
    window_id: z.optional(z.string()),
    interactive_only: flag(z),
    compact: flag(z),
    skeleton: flag(z),
    root: z.optional(ref(z)),
    surface: surface(z),
    max_depth: z._default(integer(z, 0, MAX_DEPTH), 10),
    include_bounds: flag(z),
    outline: flag(z),
    flat: flag(z),
    since: z.optional(z.string().check(z.refine(isSnapshotId))),
    force_electron_a11y: flag(z),
    timeout_ms: timeout(z, 3000),
  }).check(
    z.refine((args) => args.root === undefined || args.surface === "window", {
      error: "--root and --surface cannot be combined: a region is read on its own surface",
    }),
    z.refine(
      (args) => [args.outline, args.flat, args.since !== undefined].filter(Boolean).length <= 1,
      { error: "Only one of --outline, --flat and --since can shape the output" },
    ),
    z.refine((args) => args.root === undefined || args.since === undefined, {
      error: "--root and --since cannot be combined: a region keeps its own snapshot",
    }),
  );
export type SnapshotArgs = Args<typeof snapshotSchema>;

export const COMMAND = describe({
  group: "Observe",
  summary: "Read a window's accessibility tree and give its elements refs",
  about:
    "Without --app and --window-id the focused window is read. The refs in the answer are what " +
    "every other command takes; they are saved and stay valid while their elements can be found.",
  args: {
    app: APP_ARG,
    window_id: WINDOW_ID_ARG,
    interactive_only: {
      kind: "boolean",
      flag: "interactive-only",
      short: "i",
      help: "Leave out leaves that have no ref",
    },
    compact: {
      kind: "boolean",
      flag: "compact",
      help: "Leave out unnamed groups that hold one child",
    },
    skeleton: {
      kind: "boolean",
      flag: "skeleton",
      help: "Only the upper three levels, with refs to drill into",
    },
    root: {
      kind: "string",
      flag: "root",
      value: "REF",
      help: "Read the region of this ref anew, inside its own snapshot",
      expected: REF_EXPECTED,
    },
    surface: SURFACE_ARG,
    max_depth: {
      kind: "byte",
      flag: "max-depth",
      value: "N",
      help: `Logical levels below the root, at most ${MAX_DEPTH}`,
      default: 10,
      expected: `an integer from 0 to ${MAX_DEPTH}`,
    },
    include_bounds: {
      kind: "boolean",
      flag: "include-bounds",
      help: "Print where each element is",
    },
    outline: {
      kind: "boolean",
      flag: "outline",
      help: "One line of text for each node instead of the tree",
    },
    flat: {
      kind: "boolean",
      flag: "flat",
      help: "A list of the elements with refs instead of the tree",
    },
    since: {
      kind: "string",
      flag: "since",
      value: "SNAPSHOT_ID",
      help: "Only what changed since that snapshot instead of the tree",
      expected: "a snapshot id: 3 to 64 letters, digits, _ or -",
    },
    force_electron_a11y: {
      kind: "boolean",
      flag: "force-electron-a11y",
      help: "Take it that a Chromium renderer already publishes its tree",
    },
    timeout_ms: timeoutArg(3000, "Time to read; what is missing then is marked"),
  },
  schema: snapshotSchema,
  example: "--app gnome-calculator -i --compact",
  privileges: ["read", "write", "ffi", "env"],
  settles: true,
  permission: "accessibility",
  waits: true,
  run,
});

/**
 * Runs the command; see `--help` for the flags. Nothing is stored unless the observation
 * succeeded, complete or not.
 *
 * Throws what `openScope`, `readScope` and `drill` throw, and `INVALID_ARGS` for flags that
 * contradict each other.
 */
export async function run(
  args: SnapshotArgs,
  context: Context,
  deadline: Deadline,
): Promise<unknown> {
  const wait = waitRequest(context.globals);
  rejectConflicts(args, wait !== undefined);
  if (args.root !== undefined) {
    const { drill } = await import("./drill.ts");
    return await drill(args.root, context, readOptions(args), outputOptions(args), deadline);
  }
  const store = context.store();
  // An unknown snapshot is reported before the application is asked for anything.
  const since = args.since === undefined ? undefined : await loadSince(store, args.since);
  const platform = await context.platform();
  if (wait !== undefined) {
    return await waitForSelector(platform, store, wait, {
      open: (deadline) => openScope(platform, args, deadline),
      named: args.app !== undefined || args.window_id !== undefined,
      read: readOptions(args),
      output: outputOptions(args),
      readMs: args.timeout_ms,
    });
  }
  const scope = await openScope(platform, args, deadline);
  const observation = await readScope(platform, scope, readOptions(args), deadline);
  since?.requireOrigin(scope);
  const saved = saveSnapshot(platform, store, scope, observation, outputOptions(args));
  const snapshot = { id: saved.id, refCount: saved.map.entries.size };
  if (since !== undefined) return since.body(scope, observation, snapshot, outputOptions(args));
  return snapshotBody(scope, observation, snapshot, outputOptions(args));
}

/** What few snapshots need is loaded by those that do. */
async function loadSince(store: RefStore, id: string): Promise<Since> {
  const { Since } = await import("./since.ts");
  return Since.load(store, id);
}

function readOptions(args: SnapshotArgs): ReadOptions {
  const skeleton = args.skeleton && args.root === undefined;
  return {
    maxDepth: skeleton ? Math.min(args.max_depth, SKELETON_DEPTH) : args.max_depth,
    allBounds: args.include_bounds,
    overview: skeleton,
    assumeRendererActive: args.force_electron_a11y,
  };
}

function outputOptions(args: SnapshotArgs): OutputOptions {
  return {
    interactive: args.interactive_only,
    compact: args.compact,
    bounds: args.include_bounds,
    form: args.outline ? "outline" : args.flat ? "flat" : "tree",
  };
}

/** Flags that only clash with the global wait flags, which the command's own schema cannot see. */
function rejectConflicts(args: SnapshotArgs, waits: boolean): void {
  if (!waits) return;
  const clash = args.root !== undefined
    ? "--root"
    : args.since !== undefined
    ? "--since"
    : undefined;
  if (clash === undefined) return;
  throw new AppError("INVALID_ARGS", `${clash} does not go with --wait-for or --wait-for-gone`, {
    suggestion: `Leave out ${clash}, or take a snapshot that waits first and this one after it.`,
  });
}
