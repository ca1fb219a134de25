/** `wait`: each mode on real applications, that it ends when it should, and what it says when not. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { type Data, Desktop, refOf } from "./support/desktop.ts";
import { startGtk3, startScene } from "./support/apps.ts";

const desktop = await Desktop.start();

const wait = (...args: string[]) => desktop.ok("wait", ...args);

Deno.test("a time, and what does not go together", async () => {
  const data = await wait("30");
  assertEquals(data, { waited_ms: 30 });
  for (
    const args of [
      [],
      ["30", "--menu"],
      ["--window", "x", "--text", "y"],
      ["--predicate", "enabled"],
      ["--text", "x", "--value", "y"],
      ["--menu", "--count", "2"],
      ["--event", "surface-appeared"],
      ["--event", "app-launched", "--window", "x"],
      ["--event", "something-else"],
    ]
  ) {
    await desktop.fails("INVALID_ARGS", "wait", ...args);
  }
});

Deno.test("a window that comes later; one that does not", async () => {
  const waiting = wait("--window", "Three buttons", "--timeout", "20000");
  await using app = await startScene(desktop, "three-buttons", { name: "Late" });
  const found = await waiting;
  assertEquals((found["window"] as Data)["pid"], app.pid);
  const error = await desktop.fails("TIMEOUT", "wait", "--window", "Never", "--timeout", "300");
  assertEquals(error.details, {
    kind: "wait_timeout",
    predicate: "window",
    timeout_ms: 300,
    title: "Never",
    last_observed: { window_count: 1, titles: ["Three buttons"], truncated: false },
  });
  assertEquals(error.disposition, { delivery: "unknown", retry: "unknown" });
});

Deno.test("an element's value and state, a text and its number, an element that is gone", async () => {
  const app = await startGtk3(desktop);
  const { tree } = await desktop.snapshot("--app", app.name);
  const entry = refOf(tree, "Entry");
  const waiting = wait("--element", entry, "--predicate", "value", "--value", "typed later");
  await desktop.ok("set-value", entry, "typed later");
  assertEquals((await waiting)["observed"], { value: "typed later" });
  const open = await wait("--element", entry, "--predicate", "actionable", "--action", "set-value");
  assertEquals((open["observed"] as Data)["actionable"], true);
  assertEquals((await wait("--element", entry))["found"], true);
  const never = await desktop.fails(
    "TIMEOUT",
    "wait",
    "--element",
    entry,
    "--predicate",
    "value",
    "--value",
    "other",
    "--timeout",
    "250",
  );
  assertEquals(never.details?.["last_observed"], { value: "typed later" });

  const text = await wait("--text", "typed later", "--app", app.name);
  assertMatch(text["ref"] as string, /^@s[0-9a-z]+:e1$/);
  const many = await desktop.fails(
    "TIMEOUT",
    "wait",
    "--text",
    "typed later",
    "--count",
    "7",
    "--app",
    app.name,
    "--timeout",
    "300",
  );
  assertEquals(many.details?.["expected_count"], 7);
  assert(!JSON.stringify(many).includes("typed later"), "the text is not repeated");

  await app[Symbol.asyncDispose]();
  await desktop.fails("STALE_REF", "wait", "--element", entry, "--timeout", "10000");
});

Deno.test("applications and windows that open and close, and the focus", async () => {
  const launched = wait("--event", "app-launched", "--app", "Eventful", "--timeout", "20000");
  const one = await startScene(desktop, "three-buttons", { name: "Eventful" });
  // It is an opening also when the application was not there at the start.
  assertEquals(((await launched)["event"] as Data)["pid"], one.pid);

  const opened = wait("--event", "window-opened", "--window", "Three", "--timeout", "20000");
  await wait("300"); // the other process reads what is there at its start
  const two = await startScene(desktop, "three-buttons", { name: "Second" });
  assertEquals(((await opened)["event"] as Data)["pid"], two.pid);

  const focus = wait("--event", "focus-changed", "--app", "Eventful", "--timeout", "20000");
  await wait("300");
  await desktop.ok("focus-window", "--app", "Eventful");
  assertEquals(((await focus)["event"] as Data)["app"], "Eventful");

  const closed = wait("--event", "window-closed", "--app", "Second", "--timeout", "20000");
  await wait("300");
  await two[Symbol.asyncDispose]();
  assertEquals(((await closed)["event"] as Data)["title"], "Three buttons");
  const gone = await wait("--event", "app-terminated", "--app", "Second");
  assertEquals([gone["found"], gone["target_unresolved"]], [true, true]);
  await desktop.fails("APP_NOT_FOUND", "wait", "--event", "focus-changed", "--app", "Second");
  await one[Symbol.asyncDispose]();
});

Deno.test("a menu that opens and closes", async () => {
  await using app = await startGtk3(desktop);
  const closed = await wait("--menu-closed", "--app", app.name);
  assertEquals(closed["found"], true);
  const waiting = wait("--menu", "--app", app.name, "--timeout", "20000");
  const { tree } = await desktop.snapshot("--app", app.name);
  await desktop.ok("click", refOf(tree, "File"));
  assertEquals((await waiting)["found"], true);
});
