import { assert, assertEquals, assertMatch } from "@std/assert";
import type { TreeNode } from "../../../src/tree/render.ts";
import { button, label, node } from "../../support/test_platform/trees.ts";
import { failsWith, runSnapshot as run, SNAPSHOT as DEFAULTS } from "./defaults.ts";
import { withDesktop } from "./fake_desktop.ts";

interface Body {
  app: string;
  complete: boolean;
  ref_count: number;
  snapshot_id: string;
  tree: TreeNode;
  window: { id: string; title: string };
  [key: string]: unknown;
}

const place = { x: 12, y: 8, width: 60, height: 34 };

function editor() {
  return node("window", { name: "Untitled" }, [
    node("toolbar", { name: "Tools" }, [button("Open", { bounds: place }), button("Save")]),
    node("group", {}, [
      node("scrollarea", { name: "Text", actions: ["Scroll"] }, [label("hello")]),
    ]),
    node("list", { name: "Files" }, [
      node("option", { name: "a.txt", actions: ["Select"] }, [label("a")]),
      node("option", { name: "b.txt", actions: ["Select"] }),
    ]),
  ]);
}

function allRefs(tree: TreeNode): string[] {
  return [...(tree.ref_id ? [tree.ref_id] : []), ...(tree.children ?? []).flatMap(allRefs)];
}

Deno.test("a snapshot has the window, the tree and qualified refs, and saves what it prints", async () => {
  await withDesktop(async (desktop, context, store) => {
    desktop.addWindow(editor());
    const body = await run(DEFAULTS, context) as Body;
    const { tree, snapshot_id, ...rest } = body;
    assertMatch(snapshot_id, /^s[a-z0-9]{4,}$/);
    assertEquals(rest, {
      app: "editor",
      complete: true,
      ref_count: 5,
      window: { id: "w-1", title: "Untitled" },
    });
    assertEquals(allRefs(tree), [1, 2, 3, 4, 5].map((n) => `@${snapshot_id}:e${n}`));
    assertEquals("bounds" in tree.children![0]!.children![0]!, false);
    const map = store.load(snapshot_id);
    assertEquals(map.counter, 5);
    assertEquals(map.entries.get(2)!.name, "Save");
    assertEquals(map.entries.get(2)!.source_window_id, "w-1");
    assertEquals(store.latest(), snapshot_id);
  });
});

Deno.test("refs are the same whatever is left out of the print", async () => {
  await withDesktop(async (desktop, context, store) => {
    desktop.addWindow(editor());
    const entries = new Set<string>();
    for (const interactive_only of [false, true]) {
      for (const compact of [false, true]) {
        const body = await run({ ...DEFAULTS, interactive_only, compact }, context) as Body;
        const { entries: saved } = store.load(body.snapshot_id);
        entries.add(JSON.stringify([...saved], (_, v) => typeof v === "bigint" ? `${v}` : v));
        assertEquals(allRefs(body.tree).length, 5);
        assertEquals(JSON.stringify(body.tree).includes("hello"), !interactive_only);
        assertEquals(body.tree.children!.some(({ role }) => role === "group"), !compact);
      }
    }
    assertEquals(entries.size, 1);
  });
});

Deno.test("--include-bounds prints and stores bounds", async () => {
  await withDesktop(async (desktop, context, store) => {
    desktop.addWindow(editor());
    const body = await run({ ...DEFAULTS, include_bounds: true }, context) as Body;
    assertEquals(body.tree.children![0]!.children![0]!.bounds, place);
    assertEquals(store.load(body.snapshot_id).entries.get(1)!.bounds, place);
    assertEquals(desktop.lastOptions!.bounds, "all");
    await run(DEFAULTS, context);
    assertEquals(desktop.lastOptions!.bounds, "identity");
  });
});

Deno.test("--skeleton stops at three levels and gives drill targets a ref", async () => {
  await withDesktop(async (desktop, context, store) => {
    const deep = node("window", { name: "w" }, [
      node("toolbar", {}, [node("toolbar", {}, [node("list", { name: "rows" }, [button("a")])])]),
    ]);
    desktop.addWindow(deep);
    const body = await run({ ...DEFAULTS, skeleton: true }, context) as Body;
    const list = body.tree.children![0]!.children![0]!.children![0]!;
    assertEquals(list, {
      children_count: 1,
      name: "rows",
      ref_id: `@${body.snapshot_id}:e1`,
      role: "list",
    });
    assertEquals(body.complete, true);
    assertEquals(store.load(body.snapshot_id).entries.get(1)!.available_actions, []);
    await run({ ...DEFAULTS, skeleton: true, max_depth: 1 }, context);
    assertEquals(desktop.lastOptions!.maxDepth, 1);
    await run({ ...DEFAULTS, max_depth: 50 }, context);
    assertEquals(desktop.lastOptions!.maxDepth, 50);
  });
});

