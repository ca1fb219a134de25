/**
 * What one ref may hold (docs/refs.md, "Entries"). An element beyond it stays in the tree, without
 * a ref.
 */
import { isBlank, isSaneRect } from "../tree/node.ts";
import { isKnownRole } from "../tree/roles.ts";
import { fitsUtf8 } from "../tree/utf8.ts";
import type { Evidence, Source } from "./entry.ts";

/** UTF-8 bytes of one string. */
export const MAX_STRING_BYTES = 65_536;
export const MAX_PATH = 256;
/** Entries of `states` and of `available_actions`. */
export const MAX_TOKENS = 256;
/** UTF-8 bytes of one state or action. */
const MAX_TOKEN_BYTES = 256;
/** Largest native child index. */
export const MAX_CHILD_INDEX = 0x7fff_ffff;

function fits(text: string | null | undefined): boolean {
  return text === undefined || text === null || fitsUtf8(text, MAX_STRING_BYTES);
}

function tokensFit(tokens: readonly string[] | undefined): boolean {
  return tokens === undefined || (tokens.length <= MAX_TOKENS &&
    tokens.every((token) => fitsUtf8(token, MAX_TOKEN_BYTES)));
}

/** Whether an element's evidence keeps every limit, so that it may get a ref. */
export function evidenceFits(evidence: Evidence): boolean {
  return isKnownRole(evidence.role) &&
    fits(evidence.name) && fits(evidence.value) && fits(evidence.description) &&
    (evidence.native_id === undefined ||
      (!isBlank(evidence.native_id.value) && fits(evidence.native_id.value))) &&
    (evidence.bounds === undefined || isSaneRect(evidence.bounds)) &&
    tokensFit(evidence.states) && tokensFit(evidence.available_actions) &&
    (evidence.path === undefined || (evidence.path.length <= MAX_PATH &&
      evidence.path.every((index) =>
        Number.isInteger(index) && index >= 0 && index <= MAX_CHILD_INDEX
      ))) &&
    fits(evidence.native_handle);
}

/** Whether the part that all refs of an observation share is complete and in range. */
export function sourceFits(source: Source): boolean {
  return Number.isInteger(source.pid) && source.pid > 0 && source.process_instance !== "" &&
    fits(source.process_instance) && fits(source.source_app) && fits(source.source_window_id) &&
    fits(source.source_window_title);
}
