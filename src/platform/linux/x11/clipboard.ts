/** The clipboard of an X11 session: asked of its owner, and handed to a process that keeps it. */
import { type PropertyData, X11Selection } from "../../../../ffi/linux/x11_selection.ts";
import { spawnDetached } from "../../../../ffi/linux/spawn.ts";
import type { Deadline } from "../../../deadline.ts";
import { AppError } from "../../../errors.ts";
import {
  type Clipboard,
  type ClipboardContent,
  type ClipboardFormat,
  KEEPER_ARGUMENT,
  MAX_CLIPBOARD_FILES,
  MAX_CLIPBOARD_IMAGE,
} from "../../clipboard.ts";
import { requireX11 } from "../display.ts";

/** The selection that "copy" and "paste" mean. */
export const CLIPBOARD = "CLIPBOARD";
/** A target of our own that tells a keeper's token, so that a writer knows its own content. */
export const TOKEN_TARGET = "_AGENT_DESKTOP_TOKEN";

/** Targets of text, best first. `STRING` is Latin-1 (ICCCM). */
export const TEXT_TARGETS = ["UTF8_STRING", "text/plain;charset=utf-8", "text/plain", "STRING"];
export const IMAGE_TARGET = "image/png";
export const FILES_TARGET = "text/uri-list";

// Where answers are put on our own window.
const ANSWER = "_AGENT_DESKTOP_SELECTION";
const INCREMENTAL = "INCR";
const POLL_MS = 2;
// Owners answer in a turn of their main loop; one that is silent this long will not.
const ANSWER_MS = 2_000;
const MAX_TARGETS_BYTES = 65_536;
const MAX_TOKEN_BYTES = 256;
const KEEPER_POLL_MS = 10;

/**
 * The clipboard of this session.
 *
 * @throws AppError `PLATFORM_NOT_SUPPORTED` without an X server, and in a Wayland session, where the
 * X server's clipboard is not the one that applications share
 */
export function openX11Clipboard(folder: () => string): Clipboard {
  if (Deno.env.get("WAYLAND_DISPLAY")) {
    throw new AppError("PLATFORM_NOT_SUPPORTED", "The clipboard is not available under Wayland", {
      suggestion: "Use wl-copy and wl-paste (package wl-clipboard), or log in to an X11 session.",
    });
  }
  requireX11("The clipboard");
  return new X11Clipboard(Deno.env.get("DISPLAY")!, folder);
}

class X11Clipboard implements Clipboard {
  /** @param folder a private folder for what is handed to the keeper */
  constructor(private readonly displayName: string, private readonly folder: () => string) {}

  async read(format: ClipboardFormat, deadline: Deadline): Promise<ClipboardContent | undefined> {
    using selection = new X11Selection(this.displayName);
    if (selection.ownerOf(CLIPBOARD) === 0n) return undefined;
    const listed = await convert(selection, "TARGETS", MAX_TARGETS_BYTES, deadline);
    // An owner that lists nothing has text, as clients of old do.
    const offered = listed === undefined
      ? TEXT_TARGETS
      : selection.longs(listed).map((atom) => selection.nameOf(atom));
    const has = (target: string) => offered.includes(target);
    if ((format === "file_urls" || format === "auto") && has(FILES_TARGET)) {
      const data = await convert(selection, FILES_TARGET, MAX_CLIPBOARD_IMAGE, deadline);
      const paths = data === undefined ? [] : filePaths(new TextDecoder().decode(data.bytes));
      if (paths.length > 0) return { type: "file_urls", paths };
    }
    if ((format === "image" || format === "auto") && has(IMAGE_TARGET)) {
      const data = await convert(selection, IMAGE_TARGET, MAX_CLIPBOARD_IMAGE, deadline);
      if (data !== undefined && data.bytes.length > 0) return { type: "image", png: data.bytes };
    }
    if (format !== "text" && format !== "auto") return undefined;
    const target = TEXT_TARGETS.find(has);
    if (target === undefined) return undefined;
    const data = await convert(selection, target, MAX_CLIPBOARD_IMAGE, deadline);
    if (data === undefined) return undefined;
    const encoding = target === "STRING" ? "latin1" : "utf-8";
    return { type: "text", text: new TextDecoder(encoding).decode(data.bytes) };
  }

  async write(content: ClipboardContent, deadline: Deadline): Promise<{ verified: boolean }> {
    const token = crypto.randomUUID();
    const before = this.#owner();
    const file = `${this.folder()}/clipboard-${token}`;
    Deno.writeFileSync(file, encodeContent(content), { mode: 0o600, createNew: true });
    try {
      const started = spawnDetached({
        program: Deno.execPath(),
        args: [KEEPER_ARGUMENT, this.displayName, content.type, token],
        env: Deno.env.toObject(),
        stdin: file,
      });
      if (started.result !== "started") {
        throw new AppError("ACTION_FAILED", "The process that keeps the clipboard did not start", {
          suggestion: "See whether the executable may be run from where it is.",
          delivery: "not_delivered",
        });
      }
      return { verified: await this.#holds(token, before, deadline) };
    } finally {
      // The keeper has it open, or never will.
      Deno.removeSync(file);
    }
  }

  #owner(): bigint {
    const selection = new X11Selection(this.displayName);
    try {
      return selection.ownerOf(CLIPBOARD);
    } finally {
      selection[Symbol.dispose]();
    }
  }

