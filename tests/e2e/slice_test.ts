/** The whole way, once for each toolkit: an envelope to read, refs that resolve, a click that works. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import {
  BINARY,
  Desktop,
  nodesOf,
  refOf,
  type Snapshot,
  type TreeNode,
} from "./support/desktop.ts";
import {
  type App,
  poll,
  startGtk3,
  startProgram,
  startQt,
  startScene,
  startWeb,
} from "./support/apps.ts";
import { expectOrder, expectSnapshotEnvelope } from "./support/schema.ts";

const desktop = await Desktop.start();

/** Refs of large windows that are looked up; of small ones all are. */
const SAMPLE = 24;
/** How many commands run at once. */
const TOGETHER = 4;

const startCalculator = () => startProgram(desktop, "gnome-calculator", "gnome-calculator");

const windows: [string, () => Promise<App>][] = [
  ["gnome-calculator (GTK 4)", startCalculator],
  ["GTK 3", () => startGtk3(desktop)],
  ["Qt", () => startQt(desktop)],
  ["Chromium", () => startWeb(desktop)],
];

/** Nodes spread over the whole list, the first and the last among them. */
function sampled<T>(all: readonly T[], most: number): T[] {
  if (all.length <= most) return [...all];
  return Array.from(
    { length: most },
    (_, i) => all[Math.round(i * (all.length - 1) / (most - 1))]!,
  );
}

async function expectResolves(nodes: readonly TreeNode[]) {
  const left = [...nodes];
  const worker = async () => {
    for (let node = left.pop(); node !== undefined; node = left.pop()) {
      const role = await desktop.ok("get", node.ref_id!, "--property", "role");
      assertEquals(role, { property: "role", ref: node.ref_id, value: node.role });
      const title = await desktop.ok("get", node.ref_id!, "--property", "title");
      assertEquals(title["value"], node.name ?? null, node.ref_id);
    }
  };
  await Promise.all(Array.from({ length: TOGETHER }, worker));
}

for (const [name, start] of windows) {
  Deno.test(`${name}: the envelope is valid and its refs resolve`, async () => {
    await using app = await start();
    const run = await desktop.run("snapshot", "--app", app.name, "--timeout-ms", "10000");
    expectSnapshotEnvelope(run.stdout);
    const { data } = run.envelope as unknown as { data: Snapshot };
    assertEquals([run.code, data.app, data.complete], [0, app.name, true]);
    const refs = [...nodesOf(data.tree)].filter((node) => node.ref_id);
    assertEquals(refs.length, data.ref_count);
    assertEquals(
      refs.map((node) => node.ref_id),
      refs.map((_, i) => `@${data.snapshot_id}:e${i + 1}`),
      "numbered in document order",
    );
    const small = await desktop.run("snapshot", "--app", app.name, "-i", "--compact");
    expectSnapshotEnvelope(small.stdout);
    const boxed = await desktop.run("snapshot", "--app", app.name, "--include-bounds");
    expectSnapshotEnvelope(boxed.stdout);
    assert(boxed.stdout.includes('"bounds":{"height":'));
    expectSnapshotEnvelope((await desktop.run("snapshot", "--app", "No such program")).stdout);
    await expectResolves(sampled(refs, refs.length > 60 ? SAMPLE : refs.length));
    app.assertAlive();
  });
}

