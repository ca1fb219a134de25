/**
 * Applications that refuse, ignore, delay or lose what they are told to do, and elements without
 * a place: nothing is sent twice, nothing is called done that was not, and the verdict on trying
 * again is right.
 */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { type Data, describe, Desktop, nodeNamed, refOf, type Run } from "./support/desktop.ts";
import { type App, type ScriptedNode, startScripted } from "./support/apps.ts";
import { button, frame, GRACE_MS, snapshotOf, sound, USABLE } from "./support/scripted.ts";

const desktop = await Desktop.start();

const page: ScriptedNode[] = [
  button("Save", {
    actions: [{ name: "click", effect: ["set save description saved"] }],
  }),
  {
    id: "check",
    role: "check box",
    name: "Check",
    actions: [{ name: "toggle", effect: ["toggle-state check checked"] }],
  },
  { id: "field", role: "entry", name: "Field", text: "old", editable: true },
  {
    id: "slider",
    role: "slider",
    name: "Slider",
    value: { min: 0, max: 10, current: 2 },
  },
  {
    id: "list",
    role: "list box",
    name: "List",
    selection: true,
    children: ["One", "Two"].map((name) => ({
      id: name.toLowerCase(),
      role: "list item",
      name,
      states: ["selectable", ...USABLE],
    })),
  },
];

/** Starts the page and takes a snapshot; refs by name. */
async function start(): Promise<{ app: App; ref: (name: string) => string }> {
  const app = await startScripted(desktop, { windows: [frame(page)] });
  const { tree } = await snapshotOf(desktop, app.name);
  return { app, ref: (name) => refOf(tree, name) };
}

/** One mutation: how it is asked for, the call it makes, and the effect that is counted. */
interface Mutation {
  command: (ref: (name: string) => string) => string[];
  method: string;
  effect: string;
}
const MUTATIONS: Mutation[] = [
  {
    command: (ref) => ["click", ref("Save")],
    method: "DoAction",
    effect: "save DoAction",
  },
  {
    command: (ref) => ["check", ref("Check")],
    method: "DoAction",
    effect: "check DoAction",
  },
  {
    command: (ref) => ["set-value", ref("Field"), "new"],
    method: "SetTextContents",
    effect: "field SetTextContents",
  },
  {
    command: (ref) => ["type", ref("Field"), "new"],
    method: "InsertText",
    effect: "field InsertText",
  },
  {
    command: (ref) => ["set-value", ref("Slider"), "7"],
    method: "Value.Set:CurrentValue",
    effect: "slider SetCurrentValue",
  },
  {
    command: (ref) => ["select", ref("List"), "Two"],
    method: "SelectChild",
    effect: "list SelectChild",
  },
];
const TIMEOUT_MS = 1_200;

/** Runs a command. While another program of the user delivers input, that is waited for. */
async function act(...words: string[]): Promise<Run> {
  for (let tries = 0;; tries++) {
    const run = await desktop.run(...words, "--timeout-ms", String(TIMEOUT_MS));
    const { error } = sound(run);
    const details = error?.details as { kind?: string; auto_wait?: Data } | undefined;
    const waited = details?.auto_wait?.["lease_contention_count"] as number | undefined ?? 0;
    const busy = details?.kind === "interaction_lease" || waited > 0;
    if (!busy || error!.disposition.delivery !== "not_delivered" || tries === 9) return run;
  }
}

/** Runs one mutation under a rule on its call; gives the run and how often it took effect. */
async function under(
  { command, method, effect }: Mutation,
  rule: Data,
): Promise<{ run: Run; count: number; calls: number }> {
  const { app, ref } = await start();
  await using _ = app;
  await app.control("rule", JSON.stringify({ ...rule, method }));
  const run = await act(...command(ref));
  assert(run.wallMs < 3 * TIMEOUT_MS + GRACE_MS, describe(run));
  const late = (rule["ms"] as number | undefined) ?? 0;
  if (late > TIMEOUT_MS) await new Promise((resolve) => setTimeout(resolve, late));
  const counts = await app.ask<Record<string, number>>("effects");
  const { [effect]: count = 0, ...others } = counts;
  // To be brought into view or into focus, or to have the caret moved, is no mutation.
  const further = Object.keys(others).filter((key) =>
    !/(ScrollTo|GrabFocus|SetCaretOffset)/.test(key)
  );
  assertEquals(further, [], describe(run));
  const made = await app.ask<Record<string, Record<string, number>>>("calls");
  const name = method.includes(".") ? method : `.${method}`;
  const calls = Object.values(made).flatMap((methods) => Object.entries(methods))
    .filter(([key]) => key.endsWith(name)).reduce((sum, [, times]) => sum + times, 0);
  return { run, count, calls };
}

