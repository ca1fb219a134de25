/**
 * Applications that stall, answer late, leave, or change while they are read. Every command ends
 * by its own deadline, says that the application is the cause, and has done nothing it denies.
 */
import { assert, assertEquals, assertNotEquals } from "@std/assert";
import {
  describe,
  Desktop,
  nodeNamed,
  nodesOf,
  refOf,
  type Run,
  type TreeNode,
} from "./support/desktop.ts";
import { type App, startScripted } from "./support/apps.ts";
import { button, frame, GRACE_MS, snapshotOf, sound, toolbar } from "./support/scripted.ts";

const desktop = await Desktop.start();

/** What commands without a timeout flag allow themselves, in milliseconds. */
const OWN_LIMIT_MS = 5_000;
/** What the tests give commands that have the flag. */
const TIMEOUT_MS = 1_000;

const field = {
  id: "field",
  role: "entry",
  name: "Field",
  text: "words",
  editable: true,
};
const page = { windows: [frame([button("Save"), field, toolbar()])] };

/** Every kind of command on an application; those with the flag get `TIMEOUT_MS`. */
function commandsOn(app: string, ref: string, entry: string): string[][] {
  const timed = (...words: string[]) => [...words, "--timeout-ms", String(TIMEOUT_MS)];
  return [
    timed("snapshot", "--app", app),
    timed("snapshot", "--app", app, "--skeleton"),
    timed("snapshot", "--root", ref),
    timed("find", "--app", app, "--name", "Save"),
    ["get", ref],
    ["is", ref],
    ["list-surfaces", "--app", app],
    ["list-windows", "--app", app],
    timed("click", ref),
    timed("set-value", entry, "other"),
    timed("focus", ref),
    ["click", ref, "--timeout-ms", "0"],
  ];
}

/** The run failed because the application does not answer, in its time, and did nothing. */
function unresponsive(run: Run, command: readonly string[]): void {
  const { error } = sound(run);
  const told = `${command.join(" ")}: ${describe(run)}`;
  assert(error !== undefined, told);
  assert(["APP_UNRESPONSIVE", "TIMEOUT"].includes(error.code), told);
  assertEquals(error.disposition, { delivery: "not_delivered", retry: "safe" }, told);
  const flag = command.indexOf("--timeout-ms");
  const limit = flag < 0 ? OWN_LIMIT_MS : Number(command[flag + 1]) || OWN_LIMIT_MS;
  assert(run.wallMs < limit + GRACE_MS, told);
}

/** Runs all commands, a few at a time. */
async function runAll(commands: readonly string[][], check: typeof unresponsive): Promise<void> {
  const left = [...commands];
  await Promise.all(Array.from({ length: 4 }, async () => {
    for (let command = left.shift(); command !== undefined; command = left.shift()) {
      check(await desktop.run(...command), command);
    }
  }));
}

/** Takes a snapshot and gives the refs of the button and of the field. */
async function refs(app: App): Promise<[string, string]> {
  const { tree } = await snapshotOf(desktop, app.name);
  return [refOf(tree, "Save"), refOf(tree, "Field")];
}

const STALLS: [string, (app: App) => Promise<unknown>, (app: App) => Promise<unknown>][] = [
  ["keeps every question", (app) => app.control("stall"), (app) => app.control("release")],
  [
    "is stopped",
    (app) => Promise.resolve(app.signal("SIGSTOP")),
    (app) => Promise.resolve(app.signal("SIGCONT")),
  ],
];

for (const [what, stall, release] of STALLS) {
  Deno.test(`an application that ${what} holds no command past its deadline`, async () => {
    await using app = await startScripted(desktop, page);
    const [save, entry] = await refs(app);
    await stall(app);
    try {
      // By name (which it no longer tells) and by process id.
      await runAll(commandsOn(String(app.pid), save, entry), unresponsive);
      await runAll([
        ["snapshot", "--app", app.name, "--timeout-ms", String(TIMEOUT_MS)],
        ["snapshot", "--timeout-ms", String(TIMEOUT_MS)],
        ["list-surfaces"],
      ], unresponsive);
      const listed = await desktop.run("list-apps");
      const { apps } = sound(listed).data as { apps: { pid: number; presentation?: string }[] };
      const own = apps.find(({ pid }) => pid === app.pid);
      assert(own !== undefined && own.presentation === undefined, describe(listed));
      assertEquals(sound(await desktop.run("list-windows")).ok, true);
      const status = await desktop.run("status");
      assertEquals(sound(status).ok, true);
      assert(status.wallMs < GRACE_MS, "nothing of the application is asked");
    } finally {
      await release(app);
    }
    assertEquals(await app.ask("effects"), {});
    await desktop.ok("click", save);
    assertEquals(await app.ask("effects"), { "save DoAction": 1 });
  });
}

Deno.test("an application that stalls half-way: what was read is shown and marked", async () => {
  await using app = await startScripted(desktop, {
    windows: [frame([
      button("Before"),
      { id: "box", role: "panel", name: "Box", children: [button("Inside")] },
      button("After"),
    ])],
  });
  await app.control("stall", "*", "inside");
  const run = await desktop.run("snapshot", "--app", app.name, "--timeout-ms", "1000");
  const { tree, complete } = sound(run).data as unknown as { tree: TreeNode; complete: boolean };
  assertEquals(complete, false);
  assert(run.wallMs < 1_000 + GRACE_MS);
  refOf(tree, "Before");
  refOf(tree, "After");
  assertEquals([tree.subtree_truncated, nodeNamed(tree, "Box").subtree_truncated], [true, true]);
  // A drill shows all of its region or nothing.
  const box = await desktop.run("find", "--app", app.name, "--name", "Nowhere");
  assertEquals(sound(box).error?.code, "TIMEOUT");
});

