/** How messages quote what they were given. */

/** Longest diagnostic, in characters; longest value quoted in one. */
export const MAX_QUOTED = 512;

/** The first line of a text, at most `MAX_QUOTED` characters of it. */
export function firstLine(text: string): string {
  return quote(text.split(/[\r\n\u2028\u2029]/, 1)[0] ?? "");
}

/** At most `MAX_QUOTED` characters of a value, as messages show it. */
export function quote(value: string): string {
  const characters = [...value.slice(0, 2 * MAX_QUOTED)];
  const shown = characters.length > MAX_QUOTED
    ? `${characters.slice(0, MAX_QUOTED - 1).join("")}…`
    : characters.join("");
  return shown.toWellFormed();
}
