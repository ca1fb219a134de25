/** The text of `--help`, from what the commands say about themselves. */
import { type ArgSpec, type Command, GROUPS, title } from "../commands/command.ts";
import { GLOBALS } from "./global_flags.ts";

const PROGRAM = "agent-desktop";

/** Help about the program: every command in one line, and the global flags. */
export function generalHelp(all: readonly Command[]): string {
  const width = Math.max(...all.map((command) => title(command).length));
  const groups = GROUPS.map((group) => [
    `${group}:`,
    ...all.filter((command) => command.group === group)
      .map((command) => `  ${title(command).padEnd(width)}  ${command.summary}`),
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
export function commandHelp(actions: readonly Command[]): string {
  return [
    ...actions.flatMap((one, index) => [...(index === 0 ? [] : [""]), ...actionHelp(one)]),
    "Flags of every command:",
    ...flagLines(Object.values(GLOBALS).filter((spec) => waits(actions) || !isWaitFlag(spec))),
    "",
  ].join("\n");
}

function actionHelp(command: Command): string[] {
  const specs = Object.values(command.args);
  const positionals = specs.filter((spec) => spec.flag === undefined);
  const flags = specs.filter((spec) => spec.flag !== undefined);
  const usage = [
    PROGRAM,
    title(command),
    ...positionals.map((spec) => {
      const value = spec.repeat ? `${spec.value}...` : spec.value;
      return spec.optional ? `[${value}]` : value;
    }),
    ...flags.filter((spec) => spec.required).map((spec) => `--${spec.flag} ${spec.value}`),
    ...(flags.some((spec) => !spec.required) ? ["[FLAGS]"] : []),
  ];
  const notes = [
    command.about,
    command.headedOnly ? "Needs --headed: it moves the cursor." : undefined,
  ].filter((note) => note !== undefined);
  return [
    `${command.summary}.`,
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
    `  ${PROGRAM} ${exampleOf(command)}`,
    "",
  ];
}

/** A command line that works, without the program's name. */
export function exampleOf(command: Command): string {
  return `${title(command)} ${command.example}`.trim();
}

function waits(actions: readonly Command[]): boolean {
  return actions.some((command) => command.waits === true);
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
