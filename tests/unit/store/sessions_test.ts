import { assert, assertEquals, assertMatch, assertStringIncludes, assertThrows } from "@std/assert";
import { AppError } from "../../../src/errors.ts";
import { RefStore } from "../../../src/store/ref_store.ts";
import { Sessions } from "../../../src/store/sessions.ts";
import { pageMap } from "../refs/entries.ts";
import { randomNumbers } from "../tree/trees.ts";
import { Folder } from "./support.ts";

const NOW = 1_800_000_000_000;
const HOUR = 3_600_000;

/** Makes everything of a session look as if it was last used at `time`. */
function age(root: string, id: string, time: number): void {
  const base = `${root}/sessions/${id}`;
  for (const name of ["/snapshots", "/latest_snapshot_id", "/session.json", ""]) {
    try {
      Deno.utimeSync(base + name, time / 1000, time / 1000);
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
    }
  }
}

Deno.test("a session is started, listed, ended once, and its refs still load", () => {
  using folder = new Folder();
  const sessions = new Sessions(folder.path);
  assertEquals(sessions.list(), { sessions: [], unreadable: [] });
  const first = sessions.start("first", NOW);
  const second = sessions.start(undefined, NOW);
  assertMatch(first.id, /^run-1800000000000-\d+-\d+$/);
  assert(first.id !== second.id);
  assertEquals(sessions.list().sessions.map(({ id }) => id), [first.id, second.id].sort());
  const base = `${folder.path}/sessions/${first.id}`;
  assertEquals(Deno.statSync(`${base}/snapshots`).mode! & 0o777, 0o700);
  assertEquals(Deno.statSync(`${base}/session.json`).mode! & 0o777, 0o600);
  const store = new RefStore(folder.path, first.id);
  const id = store.newId();
  store.saveNew(id, pageMap(2));
  assertEquals(sessions.end(first.id, NOW + 5).ended_at, NOW + 5);
  assertEquals(sessions.end(first.id, NOW + 9).ended_at, NOW + 5);
  assertEquals(store.load(id).entries.size, 2);
  assertEquals(assertThrows(() => sessions.end("ghost", NOW), AppError).code, "INVALID_ARGS");
});

Deno.test("only sessions that are over and untouched are collected", () => {
  using folder = new Folder();
  const sessions = new Sessions(folder.path);
  const open = sessions.start("open", NOW).id;
  const ended = sessions.start("ended", NOW).id;
  const touched = sessions.start("touched", NOW).id;
  sessions.end(ended, NOW);
  sessions.end(touched, NOW);
  for (const id of [open, ended]) age(folder.path, id, NOW);
  age(folder.path, touched, NOW + HOUR);
  assertEquals(sessions.collect({ endedOnly: false }, NOW + 1000), [], "used a second ago");
  assertEquals(sessions.collect({ endedOnly: false }, NOW + HOUR), [ended]);
  assertEquals(sessions.list().sessions.map(({ id }) => id), [open, touched].sort());
  const old = { olderThanMs: 2 * HOUR };
  assertEquals(sessions.collect({ ...old, endedOnly: true }, NOW + 2 * HOUR), []);
  assertEquals(sessions.collect({ ...old, endedOnly: false }, NOW + 2 * HOUR), [open]);
  assertEquals(sessions.collect({ ...old, endedOnly: true }, NOW + 3 * HOUR), [touched]);
  assertEquals(sessions.list().sessions, []);
});

Deno.test("a session whose lock is held is not collected", async () => {
  using folder = new Folder();
  const sessions = new Sessions(folder.path);
  const { id } = sessions.start(undefined, NOW);
  sessions.end(id, NOW);
  age(folder.path, id, NOW);
  const { openLockFile } = await import("../../../src/store/lock.ts");
  const lock = openLockFile(`${folder.path}/sessions/${id}/refstore.lock`);
  assert(lock.tryLock());
  assertEquals(sessions.collect({ endedOnly: false }, NOW + HOUR), []);
  lock[Symbol.dispose]();
  assertEquals(sessions.collect({ endedOnly: false }, NOW + HOUR), [id]);
});

Deno.test("a linked session folder is neither listed nor collected", () => {
  using folder = new Folder();
  const sessions = new Sessions(folder.path);
  sessions.start(undefined, NOW);
  const target = `${folder.path}/target`;
  Deno.mkdirSync(target);
  Deno.writeTextFileSync(`${target}/session.json`, "{}");
  Deno.symlinkSync(target, `${folder.path}/sessions/linked`);
  assertEquals(sessions.list().sessions.length, 1);
  sessions.collect({ endedOnly: false, olderThanMs: 0 }, NOW + 1000 * HOUR);
  assertEquals(Deno.readTextFileSync(`${target}/session.json`), "{}");
  const error = assertThrows(() => sessions.end("linked", NOW), AppError);
  assertStringIncludes(error.message, "sessions/linked");
});

Deno.test("whatever is in session.json, other sessions are still listed", () => {
  using folder = new Folder();
  const sessions = new Sessions(folder.path);
  const good = sessions.start("good", NOW).id;
  const { id } = sessions.start("damaged", NOW);
  const path = `${folder.path}/sessions/${id}/session.json`;
  const whole = Deno.readFileSync(path);
  const random = randomNumbers(3);
  const counts = { readable: 0, unreadable: 0 };
  const check = (content: Uint8Array) => {
    Deno.writeFileSync(path, content);
    const found = sessions.list();
    assert(found.sessions.some((one) => one.id === good));
    if (found.unreadable.length === 0) counts.readable++;
    else {
      assertEquals(found.unreadable, [id]);
      counts.unreadable++;
      const error = assertThrows(() => sessions.end(id, NOW), AppError);
      assertEquals(error.code, "INTERNAL");
      assertStringIncludes(error.message, path);
    }
  };
  for (let length = 0; length < whole.length; length += 3) check(whole.subarray(0, length));
  for (let i = 0; i < 300; i++) {
    const copy = whole.slice();
    copy[Math.floor(random() * copy.length)] = Math.floor(random() * 256);
    check(copy);
    check(Uint8Array.from({ length: random() * 200 }, () => random() * 256));
  }
  for (const json of ["null", "[]", "7", '{"id":"x","created_at":1}', "x".repeat(70_000)]) {
    check(new TextEncoder().encode(json));
  }
  console.log(`damaged manifests: ${JSON.stringify(counts)}`);
  assert(counts.unreadable > 300);
});
