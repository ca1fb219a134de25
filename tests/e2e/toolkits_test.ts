/**
 * What a snapshot shows of each toolkit's window with every control is what an independent reader
 * sees, node by node: role, name, value, description, states and child order, no node more or less.
 */
import { assertEquals } from "@std/assert";
import { Desktop, nodesOf, type Snapshot } from "./support/desktop.ts";
import { type App, startGtk3, startGtk4, startQt, startWeb } from "./support/apps.ts";
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

const windows: [string, (desktop: Desktop) => Promise<App>, Toolkit][] = [
  ["GTK 3", startGtk3, {}],
  ["GTK 4", startGtk4, { neverShows: true }],
  ["Qt", startQt, {}],
  ["web", startWeb, { plainText: true }],
];

for (const [name, start, toolkit] of windows) {
  Deno.test(`${name}: the tree is what the independent reader sees`, async () => {
    await using app = await start(desktop);
    const apps = await desktop.reader.apps();
    const title = apps.find((one) => one.name === app.name)!.windows[0]!;
    const { snapshot, theirs } = await readBoth(app, toolkit, title);
    console.log(`${name}: ${size(theirs)} nodes, ${snapshot.ref_count} refs`);
    expectSame(snapshot, theirs);
  });
}
