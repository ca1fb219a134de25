/**
 * How a ref is written: `@<snapshot_id>:e<N>` outside, `@eN` as the key inside one ref map
 * (docs/refs.md, "Syntax").
 */
import { AppError } from "../errors.ts";

/** A parsed ref. */
export interface Ref {
  snapshot: string;
  /** N of `eN`, 1..4294967295. */
  number: number;
}

/** Highest ref number: the counter of a map is an unsigned 32-bit integer. */
export const MAX_REF_NUMBER = 0xffff_ffff;

const SNAPSHOT_ID = /^[A-Za-z0-9_-]{3,64}$/;
const NUMBER = /^[0-9]{1,10}$/;
// A message stays one readable line whatever was passed as a ref.
const QUOTED_CHARS = 120;

/** Whether `id` can name a snapshot, and so a directory of the store. */
export function isSnapshotId(id: string): boolean {
  return SNAPSHOT_ID.test(id);
}

/** The ref a user passes on: `@<snapshot>:e<N>`. */
export function formatRef(snapshot: string, number: number): string {
  return `@${snapshot}:e${number}`;
}

/** The key of a ref inside its map: `@eN`. */
export function localKey(number: number): string {
  return `@e${number}`;
}

/**
 * N of a canonical `@eN`, or `undefined` when the text is not one. Read as a number and
 * written again: this runs for every ref of a map on every load, where a regular expression would
 * cost more than all other checks together.
 */
export function parseLocalKey(key: string): number | undefined {
  const number = Number(key.slice(2));
  // Other texts of the number (`+1`, `1.0`, `1e3`) are not what it is written as.
  if (!Number.isInteger(number) || number < 1 || number > MAX_REF_NUMBER) return undefined;
  return key === `@e${number}` ? number : undefined;
}

/**
 * Parses a qualified ref.
 *
 * @throws AppError `INVALID_ARGS` that quotes the token, for a bare `@eN` and everything else
 * that is not of the form.
 */
export function parseRef(token: string): Ref {
  // The last `:e` decides; an id itself cannot hold a colon, so anything before it must be one.
  const split = token.lastIndexOf(":e");
  if (token.startsWith("@") && split > 0) {
    const snapshot = token.slice(1, split);
    const digits = token.slice(split + 2);
    const number = NUMBER.test(digits) ? Number(digits) : 0;
    if (isSnapshotId(snapshot) && number >= 1 && number <= MAX_REF_NUMBER) {
      return { snapshot, number };
    }
  }
  const shown = token.length > QUOTED_CHARS ? `${token.slice(0, QUOTED_CHARS)}…` : token;
  throw new AppError(
    "INVALID_ARGS",
    `Invalid ref_id '${shown.toWellFormed()}': expected @<snapshot_id>:e<N>`,
    {
      suggestion:
        "Use the snapshot-qualified ref that snapshot prints, for example @s8f3k2p9:e1. " +
        "A bare @eN ref is not accepted.",
    },
  );
}
