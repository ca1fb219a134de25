import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { loadAllCommands } from "../../../src/commands/catalogue.ts";
import { AppError } from "../../../src/errors.ts";
import { VERSION } from "../../../src/version.ts";
import { app, desktop, fakePlatform, run } from "./fakes.ts";

const TABLE = await loadAllCommands();

const noBus = () =>
  Promise.reject(
    new AppError("PLATFORM_NOT_SUPPORTED", "The accessibility bus does not answer", {
      suggestion: "Start it.",
    }),
  );

Deno.test("success: one JSON line, exit code 0", async () => {
  const { code, stdout, envelope, stderr } = await run(["list-apps"], {
    platform: desktop([app("Editor", 7)]),
  });
  assertEquals(code, 0);
  assertEquals(stderr, "");
  assertEquals(
    stdout,
    '{"version":"2.5","ok":true,"command":"list-apps","data":{"apps":[{"name":"Editor","pid":7,' +
      '"presentation":"foreground","process_instance":"test-proc:7"}]}}\n',
  );
  assertEquals(envelope.ok, true);
});

Deno.test("an error of the command: envelope with its name, exit code 1", async () => {
  const { code, envelope } = await run(["list-apps"], { platform: noBus });
  assertEquals(code, 1);
  assertEquals(envelope.command, "list-apps");
  assertEquals(envelope.error?.code, "PLATFORM_NOT_SUPPORTED");
  assertEquals(envelope.error?.disposition, { delivery: "not_delivered", retry: "safe" });
});

Deno.test("a command line that cannot be parsed: command unknown, exit code 2", async () => {
  for (
    const argv of [["frobnicate"], ["--nonsense"], ["click"], ["snapshot", "--max-depth", "300"]]
  ) {
    const { code, envelope } = await run(argv);
    assertEquals(code, 2);
    assertEquals(envelope.command, "unknown");
    assertEquals(envelope.error?.code, "INVALID_ARGS");
    assertEquals(envelope.error?.disposition, { delivery: "not_delivered", retry: "safe" });
    assertStringIncludes(envelope.error!.suggestion!, "--help");
  }
});

Deno.test("an unknown command: the one that was probably meant is named", async () => {
  const message = async (name: string) => (await run([name])).envelope.error?.message;
  assertEquals(await message("frobnicate"), "Unknown command 'frobnicate'");
  for (const [typed, meant] of [["snapshott", "snapshot"], ["fnid", "find"], ["clikc", "click"]]) {
    const expected = `Unknown command '${typed}'; did you mean ${meant}?`;
    assertEquals(await message(typed!), expected);
  }
});

Deno.test("texts: help and version, exit code 0", async () => {
  const bare = await run([]);
  assertEquals(bare.code, 0);
  assertStringIncludes(bare.stdout, "Usage: agent-desktop");
  assertEquals((await run(["--help"])).stdout, bare.stdout);
  assertEquals((await run(["-h"])).stdout, bare.stdout);
  assertStringIncludes((await run(["click", "-h"])).stdout, "Usage: agent-desktop click REF");
  assertEquals((await run(["--version"])).stdout, `agent-desktop ${VERSION}\n`);
  assertEquals((await run(["-V"])).stdout, `agent-desktop ${VERSION}\n`);
});

Deno.test("texts need neither a valid environment nor a desktop", async () => {
  const env = { AGENT_DESKTOP_HOME: "relative", AGENT_DESKTOP_SESSION: "" };
  for (const argv of [[], ["--help"], ["--version"], ["click", "--help"]]) {
    assertEquals((await run(argv, { env, platform: noBus })).code, 0);
  }
});

Deno.test("version prints an envelope and uses nothing", async () => {
  const { envelope, kept } = await run(["version"], { platform: fakePlatform() });
  assertEquals(envelope.data, {
    version: VERSION,
    target: Deno.build.target,
    os: Deno.build.os === "darwin" ? "macos" : Deno.build.os,
  });
  assertEquals(kept, []);
});

