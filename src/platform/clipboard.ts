/** What a clipboard holds, the same on every platform. */
import type { Deadline } from "../deadline.ts";

/** First argument of the process that keeps an X11 clipboard (`linux/x11/clipboard_keeper.ts`). */
export const KEEPER_ARGUMENT = "--keep-clipboard";

/** Content of one kind. */
export type ClipboardContent =
  | { type: "text"; text: string }
  | { type: "image"; png: Uint8Array<ArrayBuffer> }
  | { type: "file_urls"; paths: string[] };

/** What is asked for; `auto` takes files before a picture before text. */
export type ClipboardFormat = "text" | "image" | "file_urls" | "auto";

/** Longest text, in UTF-16 units. */
export const MAX_CLIPBOARD_TEXT = 1_000_000;
/** Largest picture, in bytes of PNG. */
export const MAX_CLIPBOARD_IMAGE = 64 * 1_048_576;
/** Most files. */
export const MAX_CLIPBOARD_FILES = 1_024;

/** The clipboard of the desktop. */
export interface Clipboard {
  /**
   * What is there in this format; `undefined` when there is nothing of it.
   *
   * @throws AppError `TIMEOUT` when its owner does not hand it over, `ACTION_FAILED` when it is
   * larger than the limits above
   */
  read(format: ClipboardFormat, deadline: Deadline): Promise<ClipboardContent | undefined>;
  /**
   * Puts content there, where it stays when this process has ended. Resolves to whether it was seen
   * there.
   */
  write(content: ClipboardContent, deadline: Deadline): Promise<{ verified: boolean }>;
  /** Empties it. Resolves to whether it was seen empty. */
  clear(deadline: Deadline): Promise<{ verified: boolean }>;
}
