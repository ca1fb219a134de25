/**
 * An application that answers late, wrongly or not at all: whatever it does, one call has at most
 * one effect, and "may be repeated" is never said when there may have been one.
 */
import { assert, assertEquals } from "@std/assert";
import { type App, poll, startScripted } from "./support/apps.ts";
import { Desktop, type Envelope, refOf } from "./support/desktop.ts";

const desktop = await Desktop.start();

const TREE = {
  windows: [{
    id: "win",
    role: "frame",
    name: "Main",
    states: ["active", "enabled", "sensitive", "showing", "visible"],
    children: [
      { id: "save", role: "push button", name: "Save", actions: [{ name: "click" }] },
      {
        id: "line",
        role: "text",
        name: "Line",
        actions: [{ name: "deleteLine" }, { name: "insertLine" }],
      },
      { id: "doom", role: "push button", name: "Doom", actions: [{ name: "delete" }] },
      {
        id: "default",
        role: "push button",
        name: "Default",
        actions: [{ name: "doDefault" }, { name: "showContextMenu" }],
      },
      {
        id: "field",
        role: "entry",
        name: "Field",
        text: "old",
        editable: true,
        states: ["editable", "enabled", "focusable", "sensitive", "showing", "visible"],
      },
      {
        id: "level",
        role: "slider",
        name: "Level",
        value: { min: 0, max: 10, current: 3, increment: 1 },
      },
      {
        id: "list",
        role: "list box",
        name: "List",
        selection: true,
        children: [
          {
            id: "one",
            role: "list item",
            name: "One",
            states: ["enabled", "selectable", "sensitive", "showing", "visible"],
          },
        ],
      },
      {
        id: "option",
        role: "check box",
        name: "Option",
        actions: [{ name: "toggle", effect: ["toggle-state option checked"] }],
      },
    ],
  }],
};

async function refs(app: App): Promise<(name: string) => string> {
  const { tree } = await desktop.snapshot("--app", app.name);
  return (name) => refOf(tree, name);
}

const effects = (app: App) => app.ask<Record<string, number>>("effects");

/** The mutating calls: command, control, arguments, native method, node, event in the log. */
const MUTATIONS: [string, string, string[], string, string, string][] = [
  ["click", "Save", [], "DoAction", "save", "DoAction"],
  ["set-value", "Field", ["new"], "SetTextContents", "field", "SetTextContents"],
  ["type", "Field", ["new"], "InsertText", "field", "InsertText"],
  ["clear", "Field", [], "SetTextContents", "field", "SetTextContents"],
  ["set-value", "Level", ["7"], "Set:CurrentValue", "level", "SetCurrentValue"],
  ["select", "List", ["One"], "SelectChild", "list", "SelectChild"],
  ["check", "Option", [], "DoAction", "option", "DoAction"],
];

/** Ways to answer, and whether the call had its effect all the same. */
const WAYS: [string, Record<string, unknown>, boolean][] = [
  ["answers late", { do: "late", ms: 300 }, true],
  ["never answers, after the effect", { do: "lose" }, true],
  ["stalls", { do: "stall" }, false],
  ["answers with an error, without the effect", { do: "error", error: "Failed" }, false],
  [
    "answers with an error, after the effect",
    { do: "error", error: "Failed", effect: "before" },
    true,
  ],
  ["answers with the wrong type", { do: "wrong-type" }, true],
];

for (const [way, rule, effect] of WAYS) {
  Deno.test(`an application that ${way}: at most one effect, and an honest verdict`, async () => {
    await using app = await startScripted(desktop, TREE);
    for (const [command, control, args, method, node, event] of MUTATIONS) {
      const ref = (await refs(app))(control);
      await app.control("reset");
      await app.control("rule", JSON.stringify({ ...rule, node, method }));
      const run = await desktop.run(command, ref, ...args, "--timeout-ms", "900");
      await app.control("release");
      await app.control("clear");
      const name = `${command} ${control}: ${run.stdout}`;
      await app.settle();
      const count = (await effects(app))[`${node} ${event}`] ?? 0;
      assert(count <= 1, name);
      assertEquals(run.timedOut, false, name);
      const envelope = run.envelope!;
      // A call that was sent may have its effect at any later time: it is never safe to repeat.
      if (effect || rule["do"] === "stall") assertEquals(count, 1, name);
      if (count === 1) assertEquals(retryOf(envelope), "unsafe", name);
      if (!envelope.ok) assert(envelope.error!.suggestion !== undefined, name);
    }
  });
}

