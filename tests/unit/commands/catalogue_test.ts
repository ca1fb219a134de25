import { assert, assertEquals, assertNotEquals, assertRejects } from "@std/assert";
import { commandHelp, exampleOf, generalHelp } from "../../../src/cli/help.ts";
import { commandWord, parse } from "../../../src/cli/parse.ts";
import { GLOBALS } from "../../../src/cli/global_flags.ts";
import { GROUPS, PRIVILEGES, title } from "../../../src/commands/command.ts";
import {
  loadAllCommands,
  loadCommands,
  NAMES,
  usesDesktop,
} from "../../../src/commands/catalogue.ts";
import * as held from "../../../src/commands/held.ts";
import * as mouse from "../../../src/commands/mouse.ts";
import * as refActions from "../../../src/commands/ref_actions.ts";
import { validate } from "../../../src/commands/validate.ts";
import { AppError } from "../../../src/errors.ts";
import * as z from "../../../src/commands/zod.ts";

const TABLE = await loadAllCommands();

/** The actions of one command. */
const actionsOf = (name: string) => TABLE.filter((command) => command.name === name);

/** The command line of an example; quotes group words as in a shell. */
function words(example: string): string[] {
  return [...example.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain!);
}

function parsed(example: string) {
  const invocation = parse(words(example), TABLE);
  if (invocation.kind !== "command") throw new Error(`${example} is no command`);
  return invocation;
}

Deno.test("the catalogue and the files agree: every name loads, and no file has more", async () => {
  const named: Record<string, readonly string[]> = {};
  for (const name of NAMES) {
    const commands = await loadCommands(name);
    assert(commands.length > 0, name);
    for (const command of commands) {
      assertEquals([command.name, typeof command.run], [name, "function"]);
    }
    named[name] = commands.map(title);
  }
  assertEquals(TABLE.map(title), NAMES.flatMap((name) => named[name]!));
  for (const { COMMANDS } of [refActions, held, mouse]) {
    for (const name of Object.keys(COMMANDS)) assert(NAMES.includes(name), name);
  }
  for (const name of ["nonsense", "constructor", "__proto__", ""]) {
    assertEquals([await loadCommands(name), usesDesktop(name)], [[], false]);
  }
});

Deno.test("commands that need no desktop are marked so, and no others", async () => {
  for (const name of NAMES) {
    const [command] = await loadCommands(name);
    const needsNone = command!.immediate !== undefined || command!.group === "Sessions";
    assertEquals(usesDesktop(name), !needsNone, name);
  }
});

Deno.test("the command's word is found without knowing the command's flags", () => {
  const found: [string[], string | undefined][] = [
    [["status"], "status"],
    [["--session", "click", "version"], "version"],
    [["--session=click", "--headed", "-w", "a:b", "find", "--name", "click"], "find"],
    [["-vw", "get", "is", "@s8f3k2p9:e1"], "is"],
    [["--", "status"], "status"],
    [["nonsense"], "nonsense"],
    [["-"], "-"],
    [[], undefined],
    [["--"], undefined],
    [["--help", "status"], undefined],
    [["-V", "status"], undefined],
    [["--nonsense", "status"], undefined],
    [["--session"], undefined],
    [["--session", "a", "--session", "b", "status"], undefined],
  ];
  for (const [argv, word] of found) assertEquals(commandWord(argv), word, argv.join(" "));
});

