import { assert, assertEquals, assertMatch, assertStringIncludes, assertThrows } from "@std/assert";
import { AppError } from "../../../src/errors.ts";
import { MAX_REFMAP_BYTES } from "../../../src/refs/encode.ts";
import { lookUp } from "../../../src/refs/resolve.ts";
import { MAX_TREE_BYTES, PRUNE_ABOVE, PRUNE_TO, RefStore } from "../../../src/store/ref_store.ts";
import { entry, pageMap } from "../refs/entries.ts";
import { Folder, holdLock } from "./support.ts";

const MAP = pageMap(3);

function code(run: () => unknown): string {
  return assertThrows(run, AppError).code;
}

/** Saves and returns the id. */
function save(store: RefStore, map = MAP, tree?: string): string {
  const id = store.newId();
  store.saveNew(id, map, tree);
  return id;
}

Deno.test("a saved snapshot is the latest and loads again", () => {
  using folder = new Folder();
  const store = new RefStore(`${folder.path}/state`);
  assertEquals(store.latest(), undefined);
  const first = save(store);
  const second = save(store, pageMap(4));
  assertMatch(first, /^s[0-9a-z]{4,13}$/);
  assertEquals(store.latest(), second);
  assertEquals([...store.load(first).entries], [...MAP.entries]);
  assertEquals(store.load(second).entries.size, 4);
  assertEquals(
    folder.files(),
    [
      "state/latest_snapshot_id",
      "state/refstore.lock",
      `state/snapshots/${first}/refmap.json`,
      `state/snapshots/${second}/refmap.json`,
    ].sort(),
  );
  for (const name of folder.files()) {
    assertEquals(Deno.statSync(`${folder.path}/${name}`).mode! & 0o777, 0o600, name);
  }
  for (const name of ["", "/snapshots", `/snapshots/${first}`]) {
    assertEquals(Deno.statSync(`${folder.path}/state${name}`).mode! & 0o777, 0o700);
  }
});

Deno.test("looking at an empty or missing state root creates nothing", () => {
  using folder = new Folder();
  const store = new RefStore(`${folder.path}/none`, "run-1");
  assertEquals(store.latest(), undefined);
  assertEquals(code(() => store.load("sabcd")), "SNAPSHOT_NOT_FOUND");
  assertEquals(code(() => store.loadTree("sabcd")), "SNAPSHOT_NOT_FOUND");
  assertEquals(code(() => store.update("sabcd", (map) => map)), "SNAPSHOT_NOT_FOUND");
  assertEquals(code(() => store.load("../../etc")), "SNAPSHOT_NOT_FOUND");
  assertEquals([...Deno.readDirSync(folder.path)], []);
});

Deno.test("namespaces never see each other", () => {
  using folder = new Folder();
  const stores = [undefined, "one", "two"].map((session) => new RefStore(folder.path, session));
  const ids = stores.map((store) => save(store));
  for (const [i, store] of stores.entries()) {
    for (const [j, id] of ids.entries()) {
      if (i === j) assertEquals(store.load(id).entries.size, 3);
      else assertEquals(code(() => lookUp(store, `@${id}:e1`)), "SNAPSHOT_NOT_FOUND");
    }
    assertEquals(store.latest(), ids[i]);
  }
});

Deno.test("a drill replaces entries under the lock and leaves the latest pointer", () => {
  using folder = new Folder();
  const store = new RefStore(folder.path);
  const first = save(store);
  const second = save(store);
  const drilled = (counter: number) => ({
    counter,
    entries: new Map([[1, entry()], [counter, entry({ root_ref: "@e1", name: `${counter}` })]]),
  });
  store.update(first, () => drilled(4));
  assertEquals(lookUp(store, `@${first}:e4`).entry.root_ref, "@e1");
  const written = store.update(first, (current) => drilled(current.counter + 1));
  assertEquals(written.counter, 5);
  const error = assertThrows(() => lookUp(store, `@${first}:e4`), AppError);
  assertEquals(error.code, "STALE_REF");
  assertEquals(error.details?.["retryable"], false);
  assert(!error.message.includes("@e4"), "the key inside the map is never printed");
  assertEquals(store.latest(), second);
  const before = Deno.readTextFileSync(`${folder.path}/snapshots/${first}/refmap.json`);
  assertEquals(
    code(() =>
      store.update(first, () => {
        throw new AppError("STALE_REF", "changed meanwhile");
      })
    ),
    "STALE_REF",
  );
  assertEquals(Deno.readTextFileSync(`${folder.path}/snapshots/${first}/refmap.json`), before);
});

Deno.test("a map over the limit writes nothing at all", () => {
  using folder = new Folder();
  const store = new RefStore(`${folder.path}/state`);
  const huge = pageMap(40_000);
  assertEquals(code(() => save(store, huge)), "INTERNAL");
  assertEquals([...Deno.readDirSync(folder.path)], []);
  const id = save(store);
  assertEquals(code(() => store.update(id, () => huge)), "INTERNAL");
  assertEquals(store.load(id).entries.size, 3);
  assertEquals(store.latest(), id);
});

Deno.test("a file over the limit is not read", () => {
  using folder = new Folder();
  const store = new RefStore(folder.path);
  const id = save(store);
  const path = `${folder.path}/snapshots/${id}/refmap.json`;
  Deno.writeTextFileSync(path, " ".repeat(MAX_REFMAP_BYTES + 1));
  const error = assertThrows(() => store.load(id), AppError);
  assertEquals(error.code, "INTERNAL");
  assertStringIncludes(error.message, path);
});

