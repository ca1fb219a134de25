/**
 * The measuring half of the bench: rows are run in interleaved rounds (A B C A B C …), so that
 * whatever else the machine does hits all of them alike, and are judged by their medians.
 */

/** One finished run of a command. */
export interface Run {
  /** Wall time in milliseconds, from before the start until its output was read to the end. */
  ms: number;
  /** Peak resident memory in KiB. */
  peak_kib: number;
  /** Exit code; -n after signal n. */
  code: number;
  /** Standard output and error, where they were asked for or the command failed. */
  out?: string;
  err?: string;
}

/** What a row is judged by; one of `atMost` and `atLeast`. */
export interface Goal {
  atMost?: number;
  atLeast?: number;
  /** The value is a multiple of this row's median; without it, it is the row's own. */
  times?: string;
}

interface RowBasics {
  id: string;
  what: string;
  /** The row needs the page in Chromium, which is opened only if a chosen row does. */
  chromium?: boolean;
  goal?: Goal;
}

/** A command whose wall time is measured. */
export interface TimedRow extends RowBasics {
  kind: "timed";
  /** The command line; may run other commands first (say, a snapshot to get a ref from). */
  command: (stage: Stage) => string[] | Promise<string[]>;
  /** Runs once every so many rounds (1: each round). */
  every?: number;
  /** Divides the median, given the output of one run: say, the number of nodes in it. */
  per?: { unit: string; count: (out: string) => number; atLeast: number };
}

/** A number that is measured once: a saving in characters, a count of calls. */
export interface FigureRow extends RowBasics {
  kind: "figure";
  unit: string;
  measure: (stage: Stage) => number | Promise<number>;
}

export type Row = TimedRow | FigureRow;

/** A row's outcome. Times are milliseconds, `value` is what the goal speaks about. */
export interface Outcome {
  id: string;
  what: string;
  runs: number;
  median?: number;
  min?: number;
  p90?: number;
  peak_mib?: number;
  per?: { unit: string; count: number };
  value?: number;
  unit: string;
  goal?: string;
  pass?: boolean;
  error?: string;
}

/** Where rows run: the built program and a runner process on the desktop the bench is on. */
export class Stage {
  readonly program: string;
  readonly baseline: string;
  #made = new Map<string, unknown>();
  #runner: Deno.ChildProcess;
  #writer: WritableStreamDefaultWriter<Uint8Array>;
  #lines: ReadableStreamDefaultReader<string>;

  constructor(program: string, baseline: string) {
    this.program = program;
    this.baseline = baseline;
    this.#runner = new Deno.Command("/usr/bin/python3", {
      args: ["-E", "-s", "-B", "-u", `${import.meta.dirname}/runner.py`],
      stdin: "piped",
      stdout: "piped",
    }).spawn();
    this.#writer = this.#runner.stdin.getWriter();
    this.#lines = this.#runner.stdout.pipeThrough(new TextDecoderStream())
      .pipeThrough(lineStream()).getReader();
  }

  /** Runs `argv` once. @throws Error when it does not end with exit code 0. */
  async run(argv: string[], keep = false): Promise<Run> {
    await this.#writer.write(new TextEncoder().encode(JSON.stringify({ argv, keep }) + "\n"));
    const { value } = await this.#lines.read();
    if (value === undefined) throw new Error("the runner ended");
    const run: Run = JSON.parse(value);
    if (run.code !== 0) {
      const said = `${run.out ?? ""}${run.err ?? ""}`.trim().slice(0, 400);
      throw new Error(`${argv.join(" ").slice(0, 120)}: exit code ${run.code}: ${said}`);
    }
    return run;
  }

  /** Runs the program with `args` and returns what it printed. */
  async output(...args: string[]): Promise<string> {
    return (await this.run([this.program, ...args], true)).out ?? "";
  }

  /** What `make` returned the first time it was called for `key`. */
  once<T>(key: string, make: () => T): T {
    if (!this.#made.has(key)) this.#made.set(key, make());
    return this.#made.get(key) as T; // the key names one kind of value
  }

  async close(): Promise<void> {
    await this.#writer.close();
    await this.#lines.cancel();
    await this.#runner.status;
  }
}

function lineStream(): TransformStream<string, string> {
  let rest = "";
  return new TransformStream({
    transform(chunk, controller) {
      const parts = (rest + chunk).split("\n");
      rest = parts.pop() ?? "";
      for (const part of parts) controller.enqueue(part);
    },
  });
}

/** The value below which the given share (0..1) of the sorted numbers lies. */
function quantile(sorted: number[], share: number): number {
  const at = (sorted.length - 1) * share;
  const low = sorted[Math.floor(at)] ?? NaN;
  return low + ((sorted[Math.ceil(at)] ?? NaN) - low) * (at - Math.floor(at));
}

