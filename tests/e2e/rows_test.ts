/** Equal buttons in many rows: the row's own text tells them apart when nothing else does. */
import { assert, assertEquals } from "@std/assert";
import { startWeb } from "./support/apps.ts";
import { type Data, Desktop, nodesOf, refOf } from "./support/desktop.ts";

const desktop = await Desktop.start();

const ROWS = 200;

const PAGE = `<!doctype html><title>Customers</title><button id=ask>Ask</button>
<p id=last>last: none</p>
<dialog id=sure>Sure?<button id=no>No</button></dialog>
<table id=rows></table><script>
for (let i = 1; i <= ${ROWS}; i++) {
  const row = document.getElementById("rows").insertRow();
  row.insertCell().textContent = "Customer " + i;
  const button = row.insertCell().appendChild(document.createElement("button"));
  button.textContent = "Delete";
  button.onclick = () => document.getElementById("last").textContent = "last: " + i;
}
document.getElementById("ask").onclick = () => document.getElementById("sure").showModal();
document.getElementById("no").onclick = () => document.getElementById("sure").close();
</script>`;

Deno.test("Chromium: row 137's button of 200 is found again after a modal dialog, and is gone with its row", async () => {
  const page = `data:text/html,${encodeURIComponent(PAGE)}`;
  await using app = await startWeb(desktop, page, { ready: "Ask" });
  const { tree } = await desktop.snapshot("--app", app.name, "--max-depth", "30");
  const buttons = [...nodesOf(tree)].filter(({ name, role }) =>
    name === "Delete" && role === "button"
  );
  assertEquals(buttons.length, ROWS);
  const ref = buttons[136]!.ref_id!;
  const found = await desktop.ok("find", "--app", app.name, "--role", "row", "--nth", "136");
  const row = (found["match"] as Data)["ref_id"] as string;
  const inRow = await desktop.ok("find", "--root", row, "--role", "button");
  assertEquals(inRow["total_matches"], 1);
  const foundRef = (inRow["matches"] as Data[])[0]!["ref_id"] as string;

  await desktop.ok("click", refOf(tree, "Ask", "button"));
  await app.control("evaluate", "document.getElementById('no').click()");
  const deleted = () => app.expectLabel("last", "137");
  // The toolkit makes the page's accessibles anew: the rows, whether they kept their handles or not.
  for (const rebuild of ["hidden", "kept"]) {
    if (rebuild === "hidden") {
      await app.control(
        "evaluate",
        "(() => { const t = document.getElementById('rows'); t.hidden = true; })()",
      );
      const hidden = await desktop.run("get", ref, "--property", "title");
      assert(!hidden.envelope!.ok, "a button that is not there is not found");
      await app.control(
        "evaluate",
        "(() => { const t = document.getElementById('rows'); t.hidden = false; })()",
      );
    }
    await desktop.ok("click", ref);
    await deleted();
  }
  await desktop.ok("click", foundRef);
  await deleted();

  await app.control(
    "evaluate",
    "(() => { const t = document.getElementById('rows'); t.hidden = true; t.deleteRow(136); " +
      "document.body.offsetTop; t.hidden = false; })()",
  );
  const error = await desktop.fails("STALE_REF", "click", ref, "--timeout-ms", "10000");
  assertEquals(error.disposition.delivery, "not_delivered");
  const other = await desktop.ok("get", buttons[137]!.ref_id!, "--property", "title");
  assertEquals(other["value"], "Delete");
});