  /** Waits until somebody else than before owns the clipboard, and asks it for the token. */
  async #holds(token: string, before: bigint, deadline: Deadline): Promise<boolean> {
    using selection = new X11Selection(this.displayName);
    while (!deadline.expired) {
      const owner = selection.ownerOf(CLIPBOARD);
      if (owner !== 0n && owner !== before) {
        const data = await convert(selection, TOKEN_TARGET, MAX_TOKEN_BYTES, deadline);
        return data !== undefined && new TextDecoder().decode(data.bytes) === token;
      }
      await deadline.sleep(KEEPER_POLL_MS);
    }
    return false;
  }

  async clear(deadline: Deadline): Promise<{ verified: boolean }> {
    using selection = new X11Selection(this.displayName);
    selection.disown(CLIPBOARD);
    while (selection.ownerOf(CLIPBOARD) !== 0n && !deadline.expired) {
      await deadline.sleep(KEEPER_POLL_MS);
    }
    return { verified: selection.ownerOf(CLIPBOARD) === 0n };
  }
}

/** Content as the keeper reads it from its standard input. */
function encodeContent(content: ClipboardContent): Uint8Array<ArrayBuffer> {
  if (content.type === "image") return content.png;
  const text = content.type === "text" ? content.text : fileList(content.paths);
  return new Uint8Array(new TextEncoder().encode(text));
}

/** Paths as a `text/uri-list` (RFC 2483: lines that end with CR LF). */
function fileList(paths: readonly string[]): string {
  return paths.map((path) => {
    const escaped = path.split("/").map((part) => encodeURIComponent(part)).join("/");
    return `file://${escaped}\r\n`;
  }).join("");
}

/** The local files in a `text/uri-list`. */
export function filePaths(list: string): string[] {
  return list.split(/\r?\n/).flatMap((line) => {
    if (line.startsWith("#") || !URL.canParse(line)) return [];
    const url = new URL(line);
    if (url.protocol !== "file:") return [];
    try {
      return [decodeURIComponent(url.pathname)];
    } catch {
      return []; // a percent sign that escapes nothing
    }
  }).slice(0, MAX_CLIPBOARD_FILES);
}

/**
 * Asks the owner for one target, in parts when it is long (ICCCM, "Large Data Transfers").
 * `undefined` when the owner has none of it.
 */
async function convert(
  selection: X11Selection,
  target: string,
  maxBytes: number,
  deadline: Deadline,
): Promise<PropertyData | undefined> {
  selection.convert(CLIPBOARD, target, ANSWER);
  const notified = await until(
    selection,
    deadline,
    (event) => event.kind === "notify" ? { there: event.property !== 0n } : undefined,
  );
  if (!notified.there) return undefined;
  const first = selection.take(ANSWER, maxBytes);
  if (first === undefined) throw tooLarge();
  if (first.type !== INCREMENTAL) return first;
  const parts: Uint8Array[] = [];
  let total = 0;
  while (true) {
    await until(
      selection,
      deadline,
      (event) =>
        event.kind === "property" && !event.deleted && event.window === selection.window &&
          selection.isAtom(event.property, ANSWER)
          ? true
          : undefined,
    );
    const part = selection.take(ANSWER, maxBytes);
    if (part === undefined) continue; // taken with the part before
    if (part.bytes.length === 0) break;
    total += part.bytes.length;
    if (total > maxBytes) throw tooLarge();
    parts.push(part.bytes);
  }
  const bytes = new Uint8Array(total);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return { type: target, format: 8, bytes };
}

/** Handles events until one yields a result; each gets {@linkcode ANSWER_MS}. */
async function until<T>(
  selection: X11Selection,
  deadline: Deadline,
  look: (event: NonNullable<ReturnType<X11Selection["poll"]>>) => T | undefined,
): Promise<T> {
  const limit = deadline.within(ANSWER_MS);
  while (true) {
    for (let event = selection.poll(); event !== undefined; event = selection.poll()) {
      const result = look(event);
      if (result !== undefined) return result;
    }
    if (limit.expired) {
      throw new AppError("TIMEOUT", "The clipboard's owner did not hand its content over", {
        suggestion: "See whether the application that copied it is blocked; copy it again.",
        details: { kind: "deadline", elapsed_ms: deadline.elapsed },
        delivery: "not_delivered",
      });
    }
    await limit.sleep(POLL_MS);
  }
}

function tooLarge(): AppError {
  return new AppError("ACTION_FAILED", "The clipboard holds more than can be read", {
    suggestion: `Texts and pictures of up to ${MAX_CLIPBOARD_IMAGE} bytes can be read.`,
    delivery: "not_delivered",
  });
}
