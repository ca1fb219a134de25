/** Firefox: its own window, and a page with every control whose labels confirm what was done. */
import { assertEquals } from "@std/assert";
import { Desktop, nodeNamed, nodesOf, refOf, ROOT, type Snapshot } from "../e2e/support/desktop.ts";
import { startFirefox } from "./support/programs.ts";

const desktop = await Desktop.start();
const page = `file://${ROOT}fixtures/web_controls.html`;
const app = await startFirefox(desktop, page, "Web controls");
// What a snapshot calls complete of a Firefox that has only just come.
const early = await firstComplete();
// Firefox builds its tree step by step: the page's last label is what comes late.
await app.expectLabel("push: clicked 0");

async function firstComplete(): Promise<Snapshot> {
  for (let i = 0; i < 20; i++) {
    const snapshot = await app.snapshot();
    if (snapshot.complete) return snapshot;
    assertEquals(snapshot.details?.["kind"], "content_loading");
  }
  throw new Error("no snapshot of Firefox was ever complete");
}

/**
 * Role and name of what has one, titles of tabs and of the page included. Firefox keeps a new tab ready
 * whose page nobody sees, and builds it whenever it likes: such a page is left out.
 */
function said(snapshot: Snapshot): string[] {
  const found: string[] = [];
  const visit = ({ role, name, children = [] }: Snapshot["tree"]) => {
    if (role === "webarea" && name !== "Web controls") return;
    if (name !== undefined) found.push(`${role} ${name}`);
    for (const child of children) visit(child);
  };
  visit(snapshot.tree);
  return found;
}

Deno.test("Firefox: what is called complete just after the start is whole", async () => {
  assertEquals(said(early), said(await app.snapshot()));
});

Deno.test("Firefox: the page has its title and its paragraphs their text", async () => {
  const { tree } = await app.snapshot();
  const pages = [...nodesOf(tree)].filter(({ role }) => role === "webarea");
  const page = pages.find(({ name }) => name === "Web controls")!;
  assertEquals(page.states?.includes("disabled") ?? false, false);
  nodeNamed(tree, "push: clicked 0", "group");
  nodeNamed(tree, "combo: Red", "group");
});

Deno.test("Firefox: a snapshot is complete, the page and the toolbar are in it", async () => {
  const snapshot = await app.snapshot();
  assertEquals(snapshot.complete, true);
  refOf(snapshot.tree, "Push", "button");
  nodeNamed(snapshot.tree, "Reload", "button");
});

Deno.test("Firefox: a click pushes the page's button, one on Reload loads it again", async () => {
  await desktop.ok("click", refOf((await app.snapshot()).tree, "Push", "button"));
  await app.expectLabel("push: clicked 1");
  await desktop.ok("click", refOf((await app.snapshot()).tree, "Reload", "button"));
  await app.expectLabel("push: clicked 0");
});

Deno.test("Firefox: a field takes text by the keyboard only, and says so", async () => {
  const { tree } = await app.snapshot();
  for (const [field, label] of [["Entry", "entry"], ["Notes", "notes"]] as const) {
    const ref = refOf(tree, field, "textfield");
    for (const words of [["set-value", ref, "lost"], ["clear", ref], ["type", ref, "lost"]]) {
      const refused = await desktop.fails("POLICY_DENIED", ...words);
      assertEquals(refused.disposition.delivery, "not_delivered");
    }
    for (const words of [["set-value", ref, "écrit"], ["clear", ref], ["type", ref, "typed"]]) {
      const done = await desktop.ok(...words, "--headed");
      assertEquals(done["disposition"], { delivery: "delivered_verified", retry: "unsafe" });
      await app.expectLabel(`${label}: ${JSON.stringify(words[2] ?? "")}`);
    }
  }
});

Deno.test("Firefox: an option of a drop-down is chosen, and the page hears of it", async () => {
  const { tree } = await app.snapshot();
  const combo = [...nodesOf(tree)].find(({ role, name }) =>
    role === "combobox" && name?.startsWith("Combo")
  )!.ref_id!;
  const absent = (await desktop.run("select", combo, "Purple")).envelope!.error!;
  assertEquals([absent.code, absent.disposition.delivery, absent.details?.["options"]], [
    "ELEMENT_NOT_FOUND",
    "not_delivered",
    ["Red", "Green", "Blue"],
  ]);
  const done = await desktop.ok("select", combo, "Blue");
  assertEquals(done["disposition"], { delivery: "delivered_verified", retry: "unsafe" });
  await app.expectLabel("combo: Blue");
  assertEquals((await desktop.ok("select", combo, "Blue"))["disposition"], {
    delivery: "not_delivered",
    retry: "safe",
  });
});

Deno.test("Firefox: the application lives on", () => app.assertAlive());
