/** What an element's text is, and what typing into it must leave. */
import type { Deadline } from "../deadline.ts";
import type { Platform, TextRange } from "../platform/platform.ts";
import type { Handle, Node } from "../tree/node.ts";

// Whole texts up to this many bytes of UTF-8 are compared; `get` prints as much.
const TEXT_LIMIT = 8 * 1_048_576;

/**
 * The whole text of a node: what was read, or a second read when that was only its beginning.
 * `undefined` when it is unreadable, longer than the limit, or the node has none.
 */
export async function wholeText(
  platform: Platform,
  handle: Handle,
  node: Node,
  deadline: Deadline,
): Promise<string | undefined> {
  if (node.unreadable?.includes("value")) return undefined;
  if (node.valueLength === undefined) return node.value;
  const whole = await platform.wholeValue(handle, TEXT_LIMIT, deadline);
  return whole === undefined || whole.truncated ? undefined : whole.text;
}

/**
 * The text to compare with what was asked for: as {@linkcode wholeText}, but of a text beyond the
 * limit its beginning, which is longer than anything that can have been asked for.
 */
export async function comparableText(
  platform: Platform,
  handle: Handle,
  node: Node,
  deadline: Deadline,
): Promise<string | undefined> {
  // A text control that holds nothing may read as no value at all: ask it for its whole text.
  return await wholeText(platform, handle, node, deadline) ??
    (await platform.wholeValue(handle, TEXT_LIMIT, deadline))?.text;
}

/**
 * The text the element must hold after `text` was typed, from its text and selection now;
 * `undefined` when that cannot be known, as for a secure field, whose text is never read.
 */
export async function expectTyped(
  platform: Platform,
  handle: Handle,
  node: Node,
  text: string,
  deadline: Deadline,
): Promise<string | undefined> {
  if (node.states.includes("secure")) return undefined;
  const old = await wholeText(platform, handle, node, deadline);
  if (node.embedded === "lost") return undefined;
  if (old === undefined || old === "") {
    return node.unreadable?.includes("value") ? undefined : text;
  }
  // Caret and selection count the toolkit's characters.
  if (node.embedded) return undefined;
  const range = await platform.textRange?.(handle, deadline);
  return range === undefined ? undefined : textAfterTyping(old, range, text);
}

/** The old text with the selected characters (code points) replaced. */
function textAfterTyping(old: string, range: TextRange, text: string): string {
  const characters = [...old];
  const start = Math.min(range.start, range.end);
  const end = Math.max(range.start, range.end);
  return characters.slice(0, start).join("") + text + characters.slice(end).join("");
}
