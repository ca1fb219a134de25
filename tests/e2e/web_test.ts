/** Pages that are late, silent, closed to accessibility or gone in the meantime. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { Desktop, nodesOf, refOf, type Snapshot } from "./support/desktop.ts";
import { poll, startScene, startWeb } from "./support/apps.ts";

const desktop = await Desktop.start();

const names = ({ tree }: Snapshot) => [...nodesOf(tree)].map((node) => node.name);
const page = (body: string) => `data:text/html,<title>Late page</title>${body}`;

Deno.test("a renderer that publishes nothing is switched on, or told with the way to do so", async () => {
  await using app = await startWeb(desktop, "web_controls.html", {
    args: ["--no-renderer-accessibility"],
    ready: null,
  });
  const seen = await desktop.reader.find({ app: app.name, name: "Push" });
  const snapshot = await desktop.ok("snapshot", "--app", app.name);
  if (snapshot["complete"]) {
    // Switched on by the question itself.
    assertEquals(seen, []);
    refOf((snapshot as unknown as Snapshot).tree, "Push", "button");
    return;
  }
  assertEquals(seen, []);
  assertEquals(snapshot["truncated"], true);
  assertEquals(snapshot["details"], { kind: "renderer_accessibility_inactive" });
  assertMatch(snapshot["suggestion"] as string, /--force-renderer-accessibility/);
  const assumed = await desktop.ok("snapshot", "--app", app.name, "--force-electron-a11y");
  assertEquals([assumed["complete"], assumed["details"]], [true, undefined]);
  const search = ["find", "--app", app.name, "--role", "button", "--name", "Push"];
  const none = await desktop.fails("TIMEOUT", ...search, "--timeout-ms", "1000");
  assertEquals(none.details?.["kind"], "locator_incomplete");
});

Deno.test("content that comes 1.5 s after the page is waited for", async () => {
  const late = page(
    "<script>setTimeout(()=>document.body.innerHTML='<button>Late</button>',1500)</script>",
  );
  await using app = await startWeb(desktop, late, { ready: null });
  await app.control("evaluate", "location.reload()");
  const snapshot = await desktop.snapshot("--app", app.name);
  if (snapshot.complete) assert(names(snapshot).includes("Late"), JSON.stringify(snapshot.tree));
});

Deno.test("GTK 3: content that comes 1.5 s after its window is waited for", async () => {
  await using app = await startScene(desktop, "late", { args: ["--children-delay", "1500"] });
  const snapshot = await desktop.snapshot("--app", app.name);
  if (snapshot.complete) refOf(snapshot.tree, "Late button", "button");
  const later = await desktop.snapshot("--app", app.name, "--timeout-ms", "10000");
  assertEquals(later.complete, true);
  refOf(later.tree, "Late button", "button");
});

Deno.test("an empty window and an empty page end the wait by themselves", async () => {
  {
    await using app = await startScene(desktop, "late", { args: ["--children-delay", "600000"] });
    const snapshot = await desktop.snapshot("--app", app.name, "--timeout-ms", "25000");
    assertEquals([snapshot.complete, snapshot.ref_count], [true, 0]);
  }
  await using web = await startWeb(desktop, page(""), { ready: null });
  const snapshot = await desktop.snapshot("--app", web.name, "--timeout-ms", "25000");
  assertEquals(snapshot.complete, true);
  const areas = [...nodesOf(snapshot.tree)].filter((node) => node.role === "webarea");
  assertEquals(areas.map((node) => [node.name, node.children]), [["Late page", undefined]]);
});

Deno.test("a ref does not survive into another page", async () => {
  await using app = await startWeb(desktop);
  const snapshot = await desktop.snapshot("--app", app.name);
  const push = refOf(snapshot.tree, "Push", "button");
  const other = `${desktop.folder}/other.html`;
  await Deno.writeTextFile(other, "<title>Other page</title><button>Push</button>");
  await app.control("navigate", `file://${other}`);
  const shown = await poll(
    5_000,
    async () =>
      (await desktop.reader.find({ app: app.name, name: "Other page", role: 95 })).length > 0,
  );
  assert(shown);
  for (const command of ["get", "click"]) await desktop.fails("STALE_REF", command, push);
  const fresh = await desktop.snapshot("--app", app.name);
  assertEquals(names(fresh).filter((name) => name === "Push"), ["Push"]);
  await desktop.ok("click", refOf(fresh.tree, "Push", "button"));
});
