/** A stable 64-bit hash of a rectangle: evidence that an element stands where it stood. */
import type { Rect } from "../tree/node.ts";

// Odd constants with well-spread bits (fractions of the golden ratio and of the square root of 3).
const LOW_FACTOR = 0x9e3779b1;
const HIGH_FACTOR = 0xbb67ae85;

/** Mixes one 32-bit word into one 32-bit lane. */
function mix(lane: number, word: number, factor: number): number {
  const spread = Math.imul(lane ^ word, factor);
  return (spread ^ (spread >>> 15)) | 0;
}

/**
 * Hash of `x`, `y`, `width` and `height`, each rounded to 1/100 point and taken as a signed 64-bit
 * integer (docs/refs.md, "Entries"). Works on 32-bit halves: this runs for every element with a ref, and BigInt
 * arithmetic would cost more than reading the tree's text.
 */
export function boundsHash(bounds: Rect): bigint {
  let low = 0x243f6a88;
  let high = 0x13198a2e;
  for (const part of [bounds.x, bounds.y, bounds.width, bounds.height]) {
    const hundredths = Math.round(part * 100);
    const lowWord = hundredths | 0;
    const highWord = Math.floor(hundredths / 0x1_0000_0000) | 0;
    low = mix(mix(low, lowWord, LOW_FACTOR), highWord, LOW_FACTOR);
    high = mix(mix(high, lowWord, HIGH_FACTOR), highWord ^ low, HIGH_FACTOR);
  }
  return (BigInt(high >>> 0) << 32n) | BigInt(low >>> 0);
}