Deno.test("an incomplete observation is a success that says so", async () => {
  await withDesktop(async (desktop, context, store) => {
    desktop.addWindow(editor());
    desktop.world.observation = {
      complete: false,
      nodesObserved: 4,
      details: { kind: "renderer_accessibility_inactive" },
      suggestion: "Start the application with its accessibility switched on.",
    };
    const body = await run({ ...DEFAULTS, force_electron_a11y: true }, context) as Body;
    assertEquals(desktop.lastOptions!.assumeRendererActive, true);
    assertEquals([body.complete, body["truncated"], body["nodes_observed"]], [false, true, 4]);
    assertEquals(body["details"], { kind: "renderer_accessibility_inactive" });
    assertEquals(typeof body["suggestion"], "string");
    assertEquals(store.load(body.snapshot_id).entries.size, 5);
  });
});

Deno.test("nothing is saved when there is nothing to read", async () => {
  await withDesktop(async (desktop, context, store) => {
    desktop.addWindow(editor());
    await failsWith(run({ ...DEFAULTS, app: "no such" }, context), "APP_NOT_FOUND");
    await failsWith(run({ ...DEFAULTS, window_id: "w-9" }, context), "WINDOW_NOT_FOUND");
    const absent = await failsWith(
      run({ ...DEFAULTS, surface: "menu" }, context),
      "ELEMENT_NOT_FOUND",
    );
    assertEquals(absent.details!["kind"], "source_surface_absent");
    const unsupported = await failsWith(
      run({ ...DEFAULTS, surface: "dock" }, context),
      "PLATFORM_NOT_SUPPORTED",
    );
    assertEquals(unsupported.details!["supported_surfaces"], ["window", "menu", "popover"]);
    desktop.editor.instance = null;
    await failsWith(run(DEFAULTS, context), "APP_UNRESPONSIVE");
    desktop.editor.instance = "test:1";
    desktop.onObserve = () => desktop.editor.windows.length = 0;
    await failsWith(run(DEFAULTS, context), "WINDOW_NOT_FOUND");
    desktop.addWindow(editor(), { accessible: false });
    const unreachable = await failsWith(run(DEFAULTS, context), "ACTION_NOT_SUPPORTED");
    assertEquals(unreachable.details!["kind"], "window_without_accessibility_element");
    assertEquals(store.latest(), undefined);
  });
});

Deno.test("--surface reads the layer and its refs say so", async () => {
  await withDesktop(async (desktop, context, store) => {
    desktop.addWindow(editor());
    desktop.editor.surfaces = {
      menu: node("menu", { name: "File" }, [node("menuitem", { name: "New" })]),
    };
    const body = await run({ ...DEFAULTS, surface: "menu" }, context) as Body;
    assertEquals(body.tree.role, "menu");
    assertEquals(store.load(body.snapshot_id).entries.get(1)!.source_surface, "menu");
  });
});

Deno.test("--outline, --flat and the tree name the same refs", async () => {
  await withDesktop(async (desktop, context) => {
    desktop.addWindow(editor());
    const tree = await run(DEFAULTS, context) as Body;
    const outline = await run({ ...DEFAULTS, outline: true }, context) as unknown as {
      outline: string;
      ref_prefix: string;
      snapshot_id: string;
    };
    assertEquals("tree" in outline, false);
    assertEquals(outline.ref_prefix, `@${outline.snapshot_id}:`);
    assertEquals(
      outline.outline,
      [
        'window "Untitled"',
        '  toolbar "Tools"',
        '    button "Open" [e1]',
        '    button "Save" [e2]',
        "  group",
        '    scrollarea "Text" [e3]',
        '      statictext "hello"',
        '  list "Files"',
        '    option "a.txt" [e4]',
        '      statictext "a"',
        '    option "b.txt" [e5]',
      ].join("\n"),
    );
    const flat = await run({ ...DEFAULTS, flat: true }, context) as unknown as {
      elements: { ref_id: string; path: string[] }[];
    };
    const number = (ref: string) => ref.slice(ref.lastIndexOf(":"));
    assertEquals(flat.elements.map(({ ref_id }) => number(ref_id)), allRefs(tree.tree).map(number));
    assertEquals(flat.elements[3]!.path, ["Untitled", "Files"]);
  });
});

