/**
 * Actions whose handler runs a modal dialog before it returns. The dialog can be read and answered
 * headless, the answer of the click says that the handler runs, and nothing takes long.
 */
import { assert, assertEquals } from "@std/assert";
import { Desktop, nodesOf, refOf } from "./support/desktop.ts";
import { type App, poll, startQtScene, startScene } from "./support/apps.ts";

const desktop = await Desktop.start();

interface Clicked {
  details: Record<string, unknown>;
  surfaces?: { type: string; title?: string }[];
}

/** Titles that `list-windows` has of an application. */
async function titles(app: App): Promise<string[]> {
  const list = await desktop.ok("list-windows", "--app", String(app.pid));
  return (list as unknown as { title: string }[]).map(({ title }) => title).sort();
}

/** The id of the window with a title. */
async function windowId(app: App, title: string): Promise<string> {
  const list = await desktop.ok("list-windows", "--app", String(app.pid));
  return (list as unknown as { id: string; title: string }[]).find((one) => one.title === title)!
    .id;
}

/** Clicks on what asks and answers the question, all headless. */
async function clickAndAnswer(app: App, ref: string, question: string, answer: string) {
  const clicked = await desktop.ok("click", ref) as unknown as Clicked;
  assertEquals(clicked.details["handler_running"], true);
  assert(clicked.surfaces?.some(({ title }) => title === "Question"), JSON.stringify(clicked));
  assertEquals(await titles(app), ["Asks", "Question"]);
  const { tree } = await desktop.snapshot("--window-id", await windowId(app, "Question"));
  assert([...nodesOf(tree)].some((node) => node.name === question), "the question is read");
  await desktop.ok("click", refOf(tree, answer, "button"));
}

for (const [name, says] of [["Ask…", "Ask…"], ["Ask at once", "Ask at once"]] as const) {
  Deno.test(`GTK 3: the dialog behind the button ${name} is read and answered`, async () => {
    await using app = await startScene(desktop, "asks");
    const { tree } = await desktop.snapshot("--app", app.name);
    for (const [answer, word] of [["OK", "yes"], ["Cancel", "no"]] as const) {
      await clickAndAnswer(app, refOf(tree, name, "button"), `Really ${says}?`, answer);
      await app.expectLabel("status", `${says} ${word} 1`);
    }
    // The application answers over the bus again: the independent reader uses nothing else.
    assertEquals(await titles(app), ["Asks"]);
  });
}

Deno.test("GTK 3: the dialog behind a menu item is read and answered", async () => {
  await using app = await startScene(desktop, "asks");
  const { tree } = await desktop.snapshot("--app", app.name);
  await desktop.ok("click", refOf(tree, "File", "menu"));
  const query = ["--app", app.name, "--role", "menuitem", "--name", "Ask from menu…", "--first"];
  const { match } = await desktop.ok("find", ...query) as unknown as { match: { ref_id: string } };
  await clickAndAnswer(app, match.ref_id, "Really menu?", "OK");
  await app.expectLabel("status", "menu yes 1");
});

Deno.test("Qt: the dialog behind a button is read and answered", async () => {
  await using app = await startQtScene(desktop, "asks");
  const { tree } = await desktop.snapshot("--app", app.name);
  await desktop.ok("click", refOf(tree, "Ask", "button"));
  // Qt 5 answers first and presses the button 100 ms later.
  assert(await poll(5_000, async () => (await titles(app)).includes("Question")));
  const dialog = await desktop.snapshot("--window-id", await windowId(app, "Question"));
  assert([...nodesOf(dialog.tree)].some((node) => node.name === "Really?"));
  await desktop.ok("click", refOf(dialog.tree, "Yes", "button"));
  await app.expectLabel("status", "yes");
});

Deno.test("a click whose handler comes back says nothing of a running one", async () => {
  await using app = await startScene(desktop, "three-buttons");
  const { tree } = await desktop.snapshot("--app", app.name);
  const clicked = await desktop.ok("click", refOf(tree, "Alpha")) as unknown as Clicked;
  assertEquals(clicked.details["handler_running"], undefined);
  await app.expectLabel("status", "Alpha 1");
});
