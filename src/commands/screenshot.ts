/** `screenshot`: a picture of a display or a window, with the refs' boxes on it if wanted. */
import { encodeBase64 } from "@std/encoding/base64";
import type { Deadline } from "../deadline.ts";
import { AppError } from "../errors.ts";
import type { Platform, WindowInfo } from "../platform/platform.ts";
import type { Screenshot, ScreenshotTarget } from "../platform/screenshots.ts";
import { formatRef } from "../refs/syntax.ts";
import { writeUserFile } from "../store/user_file.ts";
import type { Node, Rect } from "../tree/node.ts";
import { APP_ARG, flag, integer, WINDOW_ID_ARG } from "./arg_values.ts";
import { type Args, describe, type Zod } from "./command.ts";
import type { Context } from "./context.ts";
import { READ_BUDGET_MS } from "./limits.ts";
import { openScope, readScope } from "./observe.ts";
import { saveSnapshot } from "./snapshot_output.ts";
import { selectWindow } from "./target.ts";

/** No desktop has more displays. */
const MAX_SCREEN = 255;
/** Depth of the tree whose refs are marked: the default of `snapshot`. */
const MARK_DEPTH = 10;
/** Marks in one picture; more cannot be told apart. */
const MAX_MARKS = 500;
/** Largest picture that is printed instead of written to a file, in bytes of PNG. */
const MAX_PRINTED = 8 * 1_048_576;

const schema = (z: Zod) =>
  z.strictObject({
    path: z.optional(z.string()),
    app: z.optional(z.string()),
    window_id: z.optional(z.string()),
    screen: z.optional(integer(z, 0, MAX_SCREEN)),
    mark: flag(z),
  }).check(
    z.refine(
      ({ screen, app, window_id }) => screen === undefined || (app ?? window_id) === undefined,
      { error: "--screen cannot be combined with --app or --window-id" },
    ),
    z.refine(({ mark, app, window_id }) => !mark || (app ?? window_id) !== undefined, {
      error: "--mark needs a window: pass --app or --window-id",
    }),
  );
type ScreenshotArgs = Args<typeof schema>;

export const COMMAND = describe({
  group: "Clipboard and screen",
  summary: "Take a picture of a display or a window",
  about:
    "Without --app and --window-id the primary display is taken. Without PATH the PNG is in the " +
    "answer, as base64. --mark takes a snapshot too and draws the box and the number of every ref " +
    "on the picture: number 7 is the ref that ends in e7.",
  args: {
    path: { kind: "string", value: "PATH", optional: true, help: "File to write" },
    app: APP_ARG,
    window_id: WINDOW_ID_ARG,
    screen: {
      kind: "integer",
      flag: "screen",
      value: "N",
      help: "Display by its place in list-displays, from 0",
      expected: `an integer from 0 to ${MAX_SCREEN}`,
    },
    mark: { kind: "boolean", flag: "mark", help: "Draw the refs' boxes and numbers" },
  },
  schema,
  example: "--app gnome-calculator --mark calculator.png",
  privileges: ["read", "write", "run", "ffi", "env"],
  settles: true,
  permission: "none",
  budgetMs: 2 * READ_BUDGET_MS,
  run,
});

/**
 * Takes the picture.
 *
 * @throws AppError what finding the window raises, `INVALID_ARGS` for a display or a path that will
 * not do, `ACTION_FAILED` for a window of which nothing shows or a picture too large to print
 */
async function run(args: ScreenshotArgs, context: Context, deadline: Deadline): Promise<unknown> {
  const platform = await context.platform();
  const target = await targetOf(platform, args, deadline);
  const marks = args.mark && target.kind === "window"
    ? await readMarks(context, platform, args, deadline)
    : undefined;
  const taken = await (await platform.screenshots()).take(target, deadline);
  const shown = marks === undefined ? [] : marks.list.filter(({ bounds }) => inside(bounds, taken));
  const png = marks === undefined ? taken.png : await marked(taken, shown);
  return {
    format: "png",
    width: taken.width,
    height: taken.height,
    scale_factor: taken.scale,
    bounds: taken.bounds,
    ...(target.kind === "window" ? { window_id: target.window.id } : {}),
    ...(taken.coveredBy === undefined ? {} : { covered_by: taken.coveredBy }),
    ...(marks === undefined ? {} : {
      snapshot_id: marks.snapshotId,
      marks: shown.slice(0, MAX_MARKS).map(({ number, ...rest }) => ({
        ...rest,
        ref_id: formatRef(marks.snapshotId, number),
      })),
      ...(shown.length > MAX_MARKS ? { marks_truncated: true } : {}),
    }),
    ...output(args.path, png),
  };
}

async function targetOf(
  platform: Platform,
  { app, window_id, screen }: ScreenshotArgs,
  deadline: Deadline,
): Promise<ScreenshotTarget> {
  if (app === undefined && window_id === undefined) return { kind: "display", index: screen ?? 0 };
  const window: WindowInfo = await selectWindow(platform, { app, window_id }, deadline);
  return { kind: "window", window };
}

interface RefMark {
  number: number;
  role: string;
  name?: string;
  bounds: Rect;
}

/** A snapshot of the window, saved like any other, and where its refs are. */
async function readMarks(
  context: Context,
  platform: Platform,
  { app, window_id }: ScreenshotArgs,
  deadline: Deadline,
): Promise<{ snapshotId: string; list: RefMark[] }> {
  const scope = await openScope(platform, { app, window_id }, deadline);
  const options = { maxDepth: MARK_DEPTH, allBounds: true };
  const observation = await readScope(platform, scope, options, deadline);
  const saved = saveSnapshot(platform, context.store(), scope, observation, {});
  const list: RefMark[] = [];
  const stack: Node[] = [observation.root];
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    const { ref, bounds, role, name } = node;
    if (ref !== undefined && bounds !== undefined && !node.states.includes("offscreen")) {
      list.push({ number: ref, role, ...(name === undefined ? {} : { name }), bounds });
    }
    stack.push(...node.children);
  }
  return { snapshotId: saved.id, list: list.sort((a, b) => a.number - b.number) };
}

function inside({ x, y, width, height }: Rect, { bounds }: Screenshot): boolean {
  return x + width > bounds.x && y + height > bounds.y && x < bounds.x + bounds.width &&
    y < bounds.y + bounds.height && width > 0 && height > 0;
}

async function marked(taken: Screenshot, list: readonly RefMark[]): Promise<Uint8Array> {
  const { decodePng, encodePng } = await import("../image/png.ts");
  const { drawMarks } = await import("../image/marks.ts");
  const pixels = await decodePng(taken.png);
  if (pixels === undefined) return taken.png;
  const { bounds, scale } = taken;
  drawMarks(
    pixels,
    list.slice(0, MAX_MARKS).map(({ number, bounds: box }) => ({
      number,
      box: {
        x: Math.round((box.x - bounds.x) * scale),
        y: Math.round((box.y - bounds.y) * scale),
        width: Math.round(box.width * scale),
        height: Math.round(box.height * scale),
      },
    })),
  );
  return await encodePng(pixels);
}

function output(path: string | undefined, png: Uint8Array): { path: string } | { data: string } {
  if (path !== undefined) {
    writeUserFile(path, png);
    return { path };
  }
  if (png.length <= MAX_PRINTED) return { data: encodeBase64(png) };
  throw new AppError("ACTION_FAILED", "The picture is too large to be printed", {
    suggestion: "Name a file for it: screenshot PATH.",
    delivery: "not_delivered",
  });
}
