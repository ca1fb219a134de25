/** Texts that are edited as part of a page, and texts in which other elements stand. */
import { assert, assertEquals } from "@std/assert";
import { type Data, Desktop, nodeNamed, nodesOf, refOf } from "./support/desktop.ts";
import { type App, startWeb } from "./support/apps.ts";

const desktop = await Desktop.start();

function start(): Promise<App> {
  return startWeb(desktop, "rich_text.html", { ready: "Fruit" });
}

const delivery = (data: Data) => (data["disposition"] as { delivery: string }).delivery;

Deno.test("what stands in a text is told in its place, and no mark of it is left", async () => {
  await using app = await start();
  const { tree } = await desktop.snapshot("--app", app.name);
  assertEquals(
    nodeNamed(tree, "Mixed", "textfield").value,
    "hello bold and a link end a picture tail",
  );
  assertEquals(nodeNamed(tree, "Lines", "textfield").value, "one\ntwo linked");
  for (const label of ["Agree to the terms", "Fruit", "Secret"]) {
    nodeNamed(tree, label, "statictext");
  }
  for (const node of nodesOf(tree)) {
    const said = `${node.name}${node.value}${node.description}`;
    assert(!said.includes("\ufffc") && !said.includes("hunter2"), said);
  }
  for (const [name, value] of [["Lines", "one\ntwo linked"], ["Words", "words"]] as const) {
    const ref = refOf(tree, name, "textfield");
    assertEquals((await desktop.ok("get", ref, "--property", "value"))["value"], value);
  }
  const found = await desktop.ok("find", "--app", app.name, "--value", "two linked", "--first");
  assertEquals((found["match"] as Data)["name"], "Lines");
});

Deno.test("an editor on a page is cleared, and then holds what is set", async () => {
  await using app = await start();
  const { tree } = await desktop.snapshot("--app", app.name);
  for (const name of ["Words", "Mixed", "Lines", "Area"]) {
    const ref = refOf(tree, name, "textfield");
    const cleared = await desktop.ok("clear", ref, "--headed");
    assertEquals([name, delivery(cleared)], [name, "delivered_verified"]);
    await app.expectLabel("told", `${name} ""`);
    const set = await desktop.ok("set-value", ref, "new text", "--headed");
    assertEquals([name, delivery(set)], [name, "delivered_verified"]);
    await app.expectLabel("told", `${name} "new text"`);
    await desktop.ok("clear", ref, "--headed");
    const typed = await desktop.ok("type", ref, "typed", "--headed");
    assertEquals([name, delivery(typed)], [name, "delivered_verified"]);
    await app.expectLabel("told", `${name} "typed"`);
  }
});

Deno.test("typing into a text with elements in it claims nothing and breaks nothing", async () => {
  await using app = await start();
  const { tree } = await desktop.snapshot("--app", app.name);
  const typed = await desktop.ok("type", refOf(tree, "Mixed", "textfield"), "X", "--headed");
  assertEquals(delivery(typed), "delivered_unverified");
  assert((await app.label("told")).includes("X"));
});
