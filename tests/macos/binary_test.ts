/** The compiled program on the stand-in: one process for each command, effects carried between. */
import { assert, assertEquals } from "@std/assert";
import { fromFileUrl, join } from "@std/path";
import { buildFake } from "./support/build.ts";
import { toLines } from "./support/fixture.ts";
import { machineFixture } from "./support/platform.ts";

const ROOT = fromFileUrl(new URL("../../", import.meta.url));

// deno-lint-ignore no-explicit-any -- envelopes of every command
type Envelope = any;

async function build(folder: string): Promise<string> {
  const binary = join(folder, "agent-desktop");
  const { success, stderr } = await new Deno.Command(join(ROOT, "scripts/build"), {
    args: ["--entry", join(ROOT, "tests/macos/support/main.ts"), "--out", binary],
  }).output();
  assert(success, new TextDecoder().decode(stderr));
  return binary;
}

Deno.test("snapshot, click, read, stale: across processes", async () => {
  const folder = await Deno.makeTempDir({ prefix: "macos-binary-" });
  try {
    const binary = await build(folder);
    const state = join(folder, "machine");
    await Deno.writeTextFile(state, toLines(machineFixture("mail")));
    const env = {
      FAKE_MAC_LIBRARY: await buildFake(),
      FAKE_MAC_STATE: state,
      AGENT_DESKTOP_HOME: join(folder, "home"),
    };
    const run = async (...args: string[]): Promise<Envelope> => {
      const { stdout, stderr } = await new Deno.Command(binary, { args, env }).output();
      assertEquals(new TextDecoder().decode(stderr), "");
      return JSON.parse(new TextDecoder().decode(stdout));
    };
    const snapshot = await run("snapshot", "--app", "Mail", "--window-id", "w-101");
    assert(snapshot.ok, JSON.stringify(snapshot));
    assertEquals(snapshot.data.complete, true);
    const refs = new Map<string, string>();
    const collect = (node: Envelope) => {
      if (node.ref_id) refs.set(node.name, node.ref_id);
      for (const child of node.children ?? []) collect(child);
    };
    collect(snapshot.data.tree);
    assert(!JSON.stringify(snapshot).includes("hunter2"));

    const click = await run("click", refs.get("Send")!);
    assert(click.ok, JSON.stringify(click));
    assertEquals(click.data.steps[0].label, "AXPress");
    const status = await run("find", "--window-id", "w-101", "--name", "Sent", "--first");
    assertEquals(status.data.match?.role, "statictext", JSON.stringify(status));

    const set = await run("set-value", refs.get("Subject")!, "Dear all");
    assert(set.ok, JSON.stringify(set));
    assertEquals(set.data.disposition.delivery, "delivered_verified");
    const value = await run("get", refs.get("Subject")!, "--property", "value");
    assertEquals(value.data.value, "Dear all");

    const lines = await Deno.readTextFile(state);
    await Deno.writeTextFile(
      state,
      lines.split("\n").map((line) =>
        line.startsWith("node\tsend\t") ? line.replace(/\t-$/, "\tgone") : line
      ).join("\n"),
    );
    const stale = await run("click", refs.get("Send")!, "--timeout-ms", "0");
    assertEquals(stale.error?.code, "STALE_REF", JSON.stringify(stale));
    assertEquals(stale.error.disposition, { delivery: "not_delivered", retry: "safe" });
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
