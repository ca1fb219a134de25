/** LibreOffice: one process with a Calc and a Writer window. */
import { assert, assertEquals } from "@std/assert";
import { Desktop, nodesOf, refOf } from "../e2e/support/desktop.ts";
import { expectSoon, startLibreOffice } from "./support/programs.ts";

const desktop = await Desktop.start();
const app = await startLibreOffice(desktop);
const HOME = desktop.env["HOME"]!;

/** Whether a button of a tool bar is pressed, as the independent reader sees it. */
async function pressed(window: string, name: string): Promise<boolean> {
  const found = (await app.find({ window, name })).filter((n) => n.states.includes("showing"));
  assertEquals(found.length, 1, `${name}: one button shows, the menu items do not`);
  return found[0]!.states.includes("checked");
}

Deno.test("Writer: a snapshot is complete and tells the paragraphs", async () => {
  const snapshot = await app.snapshot("letter.fodt");
  assertEquals(snapshot.complete, true);
  const values = [...nodesOf(snapshot.tree)].map((node) => node.value);
  assert(values.includes("First words.") && values.includes("Second words."));
});

Deno.test("Writer: a click on Italic is taken by the button", async () => {
  const window = "letter.fodt - LibreOffice Writer";
  assertEquals(await pressed(window, "Italic"), false);
  const { tree } = await app.snapshot("letter.fodt");
  await desktop.ok("click", refOf(tree, "Italic", "button"));
  await expectSoon("the button pressed", () => pressed(window, "Italic"));
});

Deno.test("Calc: a snapshot tells the first row, and that there is more", async () => {
  const snapshot = await app.snapshot("stock.fods");
  assertEquals(snapshot.complete, false);
  const sheet = [...nodesOf(snapshot.tree)].find((node) => node.role === "table");
  assertEquals(sheet?.children_count, 2_147_483_647);
  const cells = [...nodesOf(sheet!)].filter((node) => node.role === "cell");
  assert(cells.length > 1 && cells.length < 4096, `${cells.length} cells`);
});

Deno.test("Calc: clicks on Bold and Save make the first cell bold in the file", async () => {
  const bold = async () =>
    (await Deno.readTextFile(`${HOME}/stock.fods`)).includes('fo:font-weight="bold"');
  assertEquals(await bold(), false);
  const { tree } = await app.snapshot("stock.fods");
  await desktop.ok("click", refOf(tree, "Bold", "button"));
  const window = "stock.fods - LibreOffice Calc";
  await expectSoon("the button pressed", () => pressed(window, "Bold"));
  await desktop.ok("click", refOf((await app.snapshot("stock.fods")).tree, "Save", "button"));
  await expectSoon("a bold cell in the file", bold);
});

Deno.test("LibreOffice: the application lives on", () => app.assertAlive());