/** The verdict of a run: error code, delivery and whether trying again is safe. */
function verdict(run: Run): { code: string | undefined; delivery: string; retry: string } {
  const { error, data } = run.envelope!;
  const disposition = error?.disposition ?? data!["disposition"] as Data;
  const { delivery, retry } = disposition as { delivery: string; retry: string };
  return { code: error?.code, delivery, retry };
}

/**
 * An action that is not answered while the application answers everything else runs in its handler (a
 * modal dialog does): that is told, and is a success only as far as the effect was read back.
 */
function runsInHandler(method: string, run: Run): boolean {
  const { ok, data } = run.envelope!;
  if (!ok || !method.includes("DoAction")) return false;
  assertEquals((data!["details"] as Data)["handler_running"], true, describe(run));
  const { delivery } = data!["disposition"] as { delivery: string };
  const seen = (data!["post_state"] as { states?: string[] } | undefined)?.states ?? [];
  assertEquals(
    delivery,
    seen.includes("checked") ? "delivered_verified" : "delivered_unverified",
    describe(run),
  );
  return true;
}

for (const mutation of MUTATIONS) {
  const { method } = mutation;
  const what = mutation.effect;

  Deno.test(`${what}: refused by false is a failure that changed nothing`, async () => {
    const { run, count, calls } = await under(mutation, { do: "false" });
    if (method.includes("Set:")) return; // setting a property has no answer that says false
    const found = verdict(run);
    assertEquals(found, { code: "ACTION_FAILED", delivery: "not_delivered", retry: "safe" });
    assertEquals([count, calls], [0, 1], describe(run));
  });

  Deno.test(`${what}: an answer that never comes is no success, and nothing is sent again`, async () => {
    const { run, count, calls } = await under(mutation, { do: "lose" });
    const { code, delivery, retry } = verdict(run);
    assertEquals([count, calls], [1, 1], describe(run));
    assertEquals(retry, "unsafe");
    if (runsInHandler(method, run)) return;
    assert(["APP_UNRESPONSIVE", "TIMEOUT"].includes(code!), describe(run));
    assert(["delivery_uncertain", "delivered_unverified"].includes(delivery), describe(run));
  });

  Deno.test(`${what}: kept and carried out after the deadline: counted once, retry unsafe`, async () => {
    const ms = TIMEOUT_MS * 2;
    const { run, count } = await under(mutation, { do: "late", ms, effect: "after" });
    const { code, retry } = verdict(run);
    assertEquals(count, 1, describe(run));
    assertEquals(retry, "unsafe", describe(run));
    assert(runsInHandler(method, run) || code !== undefined, describe(run));
  });

  Deno.test(`${what}: an answer that comes late, but in time, is a success`, async () => {
    const { run, count, calls } = await under(mutation, { do: "late", ms: 150 });
    assertEquals(run.envelope!.ok, true, describe(run));
    assertEquals([count, calls], [1, 1], describe(run));
  });

  Deno.test(`${what}: an error for an answer, before the effect and after it`, async () => {
    const answers = [
      ["UnknownMethod", "none", "safe"],
      ["Failed", "before", "unsafe"],
      ["UnknownObject", "none", "safe"],
      ["NoReply", "before", "unsafe"],
      ["odd.Name", "before", "unsafe"],
    ];
    // All of them once; of the other calls it is enough to see that they go the same way.
    for (const [error, effect, retry] of what.startsWith("save") ? answers : answers.slice(0, 2)) {
      const { run, count, calls } = await under(mutation, { do: "error", error, effect });
      const found = verdict(run);
      assertEquals(found.retry, retry, `${error}: ${describe(run)}`);
      assert(found.code !== undefined, describe(run));
      assertEquals([count, calls], [effect === "before" ? 1 : 0, 1], describe(run));
    }
  });

  Deno.test(`${what}: an application that goes away instead of answering`, async () => {
    const { app, ref } = await start();
    await using _ = app;
    app.mayEnd = true;
    const words = mutation.command(ref);
    await app.control("rule", JSON.stringify({ do: "vanish", method }));
    const run = await act(...words);
    assertEquals(run.envelope!.error?.disposition.retry, "unsafe", describe(run));
  });
}

Deno.test("what is acknowledged but not done is delivered, and not called verified", async () => {
  for (const mutation of MUTATIONS.filter(({ method }) => /Set|Insert/.test(method))) {
    const { run, count, calls } = await under(mutation, { do: "ignore" });
    const { error } = run.envelope!;
    assertEquals(error?.code, "ACTION_FAILED", describe(run));
    assertEquals(error!.disposition, { delivery: "delivered_unverified", retry: "unsafe" });
    assertEquals(error!.details?.["kind"], "post_action_verification");
    assertEquals([count, calls], [0, 1]);
  }
  // A check box that says yes and stays as it is.
  const { run } = await under(MUTATIONS[1]!, { do: "ignore" });
  assertEquals(verdict(run).code, "ACTION_FAILED", describe(run));
  assertEquals(verdict(run).retry, "unsafe");
});