Deno.test("--since reports what changed and gives new refs to it", async () => {
  await withDesktop(async (desktop, context) => {
    const root = editor();
    desktop.addWindow(root);
    const before = await run(DEFAULTS, context) as Body;
    root.children[0]!.children[1]!.states = ["disabled"];
    root.children[2]!.children.push(
      Object.assign(node("option", { name: "c.txt", actions: ["Select"] }), { index: 2 }),
    );
    root.children[2]!.children.shift();
    const body = await run({ ...DEFAULTS, since: before.snapshot_id }, context) as unknown as {
      snapshot_id: string;
      changes: unknown;
    };
    assertEquals(body.changes, {
      added: [{
        available_actions: ["Select"],
        name: "c.txt",
        path: ["window:Untitled", "list:Files"],
        ref_id: `@${body.snapshot_id}:e5`,
        role: "option",
      }],
      changed: [{
        after: { states: ["disabled"] },
        before: { states: [] },
        name: "Save",
        path: ["window:Untitled", "toolbar:Tools"],
        ref_id: `@${body.snapshot_id}:e2`,
        role: "button",
      }],
      removed: [{
        available_actions: ["Select"],
        descendants: 1,
        name: "a.txt",
        path: ["window:Untitled", "list:Files"],
        ref_id: `@${before.snapshot_id}:e4`,
        role: "option",
      }],
      unchanged_count: 8,
    });
    await failsWith(run({ ...DEFAULTS, since: "snone" }, context), "SNAPSHOT_NOT_FOUND");
    desktop.addWindow(editor());
    const other = run({ ...DEFAULTS, window_id: "w-2", since: before.snapshot_id }, context);
    await failsWith(other, "INVALID_ARGS");
  });
});

Deno.test("a drill merges into its snapshot, replaces its own refs and no others", async () => {
  await withDesktop(async (desktop, context, store) => {
    const root = editor();
    root.children[1]!.role = "toolbar";
    desktop.addWindow(root);
    const skeleton = await run({ ...DEFAULTS, skeleton: true, max_depth: 1 }, context) as Body;
    const id = skeleton.snapshot_id;
    // The toolbar and the list; round the scroll area is a container nothing can be found by.
    assertEquals(allRefs(skeleton.tree), [`@${id}:e1`, `@${id}:e2`]);
    const before = store.load(id);

    const tools = await run({ ...DEFAULTS, root: `@${id}:e1` }, context) as Body;
    assertEquals([tools.snapshot_id, tools.ref_count], [id, 4]);
    assertEquals(allRefs(tools.tree), [`@${id}:e3`, `@${id}:e4`]);
    const files = await run({ ...DEFAULTS, root: `@${id}:e2` }, context) as Body;
    assertEquals(allRefs(files.tree), [`@${id}:e5`, `@${id}:e6`]);
    const again = await run({ ...DEFAULTS, root: `@${id}:e1`, compact: true }, context) as Body;
    assertEquals(allRefs(again.tree), [`@${id}:e7`, `@${id}:e8`], "numbers are never used twice");
    assertEquals(again.ref_count, 6);

    const map = store.load(id);
    assertEquals([...map.entries.keys()].sort((a, b) => a - b), [1, 2, 5, 6, 7, 8]);
    assertEquals(map.entries.get(1), before.entries.get(1));
    const entry = map.entries.get(8)!;
    assertEquals(
      [entry.root_ref, entry.path_is_absolute, entry.path, entry.name],
      ["@e1", true, [0, 1], "Save"],
    );
    await failsWith(run({ ...DEFAULTS, root: `@${id}:e3` }, context), "STALE_REF");
  });
});

