import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { Deadline } from "../../../src/deadline.ts";
import { AppError } from "../../../src/errors.ts";
import { acquireLease, leaseDirectory } from "../../../src/store/lease.ts";
import { Folder, holdLock } from "./support.ts";

Deno.test("one holder at a time, also inside one process", async () => {
  using folder = new Folder();
  const place = `${folder.path}/lease`;
  const first = await acquireLease(Deadline.after(1000), place);
  assertEquals(first.contentionCount, 0);
  const error = await assertRejects(() => acquireLease(Deadline.after(60), place), AppError);
  assertEquals(error.code, "TIMEOUT");
  assertEquals(error.delivery, "not_delivered");
  const waiting = acquireLease(Deadline.after(5000), place);
  await new Promise((wake) => setTimeout(wake, 40));
  first.release();
  first.release();
  using second = await waiting;
  assert(second.contentionCount > 0);
  assertEquals(Deno.statSync(place).mode! & 0o777, 0o700);
  assertEquals(Deno.statSync(`${place}/interaction.lock`).mode! & 0o777, 0o600);
});

Deno.test("a killed holder gives it up", async () => {
  using folder = new Folder();
  const place = `${folder.path}/lease`;
  (await acquireLease(Deadline.after(1000), place)).release();
  const holder = await holdLock(`${place}/interaction.lock`);
  await assertRejects(() => acquireLease(Deadline.after(30), place), AppError);
  await holder.kill();
  using lease = await acquireLease(Deadline.after(1000), place);
  assertEquals(lease.contentionCount, 0);
});

Deno.test("a place that is not private is refused", async () => {
  using folder = new Folder();
  const target = `${folder.path}/target`;
  Deno.mkdirSync(target, { mode: 0o700 });
  const linked = `${folder.path}/linked`;
  Deno.symlinkSync(target, linked);
  const open = `${folder.path}/open`;
  Deno.mkdirSync(open);
  Deno.chmodSync(open, 0o777);
  const lock = `${folder.path}/lock`;
  Deno.mkdirSync(lock, { mode: 0o700 });
  Deno.symlinkSync(`${target}/x`, `${lock}/interaction.lock`);
  for (const place of [linked, open, lock]) {
    const error = await assertRejects(() => acquireLease(Deadline.after(50), place), AppError);
    assertEquals(error.code, "INTERNAL");
    assertStringIncludes(error.message, place);
  }
  assertEquals([...Deno.readDirSync(target)], []);
});

Deno.test("every process of a user waits at the same place", () => {
  assertEquals(leaseDirectory(), `/tmp/agent-desktop-${Deno.uid()}`);
});
