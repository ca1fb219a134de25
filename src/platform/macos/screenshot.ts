/** Pictures of displays and windows, taken by the system's own tool. */
import type { Native } from "../../../ffi/macos/native.ts";
import type { Deadline } from "../../deadline.ts";
import { AppError } from "../../errors.ts";
import { windowNumber } from "./inventory.ts";
import { runTool, type ToolPaths } from "./tools.ts";

/** Larger pictures are refused: they come from a broken tool, not from a screen. */
const MAX_BYTES = 64 * 1_048_576;
const MAX_PIXELS = 100_000_000;
const PNG_SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

/** What to take a picture of: a display by its place in `displays()`, or a window by its id. */
export type CaptureTarget = { display: number } | { windowId: string };

export interface Capture {
  png: Uint8Array<ArrayBuffer>;
  /** Pixels. */
  width: number;
  height: number;
  /** Pixels per point. */
  scale: number;
}

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
): Promise<Capture> {
  // Without permission the tool succeeds all the same and shows the desktop picture only.
  if (native.cg.screenCapture() === false) throw noPermission();
  const { args, scale } = "display" in target
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
    return { png, ...pngSize(png), scale };
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

function displayArguments(native: Native, index: number): { args: string[]; scale: number } {
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
  return { args: ["-D", String(index + 1)], scale: display.scale };
}

function windowArguments(native: Native, id: string): { args: string[]; scale: number } {
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

/** Width and height of a PNG from its header. Throws `INTERNAL` for anything else. */
export function pngSize(png: Uint8Array): { width: number; height: number } {
  const isPng = png.length >= 24 && PNG_SIGNATURE.every((byte, i) => png[i] === byte);
  if (!isPng) throw broken("The picture is no PNG");
  const view = new DataView(png.buffer, png.byteOffset);
  // The first chunk is the header; its data begins at byte 16.
  const [width, height] = [view.getUint32(16), view.getUint32(20)];
  if (width === 0 || height === 0 || width * height > MAX_PIXELS) {
    throw broken("The picture has an impossible size");
  }
  return { width, height };
}
