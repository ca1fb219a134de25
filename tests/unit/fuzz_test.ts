/** Random arguments, random files: always one envelope with a code, never anything else. */
import { assert, assertEquals } from "@std/assert";
import { effectiveUserId } from "../../ffi/libc.ts";
import { main, Run } from "../../main.ts";
import { loadAllCommands } from "../../src/commands/catalogue.ts";
import { ERROR_CODES } from "../../src/errors.ts";
import { TestPlatform } from "../support/test_platform/platform.ts";
import { TestSubject } from "../conformance/test_subject.ts";
import { randomNumbers } from "./tree/trees.ts";

effectiveUserId();
const TABLE = await loadAllCommands();

const CODES: ReadonlySet<string> = new Set(ERROR_CODES);

const at = (y: number) => ({ x: 0, y, width: 100, height: 18 });

function subject(): TestSubject {
  return new TestSubject({
    id: "window",
    role: "window",
    name: "Window",
    children: [
      { id: "a", role: "button", name: "One", actions: ["Click"], bounds: at(0) },
      {
        id: "b",
        role: "textfield",
        name: "Two",
        value: "x",
        actions: ["SetValue"],
        bounds: at(20),
      },
    ],
  });
}

/** Runs a command line; the answer must be an envelope or one of the texts. */
async function run(argv: string[], stateRoot: string, platform: TestPlatform): Promise<string> {
  let output = "";
  const run = new Run({
    env: (name) => name === "AGENT_DESKTOP_HOME" ? stateRoot : undefined,
    stdout: (text) => void (output += text),
    stderr: () => {},
    keepOnly: () => {},
  });
  const code = await main(argv, () => Promise.resolve(platform), run);
  const shown = JSON.stringify(argv).slice(0, 300);
  assert(output.endsWith("\n"), shown);
  if (!output.startsWith("{")) {
    assertEquals(code, 0, shown);
    return "text";
  }
  assertEquals(output.indexOf("\n"), output.length - 1, shown);
  const envelope = JSON.parse(output);
  assertEquals(envelope.version, "2.5");
  if (envelope.ok) {
    assertEquals(code, 0, shown);
    return "ok";
  }
  const { error } = envelope;
  assert(CODES.has(error.code), shown);
  assert(code === 1 || code === 2, shown);
  assert(error.code !== "INTERNAL", `${shown}: ${error.message}`);
  return error.code;
}

Deno.test("random arguments", async () => {
  await using shown = subject();
  const { data } = await shown.run("snapshot", "--app", "subject");
  const random = randomNumbers(9);
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)]!;
  const flags = [
    ...TABLE.flatMap((row) => Object.values(row.args ?? {}).flatMap(({ flag }) => flag ?? [])),
    "session",
    "agent-id",
    "headed",
    "verbose",
  ].map((flag) => `--${flag}`);
  const words = [
    ...TABLE.flatMap((row) => [row.name, row.name, row.name]),
    ...flags,
    `@${data.snapshot_id}:e1`,
    `@${data.snapshot_id}:e99`,
    "@snone:e1",
    "@e1",
    "subject",
    "start",
    "end",
    "list",
    "gc",
    "-i",
    "--",
    "-",
    "",
    "=",
    "--=",
    "--name=",
    "0",
    "1",
    "-1",
    "1e9",
    "99999999999999999999",
    "NaN",
    "button",
    "text",
    "..",
    "/dev/null",
    "{}",
    "null",
    "__proto__",
    "constructor",
    "--__proto__=1",
    "--constructor",
    "é\u0301😀",
    "\u0000",
    "\u001b]0;x\u0007",
    "\ud800",
    "x".repeat(70_000),
  ];
  /** A real command with some of its own arguments, the values at random. */
  const plausible = (): string[] => {
    const row = pick(TABLE);
    const argv = row.action === undefined ? [row.name] : [row.name, row.action];
    for (const [name, spec] of Object.entries(row.args ?? {})) {
      // What really waits is no matter of arguments.
      if (name === "timeout_ms") argv.push("--timeout-ms", "0");
      if (name === "timeout_ms" || random() < 0.5) continue;
      if (spec.flag !== undefined) argv.push(`--${spec.flag}`);
      if (spec.kind === "boolean") continue;
      argv.push(random() < 0.7 ? pick(likely) : pick(words));
    }
    return argv;
  };
  const likely = [`@${data.snapshot_id}:e1`, `@${data.snapshot_id}:e2`, "subject", "1", "button"];
  const counts: Record<string, number> = {};
  for (let i = 0; i < 3000; i++) {
    const argv = i % 2 === 0
      ? Array.from({ length: 1 + Math.floor(random() * 5) }, () => pick(words))
      : plausible();
    // What really waits is no matter of arguments.
    const outcome = await run(["--timeout-ms", "0", ...argv], shown.stateRoot, shown.platform)
      .then((first) =>
        first === "INVALID_ARGS" ? run(argv, shown.stateRoot, shown.platform) : first
      );
    counts[outcome] = (counts[outcome] ?? 0) + 1;
  }
  console.log(`random arguments: ${JSON.stringify(counts)}`);
  assert(counts["INVALID_ARGS"]! > 1000);
  assert(counts["ok"]! > 20);
});

Deno.test("random bytes where the program keeps its state", async () => {
  await using shown = subject();
  const { data } = await shown.run("snapshot", "--app", "subject");
  const session = (await shown.run("session", "start")).data.session_id;
  const refmap = `${shown.stateRoot}/snapshots/${data.snapshot_id}/refmap.json`;
  const files = [
    refmap,
    `${shown.stateRoot}/snapshots/${data.snapshot_id}/tree.json`,
    `${shown.stateRoot}/latest_snapshot_id`,
    `${shown.stateRoot}/sessions/${session}/session.json`,
  ];
  const commands = [
    ["get", `@${data.snapshot_id}:e1`],
    ["is", `@${data.snapshot_id}:e2`, "--property", "enabled"],
    ["snapshot", "--app", "subject", "--since", data.snapshot_id],
    ["snapshot", "--root", `@${data.snapshot_id}:e1`],
    ["click", `@${data.snapshot_id}:e1`, "--timeout-ms", "0"],
    ["session", "list"],
    ["session", "end", session],
    ["session", "gc"],
    ["status"],
  ];
  const random = randomNumbers(4);
  const counts: Record<string, number> = {};
  for (const file of files) {
    const whole = Deno.readFileSync(file);
    for (let i = 0; i < 25; i++) {
      const content = i % 2 === 0
        ? whole.subarray(0, Math.floor(random() * whole.length))
        : Uint8Array.from({ length: random() * 500 }, () => random() * 256);
      for (const command of commands) {
        Deno.writeFileSync(file, content);
        const answer = await shown.run(...command);
        const outcome = answer.ok ? "ok" : answer.error!.code;
        assert(answer.ok || CODES.has(outcome), outcome);
        counts[outcome] = (counts[outcome] ?? 0) + 1;
      }
    }
    Deno.writeFileSync(file, whole);
    assert((await shown.run("get", `@${data.snapshot_id}:e1`)).ok);
  }
  console.log(`random state: ${JSON.stringify(counts)}`);
});