Deno.test("the calculator computes 7 × 8 by refs, and the published example's shape is its shape", async () => {
  await using app = await startCalculator();
  const run = await desktop.run("snapshot", "--app", "gnome-calculator", "-i", "--compact");
  const envelope = run.envelope!;
  expectOrder(envelope as unknown as Record<string, unknown>, ["version", "ok", "command", "data"]);
  assertEquals([envelope.version, envelope.ok, envelope.command], ["2.5", true, "snapshot"]);
  const data = envelope.data as unknown as Snapshot;
  assertEquals(Object.keys(data), [
    "app",
    "complete",
    "ref_count",
    "snapshot_id",
    "tree",
    "window",
  ]);
  assertEquals(data.app, "gnome-calculator");
  assertEquals(Object.keys(data.window), ["id", "title"]);
  assertMatch(
    data.window.id,
    /^w-1\.\d+-org-gnome-Calculator-a11y-[0-9a-f]{8}(_[0-9a-f]{4}){3}_[0-9a-f]{12}$/,
  );
  assertEquals(data.window.title, "Calculator");
  assertMatch(data.snapshot_id, /^s[0-9a-z]{4,13}$/);
  assertEquals([data.tree.role, data.tree.name], ["window", "Calculator"]);

  // This GTK release joins a button's label and its text into "7 7".
  const key = (digit: string) => {
    const names = [digit, `${digit} ${digit}`];
    const node = [...nodesOf(data.tree)].find((one) => names.includes(one.name ?? ""));
    assert(node, `a button ${digit}`);
    assertEquals(node.role, "button");
    assertEquals(node.available_actions, ["Click", "SetFocus"]);
    assert(node.ref_id);
    return node.ref_id;
  };
  for (const digit of ["7", "×", "8", "="]) {
    const clicked = await desktop.ok("click", key(digit));
    assertEquals(clicked["action"], "click");
    assertEquals(clicked["disposition"], { delivery: "delivered_unverified", retry: "unsafe" });
  }
  const shown = async () => {
    const texts = await desktop.reader.find({ app: app.name, role: 61, text: true });
    return texts.map((node) => node.text);
  };
  const right = await poll(5_000, async () => (await shown()).includes("56"));
  assert(right, `the calculator shows ${await shown()}`);
  app.assertAlive();
});

Deno.test("a ref after its window has closed is stale, whether or not the process lives on", async () => {
  await using two = await startScene(desktop, "hidden-page");
  const dialog = await desktop.snapshot("--app", two.name);
  assertEquals(dialog.window.title, "Modal dialog");
  const ok = refOf(dialog.tree, "Dialog OK");
  await two.control("close-dialog");
  const closed = await desktop.fails("STALE_REF", "click", ok);
  assertEquals(closed.disposition, { delivery: "not_delivered", retry: "safe" });
  assertEquals(closed.recovery, {
    strategy: "refresh_snapshot_then_retry_original",
    retryable: true,
    requires_fresh_snapshot: true,
  });
  assertMatch(closed.suggestion!, /snapshot/);
  assertEquals(await two.label("status"), "none");

  const app = await startGtk3(desktop);
  const push = refOf((await desktop.snapshot("--app", app.name)).tree, "Push", "button");
  await app.stop();
  for (const command of ["click", "get", "is"]) {
    const stale = await desktop.fails("STALE_REF", command, push);
    assertEquals(stale.disposition.delivery, "not_delivered");
  }
});

Deno.test("a bare ref is refused as published", async () => {
  const run = await desktop.run("click", "@e1");
  assertEquals(run.code, 1);
  assertEquals(
    run.stdout,
    JSON.stringify({
      version: "2.5",
      ok: false,
      command: "click",
      error: {
        code: "INVALID_ARGS",
        message: "Invalid ref_id '@e1': expected @<snapshot_id>:e<N>",
        suggestion:
          "Use the snapshot-qualified ref that snapshot prints, for example @s8f3k2p9:e1. A bare @eN ref is not accepted.",
        disposition: { delivery: "not_delivered", retry: "safe" },
      },
    }) + "\n",
  );
  for (const command of ["get", "is", "set-value"]) {
    const value = command === "set-value" ? ["x"] : [];
    await desktop.fails("INVALID_ARGS", command, "@e1", ...value);
  }
});

