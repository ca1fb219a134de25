/** Reading after an action: how long it waits for the application to come to rest. */
import { assert, assertEquals } from "@std/assert";
import { Deadline } from "../../../src/deadline.ts";
import { type ActionNote, type Clock, settle } from "../../../src/act/settle.ts";

/** A clock that only sleeping moves, and an application that works at given times. */
class Scene implements Clock {
  constructor(private time: number, private readonly works: (age: number) => boolean) {}

  /** Processor time used by now. */
  used = 0;

  now(): number {
    return 1_000_000 + this.time;
  }

  sleep(ms: number): Promise<void> {
    if (this.works(this.time)) this.used += ms / 2;
    this.time += ms;
    return Promise.resolve();
  }

  /** Milliseconds after the action at which a reader that began at `time` may read. */
  async settled(note: Partial<ActionNote> = {}): Promise<number> {
    const whole = { at: 1_000_000, pid: 42, processorTime: 0, seen: 0, delay: 0, ...note };
    const platform = { processorTime: () => this.used };
    await settle(whole, platform, Deadline.after(10_000), this);
    return this.time;
  }
}

Deno.test("an application at rest is read once 60 ms have passed", async () => {
  assertEquals(await new Scene(5, () => false).settled(), 60);
  assertEquals(await new Scene(80, () => false).settled(), 80);
});

Deno.test("one that works is waited for until it has been at rest for 60 ms", async () => {
  const end = await new Scene(5, (age) => age < 200).settled();
  assert(end >= 250 && end <= 280, `${end}`);
});

Deno.test("a result that a timer brings a little later is waited for", async () => {
  const end = await new Scene(5, (age) => age < 20 || (age > 60 && age < 80)).settled();
  assert(end >= 130 && end <= 150, `${end}`);
});

Deno.test("what was worked off before the look counts from the look", async () => {
  const scene = new Scene(100, () => false);
  scene.used = 7;
  assertEquals(await scene.settled(), 160);
});

Deno.test("rest counts from the last look at the application", async () => {
  assertEquals(await new Scene(40, () => false).settled({ seen: 35 }), 95);
  assertEquals(await new Scene(110, () => false).settled({ seen: 35 }), 110);
});

Deno.test("a toolkit that begins late is given its time first", async () => {
  const end = await new Scene(30, (age) => age >= 250 && age < 270).settled({ delay: 250 });
  assert(end >= 320 && end <= 340, `${end}`);
});

Deno.test("one that never rests is waited for until 600 ms after the action", async () => {
  const end = await new Scene(5, () => true).settled();
  assert(end >= 600 && end <= 610, `${end}`);
  assertEquals(await new Scene(700, () => true).settled(), 700);
});

Deno.test("a note of the future and one without a process", async () => {
  assertEquals(await new Scene(-5_000, () => true).settled(), -5_000);
  const scene = new Scene(5, () => true);
  await settle({ at: 1_000_000, seen: 0, delay: 0 }, {}, Deadline.after(10_000), scene);
  assertEquals(scene.now() - 1_000_000, 60);
});
