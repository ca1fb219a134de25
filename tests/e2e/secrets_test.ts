/** What is typed into a password field leaves no trace: not in any answer, file, error or log. */
import { assert, assertEquals } from "@std/assert";
import { Desktop, nodeNamed, nodesOf, refOf, type Run } from "./support/desktop.ts";
import {
  type App,
  poll,
  startGtk3,
  startGtk4,
  startQt,
  startScene,
  startWeb,
} from "./support/apps.ts";

const desktop = await Desktop.start();

const SECRET = "Zq7-hunter2-geheim";
/** Toolkits publish these in the place of hidden characters; as many of them tell the length. */
const BULLETS = /[●•*]{3,}/u;

const windows: [string, () => Promise<App>][] = [
  ["GTK 3", () => startGtk3(desktop)],
  ["GTK 4", () => startGtk4(desktop)],
  ["Qt", () => startQt(desktop)],
  ["web", () => startWeb(desktop)],
];

/** Every byte below a folder. */
async function* filesBelow(folder: string): AsyncGenerator<[string, string]> {
  for await (const entry of Deno.readDir(folder)) {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory) yield* filesBelow(path);
    else if (entry.isFile) {
      yield [path, new TextDecoder("latin1").decode(await Deno.readFile(path))];
    }
  }
}

function expectNoSecret(what: string, text: string) {
  const parts = [SECRET, SECRET.slice(0, 7), SECRET.slice(-6)];
  for (const part of parts) assert(!text.includes(part), `${what} holds ${part}:\n${text}`);
  assert(!BULLETS.test(text), `${what} holds bullets:\n${text}`);
}

for (const [toolkit, start] of windows) {
  Deno.test(`${toolkit}: the text of a password field is nowhere`, async () => {
    await using app = await start();
    await app.control("set-text", "Password", SECRET);
    const typed = await poll(
      5_000,
      async () => (await app.events("password")).at(-1)?.["value"] === SECRET,
    );
    assert(typed, "the field holds the secret");
    const stateRoot = desktop.env["AGENT_DESKTOP_HOME"]!;
    const runs: [string, Run][] = [];
    const run = async (...args: string[]) => {
      const one = await desktop.run(...args);
      runs.push([args.join(" "), one]);
      return one;
    };
    const snapshot = await desktop.snapshot("--app", app.name, "--max-depth", "50");
    const field = nodeNamed(snapshot.tree, "Password", "textfield");
    assert(field.states?.includes("secure"), "it is shown, as a secure field");
    assertEquals([field.value, field.value_length], [undefined, undefined]);
    const entry = nodeNamed(snapshot.tree, "Entry", "textfield");
    assert(!entry.states?.includes("secure"));
    for (
      const flags of [
        [],
        ["-i", "--compact"],
        ["--include-bounds", "--max-depth", "50"],
        ["--outline"],
        ["--flat"],
        ["--skeleton"],
        ["--since", snapshot.snapshot_id],
        ["-v", "--include-bounds"],
        ["--wait-for", "textfield:Password"],
      ]
    ) {
      const one = await run("snapshot", "--app", app.name, ...flags);
      assertEquals(one.code, 0, flags.join(" "));
    }
    await run("snapshot", "--root", field.ref_id!, "-v");
    for (const property of ["text", "value", "title", "bounds", "role", "states"]) {
      const again = refOf(
        (await desktop.snapshot("--app", app.name)).tree,
        "Password",
        "textfield",
      );
      const one = await run("get", again, "--property", property, "-v");
      assertEquals(one.code, 0, one.stdout);
      if (property === "value") assertEquals(one.envelope!.data!["value"], null);
      if (property === "text") assertEquals(one.envelope!.data!["value"], "Password");
    }
    for (const property of ["visible", "enabled", "focused", "checked"]) {
      await run("is", field.ref_id!, "--property", property);
    }
    await run("find", "--app", app.name, "--role", "textfield", "-v");
    await run("find", "--app", app.name, "--state", "secure", "--limit", "0");
    await run("find", "--app", app.name, "--name", "Password", "--first");
    await run("click", field.ref_id!, "-v");
    await run("scroll", field.ref_id!, "--direction", "down", "-v");
    await run("toggle", field.ref_id!, "-v");
    // A search must not confirm a guess either.
    for (const guess of [SECRET, SECRET.slice(0, 7), "●●●", "•••"]) {
      for (const filter of ["--value", "--text", "--name", "--description"]) {
        const found = await desktop.ok("find", "--app", app.name, filter, guess, "--count");
        assertEquals(found["count"], 0, `${filter} ${guess}`);
      }
    }
    for (const [command, one] of runs) {
      expectNoSecret(command, one.stdout);
      expectNoSecret(`stderr of ${command}`, one.stderr);
    }
    let files = 0;
    for await (const [path, text] of filesBelow(stateRoot)) {
      files++;
      expectNoSecret(path, text);
    }
    assert(files > 5, "snapshots were stored");
  });
}

Deno.test("GTK 3: a field that hides its text from the start", async () => {
  await using app = await startScene(desktop, "secret");
  const run = await desktop.run("snapshot", "--app", app.name);
  assert(run.stdout.includes("plain words"), "the plain field beside it is read");
  assert(!run.stdout.includes("hunter2") && !BULLETS.test(run.stdout), run.stdout);
  const { tree } = await desktop.snapshot("--app", app.name, "--max-depth", "50");
  const secure = [...nodesOf(tree)].filter((node) => node.states?.includes("secure"));
  assertEquals(secure.map((node) => node.name), ["Password"]);
  for await (const [path, text] of filesBelow(desktop.env["AGENT_DESKTOP_HOME"]!)) {
    assert(!text.includes("hunter2"), path);
  }
});
