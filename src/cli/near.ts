/** Names that somebody who typed another one may have meant. */

/**
 * Those of `names` that resemble `wanted`, the nearest first, at most `limit`. A name resembles
 * another when one contains the other, or when few letters have to change.
 */
export function near(wanted: string, names: Iterable<string>, limit: number): string[] {
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

// Edit distance costs the product of the lengths; names are short, arguments may not be.
const MAX_COMPARED = 64;

/** How far `name` is from `query`, or `undefined` when it is nothing like it. */
function distance(query: string, name: string): number | undefined {
  const edits = editDistance(query, name);
  if (edits <= Math.max(1, Math.floor(query.length / 3))) return edits;
  const contained = query.length >= 3 && (name.includes(query) || query.includes(name));
  return contained && name.length >= 3 ? edits : undefined;
}

/** Insertions, deletions, replacements and swaps of neighbours that turn one text into the other. */
function editDistance(a: string, b: string): number {
  let before: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1];
      let edits = Math.min(
        previous[column]! + 1,
        current[column - 1]! + 1,
        previous[column - 1]! + (same ? 0 : 1),
      );
      if (row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]) {
        edits = Math.min(edits, before[column - 2]! + 1);
      }
      current.push(edits);
    }
    [before, previous] = [previous, current];
  }
  return previous[b.length]!;
}
