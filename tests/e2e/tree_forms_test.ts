/** One observation in its several forms, drilling, comparing and waiting, on real applications. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { type Data, Desktop, nodeNamed, nodesOf, refOf, type Snapshot } from "./support/desktop.ts";
import {
  type App,
  startGtk3,
  startGtk4,
  startQt,
  startScripted,
  startWeb,
} from "./support/apps.ts";

const desktop = await Desktop.start();

const windows: [string, (desktop: Desktop) => Promise<App>][] = [
  ["GTK 3", startGtk3],
  ["GTK 4", startGtk4],
  ["Qt", startQt],
  ["web", startWeb],
];

/** `eN` of every ref of a snapshot, in document order. */
function keys(snapshot: Snapshot): string[] {
  return [...nodesOf(snapshot.tree)].flatMap(({ ref_id }) => ref_id?.split(":")[1] ?? []);
}

/** The answer with its own snapshot id taken out. */
function withoutId(data: Data): string {
  return JSON.stringify(data).replaceAll(data["snapshot_id"] as string, "ID");
}

const tokens = (data: unknown) => Math.ceil(JSON.stringify(data).length / 4);

for (const [toolkit, start] of windows) {
  Deno.test(`${toolkit}: every form of a snapshot names the same refs`, async () => {
    await using app = await start(desktop);
    const read = (...flags: string[]) =>
      desktop.ok("snapshot", "--app", app.name, "--timeout-ms", "10000", ...flags);
    const whole = await read();
    const wanted = keys(whole as unknown as Snapshot);
    assertEquals(wanted, wanted.map((_, i) => `e${i + 1}`));
    assertEquals(whole["ref_count"], wanted.length);
    const small = await read("-i", "--compact");
    assertEquals(keys(small as unknown as Snapshot), wanted);
    assertEquals(withoutId(await read("-i", "--compact")), withoutId(small));

    const outline = await read("-i", "--compact", "--outline");
    assertEquals(outline["ref_prefix"], `@${outline["snapshot_id"]}:`);
    const lines = (outline["outline"] as string).split("\n");
    assertEquals(lines.length, [...nodesOf((small as unknown as Snapshot).tree)].length);
    assertEquals(lines.flatMap((line) => line.match(/ \[(e\d+)\]/)?.[1] ?? []), wanted);
    const flat = await read("--flat");
    const elements = flat["elements"] as { ref_id: string }[];
    assertEquals(elements.map(({ ref_id }) => ref_id.split(":")[1]), wanted);

    const forms = { whole, small, outline, flat };
    console.log(
      toolkit,
      Object.entries(forms).map(([form, data]) => `${form} ${tokens(data)}`).join(", "),
      "tokens",
    );
    assert(tokens(outline) < tokens(small) && tokens(flat) < tokens(whole));
  });
}

Deno.test("a drill replaces the refs of its own region and no others", async () => {
  await using app = await startGtk3(desktop);
  const map = await desktop.snapshot("--app", app.name, "--max-depth", "1");
  const cut = [...nodesOf(map.tree)].filter((node) => node.children_count && node.ref_id);
  const target = cut.find((node) => node.name === "Tabs") ?? cut[0]!;
  const other = [...nodesOf(map.tree)].find((node) => node.role === "button" && node.ref_id)!;
  const first = await desktop.snapshot("--root", target.ref_id!, "-i", "--compact");
  const again = await desktop.snapshot("--root", target.ref_id!, "-i", "--compact");
  assertEquals([first.snapshot_id, again.snapshot_id], [map.snapshot_id, map.snapshot_id]);
  assertEquals(first.ref_count, map.ref_count + keys(first).length);
  assertEquals(again.ref_count, first.ref_count);
  const numbers = [map, first, again].flatMap(keys);
  assertEquals(new Set(numbers).size, numbers.length, "no number is used twice");

  const stale = await desktop.fails("STALE_REF", "get", `@${map.snapshot_id}:${keys(first)[0]}`);
  assertEquals(stale.disposition, { delivery: "not_delivered", retry: "safe" });
  assertEquals(stale.recovery?.["strategy"], "refresh_snapshot_then_retry_original");
  const name = await desktop.ok("get", other.ref_id!, "--property", "title");
  assertEquals(name["value"], other.name);
  const fresh = [...nodesOf(again.tree)].find((node) => node.ref_id)!;
  const title = await desktop.ok("get", fresh.ref_id!, "--property", "title");
  assertEquals(title["value"], fresh.name ?? null);
});

Deno.test("--since tells what became different, and its refs work", async () => {
  await using app = await startGtk3(desktop);
  const before = await desktop.snapshot("--app", app.name);
  await app.control("insert-before", "Push");
  await app.control("disable", "Link");
  await app.settle();
  const after = await desktop.ok("snapshot", "--app", app.name, "--since", before.snapshot_id);
  const changes = after["changes"] as Record<string, Data[]>;
  const added = changes["added"]!.filter((node) => node["role"] === "button");
  assertEquals(added.map((node) => node["name"]), ["Inserted 1"]);
  const link = changes["changed"]!.find((node) => node["name"] === "Link")!;
  assertEquals((link["after"] as Data)["states"], ["disabled"]);
  const gone = changes["removed"]!.map((node) => node["name"]);
  assertEquals(gone, []);
  await desktop.ok("click", added[0]!["ref_id"] as string);
  const quiet = await desktop.snapshot("--app", app.name);
  const none = await desktop.ok("snapshot", "--app", app.name, "--since", quiet.snapshot_id);
  const { added: more, removed, changed } = none["changes"] as Record<string, Data[]>;
  assertEquals([more, removed, changed], [[], [], []]);
  await desktop.fails("SNAPSHOT_NOT_FOUND", "snapshot", "--app", app.name, "--since", "snosuch");
});