Deno.test("a drill that cannot be read whole changes nothing", async () => {
  await withDesktop(async (desktop, context, store) => {
    const root = editor();
    desktop.addWindow(root);
    const { snapshot_id: id } = await run(DEFAULTS, context) as Body;
    const before = store.load(id);
    const ref = `@${id}:e3`;
    desktop.world.observation = { complete: false, nodesObserved: 2 };
    const timeout = await failsWith(run({ ...DEFAULTS, root: ref }, context), "TIMEOUT");
    assertEquals(timeout.details!["kind"], "observation_incomplete");
    assertEquals(timeout.details!["nodes_observed"], 2);
    assertEquals(timeout.delivery, "not_delivered");
    desktop.world.observation = {};

    // Another process replaces the root's entry between reading and writing.
    desktop.onObserve = () => {
      desktop.onObserve = () => {};
      store.update(id, (map) => {
        const entries = new Map(map.entries);
        entries.set(3, { ...entries.get(3)!, name: "Other" });
        return { ...map, entries };
      });
    };
    await failsWith(run({ ...DEFAULTS, root: ref }, context), "STALE_REF");
    const after = store.load(id);
    assertEquals(after.counter, before.counter);
    assertEquals(after.entries.size, before.entries.size);

    const windows = desktop.editor.windows.splice(0);
    desktop.world.apps.push({ name: "other", pid: 43, windows });
    await failsWith(run({ ...DEFAULTS, root: ref }, context), "WINDOW_NOT_FOUND");
    desktop.world.apps.pop();
    await failsWith(run({ ...DEFAULTS, root: ref }, context), "WINDOW_NOT_FOUND");
    await failsWith(run({ ...DEFAULTS, root: "@e1" }, context), "INVALID_ARGS");
    await failsWith(run({ ...DEFAULTS, root: "@snone:e1" }, context), "SNAPSHOT_NOT_FOUND");
  });
});

Deno.test("many drills into random parts never use a number twice", async () => {
  await withDesktop(async (desktop, context) => {
    const root = node("window", { name: "w" }, [
      ...["one", "two", "three"].map((name) =>
        node("list", { name }, [button(`${name} a`), button(`${name} b`)])
      ),
    ]);
    desktop.addWindow(root);
    const { tree, snapshot_id } = await run({ ...DEFAULTS, max_depth: 1 }, context) as Body;
    const seen = new Set(allRefs(tree));
    const targets = [...seen];
    assertEquals(targets.length, 3);
    for (let i = 0; i < 30; i++) {
      const target = targets[(i * 7) % targets.length]!;
      const drilled = await run({ ...DEFAULTS, root: target }, context) as Body;
      assertEquals(drilled.snapshot_id, snapshot_id);
      for (const ref of allRefs(drilled.tree)) {
        assert(!seen.has(ref), ref);
        seen.add(ref);
      }
      assert(drilled.ref_count <= 9);
    }
  });
});

Deno.test("what lies deeper than the default depth can be reached by drilling", async () => {
  await withDesktop(async (desktop, context) => {
    let chain = button("Deep");
    for (let level = 30; level > 0; level--) {
      chain = node("group", { name: `level ${level}` }, [chain]);
    }
    desktop.addWindow(node("window", { name: "w" }, [chain]));
    const body = await run({ ...DEFAULTS, compact: true, interactive_only: true }, context) as Body;
    let cut = body.tree;
    while (cut.children !== undefined) cut = cut.children[0]!;
    assertEquals([cut.name, cut.children_count], ["level 10", 1]);
    const drilled = await run({ ...DEFAULTS, root: cut.ref_id!, max_depth: 50 }, context) as Body;
    assert(JSON.stringify(drilled.tree).includes('"Deep"'));
    const whole = await run({ ...DEFAULTS, max_depth: 50 }, context) as Body;
    assertEquals(allRefs(whole.tree).length, 1);
  });
});

Deno.test("a container that claims billions of children is one that can be drilled into", async () => {
  await withDesktop(async (desktop, context) => {
    const rows = [button("row 0"), button("row 1")];
    const table = node(
      "table",
      { name: "Sheet", virtualCount: 2_147_483_647 },
      rows,
    );
    const tools = node("toolbar", { name: "Tools" }, [button("After")]);
    desktop.addWindow(node("window", { name: "w" }, [table, tools]));
    desktop.world.observation = { complete: false };
    const body = await run({ ...DEFAULTS, interactive_only: true }, context) as Body;
    const [sheet, after] = body.tree.children!;
    assertEquals([sheet!.children_count, sheet!.subtree_truncated], [2_147_483_647, true]);
    assertEquals(sheet!.ref_id, `@${body.snapshot_id}:e1`);
    assertEquals(after!.children![0]!.name, "After");
    assertEquals(body.complete, false);
  });
});