Deno.test("without a bus: the answer says what is missing, in time, and no native abort", async () => {
  const nowhere = await Deno.makeTempDir();
  const none = {
    DBUS_SESSION_BUS_ADDRESS: undefined,
    AT_SPI_BUS_ADDRESS: undefined,
    XDG_RUNTIME_DIR: nowhere,
  };
  const dead = { ...none, DBUS_SESSION_BUS_ADDRESS: `unix:path=${nowhere}/gone` };
  const stale = { AT_SPI_BUS_ADDRESS: `unix:path=${nowhere}/gone` };
  try {
    for (const env of [none, dead, { ...none, ...stale }]) {
      for (
        const args of [["snapshot"], ["list-apps"], ["list-windows"], ["find", "--role", "button"]]
      ) {
        const run = await desktop.runWith({ env }, ...args);
        assertEquals([run.code, run.signal, run.timedOut], [1, null, false], run.stderr);
        assertEquals(run.envelope?.error?.code, "PLATFORM_NOT_SUPPORTED", run.stdout);
        assertMatch(run.envelope!.error!.message, /session bus|org\.a11y\.Bus|registry/);
        assertMatch(run.envelope!.error!.suggestion!, /\w/);
        assertEquals(run.envelope!.error!.disposition.delivery, "not_delivered");
        assertEquals(run.stderr, "");
        // The promise is two seconds; this machine may be busy with other tests.
        assert(run.wallMs < 4_000, `${args}: ${run.wallMs} ms`);
      }
      for (const args of [["status"], ["version"], ["--help"]]) {
        const run = await desktop.runWith({ env }, ...args);
        assertEquals([run.code, run.stderr], [0, ""], args[0]);
      }
    }
  } finally {
    await Deno.remove(nowhere, { recursive: true });
  }
});

Deno.test("a stale accessibility address in the environment is found out", async () => {
  await using app = await startScene(desktop, "three-buttons");
  const env = { AT_SPI_BUS_ADDRESS: `unix:path=${desktop.folder}/gone` };
  const run = await desktop.runWith({ env }, "snapshot", "--app", app.name);
  assertEquals([run.signal, run.stderr], [null, ""]);
  if (run.code !== 0) {
    assertEquals(run.envelope?.error?.code, "PLATFORM_NOT_SUPPORTED");
    assertMatch(
      run.envelope!.error!.message + run.envelope!.error!.suggestion,
      /AT_SPI_BUS_ADDRESS/,
    );
  }
});

/** Runs a shell line on the desktop; `$A` is the program. */
async function shell(line: string): Promise<{ code: number; stdout: string; stderr: string }> {
  const output = await desktop.command("bash", {
    args: ["-c", line],
    env: { A: BINARY },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).output();
  const text = new TextDecoder();
  return {
    code: output.code,
    stdout: text.decode(output.stdout),
    stderr: text.decode(output.stderr),
  };
}

Deno.test("a reader that goes away, a closed or a full stdout: one line on stderr, no stack trace", async () => {
  await using app = await startGtk3(desktop);
  const snapshot = `"$A" snapshot --app ${app.name}`;
  const head = await shell(`{ ${snapshot}; echo "code $?" >&2; } | head -c1`);
  assertEquals(head.stdout, "{");
  // The whole answer may have fitted into the pipe before its reader went away.
  assertMatch(head.stderr, /^(agent-desktop: cannot write[^\n]*\ncode 1|code 0)\n$/);
  const early = await shell(`{ sleep 0.2; ${snapshot}; echo "code $?" >&2; } | true`);
  assertMatch(early.stderr, /^agent-desktop: cannot write[^\n]*\ncode 1\n$/);
  for (const line of [`${snapshot} >/dev/full`, `"$A" version >/dev/full`]) {
    const run = await shell(line);
    assertEquals(run.code, 1, line);
    assertMatch(run.stderr, /^agent-desktop: cannot write[^\n]*\n$/, line);
  }
  // The runtime puts /dev/null in the place of a closed stream before the program starts, and what
  // then takes the answer looks exactly like a caller that wants none.
  const closed = await shell(`${snapshot} >&-`);
  assertEquals([closed.code, closed.stderr], [0, ""]);
  const all = await shell(`${snapshot} >&- 2>&- <&-`);
  assertEquals([all.code, all.stdout, all.stderr], [0, "", ""]);
  const push = refOf((await desktop.snapshot("--app", app.name)).tree, "Push", "button");
  const lost = await shell(`"$A" click ${push} >/dev/full`);
  assertEquals(lost.code, 1);
  assertMatch(lost.stderr, /^[^\n]*delivered_unverified[^\n]*\n$/);
  await app.expectLabel("push", "clicked 1");
  const both = await shell(`${snapshot} >/dev/full 2>/dev/full`);
  assertEquals([both.code, both.stdout, both.stderr], [1, "", ""]);
});
