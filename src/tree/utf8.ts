/** Lengths and cuts of text in UTF-8 bytes, the unit of every limit on text. */

const encoder = new TextEncoder();

/** Bytes `text` takes in UTF-8; a lone surrogate counts as U+FFFD, which it is written as. */
export function utf8Length(text: string): number {
  let bytes = text.length;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0x80) continue;
    bytes += unit < 0x800 ? 1 : 2;
    // A surrogate pair is four bytes for two units; the first adds two, the second nothing.
    if (unit >= 0xd800 && unit < 0xdc00 && isLowSurrogate(text.charCodeAt(i + 1))) i++;
  }
  return bytes;
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit < 0xe000;
}

/** Whether `text` takes at most `limit` bytes. */
export function fitsUtf8(text: string, limit: number): boolean {
  // A UTF-16 unit takes one to three bytes, so nearly every text is settled by its length.
  if (text.length * 3 <= limit) return true;
  return text.length <= limit && utf8Length(text) <= limit;
}

/** The longest beginning of `text` within `limit` bytes, never half a character. */
export function cutUtf8(text: string, limit: number): string {
  if (fitsUtf8(text, limit)) return text;
  const { read } = encoder.encodeInto(text, new Uint8Array(Math.max(0, limit)));
  return text.slice(0, read);
}
