/**
 * `select`, and clicks that come to a selection: what was chosen is what the application says
 * itself, and what was done on the way to a refusal is told with it.
 */
import { assertEquals } from "@std/assert";
import {
  type App,
  type ScriptedNode,
  startGtk4,
  startScene,
  startScripted,
} from "./support/apps.ts";
import { Desktop, nodesOf, refOf } from "./support/desktop.ts";
import { frame, USABLE } from "./support/scripted.ts";

const desktop = await Desktop.start();

/** How a call ended, as far as it matters here. */
async function select(ref: string, option: string): Promise<Record<string, unknown>> {
  return await outcome("select", ref, option);
}

async function outcome(...args: string[]): Promise<Record<string, unknown>> {
  const { envelope } = await desktop.run(...args);
  const { data, error } = envelope!;
  const { delivery } = (data?.["disposition"] ?? error?.disposition) as { delivery: string };
  const { options, prepared, left_open, effect } =
    (data?.["details"] ?? error?.details ?? {}) as Record<string, unknown>;
  const said = { code: error?.code, options, prepared, left_open, effect };
  return {
    delivery,
    ...Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined)),
  };
}

async function ref(app: App, role: string, name: string): Promise<string> {
  const { tree } = await desktop.snapshot("--app", app.name, "--max-depth", "50");
  return refOf(tree, name, role);
}

/** The ref of the only combo box, which has no name. */
async function anyCombo(app: App): Promise<string> {
  const { tree } = await desktop.snapshot("--app", app.name);
  return [...nodesOf(tree)].find(({ role }) => role === "combobox")!.ref_id!;
}

Deno.test("GTK 3: an item of a menu is activated, not highlighted", async () => {
  await using app = await startScene(desktop, "menus");
  const file = await ref(app, "menu", "File");
  const sent = { delivery: "delivered_unverified" };
  assertEquals(await select(file, "Quit"), sent);
  await app.expectLabel("status", "Quit 1");
  assertEquals(await select(file, "Two"), sent);
  await app.expectLabel("status", "Two 1");
  assertEquals(await select(await ref(app, "menu", "View"), "status bar"), sent);
  await app.expectLabel("status", "Status bar 1");
});

Deno.test("GTK 3: what a menu does not have, or has disabled, is refused and not sent", async () => {
  await using app = await startScene(desktop, "menus");
  const file = await ref(app, "menu", "File");
  assertEquals(await select(file, "Print"), {
    code: "ELEMENT_NOT_FOUND",
    delivery: "not_delivered",
    options: ["New", "Recent", "Off", "Quit", "One", "Two"],
  });
  assertEquals(await select(file, "Off"), { code: "ACTION_FAILED", delivery: "not_delivered" });
  assertEquals(await app.label("status"), "none");
});

Deno.test("GTK 3: a headless click on a row says that it only selected it", async () => {
  await using app = await startScene(desktop, "menus");
  const { tree } = await desktop.snapshot("--app", app.name);
  const row = [...nodesOf(tree)].filter(({ role }) => role === "option")[1]!.ref_id!;
  assertEquals(await outcome("click", row), {
    delivery: "delivered_unverified",
    effect: "selected",
  });
  assertEquals(await app.label("status"), "none", "opened by nothing");
  const selected = await desktop.reader.find({ app: app.name, role: "list item" });
  assertEquals(selected.map(({ states }) => states.includes("selected")), [false, true]);
  await desktop.ok("click", row, "--headed");
  await app.expectLabel("status", "Trash 1");
});

Deno.test("GTK 3: a combo box without a label keeps its ref, whatever it shows", async () => {
  await using app = await startScene(desktop, "menus");
  const { tree } = await desktop.snapshot("--app", app.name);
  const combo = [...nodesOf(tree)].find(({ role }) => role === "combobox")!;
  assertEquals([combo.name, combo.value], [undefined, "Red"]);
  for (const colour of ["Green", "Blue", "Red"]) {
    assertEquals(await select(combo.ref_id!, colour), { delivery: "delivered_verified" });
    await app.expectLabel("status", `${colour} 1`);
    const { value } = await desktop.ok("get", combo.ref_id!, "--property", "value");
    assertEquals(value, colour);
  }
});

/** A combo box whose options are in a list of its own elsewhere, as pages write them. */
function controllingCombo(combo: Record<string, unknown>, list: ScriptedNode[]): ScriptedNode {
  return frame([
    {
      id: "combo",
      role: "combo box",
      name: "Fruit",
      states: [...USABLE, "focusable", "expandable"],
      text: "Apple",
      actions: [{ name: "press", effect: ["toggle-state combo expanded"] }],
      ...combo,
    },
    { id: "other", role: "list box", name: "Other", children: [option("Cherry", [])] },
    { id: "list", role: "list box", name: "Fruits", children: list },
  ]);
}

function option(name: string, effect: string[]): Record<string, unknown> {
  const states = [...USABLE, "selectable"];
  return {
    id: name.toLowerCase(),
    role: "list item",
    name,
    states,
    actions: [{ name: "click", effect }],
  };
}

const CONTROLS = { relations: [["controller-for", ["list"]]] };

