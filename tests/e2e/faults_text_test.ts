/**
 * Texts that must not be read, must not be believed, or must not break the output: secrets,
 * names that imitate output, names and ids that change or are not unique, roles with two names.
 */
import { assert, assertEquals } from "@std/assert";
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
import { button, frame, sound, USABLE } from "./support/scripted.ts";

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
