/** Fifty processes on one state root, some of them killed at any moment. */
import { assert, assertEquals } from "@std/assert";
import { AppError } from "../../../src/errors.ts";
import { PRUNE_ABOVE, RefStore } from "../../../src/store/ref_store.ts";
import { pageMap } from "../refs/entries.ts";
import { randomNumbers } from "../tree/trees.ts";
import { Folder, script } from "./support.ts";

const PROCESSES = 50;
const ROUNDS = 6;
const KILLED = 15;
/** A run that takes longer is stuck. */
const LIMIT_MS = 120_000;

Deno.test("fifty processes and killed holders: every promise is kept, nothing is left behind", async () => {
  using folder = new Folder();
  const random = randomNumbers(1);
  const start = performance.now();
  const children = Array.from(
    { length: PROCESSES },
    (_, i) => script("storm_script.ts", [folder.path, String(i), String(ROUNDS)]).spawn(),
  );
  const timers = children.slice(0, KILLED).map((child) =>
    setTimeout(() => {
      try {
        child.kill("SIGKILL");
      } catch {
        // It was quicker.
      }
    }, 500 + random() * 4000)
  );
  const stuck = setTimeout(() => children.forEach((child) => child.kill("SIGKILL")), LIMIT_MS);
  const outputs = await Promise.all(children.map((child) => child.output()));
  clearTimeout(stuck);
  timers.forEach(clearTimeout);
  assert(performance.now() - start < LIMIT_MS, "the processes wait for each other");

  const store = new RefStore(folder.path);
  const counts = { saved: 0, drilled: 0, busy: 0, killed: 0, pruned: 0 };
  for (const output of outputs) {
    const lines = new TextDecoder().decode(output.stdout).split("\n");
    // The last line of a killed process may be cut.
    if (output.signal === "SIGKILL") {
      counts.killed++;
      lines.pop();
    } else {
      assert(output.success, new TextDecoder().decode(output.stderr));
      assert(lines.includes("done"));
    }
    for (const line of lines) {
      const [what, id, number] = line.split(" ");
      assert(what !== "wrong", line);
      if (what === "busy") counts.busy++;
      if (what !== "saved" && what !== "drilled") continue;
      counts[what]++;
      try {
        const map = store.load(id!);
        if (number !== undefined) assert(map.entries.has(Number(number)), line);
      } catch (error) {
        // Gone with everything that was in it, or it is not gone.
        assert(
          error instanceof AppError && error.code === "SNAPSHOT_NOT_FOUND",
          `${line}: ${error}`,
        );
        counts.pruned++;
      }
    }
  }
  console.log(`storm: ${JSON.stringify(counts)}, ${Math.round(performance.now() - start)} ms`);
  assert(counts.saved > PRUNE_ABOVE, "enough to prune");
  assert(counts.killed > 0);
  assertEquals(store.load(store.latest()!).counter > 0, true);
  assert([...Deno.readDirSync(`${folder.path}/snapshots`)].length <= PRUNE_ABOVE);

  // After the grace time, saving sweeps what the killed ones left, everywhere once it prunes.
  const litter = folder.ageTemps();
  for (let i = 0; i <= PRUNE_ABOVE; i++) store.saveNew(store.newId(), pageMap(1));
  console.log(`temporary files left by killed processes: ${litter}`);
  assertEquals(folder.ageTemps(), 0);
});