Deno.test("options in a list that the combo box controls are found and chosen there", async () => {
  await using app = await startScripted(desktop, {
    windows: [controllingCombo(CONTROLS, [
      option("Apple", []),
      option("Banana", ["set combo text Banana", "remove-state combo expanded"]),
      option("Lemon", []),
    ])],
  });
  const combo = await ref(app, "combobox", "Fruit");
  assertEquals(await select(combo, "Banana"), { delivery: "delivered_verified" });
  const [seen] = await desktop.reader.find({ app: app.name, role: "combo box", text: true });
  assertEquals(seen!.text, "Banana");
  // Chosen already.
  assertEquals(await select(combo, "Banana"), { delivery: "not_delivered" });
  // Sent, and nothing of it shows in the control: a text may say anything.
  assertEquals(await select(combo, "Lemon"), { delivery: "delivered_unverified" });
  assertEquals(await select(combo, "Cherry"), {
    code: "ELEMENT_NOT_FOUND",
    delivery: "not_delivered",
    options: ["Apple", "Banana", "Lemon"],
  });
  assertEquals(await app.ask("effects"), { "banana DoAction": 1, "lemon DoAction": 1 });
});

Deno.test("a combo box opened in vain is closed again, and both are told", async () => {
  await using app = await startScripted(desktop, { windows: [controllingCombo({}, [])] });
  assertEquals(await select(await ref(app, "combobox", "Fruit"), "Cherry"), {
    code: "ELEMENT_NOT_FOUND",
    delivery: "delivered_unverified",
    options: [],
    prepared: ["OpenOptions", "CloseOptions"],
  });
  assertEquals(await app.ask("effects"), { "combo DoAction": 2 });
});

Deno.test("a list that comes into the window as a combo box opens is its list", async () => {
  const pop = JSON.stringify({
    role: "list box",
    name: "Pop",
    // Each press brings another list; ids must differ.
    children: [{
      ...option("Banana", ["set combo text Banana", "remove-state combo expanded"]),
      id: undefined,
    }],
  });
  const actions = [{
    name: "press",
    effect: ["toggle-state combo expanded", `insert win -1 '${pop}'`],
  }];
  const tree = { windows: [controllingCombo({ actions }, [])] };
  {
    await using app = await startScripted(desktop, tree);
    const done = await select(await ref(app, "combobox", "Fruit"), "Banana");
    assertEquals(done, { delivery: "delivered_verified" });
  }
  // Cherry is in a list that was there before.
  await using app = await startScripted(desktop, tree);
  assertEquals(await select(await ref(app, "combobox", "Fruit"), "Cherry"), {
    code: "ELEMENT_NOT_FOUND",
    delivery: "delivered_unverified",
    options: ["Banana"],
    prepared: ["OpenOptions", "CloseOptions"],
  });
});

Deno.test("a combo box that does not tell whether it is open is not pressed twice", async () => {
  const silent = { actions: [{ name: "press" }], states: [...USABLE, "focusable"] };
  await using app = await startScripted(desktop, { windows: [controllingCombo(silent, [])] });
  assertEquals(await select(await ref(app, "combobox", "Fruit"), "Cherry"), {
    code: "ELEMENT_NOT_FOUND",
    delivery: "delivered_unverified",
    left_open: true,
    options: [],
    prepared: ["OpenOptions"],
  });
  assertEquals(await app.ask("effects"), { "combo DoAction": 1 });
});

Deno.test("what the list of a combo box shows as selected is not the choice", async () => {
  const items = ["Red", "Green"].map((name) => ({
    role: "list item",
    name,
    states: [...USABLE, "selectable"],
  }));
  await using app = await startScripted(desktop, {
    toolkit: "Qt",
    toolkit_version: "6.7.0",
    windows: [frame([{
      id: "combo",
      role: "combo box",
      name: "Red",
      states: [...USABLE, "focusable", "expandable"],
      children: [{ id: "list", role: "list", name: "", selection: true, children: items }],
    }])],
  });
  assertEquals(await select(await anyCombo(app), "Green"), {
    code: "ACTION_FAILED",
    delivery: "delivered_unverified",
  });
  assertEquals(await app.ask("effects"), { "list SelectChild": 1 });
});

Deno.test("GTK 4: a drop-down is closed again, its options are told", async () => {
  await using app = await startGtk4(desktop);
  const combo = await ref(app, "combobox", "Combo");
  const open = async () => {
    const nodes = await desktop.reader.find({ app: app.name });
    return nodes.some(({ states }) => states.includes("pressed"));
  };
  assertEquals(await select(combo, "Purple"), {
    code: "ELEMENT_NOT_FOUND",
    delivery: "delivered_unverified",
    options: ["Red", "Green", "Blue"],
    prepared: ["OpenOptions", "CloseOptions"],
  });
  assertEquals(await open(), false);
  assertEquals(await select(combo, "Green"), {
    code: "ACTION_FAILED",
    delivery: "delivered_unverified",
    prepared: ["OpenOptions", "CloseOptions"],
  });
  assertEquals(await app.label("combo"), "Red");
  assertEquals(await select(combo, "Red"), { delivery: "not_delivered" });
});
