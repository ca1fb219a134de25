/**
 * Every command on every matching control of every toolkit, headless and headed. How each call
 * ended is compared with the table in docs/toolkits.md, and the effect with the application's own
 * status label. UPDATE_TOOLKITS=1 writes the table instead.
 */
import { assertEquals } from "@std/assert";
import {
  type App,
  poll,
  startGtk3,
  startGtk4,
  startQt,
  startScene,
  startWeb,
} from "./support/apps.ts";
import { type Outcome, type Trial, trialName, TRIALS } from "./support/controls.ts";
import { Desktop, type Envelope, nodesOf, ROOT, type TreeNode } from "./support/desktop.ts";

const DOCUMENT = `${ROOT}docs/toolkits.md`;
const UPDATE = Deno.env.get("UPDATE_TOOLKITS") === "1";
const TOOLKITS: [string, (desktop: Desktop) => Promise<App>][] = [
  ["GTK 3", startGtk3],
  ["GTK 4", startGtk4],
  ["Qt 5", startQt],
  ["Chromium", startWeb],
];

for (const [toolkit, start] of TOOLKITS) {
  for (const mode of ["headless", "headed"] as const) {
    Deno.test(`${toolkit}, ${mode}: every command on every control does what it reports`, async () => {
      await using desktop = await Desktop.start();
      await using app = await start(desktop);
      // Headless actions must work on a window in the background, and leave it there.
      await using _front = mode === "headless"
        ? await startScene(desktop, "three-buttons")
        : undefined;
      const before = await pointerAndFocus(desktop);
      const outcomes = new Map<string, Outcome>();
      for (const trial of TRIALS) {
        outcomes.set(trialName(trial), await make(desktop, app, trial, mode));
      }
      if (mode === "headless") {
        assertEquals(await pointerAndFocus(desktop), before, "pointer and focus stay");
      }
      const column = await columnOf(desktop, toolkit, mode);
      if (UPDATE) return updateColumn(column, outcomes);
      const documented = readColumn(column);
      for (const [name, outcome] of outcomes) {
        assertEquals(outcome, documented.get(name), `${toolkit}, ${mode}: ${name}`);
      }
      assertEquals([...documented.keys()], [...outcomes.keys()]);
    });
  }
}

/** The column of a toolkit and mode; GTK 4 has one for each of the releases that differ. */
async function columnOf(desktop: Desktop, toolkit: string, mode: string): Promise<number> {
  const { header } = tableLines(Deno.readTextFileSync(DOCUMENT));
  const found = header.indexOf(`${toolkit} ${mode}`);
  if (found >= 0) return found;
  const version = "import gi; gi.require_version('Gtk', '4.0'); from gi.repository import Gtk; " +
    "print(Gtk.get_minor_version())";
  const { stdout } = await desktop.command("/usr/bin/python3", { args: ["-c", version] }).output();
  const minor = Number(new TextDecoder().decode(stdout));
  const column = header.indexOf(`${toolkit}.${minor < 10 ? 8 : 18} ${mode}`);
  if (column < 0) throw new Error(`no column for ${toolkit}.${minor} ${mode}`);
  return column;
}

/** Where the pointer is and which window has the focus, asked of the X server. */
async function pointerAndFocus(desktop: Desktop): Promise<string> {
  const ask = async (...args: string[]) => {
    const { stdout } = await desktop.command("xdotool", { args }).output();
    return new TextDecoder().decode(stdout);
  };
  return await ask("getmouselocation", "--shell") + await ask("getactivewindow");
}

