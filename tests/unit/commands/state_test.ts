/** Commands on a state root that is missing, unusable or not private. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { effectiveUserId } from "../../../ffi/libc.ts";
import { main, Run } from "../../../main.ts";
import { TestPlatform } from "../../support/test_platform/platform.ts";

effectiveUserId();

const platform = new TestPlatform({
  apps: [{
    name: "subject",
    pid: 42,
    windows: [{
      id: "w-1",
      title: "Window",
      focused: true,
      root: {
        id: "window",
        role: "window",
        name: "Window",
        children: [{ id: "a", role: "button", name: "One", actions: ["Click"] }],
      },
    }],
  }],
});

async function run(env: Record<string, string>, ...argv: string[]) {
  let output = "";
  const run = new Run({
    env: (name) => env[name],
    stdout: (text) => void (output += text),
    stderr: () => {},
    keepOnly: () => {},
  });
  const code = await main(argv, () => Promise.resolve(platform), run);
  return { code, answer: output.startsWith("{") ? JSON.parse(output) : undefined, output };
}

const UNUSABLE: Record<string, Record<string, string>> = {
  "no HOME": {},
  "a HOME that is not there": { HOME: "/nonexistent-home" },
  "a HOME that cannot be written": { HOME: "/proc" },
  "a state root that cannot be made": { AGENT_DESKTOP_HOME: "/proc/agent-desktop" },
};

for (const [what, env] of Object.entries(UNUSABLE)) {
  Deno.test(`${what}: looking works, storing says where and how to relocate`, async () => {
    for (const argv of [["--help"], ["--version"], ["version"], ["status"], ["list-apps"]]) {
      const { code, output } = await run(env, ...argv);
      assertEquals(code, 0, `${argv}: ${output}`);
    }
    for (const argv of [["snapshot", "--app", "subject"], ["session", "start"]]) {
      const { code, answer } = await run(env, ...argv);
      assertEquals(code, 1);
      const { error } = answer;
      assertEquals(error.code, "INTERNAL");
      assertEquals(error.disposition, { delivery: "not_delivered", retry: "safe" });
      assertStringIncludes(error.message, "agent-desktop");
      assertStringIncludes(error.suggestion, "AGENT_DESKTOP_HOME");
    }
    const { answer } = await run(env, "get", "@sabc:e1");
    assert(["SNAPSHOT_NOT_FOUND", "INTERNAL"].includes(answer.error.code));
  });
}

Deno.test("a state root others can write to is refused before any command", async () => {
  const root = Deno.makeTempDirSync();
  try {
    Deno.chmodSync(root, 0o777);
    for (const argv of [["snapshot", "--app", "subject"], ["status"], ["version"]]) {
      const { answer } = await run({ AGENT_DESKTOP_HOME: root }, ...argv);
      assertEquals(answer.error.code, "INVALID_ARGS");
      assertStringIncludes(answer.error.message, root);
    }
    assertEquals([...Deno.readDirSync(root)], []);
  } finally {
    Deno.removeSync(root, { recursive: true });
  }
});

Deno.test("a default state root that is a symlink is refused and its target untouched", async () => {
  const home = Deno.makeTempDirSync();
  try {
    Deno.mkdirSync(`${home}/target`, { mode: 0o700 });
    Deno.symlinkSync(`${home}/target`, `${home}/.agent-desktop`);
    const { answer } = await run({ HOME: home }, "snapshot", "--app", "subject");
    assertEquals(answer.error.code, "INTERNAL");
    assertStringIncludes(answer.error.message, `${home}/.agent-desktop`);
    assertEquals([...Deno.readDirSync(`${home}/target`)], []);
  } finally {
    Deno.removeSync(home, { recursive: true });
  }
});