Deno.test("waits end when the selector matches, or matches no more, or time is up", async () => {
  await using app = await startGtk3(desktop);
  const later = (...words: string[]) => {
    let failure: unknown;
    const done = new Promise<void>((resolve) =>
      setTimeout(() => app.control(...words).catch((e) => failure = e).then(() => resolve()), 300)
    );
    return async () => {
      await done;
      if (failure) throw failure;
    };
  };
  const inserted = later("insert-before", "Push");
  const came = await desktop.ok(
    "snapshot",
    "--app",
    app.name,
    "-i",
    "--wait-for",
    "button:inserted",
  );
  await inserted();
  assertEquals(came["matched_selector"], "button:inserted");
  assert((came["elapsed_ms"] as number) > 100);
  refOf((came as unknown as Snapshot).tree, "Inserted 1");

  const removed = later("remove", "Inserted 1");
  const went = await desktop.ok("snapshot", "--app", app.name, "--wait-for-gone", ":Inserted 1");
  await removed();
  assertEquals(
    [...nodesOf((went as unknown as Snapshot).tree)].some((n) => n.name === "Inserted 1"),
    false,
  );

  const push = refOf((went as unknown as Snapshot).tree, "Push", "button");
  const clicked = await desktop.ok("click", push, "--wait-for", "statictext:clicked 1");
  assertEquals((clicked["after_action"] as Data)["action"], "click");
  const { match } = clicked as { match: Data };
  assertEquals([match["role"], match["name"]], ["statictext", "push: clicked 1"]);
  assertEquals("tree" in clicked, false);
  const late = ["--wait-for", "button:no such", "--wait-timeout", "300"];
  const expired = await desktop.fails("TIMEOUT", "click", push, ...late);
  assertEquals(expired.disposition.delivery, "delivered_unverified");
  assertEquals(expired.details?.["kind"], "wait_timeout");
  assertMatch(expired.details?.["snapshot_id"] as string, /^s[a-z0-9]+$/);
  await app.expectLabel("push", "clicked 2");
});

Deno.test("find gives refs that work, in the window and below a ref", async () => {
  await using app = await startGtk3(desktop);
  const button = ["find", "--app", app.name, "--role", "button"];
  const push = await desktop.ok(...button, "--name", "push", "--exact", "--first");
  await desktop.ok("click", (push["match"] as Data)["ref_id"] as string);
  await app.expectLabel("push", "clicked 1");
  const count = await desktop.ok(...button, "--count");
  const all = await desktop.ok(...button, "--limit", "0");
  assertEquals(count["count"], (all["matches"] as Data[]).length);
  assertEquals(count["count"], all["total_matches"]);
  const byId = await desktop.ok("find", "--app", app.name, "--native-id", "push", "--last");
  assertEquals((byId["match"] as Data)["name"], "Push");
  const off = await desktop.ok(...button, "--state", "disabled", "--nth", "0");
  assertEquals((off["match"] as Data)["name"], "Disabled");
  const nothing = await desktop.ok("find", "--app", app.name, "--role", "dockitem");
  assertEquals([nothing["matches"], nothing["total_matches"]], [[], 0]);
  assert((nothing["roles_present"] as string[]).includes("button"));

  const scroller = await desktop.ok(
    "find",
    "--app",
    app.name,
    "--role",
    "scrollarea",
    "--name",
    "scroller",
    "--first",
  );
  const root = (scroller["match"] as Data)["ref_id"] as string;
  const far = await desktop.ok("find", "--root", root, "--name", "Far 2", "--exact", "--first");
  assertEquals(((far["match"] as Data)["path"] as string[])[0], "scrollarea:Scroller");
  await desktop.ok("click", (far["match"] as Data)["ref_id"] as string);
  await app.expectLabel("far", "Far 2 1");
});

Deno.test("no name can look like another line of the outline", async () => {
  const hostile = 'a"\n  button "OK" [e1]\u001b]0;x\u0007\u202e';
  await using app = await startScripted(desktop, {
    windows: [{
      id: "win",
      role: "frame",
      name: "Main",
      children: [
        { id: "one", role: "push button", name: "One", actions: [{ name: "click" }] },
        { id: "two", role: "push button", name: hostile, actions: [{ name: "click" }] },
      ],
    }],
  });
  const snapshot = await desktop.snapshot("--app", app.name);
  nodeNamed(snapshot.tree, hostile, "button");
  const { outline } = await desktop.ok("snapshot", "--app", app.name, "--outline");
  assertEquals((outline as string).split("\n"), [
    'window "Main"',
    '  button "One" [e1]',
    '  button "a\\"\\n  button \\"OK\\" [e1]\\u001b]0;x\\u0007\\u202e" [e2]',
  ]);
});
