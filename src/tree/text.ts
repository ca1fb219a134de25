/** Application text inside lines of our own, and text as people compare it. */
import { isBlank, type Node } from "./node.ts";

// What could end a line, hide in it or turn it round: C0, DEL and C1 controls, soft and invisible
// format characters, bidirectional controls, line and paragraph separators, tag characters.
const UNSAFE =
  // deno-lint-ignore no-control-regex -- control characters are what is looked for
  /["\\\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ud800-\udfff]|[\u{e0000}-\u{e0fff}]/gu;

const SHORT: Readonly<Record<string, string>> = {
  '"': '\\"',
  "\\": "\\\\",
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
};

function escapeCharacter(character: string): string {
  const short = SHORT[character];
  if (short !== undefined) return short;
  const code = character.codePointAt(0)!;
  // Outside the first plane the braces show where the number ends.
  return code > 0xffff ? `\\u{${code.toString(16)}}` : `\\u${code.toString(16).padStart(4, "0")}`;
}

/**
 * `text` between double quotes, on one line, with nothing in it that a terminal or a reader would
 * take for anything but text. More than `limit` characters are cut and marked by `…` behind the
 * closing quote, where text cannot put it.
 */
export function quote(text: string, limit = Infinity): string {
  const wellFormed = text.toWellFormed();
  const end = cutAt(wellFormed, limit);
  const shown = wellFormed.slice(0, end).replace(UNSAFE, escapeCharacter);
  return `"${shown}"${end < wellFormed.length ? "…" : ""}`;
}

/** UTF-16 index behind the first `limit` characters. */
function cutAt(text: string, limit: number): number {
  if (text.length <= limit) return text.length;
  let end = 0;
  for (let count = 0; count < limit && end < text.length; count++) {
    end += text.codePointAt(end)! > 0xffff ? 2 : 1;
  }
  return end;
}

/**
 * Text as searches compare it: canonically composed, trimmed, runs of white space made one space,
 * lower case.
 */
export function normalText(text: string | undefined): string {
  return (text ?? "").normalize("NFC").trim().replace(/\s+/g, " ").toLowerCase();
}

/** Longest name inside an ancestor label, in characters: a label locates, it does not quote. */
const LABEL_LENGTH = 60;

/** `text` cut to the length of a label. */
export function shortLabel(text: string): string {
  const end = cutAt(text, LABEL_LENGTH);
  return end < text.length ? `${text.slice(0, end)}…` : text;
}

/** `role:name` of each node, or the role alone where there is no name. */
export function pathLabels(nodes: readonly Node[]): string[] {
  return nodes.map((node) =>
    isBlank(node.name) ? node.role : `${node.role}:${shortLabel(node.name!)}`
  );
}