function retryOf(envelope: Envelope): string {
  return envelope.ok
    ? (envelope.data!["disposition"] as { retry: string }).retry
    : envelope.error!.disposition.retry;
}

Deno.test("an application that refuses an action: not delivered, safe to repeat", async () => {
  await using app = await startScripted(desktop, TREE);
  const ref = await refs(app);
  for (const [command, control, args, method, node] of MUTATIONS) {
    if (method.startsWith("Set:")) continue; // a property has no answer to say no with
    await app.control("rule", JSON.stringify({ do: "false", node, method }));
    const error = await desktop.fails("ACTION_FAILED", command, ref(control), ...args);
    assertEquals(error.disposition, { delivery: "not_delivered", retry: "safe" });
    await app.control("clear");
  }
  assertEquals(await effects(app), {});
});

Deno.test("an application that says yes and does nothing is found out", async () => {
  await using app = await startScripted(desktop, TREE);
  const ref = await refs(app);
  for (const [command, control, args, method, node] of MUTATIONS) {
    if (command === "click" || command === "select" || control === "Level") continue;
    await app.control("rule", JSON.stringify({ do: "ignore", node, method }));
    const error = await desktop.fails("ACTION_FAILED", command, ref(control), ...args);
    assertEquals(error.details!["kind"], "post_action_verification", command);
    assertEquals(error.disposition, { delivery: "delivered_unverified", retry: "unsafe" });
  }
});

Deno.test("an application that leaves the bus while it acts: unsafe to repeat", async () => {
  await using app = await startScripted(desktop, TREE);
  app.mayEnd = true;
  const ref = await refs(app);
  await app.control("rule", JSON.stringify({ do: "vanish", node: "save", method: "DoAction" }));
  const run = await desktop.run("click", ref("Save"), "--timeout-ms", "2000");
  assertEquals(run.envelope!.ok, false, run.stdout);
  assertEquals(retryOf(run.envelope!), "unsafe", run.stdout);
});

Deno.test("the first action of an element is never taken for its click", async () => {
  await using app = await startScripted(desktop, TREE);
  const ref = await refs(app);
  for (const control of ["Doom", "Default"]) {
    const error = await desktop.fails("POLICY_DENIED", "click", ref(control));
    assertEquals(error.disposition.retry, "safe");
    await desktop.fails("ACTION_NOT_SUPPORTED", "toggle", ref(control));
  }
  assertEquals(await effects(app), {});
  // The context menu has a name that says what it does.
  await desktop.ok("right-click", ref("Default"));
  assertEquals(await effects(app), { "default DoAction": 1 });
  const events = await app.events("default");
  assertEquals(events.at(-1)!["action"], "showContextMenu");
});

Deno.test("a number out of range or none at all is not sent", async () => {
  await using app = await startScripted(desktop, TREE);
  const ref = await refs(app);
  for (const value of ["11", "-0.5", "1e9"]) {
    await desktop.fails("ACTION_FAILED", "set-value", ref("Level"), value);
  }
  for (const value of ["1,5", "many", "", "0x3"]) {
    await desktop.fails("INVALID_ARGS", "set-value", ref("Level"), value);
  }
  assertEquals(await effects(app), {});
  await desktop.ok("set-value", ref("Level"), "2.5");
  assert(await poll(1000, async () => (await effects(app))["level SetCurrentValue"] === 1));
});

Deno.test("text arrives whole: accents, other scripts, emoji, quotes, line breaks", async () => {
  await using app = await startScripted(desktop, TREE);
  const ref = await refs(app);
  for (
    const text of [
      "é你好😀",
      `"quoted" \\ 'n' $HOME`,
      "two\nlines",
      "-starts with a dash",
      "e\u0301",
    ]
  ) {
    await desktop.ok("set-value", ref("Field"), text);
    const [field] = await desktop.reader.find({ app: app.name, name: "Field", text: true });
    assertEquals(field!.text, text);
    await desktop.ok("clear", ref("Field"));
    await desktop.ok("type", ref("Field"), text);
    const [typed] = await desktop.reader.find({ app: app.name, name: "Field", text: true });
    assertEquals(typed!.text, text);
  }
});
