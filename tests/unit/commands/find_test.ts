import { assertEquals, assertNotEquals } from "@std/assert";
import type { FindArgs } from "../../../src/commands/find.ts";
import { button, label, node } from "../../support/test_platform/trees.ts";
import { failsWith, runFind as run, runSnapshot as snapshot, SNAPSHOT } from "./defaults.ts";
import { withDesktop } from "./fake_desktop.ts";

const DEFAULTS: FindArgs = {
  app: undefined,
  window_id: undefined,
  root: undefined,
  surface: "window",
  role: undefined,
  name: undefined,
  description: undefined,
  value: undefined,
  text: undefined,
  native_id: undefined,
  exact: false,
  states: [],
  first: false,
  last: false,
  nth: undefined,
  count: false,
  limit: undefined,
  timeout_ms: 5000,
};

interface Match {
  name?: string;
  ref_id: string | null;
  [key: string]: unknown;
}
interface Answer {
  match?: Match | null;
  matches?: Match[];
  total_matches?: number;
  truncated?: boolean;
  snapshot_id?: string;
  roles_present?: string[];
  count?: number;
}

function editor() {
  const place = { x: 1, y: 2, width: 3, height: 4 };
  return node("window", { name: "Untitled" }, [
    node("toolbar", { name: "Tools" }, [button("Open"), button("Save", { states: ["focused"] })]),
    node("list", { name: "Files", reads: { childrenCount: 9 } }, [
      button("Open recent"),
      node("statictext", { name: "Open files", bounds: place }),
    ]),
  ]);
}

Deno.test("the list form saves its matches and nothing else as a new snapshot", async () => {
  await withDesktop(async (desktop, context, store) => {
    desktop.addWindow(editor());
    const answer = await run({ ...DEFAULTS, name: "open" }, context) as Answer;
    const id = answer.snapshot_id!;
    assertEquals(answer, {
      matches: [
        {
          interactive: true,
          name: "Open",
          path: ["window:Untitled", "toolbar:Tools"],
          ref_id: `@${id}:e1`,
          role: "button",
          states: [],
        },
        {
          interactive: true,
          name: "Open recent",
          path: ["window:Untitled", "list:Files"],
          ref_id: `@${id}:e2`,
          role: "button",
          states: [],
        },
        {
          bounds: { x: 1, y: 2, width: 3, height: 4 },
          interactive: false,
          name: "Open files",
          path: ["window:Untitled", "list:Files"],
          ref_id: null,
          role: "statictext",
          states: [],
        },
      ],
      snapshot_id: id,
      total_matches: 3,
      truncated: false,
    });
    assertEquals([...store.load(id).entries.values()].map(({ name }) => name), [
      "Open",
      "Open recent",
    ]);
    assertEquals(store.load(id).entries.get(2)!.path, [1, 0]);
    assertEquals(store.loadTree(id), undefined);
    assertEquals(desktop.lastOptions!.maxDepth, 50);
    // A container never becomes a drill target here.
    const list = await run({ ...DEFAULTS, role: "list" }, context) as Answer;
    assertEquals(list.matches![0]!.ref_id, null);
  });
});

Deno.test("limits and positions", async () => {
  await withDesktop(async (desktop, context) => {
    const rows = Array.from({ length: 60 }, (_, i) => button(`row ${i}`));
    desktop.addWindow(node("window", { name: "w" }, rows));
    const rowsFound = async (args: Partial<FindArgs>) =>
      await run({ ...DEFAULTS, role: "button", ...args }, context) as Answer;
    const listed = await rowsFound({});
    assertEquals([listed.matches!.length, listed.total_matches, listed.truncated], [50, 60, true]);
    const all = await rowsFound({ limit: 0 });
    assertEquals([all.matches!.length, all.truncated], [60, false]);
    assertEquals((await rowsFound({ limit: 2 })).matches!.map(({ name }) => name), [
      "row 0",
      "row 1",
    ]);
    assertEquals((await rowsFound({ first: true })).match!.name, "row 0");
    assertEquals((await rowsFound({ last: true })).match!.name, "row 59");
    const nth = await rowsFound({ nth: 7 });
    assertEquals([nth.match!.name, nth.match!.ref_id], ["row 7", `@${nth.snapshot_id}:e1`]);
    assertEquals((await rowsFound({ nth: 60 })).match, null);
  });
});

Deno.test("--count counts and saves nothing", async () => {
  await withDesktop(async (desktop, context, store) => {
    desktop.addWindow(editor());
    assertEquals(await run({ ...DEFAULTS, role: "button", count: true }, context), { count: 3 });
    assertEquals(await run({ ...DEFAULTS, role: "menu", count: true }, context), { count: 0 });
    assertEquals(store.latest(), undefined);
  });
});

