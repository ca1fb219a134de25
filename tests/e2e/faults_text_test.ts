/**
 * Texts that must not be read, must not be believed, or must not break the output: secrets,
 * names that imitate output, names and ids that change or are not unique, roles with two names.
 */
import { assert, assertEquals, assertMatch } from "@std/assert";
import {
  type Data,
  describe,
  Desktop,
  nodeNamed,
  nodesOf,
  refOf,
  type Run,
  type TreeNode,
} from "./support/desktop.ts";
import { type ScriptedNode, startScripted } from "./support/apps.ts";
import { button, frame, snapshotOf, sound, USABLE } from "./support/scripted.ts";

const desktop = await Desktop.start();

/** Calls by node id and method. */
type Calls = Record<string, Record<string, number>>;

/** Never called on anything: one ends Qt 5 applications, the other old bridges. */
function assertNoBulkCalls(calls: Calls): void {
  for (const [node, methods] of Object.entries(calls)) {
    for (const method of Object.keys(methods)) {
      assert(!/GetAll|GetActions/.test(method), `${method} of ${node}`);
    }
  }
}

// -- secrets ----------------------------------------------------------------------------------

const SECRET = "Zq7-hunter2-geheim";
const leaf = (id: string, extra: Data = {}): ScriptedNode => ({
  id,
  role: "label",
  text: SECRET,
  ...extra,
});
const password = {
  id: "password",
  role: "password text",
  name: "Password",
  text: SECRET,
  editable: true,
  states: ["editable", "focusable", ...USABLE],
  actions: [{ name: "activate" }],
  children: [
    leaf("leaf"),
    leaf("named", { name: SECRET }),
    leaf("clickable", { name: SECRET, description: SECRET, actions: [{ name: "click" }] }),
    { id: "inner", role: "entry", name: SECRET, text: SECRET, editable: true },
    { id: "character{i}", role: "static", name: "{i}●", text: "●", repeat: 7 },
    {
      id: "wrap",
      role: "panel",
      name: SECRET,
      description: SECRET,
      children: [leaf("deep", { name: SECRET }), leaf("deeper", { role: "paragraph" })],
    },
    button("Reveal"),
  ],
};
const INSIDE = /^(password|leaf|named|clickable|inner|character\d|wrap|deep|deeper)$/;

async function* filesBelow(folder: string): AsyncGenerator<[string, string]> {
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    const path = `${folder}/${name}`;
    if (isDirectory) yield* filesBelow(path);
    else yield [path, new TextDecoder("latin1").decode(await Deno.readFile(path))];
  }
}

