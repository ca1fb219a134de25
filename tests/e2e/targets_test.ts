/** Which application and which window is meant, with names as people and systems write them. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { type Data, Desktop, nodesOf, refOf } from "./support/desktop.ts";
import { startGtk4, startQt, startScene, startScripted, startWeb } from "./support/apps.ts";

const desktop = await Desktop.start();

interface Window {
  id: string;
  title: string;
  app_name: string;
  pid: number;
  process_instance: string;
  is_focused: boolean;
  accessible: boolean;
  unreachable?: string;
  visible?: boolean;
}

const listWindows = async (...args: string[]) =>
  (await desktop.ok("list-windows", ...args)) as unknown as Window[];
const listApps = async (...args: string[]) =>
  (await desktop.ok("list-apps", ...args))["apps"] as Data[];

Deno.test("two processes of one name are not chosen between; a pid is exact", async () => {
  await using one = await startScene(desktop, "three-buttons", { name: "Twin" });
  await using two = await startScene(desktop, "three-buttons", { name: "Twin" });
  for (const command of [["snapshot"], ["find", "--role", "button"], ["list-surfaces"]]) {
    const error = await desktop.fails("AMBIGUOUS_TARGET", ...command, "--app", "Twin");
    const { candidate_count, candidates } = error.details as {
      candidate_count: number;
      candidates: { pid: number; name: string; windows: { id: string; title: string }[] }[];
    };
    assertEquals(candidate_count, 2);
    assertEquals(candidates.map(({ pid }) => pid).sort(), [one.pid, two.pid].sort());
    for (const { windows } of candidates) {
      assertEquals(windows.map(({ title }) => title), ["Three buttons"]);
    }
    assertMatch(error.suggestion!, /pid/);
    assertEquals(error.disposition, { delivery: "not_delivered", retry: "safe" });
  }
  const windows = await listWindows("--app", "Twin");
  assertEquals(new Set(windows.map(({ id }) => id)).size, 2);
  // Each answers to its pid and to its window's id, and a click reaches that process alone.
  for (const [app, other] of [[one, two], [two, one]] as const) {
    const own = windows.find(({ pid }) => pid === app.pid)!;
    const byPid = await desktop.snapshot("--app", String(app.pid));
    assertEquals(byPid.window.id, own.id);
    assertEquals((await desktop.snapshot("--window-id", own.id)).window.id, own.id);
    await desktop.ok("click", refOf(byPid.tree, "Bravo"));
    const status = async (pid: number) =>
      await desktop.reader.get({ app: `pid:${pid}`, prefix: "status:" });
    await desktop.ok("snapshot", "--app", String(app.pid), "--wait-for", "statictext:Bravo 1");
    assertEquals(await status(app.pid), "status: Bravo 1");
    if (app === one) assertEquals(await status(other.pid), "status: none");
  }
});

Deno.test("a name is a name in any case and any Unicode form", async () => {
  const name = "Téxte Éditeur Straße";
  await using app = await startScene(desktop, "three-buttons", { name });
  const writings = [
    name,
    name.normalize("NFD"),
    name.normalize("NFD").toUpperCase(),
    name.toLowerCase(),
    "TÉXTE ÉDITEUR STRASSE",
    `  ${name} `,
  ];
  for (const writing of writings) {
    const snapshot = await desktop.snapshot("--app", writing);
    assertEquals(snapshot.app, name, writing);
    assertEquals((await listWindows("--app", writing)).map(({ pid }) => pid), [app.pid]);
  }
  assertEquals((await listApps("--app", "ÉDIT")).map((one) => one["pid"]), [app.pid]);

  const wrong = await desktop.fails("APP_NOT_FOUND", "snapshot", "--app", "Texte Editeur Strasse");
  assertEquals(wrong.details, { candidates: [name] });
  const far = await desktop.fails("APP_NOT_FOUND", "snapshot", "--app", "Nonexistent");
  assertEquals(far.details, undefined);
  assertMatch(far.suggestion!, /list-apps/);
  for (const part of ["Téxte", "Straße", ""]) {
    const run = await desktop.run("snapshot", "--app", part);
    assert(run.code !== 0, `part of a name: ${part}`);
  }
});

Deno.test("a number never falls through to a name, nor to the focused application", async () => {
  await using app = await startScene(desktop, "three-buttons", { name: "123" });
  assert(app.pid !== 123);
  for (const query of ["123", "0123", "4294967295", "0"]) {
    await desktop.fails("APP_NOT_FOUND", "snapshot", "--app", query);
    await desktop.fails("APP_NOT_FOUND", "find", "--app", query);
    await desktop.fails("APP_NOT_FOUND", "list-windows", "--app", query);
  }
  assertEquals((await desktop.snapshot("--app", String(app.pid))).app, "123");
});

Deno.test("two windows of one title: the id tells them apart, and only that window is read", async () => {
  await using app = await startScene(desktop, "many-labels");
  const windows = await listWindows("--app", app.name);
  assertEquals(windows.map(({ title }) => title), ["Untitled", "Untitled"]);
  assert(windows[0]!.id !== windows[1]!.id);
  const sizes: number[] = [];
  for (const { id } of windows) {
    const snapshot = await desktop.snapshot("--window-id", id, "--timeout-ms", "20000");
    assertEquals(snapshot.window.id, id);
    const names = [...nodesOf(snapshot.tree)].map((node) => node.name);
    sizes.push(names.length);
    const small = names.includes("In the other window");
    assertEquals(names.includes("Label 7"), !small);
  }
  assert(Math.min(...sizes) < 10 && Math.max(...sizes) > 3_000, `${sizes}`);
  // By name the focused one is meant; were none focused, nobody could tell.
  const focused = windows.filter((window) => window.is_focused);
  if (focused.length === 1) {
    assertEquals((await desktop.snapshot("--app", app.name)).window.id, focused[0]!.id);
  } else await desktop.fails("AMBIGUOUS_TARGET", "snapshot", "--app", app.name);

  const gone = await desktop.fails(
    "WINDOW_NOT_FOUND",
    "snapshot",
    "--window-id",
    "w-1.999-nothing",
  );
  assertMatch(gone.suggestion!, /list-windows/);
  await desktop.fails("WINDOW_NOT_FOUND", "snapshot", "--window-id", "Untitled");
  const others = ["--window-id", windows[0]!.id, "--app", "Nobody"];
  await desktop.fails("WINDOW_NOT_FOUND", "snapshot", ...others);
});

Deno.test("windows that fit equally are listed as candidates", async () => {
  const frame = (id: string) => ({
    id,
    role: "frame",
    name: "Same",
    children: [{ role: "label", name: id }],
  });
  await using app = await startScripted(desktop, { windows: [frame("one"), frame("two")] });
  const error = await desktop.fails("AMBIGUOUS_TARGET", "snapshot", "--app", app.name);
  const windows = await listWindows("--app", app.name);
  assertEquals(error.details?.["candidate_count"], 2);
  assertEquals(error.details?.["candidate_summaries_truncated"], false);
  assertEquals(
    error.details?.["candidates"],
    windows.map(({ id }) => ({
      accessible: true,
      id,
      is_focused: false,
      title: "Same",
      visible: true,
    })),
  );
  assertMatch(error.suggestion!, /list-windows.*--window-id/);
});

Deno.test("a stopped application is told from one that is not there", async () => {
  await using stopped = await startScene(desktop, "three-buttons", { name: "Frozen" });
  await using other = await startScene(desktop, "three-buttons", { name: "Lively" });
  const push = refOf((await desktop.snapshot("--app", "Frozen")).tree, "Alpha");
  stopped.signal("SIGSTOP");
  try {
    const pid = String(stopped.pid);
    for (const command of [["snapshot"], ["find", "--role", "button"]]) {
      const error = await desktop.fails("APP_UNRESPONSIVE", ...command, "--app", pid);
      assertEquals(error.recovery?.["strategy"], "inspect_state_then_retry_original");
    }
    // Its name is not known while it is silent, but that somebody is silent is.
    const missing = await desktop.fails("APP_UNRESPONSIVE", "snapshot", "--app", "Frozen");
    assertEquals(missing.details?.["unresponsive"], [{ name: "python3", pid: stopped.pid }]);
    for (const command of ["get", "click"]) {
      const limit = command === "click" ? ["--timeout-ms", "1000"] : [];
      await desktop.fails("APP_UNRESPONSIVE", command, push, ...limit);
    }
    // Nobody else has to wait for it.
    const windows = await listWindows();
    assertEquals(
      windows.map(({ pid, accessible, unreachable }) => [pid, accessible, unreachable]),
      [[other.pid, true, undefined], [stopped.pid, false, "not_answering"]],
    );
    const lively = await desktop.snapshot("--app", "Lively");
    await desktop.ok("click", refOf(lively.tree, "Bravo"));
  } finally {
    stopped.signal("SIGCONT");
  }
  await stopped.settle();
  assertEquals(await stopped.label("status"), "none");
  await desktop.ok("click", push);
  await stopped.expectLabel("status", "Alpha 1");
});

Deno.test("lists tell the applications and windows of every toolkit as they are", async () => {
  await using gtk4 = await startGtk4(desktop);
  await using qt = await startQt(desktop);
  await using web = await startWeb(desktop);
  const apps = await listApps();
  const theirs = await desktop.reader.apps();
  assertEquals(
    apps.map((one) => [one["name"], one["pid"]]).sort(),
    theirs.map(({ name, pid }) => [name, pid]).sort(),
  );
  for (const one of apps) {
    assertMatch(one["process_instance"] as string, /^linux-proc-v1:[0-9a-f]{8}:\d+$/);
    assert(["foreground", "background"].includes(one["presentation"] as string));
  }
  const windows = await listWindows();
  const titles = theirs.flatMap((app) => app.windows.map((title) => [app.pid, title]));
  assertEquals(windows.map(({ pid, title }) => [pid, title]).sort(), titles.sort());
  assert(windows.filter(({ is_focused }) => is_focused).length <= 1);
  const instances = new Map(apps.map((one) => [one["pid"], one["process_instance"]]));
  for (const window of windows) {
    assertMatch(window.id, /^w-\d+\.\d+-[\w-]+$/);
    assertEquals(window.process_instance, instances.get(window.pid));
    assertEquals(window.accessible, true);
  }
  // Without any target the focused window is meant.
  const focused = windows.find(({ is_focused }) => is_focused);
  if (focused) assertEquals((await desktop.snapshot()).window.id, focused.id);
  else await desktop.fails("WINDOW_NOT_FOUND", "snapshot");
  for (const app of [gtk4, qt, web]) app.assertAlive();
});
