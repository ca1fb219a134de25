/**
 * Containers that claim 2,147,483,647 children, as a sheet of LibreOffice does: no command ever
 * asks for all of them, and none asks many questions about them.
 */
import { assert, assertEquals } from "@std/assert";
import { NAMES, usesDesktop } from "../../src/commands/catalogue.ts";
import { type App, type ScriptedNode, startScripted } from "./support/apps.ts";
import { Desktop, nodesOf } from "./support/desktop.ts";
import { button, frame, snapshotOf, sound, toolbar, USABLE } from "./support/scripted.ts";

const desktop = await Desktop.start();
const COUNT = 2_147_483_647;
// A screen of a sheet is read, and a search reads each of its cells; that is a few thousand.
const MAX_QUESTIONS = 12_000;

const ROLES = ["table", "list", "list box", "combo box", "menu", "tree", "scroll pane", "panel"];

/** One endless container of each kind that a command treats in its own way. */
function endless(role: string): ScriptedNode {
  const id = `endless-${role.replace(" ", "-")}`;
  const states = [...USABLE, "focusable", "selectable", "expandable", "manages descendants"];
  const more = role === "table" ? { table: { rows: 1_048_576, columns: 2_048 } } : {};
  return {
    id,
    role,
    name: id,
    states,
    actions: [{ name: "click" }, { name: "expand or contract" }],
    selection: true,
    child_count: COUNT,
    virtual: 20,
    extents: [10, 10 + 60 * ROLES.indexOf(role), 400, 50],
    ...more,
  };
}

const start = () =>
  startScripted(desktop, { windows: [frame([...ROLES.map(endless), toolbar()])] }, {
    name: "endless",
  });

/** Every call made to any element since `forget`, by element and method. */
type Calls = Record<string, Record<string, number>>;

async function assertBounded(app: App, what: string): Promise<void> {
  const calls = await app.ask<Calls>("calls");
  let total = 0;
  for (const [node, methods] of Object.entries(calls)) {
    if (node.startsWith("endless-")) {
      assertEquals(methods["Accessible.GetChildren"], undefined, `${what}: all of ${node}`);
    }
    total += Object.values(methods).reduce((sum, count) => sum + count, 0);
  }
  assert(total <= MAX_QUESTIONS, `${what}: ${total} questions`);
}

type Args = (ref: string, app: string) => string[];
const onRef = (...more: string[]): Args => (ref) => [ref, ...more, "--timeout-ms", "300"];
const onApp = (...more: string[]): Args => (_, app) => ["--app", app, ...more];

/** Arguments of each command that reads or operates an application's elements or windows. */
const ARGS: Readonly<Record<string, Args>> = {
  "snapshot": onApp(),
  "find": onApp("--role", "cell"),
  "get": (ref) => [ref],
  "is": (ref) => [ref],
  "list-apps": () => [],
  "list-windows": onApp(),
  "list-surfaces": onApp(),
  "type": onRef("text"),
  "set-value": onRef("text"),
  "select": onRef("B1"),
  "scroll": onRef("--direction", "down"),
  "press": onApp("escape", "--headed"),
  "hover": (ref) => [ref, "--headed"],
  "drag": (ref) => ["--from", ref, "--to", ref, "--headed"],
  "screenshot": onApp("--mark"),
  "focus-window": onApp("--headed"),
  "resize-window": onApp("--width", "1200", "--height", "800"),
  "move-window": onApp("--x", "0", "--y", "0"),
  "minimize": onApp(),
  "maximize": onApp(),
  "restore": onApp(),
};
for (
  const command of [
    ...["click", "double-click", "triple-click", "right-click", "clear", "focus"],
    ...["toggle", "check", "uncheck", "expand", "collapse", "scroll-to"],
  ]
) (ARGS as Record<string, Args>)[command] = onRef();

// These look at no application's elements, or start or end one.
const ELSEWHERE =
  /^(key-|mouse-|clipboard-|launch|close-app|list-displays|wait|batch|status|permissions)/;

Deno.test("every command that looks at elements is tried", () => {
  const meant = NAMES.filter((name) => usesDesktop(name) && !ELSEWHERE.test(name));
  assertEquals(Object.keys(ARGS).sort(), [...meant].sort());
});

Deno.test("no command asks a container of 2^31-1 children for all of them", async () => {
  await using app = await start();
  const { tree } = await snapshotOf(desktop, app.name);
  const containers = [...nodesOf(tree)].filter((node) => node.name?.startsWith("endless-"));
  const refs = containers.flatMap(({ ref_id }) => ref_id ?? []);
  assert(refs.length >= 5, "containers have refs");
  const table = containers.find((node) => node.role === "table")!.ref_id!;
  const attempt = async (command: string, args: string[]) => {
    await app.control("reset");
    const { data } = sound(await desktop.run(command, ...args));
    await assertBounded(app, `${command} ${args.join(" ")}`);
    return data;
  };
  for (const [command, args] of Object.entries(ARGS)) {
    const perRef = args("REF", app.name).includes("REF");
    for (const ref of perRef ? refs : [""]) await attempt(command, args(ref, app.name));
    const headless = args(table, app.name);
    if (perRef && !headless.includes("--headed")) await attempt(command, [...headless, "--headed"]);
  }
});

Deno.test("an application that claims 2^31-1 windows is not asked for them", async () => {
  await using app = await startScripted(
    desktop,
    { windows: [frame([button("In")])] },
    { name: "endless-windows" },
  );
  const counted = { variant: ["i", COUNT] };
  const rule = { do: "reply", node: "root", method: "Get:ChildCount", signature: "v" };
  await app.control("rule", JSON.stringify({ ...rule, values: [counted] }));
  await app.control("reset");
  for (const command of ["snapshot", "list-windows", "list-surfaces", "find"]) {
    const more = command === "find" ? ["--role", "button"] : [];
    sound(await desktop.run(command, "--app", "endless-windows", ...more));
  }
  const calls = await app.ask<Record<string, number>>("calls", "root");
  assert(Object.keys(calls).some((name) => name.endsWith("ChildCount")), JSON.stringify(calls));
  assertEquals(calls["Accessible.GetChildren"], undefined);
});