Deno.test("a password field: no text of it or below it is asked for, shown or stored", async () => {
  await using app = await startScripted(desktop, {
    windows: [frame([
      { id: "user", role: "entry", name: "User", text: "plain words", editable: true },
      password,
      button("Log in"),
    ])],
  });
  const runs: Run[] = [];
  const run = async (...args: string[]) => {
    const one = await desktop.run(...args);
    sound(one);
    runs.push(one);
    return one;
  };
  const data = async (...args: string[]) => (await run(...args)).envelope!.data!;
  const first = await data("snapshot", "--app", app.name, "--max-depth", "50");
  const tree = first["tree"] as TreeNode;
  assertEquals(nodeNamed(tree, "User").value, "plain words", "the field beside it is read");
  const field = nodeNamed(tree, "Password");
  assert(field.states?.includes("secure"));
  assertEquals(field.value, undefined);
  refOf(tree, "Reveal");
  const below = [...nodesOf(field)].filter((node) => node !== field);
  for (const node of below) {
    if (node.name === "Reveal") continue;
    assertEquals([node.name, node.value, node.description, node.ref_id], Array(4).fill(undefined));
  }
  // As many leaves as characters would tell the length.
  assert(below.length < 7, `${below.length} elements below the field`);

  for (
    const flags of [
      ["--outline"],
      ["--flat"],
      ["-i", "--compact", "--include-bounds"],
      ["--skeleton"],
      ["--max-depth", "1"],
      ["--since", first["snapshot_id"] as string],
      ["--wait-for", "button:Reveal"],
    ]
  ) await run("snapshot", "--app", app.name, ...flags);
  const cut = (await data("snapshot", "--app", app.name, "--max-depth", "1"))["tree"] as TreeNode;
  assertEquals(nodeNamed(cut, "Password").children_count, undefined, "no count of characters");

  const ref = field.ref_id!;
  await run("snapshot", "--root", ref, "--max-depth", "50");
  for (
    const filter of [
      ["--value", SECRET],
      ["--text", SECRET],
      ["--name", SECRET],
      ["--description", SECRET],
      ["--name", "●"],
    ]
  ) {
    const found = await run("find", "--app", app.name, ...filter, "--limit", "0");
    const text = found.stdout.replaceAll(/"(suggestion|message)":"[^"]*"/g, "");
    const { total_matches: matches = 0 } = found.envelope!.data ?? {};
    assertEquals(matches, 0, `${filter}: ${text}`);
  }
  for (const role of ["textfield", "statictext", "paragraph", "group", "button"]) {
    await run("find", "--app", app.name, "--role", role, "--limit", "0");
  }
  for (const property of ["text", "value", "title", "bounds", "role", "states"]) {
    await run("get", ref, "--property", property);
  }
  for (const property of ["visible", "enabled", "focused", "checked"]) {
    await run("is", ref, "--property", property);
  }
  await run("list-surfaces", "--app", app.name);
  await run("list-windows");
  for (
    const command of [
      ["click", ref],
      ["focus", ref],
      ["scroll-to", ref],
      ["type", ref, "x"],
      ["set-value", ref, "entered"],
      ["clear", ref],
      ["toggle", ref],
      ["select", ref, "y"],
      ["expand", ref],
      ["click", refOf(tree, "Log in")],
      ["get", refOf(tree, "User")],
    ]
  ) await run(...command, ...(command[0] === "get" ? [] : ["--timeout-ms", "1500"]));
  // A ref whose handle has died is searched for: every element of its role is looked at.
  await app.control(
    "replace",
    "user",
    JSON.stringify({
      id: "user2",
      role: "entry",
      name: "User",
      text: "plain words",
      editable: true,
    }),
  );
  await run("get", refOf(tree, "User"));

  const calls = await app.ask<Calls>("calls");
  for (const [node, methods] of Object.entries(calls)) {
    if (!INSIDE.test(node)) continue;
    for (const method of Object.keys(methods)) {
      const reads = /Text\.(Get(Text|String|Character)|Get:CharacterCount)/.test(method);
      assert(!reads, `${method} was called on ${node}`);
    }
  }
  assert(calls["user"]?.["Text.GetText"], "of the plain field it was");
  assertNoBulkCalls(calls);
  const forbidden = [SECRET, SECRET.slice(0, 6), SECRET.slice(-6), "●"];
  for (const one of runs) {
    for (const part of forbidden) {
      assert(!(one.stdout + one.stderr).includes(part), `${part}: ${describe(one)}`);
    }
  }
  for await (const [path, text] of filesBelow(desktop.env["AGENT_DESKTOP_HOME"]!)) {
    for (const part of forbidden.slice(0, 3)) assert(!text.includes(part), `${part} in ${path}`);
  }
});

// -- names that imitate output ----------------------------------------------------------------