/**
 * Runs `rows` for `rounds` interleaved rounds, after one round that does not count.
 * A row that fails is left out of the further rounds and carries its `error`.
 */
export async function measure(stage: Stage, rows: Row[], rounds: number): Promise<Outcome[]> {
  const runs = new Map<string, Run[]>();
  const outcomes = new Map<string, Outcome>();
  for (const row of rows) {
    outcomes.set(row.id, {
      id: row.id,
      what: row.what,
      runs: 0,
      unit: row.kind === "figure" ? row.unit : "ms",
    });
  }
  const attempt = async (row: Row, work: (outcome: Outcome) => void | Promise<void>) => {
    const outcome = outcomes.get(row.id);
    if (outcome === undefined || outcome.error !== undefined) return;
    try {
      await work(outcome);
    } catch (error) {
      outcome.error = error instanceof Error ? error.message : String(error);
    }
  };

  for (let round = 0; round <= rounds; round++) {
    for (const row of rows) {
      if (row.kind !== "timed" || (round > 1 && round % (row.every ?? 1) !== 0)) continue;
      await attempt(row, async (outcome) => {
        const run = await stage.run(await row.command(stage), round === 0);
        if (round > 0) {
          runs.set(row.id, [...runs.get(row.id) ?? [], run]);
        } else if (row.per) {
          const count = row.per.count(run.out ?? "");
          if (count < row.per.atLeast) {
            throw new Error(`only ${count} ${row.per.unit}s, expected ${row.per.atLeast}`);
          }
          outcome.per = { unit: row.per.unit, count };
        }
      });
    }
  }
  for (const row of rows) {
    await attempt(row, async (outcome) => {
      if (row.kind === "figure") {
        outcome.value = await row.measure(stage);
        outcome.runs = 1;
      } else {
        summarise(outcome, runs.get(row.id) ?? []);
      }
    });
  }
  for (const row of rows) judge(row, outcomes);
  return [...outcomes.values()];
}

function summarise(outcome: Outcome, runs: Run[]): void {
  const times = runs.map((run) => run.ms).sort((a, b) => a - b);
  outcome.runs = times.length;
  outcome.median = quantile(times, 0.5);
  outcome.min = times[0];
  outcome.p90 = quantile(times, 0.9);
  outcome.peak_mib = Math.max(...runs.map((run) => run.peak_kib)) / 1024;
  outcome.value = outcome.per ? outcome.median / outcome.per.count : outcome.median;
  if (outcome.per) outcome.unit = `ms a ${outcome.per.unit}`;
}

function judge(row: Row, outcomes: Map<string, Outcome>): void {
  const outcome = outcomes.get(row.id);
  const goal = row.goal;
  if (outcome === undefined || goal === undefined) return;
  const bound = goal.atMost ?? goal.atLeast ?? NaN;
  const sign = goal.atMost !== undefined ? "≤" : "≥";
  outcome.goal = `${sign} ${bound}${goal.times ? ` × ${goal.times}` : ` ${outcome.unit}`}`;
  if (outcome.value === undefined) {
    outcome.pass = false;
    return;
  }
  if (goal.times !== undefined) {
    const base = outcomes.get(goal.times)?.median;
    if (base === undefined) {
      outcome.pass = false;
      outcome.error ??= `nothing to compare with: ${goal.times} was not measured`;
      return;
    }
    outcome.value /= base;
    outcome.unit = `× ${goal.times}`;
  }
  outcome.pass = goal.atMost !== undefined ? outcome.value <= bound : outcome.value >= bound;
}

/** The outcomes as a table for people. */
export function table(outcomes: Outcome[]): string {
  const round = (value?: number, digits = 1) => value === undefined ? "" : value.toFixed(digits);
  const lines = [["row", "runs", "median", "min", "p90", "peak MiB", "measured", "goal", ""]];
  for (const one of outcomes) {
    lines.push([
      one.what,
      String(one.runs),
      round(one.median),
      round(one.min),
      round(one.p90),
      round(one.peak_mib, 0),
      one.value === undefined || (!one.goal && one.median !== undefined && !one.per)
        ? ""
        : `${round(one.value, 2)} ${one.unit}`,
      one.goal ?? "",
      one.pass === undefined ? (one.error ? "FAILED" : "") : one.pass ? "pass" : "FAILED",
    ]);
  }
  const widths = lines[0]?.map((_, at) => Math.max(...lines.map((line) => line[at]?.length ?? 0)));
  const text = lines.map((line) =>
    line.map((cell, at) =>
      at === 0 ? cell.padEnd(widths?.[0] ?? 0) : cell.padStart(widths?.[at] ?? 0)
    )
      .join("  ").trimEnd()
  );
  const errors = outcomes.filter((one) => one.error).map((one) => `${one.id}: ${one.error}`);
  return ["times in milliseconds", ...text, ...errors].join("\n");
}
