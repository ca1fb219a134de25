/** A Java Swing window through its bridge to AT-SPI. */
import { assertEquals } from "@std/assert";
import { Desktop, nodeNamed, nodesOf, refOf } from "../e2e/support/desktop.ts";
import { startSwing } from "./support/programs.ts";

const desktop = await Desktop.start();
const app = await startSwing(desktop);

Deno.test("Swing: a snapshot is complete and shows no password", async () => {
  const snapshot = await app.snapshot();
  assertEquals(snapshot.complete, true);
  assertEquals(nodeNamed(snapshot.tree, "Entry", "textfield").value, "start");
  const password = nodeNamed(snapshot.tree, "Password", "textfield");
  assertEquals([password.value, password.states], [undefined, ["secure"]]);
  assertEquals(JSON.stringify(snapshot).includes("hunter2"), false);
});

Deno.test("Swing: a click pushes the button", async () => {
  const { tree } = await app.snapshot();
  await desktop.ok("click", refOf(tree, "Push", "button"));
  await app.expectLabel("status: pushed");
});

Deno.test("Swing: a combo box takes an option, shows it as its value and keeps its ref", async () => {
  const { tree } = await app.snapshot();
  const combo = [...nodesOf(tree)].find(({ role }) => role === "combobox")!;
  assertEquals(combo.value, "Red");
  for (const colour of ["Green", "Blue"]) {
    const done = await desktop.ok("select", combo.ref_id!, colour);
    assertEquals(done["disposition"], { delivery: "delivered_verified", retry: "unsafe" });
    await app.expectLabel(`status: combo ${colour}`);
    const { value } = await desktop.ok("get", combo.ref_id!, "--property", "value");
    assertEquals(value, colour);
  }
});

Deno.test("Swing: the application lives on", () => app.assertAlive());
