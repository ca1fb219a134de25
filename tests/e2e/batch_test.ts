/** `batch`: many commands in one process, on a real application. */
import { assert, assertEquals } from "@std/assert";
import { BINARY, type Data, Desktop } from "./support/desktop.ts";
import { startGtk3, startProgram, startScene } from "./support/apps.ts";

const desktop = await Desktop.start();

interface Result {
  ok: boolean;
  command: string;
  index: number;
  execution: string;
  not_started_reason?: string;
  data?: Data;
  error?: { code: string; disposition: { delivery: string } };
}

async function batch(entries: unknown, ...flags: string[]): Promise<Data & { results: Result[] }> {
  return await desktop.ok("batch", JSON.stringify(entries), ...flags) as Data & {
    results: Result[];
  };
}

Deno.test("a calculation is one call: each key found and clicked by what came before", async () => {
  await using app = await startProgram(desktop, "gnome-calculator", "gnome-calculator");
  const entries = [..."7*8="].flatMap((key, at) => {
    const name = { "*": "×", "=": "=" }[key] ?? key;
    const find = {
      command: "find",
      args: { app: "gnome-calculator", role: "button", name, first: true },
    };
    return [find, { command: "click", args: { ref_id: `$${2 * at + 1}.match.ref_id` } }];
  });
  const { results, ...frame } = await batch(entries);
  assertEquals(results.map(({ ok }) => ok), entries.map(() => true), JSON.stringify(results));
  assertEquals([frame["total_entries"], frame["completed_entries"]], [8, 8]);
  await desktop.ok("wait", "--text", "56", "--app", "gnome-calculator", "--timeout", "5000");
  assert(app.pid > 0);
});

Deno.test("nothing runs of a batch with one bad entry, which is named", async () => {
  await using app = await startGtk3(desktop);
  const find = { command: "find", args: { app: app.name, role: "button", name: "Push" } };
  const click = (ref_id: string) => ({ command: "click", args: { ref_id } });
  const bad: [unknown[], number][] = [
    [[find, { command: "no-such" }], 1],
    [[find, { command: "batch", args: { json: "[]" } }], 1],
    [[find, { command: "click", args: { ref_id: "e1" } }], 1],
    [[{ command: "find", args: { rolle: "button" } }], 0],
    [[click("$1.match.ref_id")], 0],
    [[find, click("$2.match.ref_id")], 1],
    [[{ command: "session", args: { action: "dance" } }], 0],
    [[{ command: "list-apps", extra: 1 }], 0],
    [["list-apps"], 0],
  ];
  for (const [entries, index] of bad) {
    const error = await desktop.fails("INVALID_ARGS", "batch", JSON.stringify(entries));
    assertEquals(error.details?.["batch_index"], index, JSON.stringify(entries));
    assertEquals(error.disposition, { delivery: "not_delivered", retry: "safe" });
  }
  for (const text of ["", "{}", "[]", "[1", JSON.stringify(Array(65).fill(find))]) {
    await desktop.fails("INVALID_ARGS", "batch", text);
  }
  await app.expectLabel("push", "clicked 0");
});

Deno.test("what fails is told in its place; what depends on it is not started", async () => {
  await using app = await startGtk3(desktop);
  const entries = [
    { command: "find", args: { app: app.name, role: "button", name: "Nothing", first: true } },
    { command: "click", args: { ref_id: "$1.match.ref_id" } },
    { command: "find", args: { app: app.name, role: "button", name: "Push", first: true } },
    { command: "click", args: { ref_id: "$3.match.ref_id" } },
    { command: "get", args: { ref_id: "@s0000:e1" } },
    { command: "list-apps" },
  ];
  const { results } = await batch(entries);
  assertEquals(
    results.map(({ ok, not_started_reason: reason, error }) => [ok, reason ?? error?.code]),
    [
      [true, undefined],
      [false, "reference_unresolved"],
      [true, undefined],
      [true, undefined],
      [false, "SNAPSHOT_NOT_FOUND"],
      [true, undefined],
    ],
  );
  await app.expectLabel("push", "clicked 1");
  const stopped = await batch(entries, "--stop-on-error");
  assertEquals(stopped["stopped"], { index: 4, reason: "stop_on_error" });
  assertEquals(stopped.results[5]!.not_started_reason, "stop_on_error");
  await app.expectLabel("push", "clicked 2");
  const late = await batch(
    [{ command: "wait", args: { ms: 400 } }, entries[2]],
    "--timeout-ms",
    "200",
  );
  assertEquals(late.results[1]!.not_started_reason, "deadline");
});

Deno.test("an application that was started is seen by the next entry; an event is not missed", async () => {
  const { results } = await batch([
    { command: "launch", args: { app: "gnome-calculator" } },
    { command: "wait", args: { event: "window-opened", window: "Calculator", timeout: 5000 } },
    {
      command: "snapshot",
      args: { app: "gnome-calculator", outline: true, interactive_only: true },
    },
    { command: "close-app", args: { app: "gnome-calculator" } },
    { command: "wait", args: { event: "app-terminated", app: "gnome-calculator", timeout: 5000 } },
  ]);
  assertEquals(
    results.map(({ ok }) => ok),
    [true, true, true, true, true],
    JSON.stringify(results),
  );
  // The window was there before the wait began: only the baseline from before the launch tells.
  assertEquals(((results[1]!.data!["event"]) as Data)["title"], "Calculator");
});

Deno.test("each entry has the namespace of its session; the list comes from a file or a pipe", async () => {
  await using app = await startScene(desktop, "three-buttons", { name: "Filed" });
  const path = `${desktop.folder}/batch.json`;
  const snapshot = { command: "snapshot", args: { app: app.name, flat: true } };
  await Deno.writeTextFile(path, JSON.stringify([{ ...snapshot, session: "other" }, snapshot]));
  const { results } = await desktop.ok("batch", "--file", path) as unknown as { results: Result[] };
  const [first, second] = results.map(({ data }) => (data!["elements"] as Data[])[0]!["ref_id"]);
  await desktop.fails("SNAPSHOT_NOT_FOUND", "get", first as string);
  await desktop.ok("get", first as string, "--session", "other");
  await desktop.ok("get", second as string);

  const piped = await new Deno.Command("sh", {
    args: ["-c", `exec "$0" batch - < "$1"`, BINARY, path],
    env: { ...desktop.env },
    clearEnv: true,
  }).output();
  assertEquals(JSON.parse(new TextDecoder().decode(piped.stdout)).data.completed_entries, 2);
  await desktop.fails("INVALID_ARGS", "batch", "--file", "/no/such/file");
  await desktop.fails("INVALID_ARGS", "batch");
});