Deno.test("a ref map cut short is an error that names it, and the next save works", () => {
  using folder = new Folder();
  const store = new RefStore(folder.path);
  const id = save(store);
  const path = `${folder.path}/snapshots/${id}/refmap.json`;
  Deno.truncateSync(path, 100);
  const error = assertThrows(() => store.load(id), AppError);
  assertEquals(error.code, "INTERNAL");
  assertEquals(error.delivery, "not_delivered");
  assertStringIncludes(error.message, path);
  assertEquals(store.load(save(store)).entries.size, 3);
});

Deno.test("above 128 snapshots the oldest go until 96 remain, never the newest", () => {
  using folder = new Folder();
  const store = new RefStore(folder.path);
  const snapshots = `${folder.path}/snapshots`;
  Deno.mkdirSync(snapshots, { recursive: true, mode: 0o700 });
  // The newest folder carries the oldest time: a clock that was set back must not cost it.
  for (let i = 0; i < PRUNE_ABOVE; i++) {
    const id = `old${String(i).padStart(3, "0")}`;
    Deno.mkdirSync(`${snapshots}/${id}`, { mode: 0o700 });
    Deno.utimeSync(`${snapshots}/${id}`, 2_000_000_000 + i, 2_000_000_000 + i);
  }
  Deno.writeTextFileSync(`${snapshots}/note.txt`, "not a snapshot");
  Deno.mkdirSync(`${snapshots}/no`, { mode: 0o700 });
  const outside = `${folder.path}/outside`;
  Deno.mkdirSync(outside);
  Deno.symlinkSync(outside, `${snapshots}/linked`);
  const id = save(store);
  const left = [...Deno.readDirSync(snapshots)].map(({ name }) => name);
  const valid = left.filter((name) => name.startsWith("old") || name === id);
  assertEquals(valid.length, PRUNE_TO);
  assert(valid.includes(id));
  assert(valid.includes("old127") && !valid.includes("old032") && valid.includes("old033"));
  for (const kept of ["note.txt", "no", "linked"]) assert(left.includes(kept), kept);
  assert(Deno.statSync(outside).isDirectory);
  save(store);
  assertEquals([...Deno.readDirSync(snapshots)].length, PRUNE_TO + 1 + 3);
});

Deno.test("the tree for a comparison is private, bounded and pruned with its snapshot", () => {
  using folder = new Folder();
  const store = new RefStore(folder.path);
  const kept = save(store, MAP, "{}");
  const huge = save(store, MAP, "x".repeat(MAX_TREE_BYTES + 1));
  const none = save(store);
  assertEquals(store.loadTree(kept), "{}");
  assertEquals(store.loadTree(huge), undefined);
  assertEquals(store.loadTree(none), undefined);
  const path = `${folder.path}/snapshots/${kept}/tree.json`;
  assertEquals(Deno.statSync(path).mode! & 0o777, 0o600);
  for (let i = 0; i < PRUNE_ABOVE; i++) save(store);
  assertEquals(code(() => store.loadTree(kept)), "SNAPSHOT_NOT_FOUND");
  assertThrows(() => Deno.statSync(path), Deno.errors.NotFound);
});

Deno.test("a symlink anywhere in the private path is refused and its target untouched", () => {
  const places = ["", "/snapshots", "/refstore.lock", "/latest_snapshot_id", "/sessions"];
  for (const place of places) {
    using folder = new Folder();
    const target = `${folder.path}/target`;
    const isFile = place.endsWith("lock") || place.endsWith("id");
    if (isFile) Deno.writeTextFileSync(target, "theirs");
    else Deno.mkdirSync(target, { mode: 0o700 });
    const root = `${folder.path}/state`;
    if (place !== "") Deno.mkdirSync(root, { mode: 0o700 });
    Deno.symlinkSync(target, root + place);
    const store = new RefStore(root, place === "/sessions" ? "one" : undefined);
    const error = assertThrows(() => save(store), AppError);
    assertEquals(error.code, "INTERNAL", place);
    assertStringIncludes(error.message, root + place);
    if (isFile) assertEquals(Deno.readTextFileSync(target), "theirs");
    else assertEquals([...Deno.readDirSync(target)], []);
  }
});

Deno.test("a state root that cannot be created says which path and how to relocate", () => {
  const store = new RefStore("/proc/agent-desktop-state");
  const error = assertThrows(() => save(store), AppError);
  assertEquals(error.code, "INTERNAL");
  assertStringIncludes(error.message, "/proc/agent-desktop-state");
  assertStringIncludes(error.suggestion!, "AGENT_DESKTOP_HOME");
});

Deno.test("what killed writers left behind is swept by later saves", () => {
  using folder = new Folder();
  const store = new RefStore(folder.path);
  const first = save(store);
  const temp = ".refmap.json.00112233445566ff.tmp";
  for (const place of ["", "/snapshots", `/snapshots/${first}`]) {
    Deno.writeTextFileSync(`${folder.path}${place}/${temp}`, "half");
  }
  save(store);
  assertEquals(folder.ageTemps(), 3, "young ones may belong to a living writer");
  save(store);
  assertEquals(folder.ageTemps(), 1);
  for (let i = 0; i < PRUNE_ABOVE; i++) save(store);
  assertEquals(folder.ageTemps(), 0);
});

Deno.test("a lock that is held for too long is a timeout, and a killed holder frees it", async () => {
  using folder = new Folder();
  const store = new RefStore(folder.path);
  const id = save(store);
  const holder = await holdLock(`${folder.path}/refstore.lock`);
  const start = performance.now();
  const error = assertThrows(() => save(store), AppError);
  assertEquals(error.code, "TIMEOUT");
  assertEquals(error.delivery, "not_delivered");
  assertStringIncludes(error.message, `${folder.path}/refstore.lock`);
  assert(performance.now() - start >= 1_900);
  assertEquals(store.load(id).entries.size, 3, "readers do not wait");
  await holder.kill();
  save(store);
});
