/** Text measured and cut in bytes of UTF-8, as the limits of an observation count it. */

const encoder = new TextEncoder();

/** UTF-8 length of a text. */
export function utf8Length(text: string): number {
  let bytes = text.length;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0x80) continue;
    bytes += unit < 0x800 ? 1 : 2;
    // A surrogate pair is four bytes for two units: the first adds two, the second nothing.
    const isPair = unit >= 0xd800 && unit < 0xdc00 && (text.charCodeAt(i + 1) & 0xfc00) === 0xdc00;
    if (isPair) i++;
  }
  return bytes;
}

/** The longest beginning of a text within `limit` bytes of UTF-8, never half a character. */
export function cutUtf8(text: string, limit: number): string {
  // A UTF-16 unit takes at most three bytes, so short texts need no counting.
  if (text.length * 3 <= limit || utf8Length(text) <= limit) return text;
  const { read } = encoder.encodeInto(text, new Uint8Array(Math.max(0, limit)));
  return text.slice(0, read);
}
