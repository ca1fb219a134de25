/** Content of sizes that real applications have: ten thousand rows, a megabyte of text, deep trees. */
import { assert, assertEquals } from "@std/assert";
import { Desktop, nodeNamed, nodesOf, refOf } from "./support/desktop.ts";
import { startScene, startWeb } from "./support/apps.ts";

const desktop = await Desktop.start();

const LAST_LINE = "the very last line";
/** What a snapshot prints of a field, in bytes of UTF-8. */
const FIELD_BYTES = 65_536;

const bytes = (text: string) => new TextEncoder().encode(text).length;

Deno.test("GTK 3: of ten thousand rows those that show are read, and what stands after them", async () => {
  await using app = await startScene(desktop, "rows10k");
  const run = await desktop.run("snapshot", "--app", app.name);
  assertEquals(run.code, 0, run.stdout.slice(0, 2_000));
  const { data } = run.envelope as unknown as {
    data: Awaited<ReturnType<Desktop["snapshot"]>>;
  };
  console.log(`10,000 rows: ${run.wallMs.toFixed()} ms, ${run.stdout.length} characters`);
  assertEquals([data.complete, data.truncated], [false, true]);
  const rows = nodeNamed(data.tree, "Many rows");
  assert(rows.subtree_truncated);
  // The header of the column is a child as well.
  assertEquals(rows.children_count, 10_001);
  const cells = (rows.children ?? []).filter((node) => node.role === "cell");
  const names = cells.map((node) => node.name);
  const onScreen = cells.filter((node) => !node.states?.includes("offscreen"));
  console.log(`${cells.length} rows, ${onScreen.length} on screen`);
  assert(onScreen.length > 5, "the visible rows are there");
  assertEquals(names.slice(0, 3), ["Row 1", "Row 2", "Row 3"]);
  assert(cells.length < 500, "bounded");
  assert(run.stdout.length < 200_000);
  // Whoever was printed answers to its ref, and what follows the list was reached.
  const third = await desktop.ok("get", cells[2]!.ref_id!);
  assertEquals(third["value"], "Row 3");
  await desktop.ok("click", refOf(data.tree, "Tool B", "button"));
  await app.expectLabel("status", "Tool B 1");
});

Deno.test("a megabyte of text is cut with its length told, and can be read whole", async () => {
  await using app = await startScene(desktop, "big-text");
  const { tree, complete } = await desktop.snapshot("--app", app.name);
  const view = nodeNamed(tree, "Big text", "textfield");
  const length = view.value_length!;
  assert(length > 1_048_576);
  assertEquals(complete, true);
  const shown = view.value!;
  assert(bytes(shown) <= FIELD_BYTES && bytes(shown) > FIELD_BYTES - 4, `${bytes(shown)}`);
  assert(shown.isWellFormed());
  assert(!shown.includes(LAST_LINE));
  for (const property of ["value", "text"]) {
    const got = await desktop.ok("get", view.ref_id!, "--property", property);
    const whole = got["value"] as string;
    assertEquals([bytes(whole), got["truncated"]], [length, undefined]);
    assert(whole.startsWith(shown) && whole.endsWith(LAST_LINE));
  }
  const { outline } = await desktop.ok("snapshot", "--app", app.name, "--outline");
  assert((outline as string).length < 4_000);
  const found = await desktop.ok("find", "--app", app.name, "--value", "0123456789", "--count");
  assertEquals(found["count"], 1);
});

Deno.test("a long page is read whole and fast enough for the standard deadline", async () => {
  await using app = await startWeb(desktop, "page_rows.html#300");
  const read = ["--app", app.name, "--max-depth", "50", "--timeout-ms", "20000"];
  const whole = await desktop.snapshot(...read);
  assertEquals(whole.complete, true);
  const nodes = [...nodesOf(whole.tree)];
  assert(nodes.length > 900);
  nodeNamed(whole.tree, "After the rows");
});

Deno.test("a skeleton counts the nameless rows of a page, and one drill opens them all", async () => {
  await using app = await startWeb(desktop, "page_rows.html#300");
  const skeleton = await desktop.snapshot("--app", app.name, "--skeleton");
  assertEquals(skeleton.complete, true);
  const list = nodeNamed(skeleton.tree, "Rows", "list");
  assertEquals([list.children_count, list.children], [300, undefined]);
  const drill = await desktop.snapshot("--root", list.ref_id!);
  const buttons = [...nodesOf(drill.tree)].filter((node) => node.role === "button");
  assertEquals(buttons.length, 300);
  assertEquals(drill.snapshot_id, skeleton.snapshot_id);
});

Deno.test("a button below thirty containers is reached, or the cut says where to go on", async () => {
  await using app = await startScene(desktop, "deep");
  const deep = await desktop.snapshot("--app", app.name, "--max-depth", "50");
  refOf(deep.tree, "Deep button", "button");
  // By default the cut node has a ref, and drilling deeper from it reaches the rest.
  const shallow = await desktop.snapshot("--app", app.name);
  assertEquals(shallow.complete, true);
  const cut = [...nodesOf(shallow.tree)].filter((node) => node.children_count);
  assertEquals(cut.map(({ name, children_count }) => [name, children_count]), [["Level 10", 1]]);
  const rest = await desktop.snapshot("--root", cut[0]!.ref_id!, "--max-depth", "50");
  await desktop.ok("click", refOf(rest.tree, "Deep button", "button"));
  await app.expectLabel("status", "Deep button 1");
});
