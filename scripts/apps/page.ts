/** Writes the results as the page docs/applications.md. */
import type { Outcome, Result } from "./types.ts";

/** The whole page. `system` says where the applications were tried. */
export function page(results: readonly Result[], system: string): string {
  const head = `# Applications tried

What the program makes of applications that people use. \`scripts/applications\` writes this page: it
starts each application alone on a private desktop, reads it, operates it, and asks somebody else
whether that had the effect: libatspi (another element's state or text), a file the application
wrote, the window's title as the X server knows it, or the picture on the screen. What failed stands
here as well as what did not. Tried on ${system}.

| column     | meaning                                                                             |
| ---------- | ----------------------------------------------------------------------------------- |
| tells      | name and version of the toolkit as the application tells them                       |
| nodes      | nodes of a snapshot of its window, down to depth 50                                 |
| refs       | those that can be acted on; in brackets how many have neither name nor description |
| complete   | whether the snapshot says that it is                                                |
| snapshot   | time of the whole process, median of three                                          |
| reader     | the same for \`bench/walk.py\`, a walk with pyatspi; in brackets what it counted      |
| operations | how many of those below were confirmed                                              |

`;
  const rows = results.map((result) => [
    `${result.name} ${result.version}`.trim(),
    result.toolkit,
    result.told || "–",
    result.nodes === undefined ? "–" : String(result.nodes),
    result.refs === undefined ? "–" : `${result.refs} (${result.nameless})`,
    result.complete === undefined ? "–" : result.complete ? "yes" : "no",
    result.snapshotMs === undefined ? "–" : `${result.snapshotMs} ms`,
    reader(result),
    `${result.outcomes.filter(confirmed).length} of ${result.outcomes.length}`,
  ]);
  const names = [
    "application",
    "toolkit",
    "tells",
    "nodes",
    "refs",
    "complete",
    "snapshot",
    "reader",
    "operations",
  ];
  return head + table(names, rows) + "\n## Operations\n\n" + OPERATIONS +
    results.map(section).join("\n");
}

const OPERATIONS = `Commands are sent headless unless the operation says "headed". An answer is
\`verified\` or \`sent\` (the words of [toolkits.md](toolkits.md)), or the error's code.

`;

function reader({ readerMs, readerNodes, readerFailure }: Result): string {
  return readerMs === undefined ? readerFailure ?? "–" : `${readerMs} ms (${readerNodes})`;
}

function confirmed({ seen, claimed }: Outcome): boolean {
  return seen && claimed;
}

function section(result: Result): string {
  const rows = result.outcomes.map((one) => [one.what, one.answer, verdict(one)]);
  const parts = [`### ${result.name}\n`];
  if (result.listed) parts.push(`No accessibility; in \`list-windows\`: ${result.listed}.\n`);
  if (result.failure) parts.push(`Went wrong: ${result.failure}.\n`);
  if (rows.length > 0) parts.push(table(["operation", "answer", "another look"], rows));
  const not = result.outcomes.filter((one) => !confirmed(one)).map((one) => one.what);
  if (not.length > 0) parts.push(`What it cannot do: ${not.join("; ")}.\n`);
  return parts.join("\n");
}

function verdict({ seen, claimed }: Outcome): string {
  if (seen) return claimed ? "seen" : "seen, though the answer was an error";
  return claimed ? "**not seen**" : "not seen";
}

/** A Markdown table; `deno fmt` pads its columns. */
function table(names: string[], rows: string[][]): string {
  const line = (cells: string[]) =>
    `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |\n`;
  return line(names) + line(names.map(() => "---")) + rows.map(line).join("");
}