Deno.test("an application that answers late, but in time, is read as any other", async () => {
  await using app = await startScripted(desktop, page);
  const prompt = await snapshotOf(desktop, app.name);
  await app.control("late", 250);
  for (const query of [app.name, String(app.pid)]) {
    const slow = await snapshotOf(desktop, query, "--timeout-ms", "15000");
    assertEquals(slow.complete, true);
    assertEquals(
      [...nodesOf(slow.tree)].map(({ role, name }) => [role, name]),
      [...nodesOf(prompt.tree)].map(({ role, name }) => [role, name]),
    );
    assertEquals(slow.ref_count, prompt.ref_count);
  }
  await desktop.ok("click", refOf(prompt.tree, "Save"), "--timeout-ms", "20000");
  assertEquals(await app.ask("effects"), { "save DoAction": 1 });
  // Later than the share of time that a list gives to everybody: still found.
  await app.control("clear");
  await app.control("late", 1_300, "Get:Name", "root");
  const late = await snapshotOf(desktop, app.name, "--timeout-ms", "10000");
  assertEquals(late.app, app.name);
});

for (
  const [what, rule] of [
    ["while its windows are listed", { node: "root", method: "GetChildren" }],
    ["at the first look at the window", { node: "win", method: "GetState" }],
    ["in the middle of the tree", { node: "row10", method: "GetRole" }],
    ["when the children are listed", { node: "list", method: "GetChildren" }],
  ] as const
) {
  Deno.test(`an application that leaves the bus ${what}`, async () => {
    const rows = { id: "row{i}", role: "list item", name: "Row {i}", repeat: 30 };
    await using app = await startScripted(desktop, {
      windows: [frame([{ id: "list", role: "list", name: "List", children: [rows] }, toolbar()])],
    });
    app.mayEnd = true;
    const last = refOf((await snapshotOf(desktop, app.name)).tree, "Last");
    await app.control("rule", JSON.stringify({ do: "vanish", ...rule }));
    const run = await desktop.run("snapshot", "--app", app.name, "--timeout-ms", "2000");
    const { data, error } = sound(run);
    assert(run.wallMs < 2_000 + GRACE_MS, describe(run));
    if (data !== undefined) assertEquals(data["complete"], false, describe(run));
    else {
      const codes = ["APP_NOT_FOUND", "WINDOW_NOT_FOUND", "APP_UNRESPONSIVE", "TIMEOUT"];
      assert(codes.includes(error!.code), describe(run));
    }
    // Joined again it is another application as far as refs go.
    await app.control("clear");
    await app.control("register");
    const stale = await desktop.fails("STALE_REF", "click", last, "--timeout-ms", "1000");
    assertEquals(stale.disposition, { delivery: "not_delivered", retry: "safe" });
    assertEquals(await app.ask("effects"), {});
  });
}

Deno.test("a process that ends, and its refs", async () => {
  await using app = await startScripted(desktop, page);
  app.mayEnd = true;
  const [save, entry] = await refs(app);
  app.signal("SIGKILL");
  await app.process.status;
  for (const [command, ...words] of commandsOn(app.name, save, entry)) {
    const run = await desktop.run(command!, ...words);
    const { error } = sound(run);
    const byRef = words.some((word) => word.startsWith("@"));
    const gone = words[0] === "--root" ? "WINDOW_NOT_FOUND" : "STALE_REF";
    assertEquals(error?.code, byRef ? gone : "APP_NOT_FOUND", describe(run));
  }
});

Deno.test("a page replaced half-way through the reading: no ref of the old acts on the new", async () => {
  const content = (generation: string) => ({
    id: `page-${generation}`,
    path: "/org/a11y/atspi/accessible/page",
    role: "panel",
    name: `Page ${generation}`,
    children: [1, 2, 3].map((i) => ({
      id: `${generation}${i}`,
      // The new page's elements are behind the same object paths.
      path: `/org/a11y/atspi/accessible/item${i}`,
      role: "push button",
      name: `${generation} ${i}`,
      actions: [{ name: "click" }],
    })),
  });
  for (
    const moment of [
      { node: "page-old", method: "GetChildren" },
      { node: "old1", method: "GetRole" },
      { node: "old2", method: "GetState" },
      { node: "old3", method: "Action.GetName" },
    ]
  ) {
    await using app = await startScripted(desktop, {
      windows: [frame([content("old"), toolbar()])],
    });
    const rule = {
      do: "run",
      ...moment,
      times: 1,
      commands: [
        ["replace", "page-old", content("new")],
      ],
    };
    await app.control("rule", JSON.stringify(rule));
    const snapshot = await snapshotOf(desktop, app.name);
    const seen = [...nodesOf(snapshot.tree)].filter(({ name }) => /^(old|new) \d/.test(name ?? ""));
    const expected: Record<string, number> = {};
    for (const { ref_id, name } of seen) {
      const run = await desktop.run("click", ref_id!, "--timeout-ms", "1500");
      const { error } = sound(run);
      const told = `${moment.method} ${name}: ${describe(run)}`;
      if (name!.startsWith("old")) assertEquals(error?.code, "STALE_REF", told);
      if (error !== undefined) assertEquals(error.disposition.delivery, "not_delivered", told);
      else expected[`${name!.replace(" ", "")} DoAction`] = 1;
    }
    assertEquals(await app.ask("effects"), expected);
    const fresh = await snapshotOf(desktop, app.name);
    assertNotEquals(fresh.snapshot_id, snapshot.snapshot_id);
    assertEquals(nodeNamed(fresh.tree, "Page new").children?.length, 3);
  }
});