const HOSTILE = [
  'a"\n  button "OK" [e9]',
  "\u001b]0;title\u0007\u001b[31mred\u001b[0m",
  "\u202egnp.exe\u202c \u2066isolated\u2069 \u200f\u200e\u061c",
  "\u0085next\u2028line\u2029paragraph\u000bvertical\u000cfeed\rreturn\ttab",
  "\u009b31mC1\u009c\u0090dcs\u007f",
  "\u0001\u0002\u001f",
  "back\\slash \\n \\u0041 \"quoted\" 'single' `tick`",
  "\ufeffbom \u200bzero\u200d width \ufff9annotated",
  '] [e1] value="x" checked +3 truncated',
  "emoji 😀👩‍👩‍👧 combining e\u0301 한국어",
  '{"ref_id":"@s:e1"}',
  " leading and trailing ",
  "x".repeat(300) + "\u001b[2J",
];
/** What a terminal or a reader of lines could take for something else than text. */
const RAW = /[^\P{Cc}\n]|[\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/u;

Deno.test("hostile names: JSON gives them back exactly, an outline keeps one line a node", async () => {
  const nodes = HOSTILE.map((text, i): ScriptedNode => ({
    id: `b${i}`,
    role: "push button",
    name: text,
    description: text,
    accessible_id: text,
    actions: [{ name: "click", localized: text }],
  }));
  const fields = HOSTILE.map((text, i): ScriptedNode => ({
    id: `t${i}`,
    role: "entry",
    name: `Field ${i}`,
    text,
  }));
  await using app = await startScripted(desktop, {
    windows: [frame([...nodes, ...fields], { name: HOSTILE[0] })],
  });
  const run = await desktop.run("snapshot", "--app", app.name);
  const { tree, window } = sound(run).data as unknown as {
    tree: TreeNode;
    window: { title: string };
  };
  const buttons = tree.children!.slice(0, HOSTILE.length);
  assertEquals(buttons.map((node) => node.name), HOSTILE);
  assertEquals(buttons.map((node) => node.native_id?.value), HOSTILE);
  assertEquals(tree.children!.slice(HOSTILE.length).map((node) => node.value), HOSTILE);
  assertEquals([window.title, tree.name], [HOSTILE[0], HOSTILE[0]]);
  assert(!RAW.test(run.stdout), "nothing raw in the JSON text either");

  const printed = await desktop.run("snapshot", "--app", app.name, "--outline");
  const { outline, ref_count: count } = sound(printed).data as {
    outline: string;
    ref_count: number;
  };
  const lines = outline.split("\n");
  assertEquals(lines.length, 1 + 2 * HOSTILE.length);
  const pattern =
    /^( {2})*[a-z]+( "([^"\\]|\\.)*"…?)?( \[e\d+\])?( value="([^"\\]|\\.)*"…?)?[^"[]*$/u;
  for (const line of lines) assert(pattern.test(line) && !RAW.test(line), JSON.stringify(line));
  const numbers = lines.flatMap((line) => {
    // Outside of quotes only.
    return [...line.replace(/"([^"\\]|\\.)*"/gu, '""').matchAll(/\[e(\d+)\]/g)].map((m) => m[1]!);
  });
  assertEquals(numbers, Array.from({ length: count }, (_, i) => String(i + 1)));

  for (const form of [["--flat"], ["-v"]]) {
    const other = await desktop.run("snapshot", "--app", app.name, ...form);
    assert(other.envelope?.ok && !RAW.test(other.stdout + other.stderr), form[0]);
  }
  for (const [i, text] of HOSTILE.entries()) {
    const ref = buttons[i]!.ref_id!;
    const title = await desktop.run("get", ref, "--property", "title");
    assertEquals(sound(title).data?.["value"], text);
    assert(!RAW.test(title.stdout));
  }
  const first = buttons[0]!.ref_id!;
  await app.control("remove", "b0");
  const gone = await desktop.run("click", first, "--timeout-ms", "1000");
  assertEquals(sound(gone).error?.code, "STALE_REF");
  assert(!gone.stdout.includes("[e9]"), "errors tell lengths, not texts");
});

// -- roles, ids, actions ----------------------------------------------------------------------

Deno.test("roles go by their number, whatever their printed name", async () => {
  const named: [number, string, string][] = [
    [43, "push button", "button"],
    [43, "button", "button"],
    [43, "Schaltfläche", "button"],
    [43, "password text", "button"],
    [40, "push button", "textfield"],
    [62, "toggle button", "button"],
    [7, "check box", "checkbox"],
    [7, "", "checkbox"],
    [129, "push button menu", "menubutton"],
    [999, "push button", "unknown"],
    [4294967295, "push button", "unknown"],
    [0, "push button", "unknown"],
  ];
  await using app = await startScripted(desktop, {
    windows: [frame(named.map(([role, role_name], i) => ({
      role,
      role_name,
      name: `N${i}`,
      text: role === 40 ? "secret" : undefined,
      actions: [{ name: "click" }],
    })))],
  });
  const { tree } = await snapshotOf(desktop, app.name);
  assertEquals(
    named.map((_, i) => nodeNamed(tree, `N${i}`).role),
    named.map(([, , role]) => role),
  );
  assertEquals(nodeNamed(tree, "N4").value, undefined);
  for (const node of nodesOf(tree)) if (node.role === "unknown") assert(!node.ref_id);
});

Deno.test("an id on several elements does not let one answer for another", async () => {
  const twin = (id: string, name: string) => button(name, { id, accessible_id: "same" });
  await using app = await startScripted(desktop, {
    windows: [frame([twin("a", "Alpha"), twin("b", "Beta"), twin("c", "Gamma")])],
  });
  const { tree } = await snapshotOf(desktop, app.name);
  const [alpha, beta] = [refOf(tree, "Alpha"), refOf(tree, "Beta")];
  await app.control("remove", "a");
  const gone = await desktop.run("click", alpha, "--timeout-ms", "1000");
  assertEquals(sound(gone).error?.code, "STALE_REF", describe(gone));
  await desktop.ok("click", beta);
  assertEquals(await app.ask("effects"), { "b DoAction": 1 });
});

Deno.test("ids that number rows: a row that moved up is not the one before it", async () => {
  const row = (id: string, i: number, name: string) =>
    button(name, { id, accessible_id: `row-${i}` });
  await using app = await startScripted(desktop, {
    windows: [frame([row("a", 0, "Alpha"), row("b", 1, "Beta"), row("c", 2, "Gamma")])],
  });
  const { tree } = await snapshotOf(desktop, app.name);
  const refs = ["Alpha", "Beta", "Gamma"].map((name) => refOf(tree, name));
  // The first row goes, the others take the ids of those before them; with the elements
  // themselves reused for the next text, and with new elements.
  for (
    const [id, field, value] of [
      ["a", "name", "Beta"],
      ["b", "name", "Gamma"],
    ] as const
  ) await app.control("set", id, field, JSON.stringify(value));
  await app.control("remove", "c");
  for (const [i, ref] of refs.entries()) {
    await app.control("reset");
    const run = await desktop.run("click", ref, "--timeout-ms", "800");
    const { error } = sound(run);
    const effects = await app.ask<Record<string, number>>("effects");
    if (error === undefined) {
      // Beta is behind a's element now, Gamma behind b's: by name, or not at all.
      assertEquals(effects, [{}, { "a DoAction": 1 }, { "b DoAction": 1 }][i], describe(run));
    } else {
      assert(["STALE_REF", "AMBIGUOUS_TARGET", "TIMEOUT"].includes(error.code), describe(run));
      assertEquals(effects, {});
    }
  }
});

const ACTIONS: [string, Data[], string[], string | undefined][] = [
  // What it is, the actions, what is offered, which of them a click runs.
  ["a destructive action first", [{ name: "delete" }, { name: "click" }], ["Click"], "click"],
  ["only a destructive action", [{ name: "delete" }], [], undefined],
  ["delete-line, as text views have it", [{ name: "delete-line" }], [], undefined],
  ["misc.delete first", [{ name: "misc.delete" }, { name: "Press" }], ["Click"], "Press"],
  [
    "a name that only begins like one",
    [{ name: "clickjack" }, { name: "pressure" }],
    [],
    undefined,
  ],
  ["no name at all", [{ name: "" }], [], undefined],
  ["Chromium's doDefault", [{ name: "doDefault" }], [], undefined],
  ["localized names", [{ name: "click", localized: "klicken" }], ["Click"], "click"],
  ["a localized name that lies", [{ name: "delete", localized: "click" }], [], undefined],
  ["spelling", [{ name: "show-menu" }, { name: "CLICK " }], ["Click", "RightClick"], "CLICK "],
  [
    "menu and click",
    [{ name: "ShowMenu" }, { name: "activate" }],
    ["Click", "RightClick"],
    "activate",
  ],
];

Deno.test("an action is chosen by its name, never by its place or its translation", async () => {
  await using app = await startScripted(desktop, {
    windows: [frame(ACTIONS.map(([what, actions], i) => ({
      id: `b${i}`,
      role: "push button",
      name: what,
      actions,
    })))],
  });
  const { tree } = await snapshotOf(desktop, app.name);
  for (const [i, [what, , offered, run]] of ACTIONS.entries()) {
    const node = nodeNamed(tree, what);
    assertEquals(node.available_actions ?? [], offered, what);
    const clicked = await desktop.run("click", node.ref_id!);
    const { error } = sound(clicked);
    const events = await app.events(`b${i}`);
    assertEquals(
      events.map((event) => event["action"]),
      run === undefined ? [] : [run],
      what + describe(clicked),
    );
    // Without an action of that meaning only the pointer is left, which takes --headed.
    const refused = error && ["ACTION_NOT_SUPPORTED", "POLICY_DENIED"].includes(error.code);
    assertEquals(refused, run === undefined ? true : undefined, describe(clicked));
  }
  assertNoBulkCalls(await app.ask<Calls>("calls"));
});

Deno.test("a count of actions that lies: -1, two thousand million, fewer than there are", async () => {
  for (const count of [-1, 2147483647, 0, 3]) {
    await using app = await startScripted(desktop, {
      windows: [frame([button("Save"), button("Other")])],
      rules: [{
        do: "reply",
        node: "save",
        method: "Get:NActions",
        signature: "v",
        values: [{ variant: ["i", count] }],
      }],
    });
    const { tree } = await snapshotOf(desktop, app.name);
    assertEquals(nodeNamed(tree, "Other").available_actions?.[0], "Click");
    const calls = (await app.ask<Calls>("calls"))["save"]!;
    assert((calls["Action.GetName"] ?? 0) <= 64, JSON.stringify(calls));
    const run = await desktop.run("click", refOf(tree, "Save"), "--timeout-ms", "500");
    sound(run);
  }
});

// -- long texts and counts that lie -----------------------------------------------------------

/** The most bytes of UTF-8 that are shown of one field. */
const FIELD_BYTES = 65_536;

Deno.test("long texts are cut between characters, and it is told that they are", async () => {
  const long = "\u{1f600}".repeat(20_000) + "end";
  const bytes = new TextEncoder().encode(long).length;
  await using app = await startScripted(desktop, {
    windows: [frame([
      button("Short"),
      button("Long", { name: long }),
      button("Described", { description: `x${long}` }),
      { id: "field", role: "entry", name: "Field", text: `xx${long}`, editable: true },
    ])],
  });
  const run = await desktop.run("snapshot", "--app", app.name);
  const { tree, complete } = sound(run).data as unknown as { tree: TreeNode; complete: boolean };
  assertEquals(complete, false);
  const [short, named, described, field] = tree.children! as (TreeNode & {
    value_length?: number;
  })[];
  assertEquals(short!.subtree_truncated, undefined);
  assertEquals([named!.subtree_truncated, described!.subtree_truncated], [true, true]);
  for (
    const [text, whole] of [
      [named!.name!, long],
      [described!.description!, `x${long}`],
      [field!.value!, `xx${long}`],
    ]
  ) {
    const size = new TextEncoder().encode(text).length;
    assert(size <= FIELD_BYTES && size > FIELD_BYTES - 4, `${size} bytes`);
    assert(whole!.startsWith(text!) && text!.isWellFormed());
  }
  assertEquals(field!.value_length, bytes + 2);
  const whole = await desktop.ok("get", field!.ref_id!, "--property", "value");
  assertEquals(whole["value"], `xx${long}`);
});

Deno.test("a count of characters that lies neither hides the text nor makes up more of it", async () => {
  for (
    const [count, value, length] of [
      [2147483647, "words", undefined],
      [6, "words", undefined],
      [2, "wo", undefined],
      [-1, undefined, undefined],
    ] as const
  ) {
    await using app = await startScripted(desktop, {
      windows: [frame([{ id: "field", role: "entry", name: "Field", text: "words" }])],
      rules: [{
        do: "reply",
        node: "field",
        method: "Get:CharacterCount",
        signature: "v",
        values: [{ variant: ["i", count] }],
      }],
    });
    const { tree } = await snapshotOf(desktop, app.name);
    const field = nodeNamed(tree, "Field") as TreeNode & { value_length?: number };
    assertEquals([field.value, field.value_length], [value, length], `${count}`);
  }
});

// -- texts of any length ------------------------------------------------------------------------

Deno.test("fields full of text: the click counts, the wait answers, every snapshot is saved", async () => {
  const long = (i: number) => `field ${i} ${"x".repeat(60_000)}`;
  await using app = await startScripted(desktop, {
    windows: [frame([
      button("Go"),
      ...Array.from({ length: 18 }, (_, i): ScriptedNode => ({
        id: `f${i}`,
        role: "entry",
        name: `${i} ${"n".repeat(9_000)}`,
        text: long(i),
        editable: true,
        states: ["editable", "focusable", ...USABLE],
      })),
    ])],
  });
  for (const form of [[], ["-i"], ["--compact"], ["--outline"], ["--flat"]]) {
    const data = await desktop.ok("snapshot", "--app", app.name, ...form);
    assertEquals(data["ref_count"], 19);
  }
  const { tree } = await desktop.snapshot("--app", app.name);
  const data = await desktop.ok("click", refOf(tree, "Go"), "--wait-for", "button:Go");
  assertEquals((data["match"] as Data)["name"], "Go");
  assertMatch(data["snapshot_id"] as string, /^s/);
  const fields = [...nodesOf(tree)].filter(({ role }) => role === "textfield");
  assertEquals(fields.length, 18);
  const value = await desktop.ok("get", fields[7]!.ref_id!, "--property", "value");
  assertEquals(value["value"], long(7));
});
