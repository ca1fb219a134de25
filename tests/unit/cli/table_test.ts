import { assert, assertEquals, assertNotEquals, assertRejects } from "@std/assert";
import { loadCommand } from "../../../src/cli/commands.ts";
import { commandHelp, generalHelp } from "../../../src/cli/help.ts";
import { parse, title } from "../../../src/cli/parse.ts";
import { GLOBALS } from "../../../src/cli/table/globals.ts";
import { GROUPS, PRIVILEGES, type Row } from "../../../src/cli/table/row.ts";
import { ACT } from "../../../src/cli/table/act.ts";
import { FILES, rowsFor } from "../../../src/cli/table/files.ts";
import { HEALTH } from "../../../src/cli/table/health.ts";
import { TABLE } from "../../../src/cli/table/mod.ts";
import { validate } from "../../../src/cli/validate.ts";
import { AppError } from "../../../src/errors.ts";
import * as z from "../../../src/cli/zod.ts";

/** The command line of an example; quotes group words as in a shell. */
function words(example: string): string[] {
  return [...example.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain!);
}

function parsed(example: string) {
  const invocation = parse(words(example), TABLE);
  if (invocation.kind !== "command") throw new Error(`${example} is no command`);
  return invocation;
}

Deno.test("the files of the table have the commands they are said to have, in its order", async () => {
  const rows: Row[] = [];
  for (const file of FILES) {
    const own = await file.rows();
    assertEquals([...new Set(own.map((row) => row.name))], file.names);
    rows.push(...own);
  }
  assertEquals(rows, [...TABLE]);
});

Deno.test("the rows for a command line are those of the files that describe its words", async () => {
  assertEquals(await rowsFor(["status"]), HEALTH);
  assertEquals(await rowsFor(["--session", "click", "version"]), [...ACT, ...HEALTH]);
  assertEquals(await rowsFor(["--help", "nonsense"]), []);
});

Deno.test("every command has a module", async () => {
  for (const row of TABLE) {
    if (row.immediate === true) continue;
    const { run } = await loadCommand(row.name);
    assertEquals(typeof run, "function", row.name);
  }
});

Deno.test("every example parses, validates and is the command's own", async () => {
  for (const row of TABLE) {
    const { row: found, args, globals } = parsed(row.example);
    assertEquals(title(found), title(row));
    await validate(row, args);
    if (row.headedOnly === true) {
      assert(globals.headed === true || row.summary.startsWith("Refused"), row.example);
    }
  }
});

Deno.test("names are unique, and flags within a command together with the global ones", () => {
  assertEquals(new Set(TABLE.map(title)).size, TABLE.length);
  for (const row of TABLE) {
    const specs = [...Object.values(row.args), ...Object.values(GLOBALS)];
    for (const key of ["flag", "short"] as const) {
      const used = specs.map((spec) => (spec as { flag?: string; short?: string })[key])
        .filter((name) => name !== undefined);
      assertEquals(new Set(used).size, used.length, `${title(row)} ${key}`);
    }
  }
});

Deno.test("arguments are named as batch names them, flags as the command line does", () => {
  for (const row of TABLE) {
    for (const [name, spec] of Object.entries(row.args)) {
      assert(/^[a-z][a-z0-9]*(_[a-z0-9]+)*$/.test(name), `${title(row)} ${name}`);
      if (spec.flag === undefined || spec.repeat === true) continue;
      assertEquals(spec.flag, name.replaceAll("_", "-"), title(row));
    }
  }
});

Deno.test("the schema has the arguments the table lists, and refuses others", async () => {
  for (const row of TABLE) {
    const known = row.schema === undefined
      ? []
      : Object.keys((row.schema(z) as unknown as { shape: Record<string, unknown> }).shape);
    const listed = [...Object.keys(row.args), ...(row.action === undefined ? [] : ["action"])];
    assertEquals(known.toSorted(), listed.toSorted(), title(row));
    const { args } = parsed(row.example);
    const refusal = await assertRejects(() => validate(row, { ...args, nonsense: 1 }), AppError);
    assertEquals(refusal.code, "INVALID_ARGS");
    assertEquals(refusal.message, `Unknown argument 'nonsense' for ${title(row)}`);
  }
});

Deno.test("help states the defaults the schema fills in", async () => {
  for (const row of TABLE) {
    const { args } = parsed(row.example);
    const filled = await validate(row, args) as Record<string, unknown>;
    for (const [name, spec] of Object.entries(row.args)) {
      if (spec.kind === "boolean" || spec.repeat === true || name in args) continue;
      assertEquals(filled[name], spec.default, `${title(row)} ${name}`);
    }
  }
});

Deno.test("every row is complete", () => {
  for (const row of TABLE) {
    assert(GROUPS.includes(row.group));
    assert(row.summary.length <= 76 && !row.summary.endsWith("."), row.summary);
    for (const privilege of row.privileges) assert(PRIVILEGES.includes(privilege));
    for (const spec of Object.values(row.args)) {
      assert(spec.help !== "" && !spec.help.endsWith("."), `${title(row)} ${spec.help}`);
      if (spec.kind !== "boolean") assertNotEquals(spec.value, undefined);
    }
  }
});

Deno.test("no command of this table may start programs or use the network", () => {
  for (const row of TABLE) {
    assertEquals(row.privileges.includes("run"), false, row.name);
    assertEquals(row.privileges.includes("net"), false, row.name);
  }
});

Deno.test("help names every command, and each command's help its arguments and an example", () => {
  const general = generalHelp();
  for (const row of TABLE) {
    assert(general.includes(`  ${title(row)} `), title(row));
    const help = commandHelp(row.name);
    assert(help.includes(`  agent-desktop ${row.example}\n`), title(row));
    for (const spec of Object.values(row.args)) {
      assert(help.includes(spec.flag === undefined ? spec.value! : `--${spec.flag}`), title(row));
    }
    assertEquals(help.includes("--wait-for SEL"), row.waits === true, title(row));
  }
  for (
    const line of [general, ...TABLE.map((row) => commandHelp(row.name))].join("\n").split("\n")
  ) {
    assert(line.length <= 120, line);
    assertEquals(line, line.trimEnd());
  }
});
