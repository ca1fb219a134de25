/** Pictures of displays and windows, taken by the system's own tool. */
import type { Native } from "../../../ffi/macos/native.ts";
import type { Deadline } from "../../deadline.ts";
import { AppError } from "../../errors.ts";
import { windowNumber } from "./inventory.ts";
import type { Screenshot } from "../screenshots.ts";
import type { Rect } from "../../tree/node.ts";
import { pngSize } from "../../image/png.ts";
import { runTool, type ToolPaths } from "./tools.ts";

/** Larger pictures are refused: they come from a broken tool, not from a screen. */
const MAX_BYTES = 64 * 1_048_576;
const MAX_PIXELS = 100_000_000;

/** What to take a picture of: a display by its place in `displays()`, or a window by its id. */
export type CaptureTarget = { display: number } | { windowId: string };

/**
 * Takes a picture.
 *
 * @throws AppError `PERM_DENIED` without the screen recording permission, `INVALID_ARGS` for a
 * display that is not there, `WINDOW_NOT_FOUND` for a window that is not there
 */
export async function captureScreen(
  native: Native,
  tools: ToolPaths,
  target: CaptureTarget,
  deadline: Deadline,
): Promise<Screenshot> {
  // Without permission the tool succeeds all the same and shows the desktop picture only.
  if (native.cg.screenCapture() === false) throw noPermission();
  const { args, scale, bounds } = "display" in target
    ? displayArguments(native, target.display)
    : windowArguments(native, target.windowId);
  const folder = await Deno.makeTempDir({ prefix: "agent-desktop-capture-" });
  try {
    const file = `${folder}/capture.png`;
    const result = await runTool(
      tools.screencapture,
      ["-x", "-t", "png", ...args, file],
      deadline,
    );
    if (!result.success) {
      throw new AppError("INTERNAL", "The picture could not be taken", {
        platformDetail: result.stderr.trim().slice(0, 512),
        delivery: "not_delivered",
      });
    }
    const png = await readPicture(file);
    return { png, ...sizeOf(png), scale, bounds };
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

function noPermission(): AppError {
  return new AppError("PERM_DENIED", "The screen recording permission is not granted", {
    suggestion: "In System Settings > Privacy & Security > Screen & System Audio Recording, " +
      "switch on the program that started this one, then restart that program.",
  });
}

/** How the tool is asked for a picture, and what will be on it. */
interface Arguments {
  args: string[];
  scale: number;
  bounds: Rect;
}

function displayArguments(native: Native, index: number): Arguments {
  const displays = native.cg.displays();
  const display = displays[index];
  if (!display) {
    throw new AppError("INVALID_ARGS", `There is no display ${index}`, {
      suggestion: "Use list-displays and count from 0.",
      details: {
        display_count: displays.length,
        display_ids: displays.map(({ id }) => String(id)),
      },
    });
  }
  // The tool counts from 1, the main display first, as `displays` does.
  return { args: ["-D", String(index + 1)], scale: display.scale, bounds: display.bounds };
}

function windowArguments(native: Native, id: string): Arguments {
  const number = windowNumber(id);
  const window = number === undefined ? undefined : native.cg.windowsByNumber([number])?.[0];
  if (!window) {
    throw new AppError("WINDOW_NOT_FOUND", "There is no such window", {
      suggestion: "Run list-windows and use one of its ids.",
    });
  }
  const displays = native.cg.displays();
  const { x, y, width, height } = window.bounds;
  const centre = { x: x + width / 2, y: y + height / 2 };
  const on = displays.find(({ bounds: b }) =>
    centre.x >= b.x && centre.x < b.x + b.width && centre.y >= b.y && centre.y < b.y + b.height
  );
  // -o leaves the shadow out, so that the picture is the window.
  return {
    args: ["-o", "-l", String(window.number)],
    scale: (on ?? displays[0])?.scale ?? 1,
    bounds: window.bounds,
  };
}

async function readPicture(file: string): Promise<Uint8Array<ArrayBuffer>> {
  let size: number;
  try {
    size = (await Deno.stat(file)).size;
  } catch (cause) {
    throw new AppError("INTERNAL", "The picture could not be taken", {
      suggestion: "The window may be minimised; bring it on screen and try again.",
      delivery: "not_delivered",
      cause,
    });
  }
  if (size > MAX_BYTES) throw broken("The picture is too large");
  return await Deno.readFile(file);
}

function broken(message: string): AppError {
  return new AppError("INTERNAL", message, { delivery: "not_delivered" });
}

/** Width and height of the picture. Throws `INTERNAL` for what is none, or of an impossible size. */
function sizeOf(png: Uint8Array): { width: number; height: number } {
  const size = pngSize(png);
  if (size === undefined) throw broken("The picture is no PNG");
  if (size.width * size.height > MAX_PIXELS) throw broken("The picture has an impossible size");
  return size;
}
