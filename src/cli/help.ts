/** The text of `--help`, from the command table. */
import { title } from "./parse.ts";
import { GLOBALS } from "./table/globals.ts";
import { TABLE } from "./table/mod.ts";
import { type ArgSpec, GROUPS, type Row, rowsOf } from "./table/row.ts";

const PROGRAM = "agent-desktop";

/** Help about the program: every command in one line, and the global flags. */
export function generalHelp(): string {
  const width = Math.max(...TABLE.map((row) => title(row).length));
  const groups = GROUPS.map((group) => [
    `${group}:`,
    ...TABLE.filter((row) => row.group === group)
      .map((row) => `  ${title(row).padEnd(width)}  ${row.summary}`),
    "",
  ]);
  return [
    `${PROGRAM} reads and operates desktop applications through their accessibility trees.`,
    "Each command prints one JSON object on one line.",
    "",
    `Usage: ${PROGRAM} [FLAGS] COMMAND [ARGUMENTS]`,
    "",
    ...groups.flat(),
    "Flags of every command:",
    ...flagLines(Object.values(GLOBALS)),
    "",
    "Example:",
    `  ${PROGRAM} snapshot --app gnome-calculator -i --compact`,
    "",
    `'${PROGRAM} COMMAND --help' explains one command.`,
    "",
  ].join("\n");
}

/** Help about one command, with an example for each of its actions. */
export function commandHelp(name: string): string {
  const rows = rowsOf(TABLE, name);
  return [
    ...rows.flatMap((row, index) => [...(index === 0 ? [] : [""]), ...rowHelp(row)]),
    "Flags of every command:",
    ...flagLines(Object.values(GLOBALS).filter((spec) => waits(rows) || !isWaitFlag(spec))),
    "",
  ].join("\n");
}

function rowHelp(row: Row): string[] {
  const specs = Object.values(row.args);
  const positionals = specs.filter((spec) => spec.flag === undefined);
  const flags = specs.filter((spec) => spec.flag !== undefined);
  const usage = [
    PROGRAM,
    title(row),
    ...positionals.map((spec) => spec.optional ? `[${spec.value}]` : spec.value),
    ...flags.filter((spec) => spec.required).map((spec) => `--${spec.flag} ${spec.value}`),
    ...(flags.some((spec) => !spec.required) ? ["[FLAGS]"] : []),
  ];
  const notes = [
    row.about,
    row.headedOnly ? "Needs --headed: it moves the cursor." : undefined,
  ].filter((note) => note !== undefined);
  return [
    `${row.summary}.`,
    "",
    `Usage: ${usage.join(" ")}`,
    "",
    ...notes.flatMap((note) => [...wrap(note, 92), ""]),
    ...(positionals.length === 0 ? [] : [
      "Arguments:",
      ...columns(positionals.map((spec) => [spec.value ?? "", spec.help] as const)),
      "",
    ]),
    ...(flags.length === 0 ? [] : ["Flags:", ...flagLines(flags), ""]),
    "Example:",
    `  ${PROGRAM} ${row.example}`,
    "",
  ];
}

function waits(rows: readonly Row[]): boolean {
  return rows.some((row) => row.waits === true);
}

function isWaitFlag(spec: ArgSpec): boolean {
  return spec.flag?.startsWith("wait-") === true;
}

function flagLines(specs: readonly ArgSpec[]): string[] {
  return columns(specs.map((spec) => {
    const short = spec.short === undefined ? "    " : `-${spec.short}, `;
    const value = spec.value === undefined ? "" : ` ${spec.value}`;
    const byDefault = spec.default === undefined ? "" : ` (default ${spec.default})`;
    return [`${short}--${spec.flag}${value}`, spec.help + byDefault] as const;
  }));
}

function columns(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`);
}

/** Breaks a paragraph into lines of at most `width` characters. */
function wrap(paragraph: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of paragraph.split(" ")) {
    const last = lines.at(-1);
    if (last === undefined || last.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
}
