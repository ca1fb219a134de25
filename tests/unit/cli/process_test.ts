import { assertEquals, assertStringIncludes } from "@std/assert";
import { PRIVILEGES } from "../../../src/commands/command.ts";

const ROOT = new URL("../../../", import.meta.url);
const CONFIG = new URL("deno.json", ROOT).pathname;

// What the binary is built with. (With --allow-all Deno looks at files without asking, so that
// nothing could be given up.)
const PERMISSIONS = [
  "--allow-ffi",
  "--allow-env",
  "--allow-read",
  "--allow-write",
  "--allow-run",
  "--allow-net=127.0.0.1,localhost,[::1]",
  "--no-prompt",
];

/** Runs TypeScript in a process of its own. */
async function script(source: string): Promise<{ code: number; stdout: string; stderr: string }> {
  const file = await Deno.makeTempFile({ suffix: ".ts" });
  try {
    await Deno.writeTextFile(file, source.replaceAll("@/", ROOT.href));
    const command = new Deno.Command(Deno.execPath(), {
      args: ["run", ...PERMISSIONS, "--no-check", `--config=${CONFIG}`, file],
    });
    const { code, stdout, stderr } = await command.output();
    const text = new TextDecoder();
    return { code, stdout: text.decode(stdout), stderr: text.decode(stderr) };
  } finally {
    await Deno.remove(file);
  }
}

/** Runs the program below a shell, `$AD` being the program. */
async function shell(line: string, env: Record<string, string> = {}) {
  const ad = `'${Deno.execPath()}' run -A --no-check '${new URL("main.ts", ROOT).pathname}'`;
  const command = new Deno.Command("bash", {
    args: ["-c", `AD() { ${ad} "$@"; }; ${line}`],
    env: { NO_COLOR: "1", ...env },
  });
  const { code, stdout, stderr } = await command.output();
  const text = new TextDecoder();
  return { code, stdout: text.decode(stdout), stderr: text.decode(stderr) };
}

Deno.test("what a command does not declare fails in its process", async () => {
  const attempts = {
    read: `Deno.readTextFileSync("/etc/hostname")`,
    write: `Deno.removeSync(Deno.makeTempFileSync())`,
    run: `new Deno.Command("true").outputSync()`,
    net: `Deno.listen({ hostname: "127.0.0.1", port: 0 }).close()`,
    ffi: `Deno.dlopen("libc.so.6", { getpid: { parameters: [], result: "i32" } }).close()`,
    env: `Deno.env.get("PATH")`,
  };
  const body = Object.entries(attempts).map(([name, attempt]) =>
    `try { ${attempt}; done.push("${name}"); } catch (e) { if (e.name !== "NotCapable") throw e; }`
  ).join("\n");
  const sets = [[], ["read"], ["read", "ffi", "env"], ["write"], [...PRIVILEGES]];
  for (const kept of sets) {
    const { code, stdout, stderr } = await script(`
      import { REAL_PROCESS } from "@/src/cli/process.ts";
      REAL_PROCESS.keepOnly(${JSON.stringify(kept)});
      const done = [];
      ${body}
      console.log(JSON.stringify(done));`);
    assertEquals(stderr, "");
    assertEquals(code, 0);
    assertEquals(
      JSON.parse(stdout),
      Object.keys(attempts).filter((name) => (kept as string[]).includes(name)),
    );
  }
});

Deno.test("a failure outside of any call becomes an envelope, without a trace", async () => {
  const failures = [
    `Promise.reject(new TypeError("stray"))`,
    `setTimeout(() => { throw new TypeError("stray"); })`,
    `queueMicrotask(() => { throw new TypeError("stray"); })`,
  ];
  for (const failure of failures) {
    const { code, stdout, stderr } = await script(`
      import { guardProcess, Run } from "@/src/cli/program.ts";
      guardProcess(new Run());
      ${failure};
      await new Promise((done) => setTimeout(done, 5000));`);
    assertEquals(code, 1);
    assertEquals(stderr, "");
    const { ok, error } = JSON.parse(stdout);
    assertEquals([ok, error.code], [false, "INTERNAL"]);
    assertEquals(error.message, "Unexpected failure: TypeError: stray");
  }
});

Deno.test("a stray failure after the answer neither adds to it nor changes the exit code", async () => {
  for (const [argv, expected] of [[["version"], 0], [["frobnicate"], 2]] as const) {
    const { code, stdout, stderr } = await script(`
      import { guardProcess, main, Run } from "@/src/cli/program.ts";
      const run = new Run();
      guardProcess(run);
      await main(${JSON.stringify(argv)}, () => Promise.reject(new Error()), run);
      Promise.reject(new TypeError("stray"));
      await new Promise((done) => setTimeout(done, 5000));`);
    assertEquals(code, expected);
    assertEquals(stdout.split("\n").length, 2);
    assertEquals(stderr, "");
  }
});

Deno.test("an environment variable that is not UTF-8 is refused, not a crash", async () => {
  for (const name of ["AGENT_DESKTOP_SESSION", "AGENT_DESKTOP_HOME", "AGENT_DESKTOP_AGENT_ID"]) {
    const { code, stdout } = await shell(`export ${name}=$'\\xff'; AD list-apps`);
    assertEquals(code, 1);
    const { error } = JSON.parse(stdout);
    assertEquals(error.code, "INVALID_ARGS");
    assertStringIncludes(error.message, name);
  }
});

Deno.test("a full stdout: exit code 1 and one line on stderr", async () => {
  const { code, stderr } = await shell("AD version >/dev/full");
  assertEquals(code, 1);
  assertEquals(
    stderr,
    "agent-desktop: cannot write the answer to stdout (No space left on device (os error 28))\n",
  );
});

Deno.test("a reader that has gone: exit code 1 and one line on stderr", async () => {
  // The reader's end is closed before the program can have written.
  const { stdout, stderr } = await shell(
    "{ sleep 1; AD --help; echo $? >&2; } | true; sleep 2",
  );
  assertEquals(stdout, "");
  assertEquals(
    stderr,
    "agent-desktop: cannot write the answer to stdout (Broken pipe (os error 32))\n1\n",
  );
});

Deno.test("both streams closed or full: no crash, exit code 1", async () => {
  assertEquals((await shell("AD version >/dev/full 2>/dev/full")).code, 1);
  assertEquals((await shell("AD frobnicate >/dev/full 2>&-")).code, 1);
});

Deno.test("the verdict of an action reaches stderr when stdout is full", async () => {
  const { code, stderr } = await script(`
    import { main, Run } from "@/src/cli/program.ts";
    import { REAL_PROCESS } from "@/src/cli/process.ts";
    import { AppError } from "@/src/errors.ts";
    const full = { ...REAL_PROCESS, keepOnly() {}, stdout() { throw new Error("full"); } };
    const platform = {
      permissions: () => Promise.reject(
        new AppError("TIMEOUT", "late", { delivery: "delivered_unverified" }),
      ),
      close() {},
    };
    Deno.exit(await main(["snapshot"], () => Promise.resolve(platform), new Run(full)));`);
  assertEquals(code, 1);
  assertStringIncludes(stderr, "delivered_unverified, retry unsafe\n");
});