Deno.test("checks come in the order of the contract", async () => {
  const bad = {
    AGENT_DESKTOP_HOME: "relative",
    AGENT_DESKTOP_SESSION: "not valid",
    AGENT_DESKTOP_AGENT_ID: "not valid",
  };
  const everything = ["get", "@e1", "--wait-for", "a:b", "--wait-for-gone", "c:d"];
  const message = async (argv: string[], env: Record<string, string> = {}) => {
    const { envelope, code } = await run(argv, { env, platform: noBus });
    assertEquals(code, 1);
    assertEquals(envelope.error?.disposition.delivery, "not_delivered");
    return `${envelope.error?.code}: ${envelope.error?.message}`;
  };
  // The parser comes first.
  assertEquals((await run([...everything, "--nonsense"], { env: bad })).code, 2);
  assertStringIncludes(await message(everything, bad), "AGENT_DESKTOP_HOME");
  assertStringIncludes(await message(["version"], bad), "AGENT_DESKTOP_HOME");
  const { AGENT_DESKTOP_HOME: _, ...ids } = bad;
  assertEquals((await run(["version", "-w", "a:b", "--wait-for-gone", "c"], { env: ids })).code, 0);
  assertStringIncludes(await message(everything, ids), "--wait-for and --wait-for-gone");
  const waiting = ["get", "@e1", "--wait-for", "button:OK"];
  assertStringIncludes(await message(waiting, ids), "AGENT_DESKTOP_SESSION");
  const { AGENT_DESKTOP_SESSION: __, ...agent } = ids;
  assertStringIncludes(await message(waiting, agent), "AGENT_DESKTOP_AGENT_ID");
  assertStringIncludes(await message(waiting), "get does not take wait flags");
  assertStringIncludes(await message(["get", "@e1"]), "Invalid ref_id");
  assertStringIncludes(await message(["get", "@s8f3k2p9:e1"]), "PLATFORM_NOT_SUPPORTED");
});

Deno.test("argument errors win over missing grants, missing grants over refusals", async () => {
  const denied = fakePlatform({
    permissions: () =>
      Promise.resolve({
        accessibility: { state: "denied", suggestion: "Open the settings." },
        automation: { state: "unknown" },
        screen_recording: { state: "unknown" },
      }),
  });
  const code = async (...argv: string[]) =>
    (await run(argv, { platform: denied })).envelope.error?.code;
  assertEquals(await code("mouse-move", "--xy=1"), "INVALID_ARGS");
  assertEquals(await code("mouse-move", "--xy=1,1"), "PERM_DENIED");
  assertEquals(await code("snapshot"), "PERM_DENIED");
  const { envelope } = await run(["snapshot"], { platform: denied });
  assertEquals(envelope.error?.suggestion, "Open the settings.");
});

Deno.test("commands that need no grant do not ask for one", async () => {
  const platform = fakePlatform({
    permissions: () => Promise.reject(new Error("asked")),
    windows: () => Promise.resolve([]),
    apps: () => Promise.resolve([]),
    displays: () => Promise.resolve([]),
  });
  for (const command of ["list-apps", "list-windows", "list-displays"]) {
    assertEquals((await run([command], { platform })).code, 0);
  }
});

Deno.test("a platform that checks grants itself is asked with the command's own timeout", async () => {
  let remaining = 0;
  const platform = fakePlatform({
    requireAccess(deadline) {
      remaining = deadline.remaining;
      return Promise.reject(new AppError("PLATFORM_NOT_SUPPORTED", "mute"));
    },
  });
  const { envelope } = await run(["snapshot", "--timeout-ms", "400"], { platform });
  assertEquals(envelope.error?.message, "mute");
  assert(remaining > 0 && remaining <= 400);
});

Deno.test("each command keeps the permissions its row declares and no others", async () => {
  for (const command of ["list-apps", "status", "permissions", "version"]) {
    const { kept } = await run([command], { platform: noBus });
    assertEquals(kept, TABLE.find(({ name }) => name === command)!.privileges);
  }
});

Deno.test("the platform is opened once, and closed after the answer is out", async () => {
  const log: string[] = [];
  const platform = () => {
    log.push("open");
    return Promise.resolve(fakePlatform({
      apps: () => Promise.resolve([]),
      close: () => void log.push("close"),
    }));
  };
  await run(["list-apps"], { platform, stdout: () => void log.push("answer") });
  assertEquals(log, ["open", "answer", "close"]);
});

Deno.test("a platform that cannot be closed does not spoil the answer", async () => {
  const platform = fakePlatform({
    apps: () => Promise.resolve([]),
    close: () => {
      throw new Error("busy");
    },
  });
  const quiet = await run(["list-apps"], { platform });
  assertEquals([quiet.code, quiet.stderr], [0, ""]);
  assertStringIncludes((await run(["list-apps", "-v"], { platform })).stderr, "busy");
});

Deno.test("an unexpected exception: INTERNAL on stdout, its trace only with --verbose", async () => {
  const platform = fakePlatform({ apps: () => Promise.reject(new RangeError("no such thing")) });
  const quiet = await run(["list-apps"], { platform });
  assertEquals(quiet.code, 1);
  assertEquals(quiet.stderr, "");
  assertEquals(quiet.envelope.error?.code, "INTERNAL");
  assertEquals(quiet.envelope.error?.message, "Unexpected failure: RangeError: no such thing");
  assertEquals(quiet.envelope.error?.disposition, { delivery: "unknown", retry: "unknown" });
  const verbose = await run(["list-apps", "--verbose"], { platform });
  assertStringIncludes(verbose.stderr, "RangeError: no such thing\n    at ");
  assertEquals(verbose.stdout, quiet.stdout);
});