Deno.test("no match tells which roles there are, if a role was asked for", async () => {
  await withDesktop(async (desktop, context) => {
    desktop.addWindow(editor());
    const none = await run({ ...DEFAULTS, role: "slider", first: true }, context) as Answer;
    assertEquals(none.match, null);
    assertEquals(none.roles_present, ["button", "list", "statictext", "toolbar", "window"]);
    const nameless = await run({ ...DEFAULTS, name: "no such" }, context) as Answer;
    assertEquals([nameless.matches, "roles_present" in nameless], [[], false]);
  });
});

Deno.test("an answer that is not sure is a timeout, except a first match nothing can precede", async () => {
  await withDesktop(async (desktop, context, store) => {
    const root = editor();
    root.reads = { truncated: true };
    root.children[1]!.reads = { truncated: true };
    desktop.addWindow(root);
    desktop.world.observation = { complete: false, nodesObserved: 4 };
    for (const mode of [{}, { count: true }, { last: true }, { nth: 0 }, { limit: 1 }]) {
      const error = await failsWith(
        run({ ...DEFAULTS, name: "open", ...mode }, context),
        "TIMEOUT",
      );
      assertEquals(error.details, {
        kind: "locator_incomplete",
        observed_matches: 3,
        query_stats: { complete: false, nodes_observed: 4 },
        roles_present: ["button", "list", "statictext", "toolbar", "window"],
      });
      assertEquals(error.delivery, "not_delivered");
    }
    assertEquals(store.latest(), undefined);
    const first = await run({ ...DEFAULTS, name: "open", first: true }, context) as Answer;
    assertEquals(first.match!.name, "Open");
    await failsWith(run({ ...DEFAULTS, name: "no such", first: true }, context), "TIMEOUT");
    root.children[0]!.reads = { truncated: true };
    root.children[0]!.children[0]!.reads = { index: 3 };
    await failsWith(run({ ...DEFAULTS, name: "open", first: true }, context), "TIMEOUT");
  });
});

Deno.test("unreadable evidence is no evidence", async () => {
  await withDesktop(async (desktop, context) => {
    const root = editor();
    root.children[0]!.children[0]!.unreadable = ["name"];
    desktop.addWindow(root);
    await failsWith(run({ ...DEFAULTS, name: "save", first: true }, context), "TIMEOUT");
    const settled = await run({ ...DEFAULTS, name: "files", role: "list" }, context) as Answer;
    assertEquals(settled.total_matches, 1);
  });
});

Deno.test("--root searches below a ref and its matches know where they belong", async () => {
  await withDesktop(async (desktop, context, store) => {
    const region = node("treeitem", { name: "Folder" }, [button("Open"), label("Open")]);
    desktop.addWindow(node("window", { name: "w" }, [button("Open"), region]));
    const { snapshot_id: id } = await snapshot(SNAPSHOT, context) as { snapshot_id: string };
    const answer = await run({ ...DEFAULTS, root: `@${id}:e2`, name: "open" }, context) as Answer;
    assertNotEquals(answer.snapshot_id, id);
    assertEquals(answer.matches!.map(({ path, role }) => [path, role]), [
      [["treeitem:Folder"], "button"],
      [["treeitem:Folder"], "statictext"],
    ]);
    // No number of the new snapshot is that of the root in the old one.
    assertEquals(answer.matches!.map(({ ref_id }) => ref_id), [`@${answer.snapshot_id}:e3`, null]);
    const entry = store.load(answer.snapshot_id!).entries.get(3)!;
    assertEquals([entry.root_ref, entry.path_is_absolute, entry.path], ["@e2", true, [1, 0]]);
    assertEquals(entry.source_window_id, "w-1");
    assertEquals(store.load(id).entries.size, 3);
    await failsWith(run({ ...DEFAULTS, root: `@${id}:e9` }, context), "STALE_REF");
    desktop.editor.windows = [];
    await failsWith(run({ ...DEFAULTS, root: `@${id}:e2` }, context), "STALE_REF");
  });
});

Deno.test("--surface searches the layer", async () => {
  await withDesktop(async (desktop, context, store) => {
    desktop.addWindow(editor());
    desktop.editor.surfaces = {
      popover: node("popover", {}, [node("menuitem", { name: "Copy" })]),
    };
    const answer = await run(
      { ...DEFAULTS, surface: "popover", first: true, role: "menuitem" },
      context,
    );
    const { match, snapshot_id } = answer as Answer;
    assertEquals(match!.name, "Copy");
    assertEquals(store.load(snapshot_id!).entries.get(1)!.source_surface, "popover");
  });
});
