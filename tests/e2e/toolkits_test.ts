/**
 * What a snapshot shows of each toolkit's window with every control is what an independent reader
 * sees, node by node: role, name, value, description, states and child order, no node more or less.
 */
import { assert, assertEquals } from "@std/assert";
import { Desktop, nodesOf, refOf, type Snapshot } from "./support/desktop.ts";
import {
  type App,
  exists,
  startGtk3,
  startGtk4,
  startProgram,
  startQt,
  startWeb,
} from "./support/apps.ts";
import {
  comparable,
  type Compared,
  differences,
  expectedTree,
  size,
  type Toolkit,
} from "./support/expected.ts";

const desktop = await Desktop.start();

/** How often a window is read again that changed while it was read. */
const READINGS = 5;

/** One snapshot between two equal independent readings. */
async function readBoth(
  app: App,
  toolkit: Toolkit,
  title: string,
): Promise<{ snapshot: Snapshot; theirs: Compared }> {
  const read = async () =>
    expectedTree(await desktop.reader.tree({ app: app.name, window: title, text: true }), toolkit);
  let theirs = await read();
  for (let i = 0; i < READINGS; i++) {
    const [window] = await desktop.ok("list-windows", "--app", app.name) as unknown as {
      id: string;
      title: string;
    }[];
    const snapshot = await desktop.snapshot(
      "--window-id",
      window!.id,
      "--max-depth",
      "50",
      "--timeout-ms",
      "20000",
    );
    const after = await read();
    if (JSON.stringify(theirs) === JSON.stringify(after)) return { snapshot, theirs };
    theirs = after;
  }
  throw new Error(`${app.name} does not come to rest`);
}

function expectSame(snapshot: Snapshot, theirs: Compared) {
  const found = differences(comparable(snapshot.tree), theirs);
  if (found.length > 0) {
    throw new Error(
      `${found.length} differences in ${size(theirs)} nodes\n${found.slice(0, 40).join("\n")}`,
    );
  }
  assertEquals(snapshot.complete, true);
  const cut = [...nodesOf(snapshot.tree)].filter((n) => n.children_count || n.subtree_truncated);
  assertEquals(cut, []);
}

async function compare(name: string, app: App, toolkit: Toolkit) {
  const apps = await desktop.reader.apps();
  const title = apps.find((one) => one.name === app.name)!.windows[0]!;
  const { snapshot, theirs } = await readBoth(app, toolkit, title);
  console.log(`${name}: ${size(theirs)} nodes, ${snapshot.ref_count} refs`);
  expectSame(snapshot, theirs);
  app.assertAlive();
}

const windows: [string, (desktop: Desktop) => Promise<App>, Toolkit][] = [
  ["GTK 3", startGtk3, {}],
  ["GTK 4", startGtk4, { neverShows: true }],
  ["Qt", startQt, {}],
  ["web", startWeb, { plainText: true }],
];

for (const [name, start, toolkit] of windows) {
  Deno.test(`${name}: the tree is what the independent reader sees`, async () => {
    await using app = await start(desktop);
    await compare(name, app, toolkit);
  });

  Deno.test(`${name}: it still is after the window has changed`, async () => {
    await using app = await start(desktop);
    await desktop.snapshot("--app", app.name);
    await app.control("insert-before", "Push", 3);
    await app.control("remove", "Link");
    await app.control("disable", "Toggle");
    await app.control("rename", "Check", "Renamed \u00e9 \u{1f600}");
    await app.control("set-text", "Entry", "some words");
    await app.control("switch-page", 1);
    await app.control("reverse-list");
    await app.settle();
    await compare(name, app, toolkit);
  });
}

const programs: [string, string, Toolkit][] = [
  ["gnome-calculator", "gnome-calculator", { neverShows: true }],
  ["mousepad", "mousepad", {}],
  ["speedcrunch", "SpeedCrunch", {}],
  ["featherpad", "FeatherPad", {}],
];

for (const [file, name, toolkit] of programs) {
  Deno.test({
    name: `${file}: the tree is what the independent reader sees`,
    ignore: !await exists(`/usr/bin/${file}`), // not every release of Debian has every program
    fn: async () => {
      await using app = await startProgram(desktop, file, name);
      await compare(file, app, toolkit);
    },
  });
}

/** Controls without names of their own, and what may give them one. */
const NAMELESS = `<title>Nameless</title>
<input value="typed words"><input placeholder="Search" value="found"><textarea>long words</textarea>
<div contenteditable>rich words</div><select><option>Red<option>Blue</select>
<button><span>Go</span><b>on</b></button><a href="#x"><img alt="Picture"></a>
<label for="a">By label</label><input id="a"><input aria-describedby="d"><p id="d">Described</p>
<input type="checkbox"><input type="range"><progress></progress><ul><li>One<li>Two</ul>
<nav>Way</nav><main>Main</main><section aria-label="Part">Part</section><p>after everything</p>`;

Deno.test("web: names come from where the rule says, and what a field holds is nobody's name", async () => {
  const page = `${desktop.folder}/nameless.html`;
  await Deno.writeTextFile(page, NAMELESS);
  const options = { ready: "after everything" };
  await using app = await startWeb(desktop, `file://${page}`, options);
  await compare("nameless controls", app, { plainText: true });
  const { tree } = await desktop.snapshot("--app", app.name);
  const fields = [...nodesOf(tree)].filter((node) => node.role === "textfield");
  for (const words of ["typed words", "long words", "rich words"]) {
    const field = fields.find((node) => node.value === words);
    assertEquals(field?.name, undefined, words);
  }
});

Deno.test("Qt: the application lives on after every command", async () => {
  await using app = await startQt(desktop);
  const { tree, snapshot_id } = await desktop.snapshot("--app", app.name, "--max-depth", "50");
  const ref = (name: string, role?: string) => refOf(tree, name, role);
  const commands = [
    ["list-apps"],
    ["list-windows"],
    ["list-surfaces", "--app", app.name],
    ["snapshot", "--app", app.name, "--include-bounds", "--max-depth", "50"],
    ["snapshot", "--app", app.name, "--since", snapshot_id],
    ["snapshot", "--app", app.name, "--skeleton"],
    ["find", "--app", app.name, "--text", "alpha", "--limit", "0"],
    ...["text", "value", "title", "bounds", "role", "states"].map((property) => [
      "get",
      ref("Entry", "textfield"),
      "--property",
      property,
    ]),
    ["is", ref("Check", "checkbox"), "--property", "checked"],
    ["click", ref("Push", "button")],
    ["set-value", ref("Entry", "textfield"), "words"],
    ["type", ref("Entry", "textfield"), "more"],
    ["clear", ref("Entry", "textfield")],
    ["set-value", ref("Slider", "slider"), "30"],
    ["toggle", ref("Check", "checkbox")],
    ["select", ref("Bravo")],
    ["focus", ref("Entry", "textfield")],
    ["scroll-to", ref("Far 50", "button")],
    ["--headed", "click", ref("Push", "button")],
    ["--headed", "hover", ref("Hover target")],
    ["press", "tab"],
  ];
  let answered = 0;
  for (const command of commands) {
    const run = await desktop.run(...command);
    assert(run.envelope, `${command.join(" ")}: ${run.stdout}${run.stderr}`);
    answered += Number(run.envelope.ok);
    await app.settle();
    app.assertAlive();
  }
  assert(answered > commands.length * 3 / 4, `${answered} of ${commands.length} succeeded`);
});