Deno.test("a disabled or covered look-alike is not acted on in the place of what went", async () => {
  const { app, ref } = await start();
  await using _ = app;
  const save = ref("Save");
  const impostor = button("Delete", { id: "delete", path: "/org/a11y/atspi/accessible/save" });
  await app.control("replace", "save", JSON.stringify(impostor));
  const run = await desktop.run("click", save, "--timeout-ms", "1000");
  assertEquals(verdict(run), { code: "STALE_REF", delivery: "not_delivered", retry: "safe" });
  assertEquals(await app.ask("effects"), {});
});

// -- elements without a place -----------------------------------------------------------------

const INT_MIN = -2147483648;
const INT_MAX = 2147483647;
const NOWHERE: [number, number, number, number][] = [
  [INT_MIN, INT_MIN, INT_MIN, INT_MIN],
  [INT_MIN, INT_MIN, 10, 10],
  [INT_MIN, 5, 10, 10],
  [5, INT_MIN, 10, 10],
  [-1, -1, -1, -1],
  [-1, -1, 10, 10],
  [10, 10, -1, -1],
  [10, 10, 0, 0],
  [10, 10, 0, 20],
  [10, 10, 20, INT_MIN],
  [10, 10, INT_MAX, INT_MAX],
  [0, 0, INT_MAX, 1],
];
/** Coordinates that are printed at all. */
const LIMIT = 10_000_000;
/** Far outside of any screen: a place, but none a pointer gets to. */
const FAR: [number, number, number, number][] = [
  [INT_MAX, INT_MAX, 10, 10],
  [INT_MAX - 5, 10, 100, 20],
  [-2147480000, -2147480000, 10, 10],
  [65_536 + 20, 65_536 + 20, 10, 10],
  [-65_536 + 20, 20, 10, 10],
];

Deno.test("sentinels for no place are no bounds, and no pointer goes where no screen is", async () => {
  const all = [...NOWHERE, ...FAR];
  await using app = await startScripted(desktop, {
    windows: [frame([
      ...all.map((extents, i) => button(`B${i}`, { extents })),
      button("Normal", { extents: [100, 100, 50, 20] }),
    ])],
  });
  const { tree } = await snapshotOf(desktop, app.name, "--include-bounds");
  assertEquals(nodeNamed(tree, "Normal").bounds, { x: 100, y: 100, width: 50, height: 20 });
  const pointer = async () => {
    const said = await desktop.output("/usr/bin/xdotool", "getmouselocation");
    return said.split(" ").slice(0, 2).join(" ");
  };
  const hasXdotool = await desktop.command("/usr/bin/xdotool", { args: ["version"] }).output()
    .then(({ success }) => success, () => false);
  const before = hasXdotool ? await pointer() : "";
  for (const [i, [x, y, width, height]] of all.entries()) {
    const node = nodeNamed(tree, `B${i}`);
    const told = `${[x, y, width, height]}`;
    if (i < NOWHERE.length) {
      assertEquals(node.bounds, undefined, told);
      const bounds = await desktop.ok("get", node.ref_id!, "--property", "bounds");
      assertEquals(bounds["value"], null, told);
      const visible = await desktop.ok("is", node.ref_id!, "--property", "visible");
      assertEquals(visible["result"], false, told);
    } else if (node.bounds !== undefined) {
      assertEquals(node.bounds, { x, y, width, height }, told);
    } else assert(Math.abs(x) > LIMIT || Math.abs(y) > LIMIT, told);
    if (node.ref_id === undefined) {
      assert(i >= NOWHERE.length, told);
      continue;
    }
    // Each waits long for a focus that this application's window cannot get: a few of each kind do.
    if (i % NOWHERE.length > 1) continue;
    for (const command of ["hover", "double-click"]) {
      const run = await desktop.run(command, node.ref_id!, "--headed", "--timeout-ms", "0");
      const { error } = sound(run);
      assert(error !== undefined, `${told}: ${describe(run)}`);
      assertEquals(error.disposition, { delivery: "not_delivered", retry: "safe" }, told);
      assertMatch(error.code, /^(ACTION_FAILED|ACTION_NOT_SUPPORTED|APP_UNRESPONSIVE|TIMEOUT)$/);
    }
  }
  if (hasXdotool) assertEquals(await pointer(), before, "the pointer has not moved");
  assertEquals(await app.ask("effects"), {});
});