Deno.test("a stdout that takes nothing: one line on stderr, exit code 1", async () => {
  const broken = () => {
    throw new Deno.errors.BrokenPipe("Broken pipe (os error 32)");
  };
  for (const argv of [["--help"], ["--version"], ["version"], ["list-apps"], ["frobnicate"]]) {
    const { code, stderr } = await run(argv, {
      stdout: broken,
      platform: fakePlatform({ apps: () => Promise.resolve([]) }),
    });
    assertEquals(code, 1);
    assertEquals(
      stderr,
      "agent-desktop: cannot write the answer to stdout (Broken pipe (os error 32))\n",
    );
  }
});

Deno.test("the session comes from the flag, else from the environment", async () => {
  const session = async (argv: string[], env: Record<string, string>) => {
    const home = await Deno.makeTempDir();
    try {
      const { envelope } = await run(["status", ...argv], {
        env: { AGENT_DESKTOP_HOME: home, ...env },
        platform: noBus,
      });
      return envelope.data?.session_id ?? envelope.error?.message ?? null;
    } finally {
      await Deno.remove(home, { recursive: true });
    }
  };
  assertEquals(await session([], {}), null);
  assertEquals(await session([], { AGENT_DESKTOP_SESSION: "from-env" }), "from-env");
  assertEquals(
    await session(["--session", "flag"], { AGENT_DESKTOP_SESSION: "from-env" }),
    "flag",
  );
  // A good flag makes a bad variable harmless.
  assertEquals(await session(["--session", "flag"], { AGENT_DESKTOP_SESSION: "" }), "flag");
  const expected = "expected 1 to 64 letters, digits, _ or -";
  assertEquals(
    await session([], { AGENT_DESKTOP_SESSION: "" }),
    `Invalid AGENT_DESKTOP_SESSION '': ${expected}`,
  );
  for (const bad of ["", "a b", "../x", "a".repeat(65), "é"]) {
    assertEquals(
      await session([`--session=${bad}`], {}),
      `Invalid --session '${bad}': ${expected}`,
    );
    assertEquals(
      await session([`--agent-id=${bad}`], {}),
      `Invalid --agent-id '${bad}': ${expected}`,
    );
  }
});

Deno.test("wait flags: conflicts, lone timeout, limits, selectors, commands that cannot wait", async () => {
  const refused = async (...argv: string[]) => {
    const { code, envelope } = await run(argv, { platform: fakePlatform() });
    assertEquals(code, 1);
    assertEquals(envelope.error?.code, "INVALID_ARGS", argv.join(" "));
    assert(envelope.error?.suggestion);
  };
  await refused("snapshot", "--wait-for", "button", "--wait-for-gone", "button");
  await refused("snapshot", "--wait-timeout", "5");
  await refused("snapshot", "--wait-for", "button", "--wait-timeout", "86400001");
  await refused("snapshot", "--wait-for", "");
  await refused("snapshot", "--wait-for", ":");
  await refused("snapshot", "--wait-for", "gadget:OK");
  await refused("snapshot", "--wait-for", "button", "--root", "@s8f3k2p9:e1");
  for (const command of ["find", "list-apps", "list-windows", "status", "permissions"]) {
    await refused(command, "--wait-for", "button");
    await refused(command, "--wait-for-gone", "button");
  }
  await refused("get", "@s8f3k2p9:e1", "--wait-for", "button");
  await refused("mouse-move", "--xy", "1,1", "--wait-for", "button");
});

Deno.test("AGENT_DESKTOP_HOME is checked before any command", async () => {
  const home = await Deno.makeTempDir();
  try {
    await Deno.writeTextFile(`${home}/file`, "");
    await Deno.mkdir(`${home}/real`, { mode: 0o700 });
    await Deno.symlink(`${home}/real`, `${home}/link`);
    const code = async (value: string, command = "list-apps") =>
      (await run([command], {
        env: { AGENT_DESKTOP_HOME: value },
        platform: fakePlatform({ apps: () => Promise.resolve([]) }),
      })).envelope.error?.code;
    for (const bad of ["", "relative", "./x", `${home}/file`, `${home}/link`]) {
      for (const command of ["list-apps", "status", "version"]) {
        assertEquals(await code(bad, command), "INVALID_ARGS", `${command} '${bad}'`);
      }
    }
    assertEquals(await code(`${home}/real`), undefined);
    assertEquals(await code(`${home}/not/there/yet`), undefined);
  } finally {
    await Deno.remove(home, { recursive: true });
  }
});