/** Makes one trial and checks that its effect is there exactly when the answer says so. */
async function make(
  desktop: Desktop,
  app: App,
  trial: Trial,
  mode: "headless" | "headed",
): Promise<Outcome> {
  const headed = mode === "headed" ? ["--headed"] : [];
  for (const words of trial.before ?? []) await app.control(...words);
  const ref = await findRef(desktop, app, trial);
  if (ref === undefined) return "–";
  const { label, text } = trial;
  const old = label === undefined ? "" : await app.label(label);
  const patience = trial.control === "Disabled" ? "600" : "4000";
  const args = [ref, ...trial.args ?? [], "--timeout-ms", patience, ...headed];
  const run = await desktop.run(trial.command, ...args);
  const outcome = outcomeOf(run.envelope);
  if (label !== undefined) {
    const sent = outcome === "verified" || outcome === "sent";
    let now = "";
    await poll(sent ? 2_000 : 0, async () => {
      now = await app.label(label);
      return sent && (text === undefined ? now !== old : now === text);
    });
    const name = `${trialName(trial)}: ${run.stdout}`;
    if (!sent) assertEquals(now, old, name);
    else if (text !== undefined) assertEquals(now, text, name);
    else if (now === old) throw new Error(`no effect of ${name}`);
  }
  if (trial.close !== undefined && mode === "headed") {
    await desktop.run("press", trial.close, "--app", app.name, "--headed");
  }
  return outcome;
}

/** The nodes of the last snapshot; refs go on working, so a new one is taken only when needed. */
const seen = new WeakMap<App, TreeNode[]>();

/** The control's ref; of several with its name the one that offers something. */
async function findRef(desktop: Desktop, app: App, trial: Trial): Promise<string | undefined> {
  const known = refAmong(seen.get(app) ?? [], trial);
  if (known !== undefined) return known;
  const { tree } = await desktop.snapshot("--app", app.name, "--max-depth", "50");
  const nodes = [...nodesOf(tree)];
  seen.set(app, nodes);
  return refAmong(nodes, trial);
}

function refAmong(nodes: readonly TreeNode[], trial: Trial): string | undefined {
  const named = nodes.filter((node) =>
    node.name === trial.control && node.ref_id !== undefined &&
    (trial.role === undefined || node.role === trial.role)
  );
  return (named.find((node) => node.available_actions !== undefined) ?? named[0])?.ref_id;
}

function outcomeOf(envelope: Envelope | undefined): Outcome {
  if (envelope === undefined) return "no answer";
  if (!envelope.ok) {
    const { code, disposition } = envelope.error!;
    return disposition.delivery === "not_delivered" ? code : `${code}, ${disposition.delivery}`;
  }
  const { delivery } = envelope.data!["disposition"] as { delivery: string };
  return { delivered_verified: "verified", delivered_unverified: "sent" }[delivery] ?? "nothing";
}

/** The lines of the table, each as its cells. */
function tableLines(
  text: string,
): { start: number; end: number; header: string[]; rows: string[][] } {
  const lines = text.split("\n");
  const start = lines.findIndex((line) => line.startsWith("| command and control "));
  if (start < 0) throw new Error("no table in docs/toolkits.md");
  let end = start;
  while (lines[end]?.startsWith("|")) end++;
  const cells = (line: string) => line.split("|").slice(1, -1).map((cell) => cell.trim());
  return { start, end, header: cells(lines[start]!), rows: lines.slice(start + 2, end).map(cells) };
}

function readColumn(column: number): Map<string, Outcome> {
  const { rows } = tableLines(Deno.readTextFileSync(DOCUMENT));
  return new Map(rows.map((cells) => [cells[0]!, cells[column]!]));
}

function updateColumn(column: number, outcomes: ReadonlyMap<string, Outcome>): void {
  const text = Deno.readTextFileSync(DOCUMENT);
  const lines = text.split("\n");
  const { start, end, header, rows } = tableLines(text);
  const old = new Map(rows.map((cells) => [cells[0]!, cells]));
  const updated = [...outcomes].map(([name, outcome]) => {
    const cells = old.get(name) ?? [name, ...header.slice(1).map(() => "")];
    cells[column] = outcome;
    return `| ${cells.join(" | ")} |`;
  });
  lines.splice(start + 2, end - start - 2, ...updated);
  Deno.writeTextFileSync(DOCUMENT, lines.join("\n"));
}
