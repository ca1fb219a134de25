/**
 * Texts as a ref map keeps them (docs/refs.md, "Entries"): a short one as it is, a long one as its
 * length and hash. That is enough to recognise it, and no amount of text fills the map.
 */

/** UTF-16 units of the longest text that is kept as it is. */
export const MAX_WHOLE_TEXT = 256;

/** Begins every digest; a live text that begins with it is itself kept as a digest. */
const MARK = "\uffff";

/** Two lanes of 32 bits, mixed differently: equal hashes of different texts are not to be met. */
function hash(text: string): string {
  let low = 0x243f6a88;
  let high = 0x13198a2e;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    low = Math.imul(low ^ unit, 0x9e3779b1);
    low ^= low >>> 15;
    high = Math.imul(high ^ unit ^ (low & 0xff), 0xbb67ae85);
    high ^= high >>> 13;
  }
  return [high, low].map((lane) => (lane >>> 0).toString(16).padStart(8, "0")).join("");
}

/** Whether a stored text is only length and hash. */
export function isDigest(stored: string): boolean {
  return stored.startsWith(MARK);
}

/** Length and hash of a live text. */
export function digestOf(text: string): string {
  return `${MARK}${text.length}:${hash(text)}`;
}

/**
 * A text as it is stored; what is a digest already stays one.
 *
 * @param longest UTF-16 units of the longest text kept as it is.
 */
export function storedText(text: string, longest: number = MAX_WHOLE_TEXT): string {
  if (text.length <= longest && !text.startsWith(MARK)) return text;
  return /^\uffff\d+:[0-9a-f]{16}$/.test(text) ? text : digestOf(text);
}

/** Whether two texts, stored or live, are the same as far as the shorter form tells. */
export function sameText(a: string, b: string): boolean {
  if (a === b) return true;
  if (isDigest(a)) return !isDigest(b) && digestOf(b) === a;
  return isDigest(b) && digestOf(a) === b;
}

/** A stored text for a person: of a long one only its length is known. */
export function shownText(stored: string): string {
  if (!isDigest(stored)) return stored;
  return `(a text of ${stored.slice(1, stored.indexOf(":"))} characters)`;
}
