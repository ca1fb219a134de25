/** Names that somebody who typed another one may have meant. */
import { levenshteinDistance } from "@std/text/levenshtein-distance";

// Why not `closestString` of @std/text: it finds a closest name however far that is.

/**
 * Those of `names` that resemble `wanted`, the nearest first, at most `limit`. A name resembles
 * another when one contains the other, or when few letters have to change.
 */
export function similarNames(wanted: string, names: Iterable<string>, limit: number): string[] {
  const query = wanted.slice(0, MAX_COMPARED).toLowerCase();
  if (query === "") return [];
  const scored: { name: string; score: number }[] = [];
  for (const name of names) {
    const score = distance(query, name.slice(0, MAX_COMPARED).toLowerCase());
    if (score !== undefined) scored.push({ name, score });
  }
  return scored.sort((a, b) => a.score - b.score || (a.name < b.name ? -1 : 1))
    .slice(0, limit).map(({ name }) => name);
}

// Comparing costs the product of the lengths; names are short, arguments may not be.
const MAX_COMPARED = 64;

/** How far `name` is from `query`, or `undefined` when it is nothing like it. */
function distance(query: string, name: string): number | undefined {
  const edits = levenshteinDistance(query, name);
  // Two neighbours that changed places are two edits: words of four letters must allow for them.
  if (edits <= Math.ceil(query.length / 3)) return edits;
  const contained = query.length >= 3 && (name.includes(query) || query.includes(name));
  return contained && name.length >= 3 ? edits : undefined;
}