Deno.test("a run loads the file of its own command only", async () => {
  const imports = async (file: string): Promise<string[]> => {
    const { stdout } = await new Deno.Command(Deno.execPath(), {
      args: ["info", "--json", new URL(`../../../${file}`, import.meta.url).pathname],
      env: { NO_COLOR: "1" },
    }).output();
    // deno-lint-ignore no-explicit-any -- the shape is Deno's
    const { modules } = JSON.parse(new TextDecoder().decode(stdout)) as any;
    // What is loaded with the file, not on use: static imports of values, from the file on.
    // deno-lint-ignore no-explicit-any -- as above
    const known = new Map<string, any>(modules.map((one: any) => [one.specifier, one]));
    const root = modules.find((one: { specifier: string }) => one.specifier.endsWith(`/${file}`));
    const seen = new Set<string>([root.specifier]);
    for (const specifier of seen) {
      for (const dependency of known.get(specifier)?.dependencies ?? []) {
        const to = dependency.code?.specifier;
        if (to !== undefined && dependency.isDynamic !== true) seen.add(to);
      }
    }
    return [...seen].filter((specifier) => specifier.includes("/src/"))
      .map((specifier) => specifier.slice(specifier.indexOf("/src/") + 1));
  };
  const main = await imports("src/cli/program.ts");
  assertEquals(main.filter((file) => file.startsWith("src/commands/")).toSorted(), [
    "src/commands/catalogue.ts",
    "src/commands/command.ts",
    "src/commands/limits.ts",
    "src/commands/quote.ts",
  ]);
  assertEquals(main.filter((file) => /src\/(act|refs|tree|store|platform)\//.test(file)), []);
  assertEquals(await imports("src/commands/version.ts"), [
    "src/commands/version.ts",
    "src/version.ts",
  ]);
});

Deno.test("every example parses, validates and is the command's own", async () => {
  for (const command of TABLE) {
    const { command: found, args, globals } = parsed(exampleOf(command));
    assertEquals(title(found), title(command));
    await validate(command, args);
    if (command.headedOnly === true) {
      assert(globals.headed === true || command.summary.startsWith("Refused"), exampleOf(command));
    }
  }
});

Deno.test("names are unique, and flags within a command together with the global ones", () => {
  assertEquals(new Set(TABLE.map(title)).size, TABLE.length);
  for (const command of TABLE) {
    const specs = [...Object.values(command.args), ...Object.values(GLOBALS)];
    for (const key of ["flag", "short"] as const) {
      const used = specs.map((spec) => (spec as { flag?: string; short?: string })[key])
        .filter((name) => name !== undefined);
      assertEquals(new Set(used).size, used.length, `${title(command)} ${key}`);
    }
  }
});

Deno.test("arguments are named as batch names them, flags as the command line does", () => {
  for (const command of TABLE) {
    for (const [name, spec] of Object.entries(command.args)) {
      assert(/^[a-z][a-z0-9]*(_[a-z0-9]+)*$/.test(name), `${title(command)} ${name}`);
      if (spec.flag === undefined || spec.repeat === true) continue;
      assertEquals(spec.flag, name.replaceAll("_", "-"), title(command));
    }
  }
});

Deno.test("the schema has the arguments the table lists, and refuses others", async () => {
  for (const command of TABLE) {
    const known = command.schema === undefined
      ? []
      : Object.keys((command.schema(z) as unknown as { shape: Record<string, unknown> }).shape);
    const listed = [
      // What goes into another argument's list is none of its own.
      ...Object.entries(command.args).filter(([, { into }]) => into === undefined)
        .map(([name]) => name),
      ...(command.action === undefined ? [] : ["action"]),
    ];
    assertEquals(known.toSorted(), listed.toSorted(), title(command));
    const { args } = parsed(exampleOf(command));
    const refusal = await assertRejects(
      () => validate(command, { ...args, nonsense: 1 }),
      AppError,
    );
    assertEquals(refusal.code, "INVALID_ARGS");
    assertEquals(refusal.message, `Unknown argument 'nonsense' for ${title(command)}`);
  }
});

Deno.test("help states the defaults the schema fills in", async () => {
  for (const command of TABLE) {
    const { args } = parsed(exampleOf(command));
    const filled = await validate(command, args) as Record<string, unknown>;
    for (const [name, spec] of Object.entries(command.args)) {
      if (spec.kind === "boolean" || spec.repeat === true || name in args) continue;
      assertEquals(filled[name], spec.default, `${title(command)} ${name}`);
    }
  }
});

Deno.test("every command is complete", () => {
  for (const command of TABLE) {
    assert(GROUPS.includes(command.group));
    assert(command.summary.length <= 76 && !command.summary.endsWith("."), command.summary);
    for (const privilege of command.privileges) assert(PRIVILEGES.includes(privilege));
    for (const spec of Object.values(command.args)) {
      assert(spec.help !== "" && !spec.help.endsWith("."), `${title(command)} ${spec.help}`);
      if (spec.kind !== "boolean") assertNotEquals(spec.value, undefined);
    }
  }
});

Deno.test("only these commands may start programs or use the network", () => {
  const having = (privilege: "run" | "net") =>
    TABLE.filter(({ privileges }) => privileges.includes(privilege)).map(({ name }) => name);
  // macOS has tools for pictures and for opening applications; DevTools is asked over HTTP; a batch
  // may hold any of these.
  assertEquals(having("run"), ["launch", "screenshot", "clipboard-get", "batch"]);
  assertEquals(having("net"), ["launch", "batch"]);
});

Deno.test("help names every command, and each command's help its arguments and an example", () => {
  const general = generalHelp(TABLE);
  for (const command of TABLE) {
    assert(general.includes(`  ${title(command)} `), title(command));
    const help = commandHelp(actionsOf(command.name));
    assert(help.includes(`  agent-desktop ${exampleOf(command)}\n`), title(command));
    for (const spec of Object.values(command.args)) {
      assert(
        help.includes(spec.flag === undefined ? spec.value! : `--${spec.flag}`),
        title(command),
      );
    }
    assertEquals(help.includes("--wait-for SEL"), command.waits === true, title(command));
  }
  for (
    const line of [general, ...TABLE.map((command) => commandHelp(actionsOf(command.name)))].join(
      "\n",
    ).split("\n")
  ) {
    assert(line.length <= 120, line);
    assertEquals(line, line.trimEnd());
  }
});
