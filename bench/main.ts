/**
 * The bench. Runs on a private desktop (`scripts/bench` starts it there), opens the applications,
 * measures the rows of rows.ts and prints a table, with `--json` one JSON object.
 */

import { parseArgs } from "@std/cli/parse-args";
import { measure, type Outcome, type Row, Stage, table } from "./harness.ts";
import { PAGE_ROWS, ROWS } from "./rows.ts";

const HELP = `scripts/bench [--json] [--rounds N] [--only ID,ID…] [--list]

Measures the program side by side with a compiled console.log and with pyatspi, on one desktop and in
interleaved rounds. Exit code 1 when a goal is missed.`;

/** A page as applications are built: a list in the main region, a text and a button in each row. */
function page(): string {
  const rows = Array.from(
    { length: PAGE_ROWS },
    (_, at) => `<li>Row ${at + 1} <button>Open ${at + 1}</button></li>`,
  );
  return '<!doctype html><meta charset="utf-8"><title>Rows</title>' +
    `<main aria-label="Inbox"><h1>Rows</h1><ul aria-label="Rows">\n${
      rows.join("\n")
    }\n</ul></main>\n`;
}

/** Starts an application on this desktop; whoever ends the desktop ends it. */
function start(command: string, ...args: string[]): void {
  new Deno.Command(command, { args, stdin: "null", stdout: "null", stderr: "null" }).spawn()
    .unref();
}

/** Waits until `app` shows at least `least` accessibles and no longer changes. */
async function ready(stage: Stage, app: string, least: number): Promise<void> {
  await stage.run(
    ["/usr/bin/python3", "-E", "-s", "-B", `${import.meta.dirname}/walk.py`, app, String(least)],
  );
}

async function openCalculator(stage: Stage): Promise<void> {
  start("gnome-calculator");
  await ready(stage, "gnome-calculator", 50);
}

async function openPage(stage: Stage): Promise<void> {
  const home = Deno.env.get("HOME");
  await Deno.writeTextFile(`${home}/rows.html`, page());
  start(
    "chromium",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--force-renderer-accessibility",
    `--user-data-dir=${home}/chromium`,
    `file://${home}/rows.html`,
  );
  await ready(stage, "chromium", 3 * PAGE_ROWS);
}

/**
 * The rows of the page, after the others: a browser at work would be measured with them. What the
 * page's rows are compared with is measured again beside them.
 */
async function measurePage(stage: Stage, rows: Row[], rounds: number): Promise<Outcome[]> {
  if (rows.length === 0) return [];
  await openPage(stage);
  const beside = ROWS
    .filter((row) => !row.chromium && rows.some(({ goal }) => goal?.times === row.id))
    .map((row): Row => {
      const { goal: _, ...rest } = row;
      return { ...rest, what: `${row.what}, with the page open` };
    });
  return await measure(stage, [...beside, ...rows], rounds);
}

async function main(): Promise<number> {
  const args = parseArgs(Deno.args, {
    boolean: ["json", "help", "list"],
    string: ["rounds", "only", "program", "baseline"],
    default: { rounds: "20" },
  });
  if (args.help) {
    console.log(HELP);
    return 0;
  }
  if (args.list) {
    for (const row of ROWS) console.log(`${row.id}\t${row.what}`);
    return 0;
  }
  const rounds = Number(args.rounds);
  if (!Number.isInteger(rounds) || rounds < 1) {
    throw new Error(`--rounds ${args.rounds}: not 1 or more`);
  }
  let rows = ROWS;
  if (typeof args.only === "string") {
    // What a chosen row is compared with comes along.
    const ids = new Set(args.only.split(","));
    for (const row of ROWS) if (ids.has(row.id) && row.goal?.times) ids.add(row.goal.times);
    rows = ROWS.filter((row) => ids.delete(row.id));
    if (ids.size > 0) throw new Error(`--only: no such row: ${[...ids].join(", ")}`);
  }

  const stage = new Stage(String(args.program), String(args.baseline));
  try {
    await openCalculator(stage);
    const outcomes = await measure(stage, rows.filter((row) => !row.chromium), rounds);
    outcomes.push(...await measurePage(stage, rows.filter((row) => row.chromium), rounds));
    const passed = outcomes.every((one) => one.pass !== false && one.error === undefined);
    if (args.json) {
      const machine = { cores: navigator.hardwareConcurrency, deno: Deno.version.deno };
      console.log(JSON.stringify({ passed, rounds, machine, rows: outcomes }, null, 2));
    } else {
      console.log(table(outcomes));
    }
    return passed ? 0 : 1;
  } finally {
    await stage.close();
  }
}

Deno.exit(await main());
