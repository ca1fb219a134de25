/** The clipboard: text, pictures as PNG, files. */
import { PASTEBOARD } from "../../../ffi/macos/app_kit.ts";
import type { Native } from "../../../ffi/macos/native.ts";
import type { Deadline } from "../../deadline.ts";
import { AppError } from "../../errors.ts";
import {
  type ClipboardContent,
  type ClipboardFormat,
  MAX_CLIPBOARD_FILES,
  MAX_CLIPBOARD_IMAGE,
  MAX_CLIPBOARD_TEXT,
} from "../clipboard.ts";
import { runTool, type ToolPaths } from "./tools.ts";

function tooLarge(what: string): AppError {
  return new AppError("INVALID_ARGS", `The ${what} is too large for the clipboard`, {
    suggestion: "Pass it in a file instead.",
  });
}

function mayNotPaste(why: string): AppError {
  return new AppError("PERM_DENIED", `Reading the clipboard ${why}`, {
    suggestion:
      "In System Settings > Privacy & Security > Paste from Other Apps, allow the program " +
      "that started this one.",
    delivery: "not_delivered",
  });
}

/**
 * What is on the clipboard in this format; `undefined` when there is nothing of it.
 *
 * @throws AppError `PERM_DENIED` when the person does not let this program read it, `TIMEOUT` when
 * the person was asked and did not answer
 */
export async function readClipboard(
  native: Native,
  tools: ToolPaths,
  format: ClipboardFormat,
  deadline: Deadline,
): Promise<ClipboardContent | undefined> {
  const { appKit } = native;
  const access = appKit.clipboardAccess();
  if (access === "denied") throw mayNotPaste("is not allowed");
  if (access === "asked") {
    // Reading would wait, longer than any deadline, for the person to answer; the tool can be ended.
    if (format !== "text" && format !== "auto") throw mayNotPaste("has to be asked for");
    const { stdout } = await runTool(tools.pbpaste, ["-Prefer", "txt"], deadline);
    return stdout === "" ? undefined : { type: "text", text: stdout };
  }
  // Files come before pictures: a copied file brings its icon along.
  if (format === "file_urls" || format === "auto") {
    const paths = appKit.clipboardFiles().slice(0, MAX_CLIPBOARD_FILES);
    if (paths.length > 0) return { type: "file_urls", paths };
  }
  if (format === "image" || format === "auto") {
    const png = await readImage(native, tools, deadline);
    if (png) return { type: "image", png };
  }
  if (format === "text" || format === "auto") {
    const text = appKit.clipboardText();
    if (text !== undefined) return { type: "text", text };
  }
  return undefined;
}

async function readImage(
  native: Native,
  tools: ToolPaths,
  deadline: Deadline,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const png = native.appKit.clipboardData(PASTEBOARD.png, MAX_CLIPBOARD_IMAGE);
  if (png === "too large") throw tooLarge("picture");
  if (png) return png;
  const tiff = native.appKit.clipboardData(PASTEBOARD.tiff, MAX_CLIPBOARD_IMAGE);
  if (tiff === "too large") throw tooLarge("picture");
  return tiff && await tiffToPng(tools, tiff, deadline);
}

async function tiffToPng(
  tools: ToolPaths,
  tiff: Uint8Array<ArrayBuffer>,
  deadline: Deadline,
): Promise<Uint8Array<ArrayBuffer>> {
  const folder = await Deno.makeTempDir({ prefix: "agent-desktop-clipboard-" });
  try {
    const [from, to] = [`${folder}/image.tiff`, `${folder}/image.png`];
    await Deno.writeFile(from, tiff, { mode: 0o600 });
    const args = ["-s", "format", "png", from, "--out", to];
    const { success, stderr } = await runTool(tools.sips, args, deadline);
    if (!success) {
      throw new AppError("INTERNAL", "The picture on the clipboard cannot be converted", {
        platformDetail: stderr.trim().slice(0, 512),
        delivery: "not_delivered",
      });
    }
    return await Deno.readFile(to);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/**
 * Puts content on the clipboard. Resolves to whether it was still there right afterwards: another
 * program may take the clipboard at any moment.
 */
export function writeClipboard(native: Native, content: ClipboardContent): { verified: boolean } {
  const { appKit } = native;
  checkSize(content);
  const change = appKit.clearClipboard();
  const written = content.type === "text"
    ? appKit.putText(content.text)
    : content.type === "image"
    ? appKit.putData(PASTEBOARD.png, content.png)
    : appKit.putFiles(content.paths);
  if (!written) {
    throw new AppError("ACTION_FAILED", "The clipboard did not take the content", {
      suggestion: "Another program may hold the clipboard; try again.",
      // What was there before is gone.
      delivery: "delivered_unverified",
    });
  }
  return { verified: appKit.clipboardChanges() === change };
}

function checkSize(content: ClipboardContent): void {
  if (content.type === "text" && content.text.length > MAX_CLIPBOARD_TEXT) throw tooLarge("text");
  if (content.type === "image" && content.png.length > MAX_CLIPBOARD_IMAGE) {
    throw tooLarge("picture");
  }
  if (content.type === "file_urls" && content.paths.length > MAX_CLIPBOARD_FILES) {
    throw tooLarge("list of files");
  }
}

/** Empties the clipboard. */
export function clearClipboard(native: Native): { verified: boolean } {
  const change = native.appKit.clearClipboard();
  return { verified: native.appKit.clipboardChanges() === change };
}
