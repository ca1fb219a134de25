/**
 * `storm_script.ts ROOT SEED ROUNDS`: saves, drills, resolves and thereby prunes, and tells what
 * it was promised: `saved ID`, `drilled ID NUMBER`, `busy` (the lock was not to be had), `wrong …`.
 */
import { AppError } from "../../../src/errors.ts";
import { lookUp } from "../../../src/refs/resolve.ts";
import { RefStore } from "../../../src/store/ref_store.ts";
import { entry, pageMap } from "../refs/entries.ts";
import { randomNumbers } from "../tree/trees.ts";

const [root, seed, rounds] = Deno.args;
const random = randomNumbers(Number(seed));
const store = new RefStore(root!);
const say = (line: string) => Deno.stdout.writeSync(new TextEncoder().encode(`${line}\n`));

/** Some snapshot, most often one of another process. */
function someSnapshot(): string | undefined {
  const names = [...Deno.readDirSync(`${root}/snapshots`)].map(({ name }) => name);
  return names[Math.floor(random() * names.length)];
}

function step(): void {
  const id = store.newId();
  store.saveNew(id, pageMap(1 + Math.floor(random() * 60)), "{}");
  say(`saved ${id}`);
  const other = someSnapshot();
  if (other === undefined) return;
  lookUp(store, `@${other}:e1`);
  const map = store.update(other, (current) => {
    const counter = current.counter + 1;
    const entries = new Map(current.entries);
    entries.set(counter, entry({ name: `drill ${counter}`, root_ref: "@e1" }));
    return { counter, entries };
  });
  say(`drilled ${other} ${map.counter}`);
  const latest = store.latest();
  if (latest !== undefined) store.load(latest);
}

for (let round = 0; round < Number(rounds); round++) {
  try {
    step();
  } catch (error) {
    if (!(error instanceof AppError)) say(`wrong ${error}`);
    else if (error.code === "TIMEOUT") say("busy");
    // Another process pruned it in between.
    else if (error.code !== "SNAPSHOT_NOT_FOUND") say(`wrong ${error.code} ${error.message}`);
  }
}
say("done");
