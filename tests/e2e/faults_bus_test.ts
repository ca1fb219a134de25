/**
 * Buses that are missing, left over from another session, of the wrong kind, or mute. Every
 * command says which part did not answer and what to do, within its own time, as an error and not
 * as a crash; what needs no bus works.
 */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { Desktop, type Envelope, ROOT, type RunOptions } from "./support/desktop.ts";
import { poll, startScripted } from "./support/apps.ts";
import { button, frame, GRACE_MS, sound } from "./support/scripted.ts";

const desktop = await Desktop.start();

/** A bus that takes connections and then keeps quiet is given up after so long. */
const PROBE_MS = 1_500;

/** Commands that cannot work without the accessibility bus. Refs and ids are well formed. */
const COMMANDS = [
  ["snapshot", "--app", "nobody"],
  ["snapshot"],
  ["find", "--app", "nobody", "--name", "x"],
  ["list-apps"],
  ["list-windows"],
  ["list-surfaces", "--app", "nobody"],
];

/** Expects the diagnosis of `stage` from a command that needs the bus. */
async function diagnosis(
  options: RunOptions,
  stage: string,
  ...command: string[]
): Promise<NonNullable<Envelope["error"]>> {
  const run = await desktop.runWith(options, ...command);
  const { error } = sound(run);
  const told = `${command[0]}: ${run.stdout}`;
  assertEquals([run.code, error?.code], [1, "PLATFORM_NOT_SUPPORTED"], told);
  assertEquals(error!.details?.["stage"], stage, told);
  assert(error!.message.includes(stage), told);
  assertEquals(error!.disposition, { delivery: "not_delivered", retry: "safe" });
  assert(run.wallMs < PROBE_MS + GRACE_MS, `${command[0]} took ${run.wallMs} ms`);
  return error!;
}

/** What works without any bus, and says what is wrong. */
async function withoutBus(options: RunOptions, stage: string): Promise<void> {
  const status = sound(await desktop.runWith(options, "status"));
  const { accessibility } = status.data!["permissions"] as {
    accessibility: { state: string; suggestion: string };
  };
  assertEquals(accessibility.state, "unknown");
  assert(accessibility.suggestion.includes(stage), accessibility.suggestion);
  const others = [["version"], ["permissions"], ["session", "list"]];
  await Promise.all(others.map(async (command) => {
    assertEquals(sound(await desktop.runWith(options, ...command)).ok, true, command[0]);
  }));
}

/** A Unix socket that takes connections and does as `serve` says with them. */
function listen(name: string, serve: (connection: Deno.UnixConn) => void) {
  const path = `${desktop.folder}/${name}`;
  const listener = Deno.listen({ transport: "unix", path });
  const open: Deno.UnixConn[] = [];
  const done = (async () => {
    for await (const connection of listener) {
      open.push(connection);
      serve(connection);
    }
  })();
  return {
    path,
    async [Symbol.asyncDispose]() {
      listener.close();
      await done;
      for (const connection of open) tryClose(connection);
    },
  };
}

function tryClose(connection: Deno.UnixConn) {
  try {
    connection.close();
  } catch { /* closed by its own code */ }
}

/** Processes of this desktop with that command name. */
async function processes(name: string): Promise<number[]> {
  const found: number[] = [];
  for await (const { name: pid } of Deno.readDir("/proc")) {
    if (!/^[0-9]+$/.test(pid)) continue;
    try {
      const [command, environment] = await Promise.all([
        Deno.readTextFile(`/proc/${pid}/cmdline`),
        Deno.readTextFile(`/proc/${pid}/environ`),
      ]);
      const own = environment.split("\0").includes(`PRIVATE_DESKTOP=${desktop.folder}`);
      if (own && command.split("\0")[0]!.endsWith(name)) found.push(Number(pid));
    } catch { /* it has ended, or is not ours to see */ }
  }
  return found.sort((a, b) => a - b);
}

/** Stops processes while `work` runs. */
async function whileStopped(pids: readonly number[], work: () => Promise<void>): Promise<void> {
  assert(pids.length > 0, "the process to stop is there");
  for (const pid of pids) Deno.kill(pid, "SIGSTOP");
  try {
    await work();
  } finally {
    for (const pid of pids) Deno.kill(pid, "SIGCONT");
  }
}

const session = (address: string | undefined): RunOptions => ({
  env: { DBUS_SESSION_BUS_ADDRESS: address },
});

Deno.test("no session bus: every command says so and how to get one", async () => {
  const nowhere: RunOptions = {
    env: {
      DBUS_SESSION_BUS_ADDRESS: undefined,
      AT_SPI_BUS_ADDRESS: undefined,
      XDG_RUNTIME_DIR: `${desktop.folder}/no-such-folder`,
    },
  };
  for (const command of COMMANDS) {
    const error = await diagnosis(nowhere, "session bus", ...command);
    assertMatch(error.suggestion!, /DBUS_SESSION_BUS_ADDRESS/);
  }
  await withoutBus(nowhere, "session bus");
});

Deno.test("a runtime folder of another session: no socket, a dead one, a file, a folder", async () => {
  const stale = `${desktop.folder}/stale`;
  await Deno.mkdir(stale);
  const runtime = (folder: string): RunOptions => ({
    env: { DBUS_SESSION_BUS_ADDRESS: undefined, XDG_RUNTIME_DIR: folder },
  });
  await diagnosis(runtime(stale), "session bus", "snapshot");
  Deno.listen({ transport: "unix", path: `${stale}/bus` }).close();
  const there = await Deno.stat(`${stale}/bus`).then(() => true, () => false);
  if (!there) await Deno.writeTextFile(`${stale}/bus`, "");
  await diagnosis(runtime(stale), "session bus", "snapshot");
  await Deno.remove(`${stale}/bus`);
  await Deno.mkdir(`${stale}/bus`);
  await diagnosis(runtime(stale), "session bus", "snapshot");
  for (const folder of ["", "relative/folder", "/dev/null", `/${"x".repeat(300)}`, "/a;b,c=d%41"]) {
    await diagnosis(runtime(folder), "session bus", "snapshot");
  }
});

Deno.test("addresses of another kind are refused, and nothing is started for them", async () => {
  const witness = `${desktop.folder}/started`;
  for (
    const address of [
      "tcp:host=127.0.0.1,port=1",
      "nonce-tcp:host=127.0.0.1,port=1,noncefile=/etc/hostname",
      "autolaunch:",
      "autolaunch:scope=user",
      `unixexec:path=/usr/bin/touch,argv1=${witness}`,
      `unix:path=${desktop.folder}/none;unixexec:path=/usr/bin/touch,argv1=${witness}`,
      "launchd:env=X",
      "systemd:",
      "unix:",
      "unix:tmpdir=/tmp",
      "unix:runtime=yes",
      `unix:path=${desktop.folder}/none`,
      "unix:abstract=/no/such/name",
      "unix:path=/dev/null",
      "unix:path=",
      `unix:path=/${"x".repeat(4_000)}`,
      "unix:path=/a%zz",
      "unix:path=/a,path=/b,guid=1",
      "garbage",
      ":::",
      ";",
      " ",
      "\u00e9\u202e\n",
    ]
  ) {
    const error = await diagnosis(session(address), "session bus", "list-apps");
    assert(error.message.length < 500, "what the environment holds is not echoed at length");
  }
  assertEquals(await Deno.stat(witness).then(() => true, () => false), false);
  await withoutBus(session("tcp:host=127.0.0.1,port=1"), "session bus");
});

Deno.test("a session bus that takes the connection: mute, closing, talking nonsense", async () => {
  await using mute = listen("mute", () => {});
  await using closing = listen("closing", (connection) => connection.close());
  const nonsense = new Uint8Array(64 * 1024).map((_, i) => i * 31 % 256);
  await using talking = listen("talking", (connection) => {
    connection.write(nonsense).catch(() => {}); // the program may have gone
  });
  await using rejecting = listen("rejecting", async (connection) => {
    await connection.write(new TextEncoder().encode("REJECTED NOTHING\r\n")).catch(() => {});
  });
  for (const { path } of [mute, closing, talking, rejecting]) {
    await diagnosis(session(`unix:path=${path}`), "session bus", "list-apps");
    await withoutBus(session(`unix:path=${path}`), "session bus");
  }
  // A shorter deadline of the command's own counts for the probe too.
  const run = await desktop.runWith(
    session(`unix:path=${mute.path}`),
    ...["snapshot", "--app", "nobody", "--timeout-ms", "200"],
  );
  assertEquals(sound(run).ok, false);
  assert(run.wallMs < 200 + GRACE_MS, `${run.wallMs} ms`);
});

Deno.test("a stale AT_SPI_BUS_ADDRESS is passed over for the session's own bus", async () => {
  await using app = await startScripted(desktop, { windows: [frame([button("Save")])] });
  await using mute = listen("mute-accessibility", () => {});
  const witness = `${desktop.folder}/started-accessibility`;
  for (
    const address of [
      `unix:path=${desktop.folder}/gone`,
      "unix:abstract=/tmp/dbus-gone,guid=00000000000000000000000000000000",
      "tcp:host=127.0.0.1,port=1",
      `unixexec:path=/usr/bin/touch,argv1=${witness}`,
      "garbage",
      "",
      `unix:path=${mute.path}`,
    ]
  ) {
    const options = { env: { AT_SPI_BUS_ADDRESS: address } };
    const run = await desktop.runWith(options, "snapshot", "--app", app.name);
    assertEquals(sound(run).ok, true, `${address}: ${run.stdout}`);
  }
  assertEquals(await Deno.stat(witness).then(() => true, () => false), false);
});

Deno.test("a stopped accessibility bus, registry, or session bus is named within the probe", async () => {
  const buses = await processes("dbus-daemon");
  const stages: [string, readonly number[]][] = [
    ["registry", await processes("at-spi2-registryd")],
    ["org.a11y.Bus", await processes("at-spi-bus-launcher")],
    ["session bus", buses],
  ];
  for (const [stage, pids] of stages) {
    await whileStopped(pids, async () => {
      await Promise.all(COMMANDS.map((command) => diagnosis({}, stage, ...command)));
      await withoutBus({}, stage);
    });
    const again = await desktop.run("list-apps");
    assertEquals(sound(again).ok, true, `after ${stage}: ${again.stdout}`);
  }
  // The accessibility bus's daemon is the launcher's child; the session's own runs on.
  const [launcher] = await processes("at-spi-bus-launcher");
  const accessibility = [];
  for (const pid of buses) {
    const stat = await Deno.readTextFile(`/proc/${pid}/stat`);
    if (stat.split(") ")[1]!.split(" ")[1] === String(launcher)) accessibility.push(pid);
  }
  await whileStopped(accessibility, async () => {
    await Promise.all(
      COMMANDS.map((command) => diagnosis({}, "accessibility bus", ...command)),
    );
    await withoutBus({}, "accessibility bus");
  });
});

Deno.test("no org.a11y.Bus, and one that never answers", async () => {
  await using bare = await Desktop.start({ noA11y: true });
  const options: RunOptions = {
    env: { DBUS_SESSION_BUS_ADDRESS: bare.env["DBUS_SESSION_BUS_ADDRESS"] },
  };
  for (const command of COMMANDS) {
    const error = await diagnosis(options, "org.a11y.Bus", ...command);
    assertMatch(error.suggestion!, /at-spi-bus-launcher/);
  }
  await withoutBus(options, "org.a11y.Bus");

  const mute = bare.command("/usr/bin/python3", {
    args: [`${ROOT}fixtures/mute_bus.py`],
    stdin: "null",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  try {
    const reader = mute.stdout.getReader();
    assertMatch(new TextDecoder().decode((await reader.read()).value), /^ready/);
    await Promise.all(COMMANDS.map(async (command) => {
      const error = await diagnosis(options, "org.a11y.Bus", ...command);
      assertMatch(error.message, /no answer/);
    }));
    await withoutBus(options, "org.a11y.Bus");
    const run = await desktop.runWith(
      options,
      ...["snapshot", "--app", "nobody", "--timeout-ms", "200"],
    );
    assertEquals(sound(run).error?.details?.["stage"], "org.a11y.Bus");
    assert(run.wallMs < 200 + GRACE_MS, `${run.wallMs} ms`);
    await reader.cancel();
  } finally {
    mute.kill();
    await mute.status;
  }
});

Deno.test("who may not use the bus gets the diagnosis too", async () => {
  const setpriv = await desktop.command("/usr/bin/setpriv", { args: ["--version"] }).output()
    .then(({ success }) => success, () => false);
  if (!setpriv || Deno.uid() !== 0) return; // only root can become somebody else
  const nobody = ["--reuid=65534", "--regid=65534", "--clear-groups"];
  const program = Deno.env.get("AGENT_DESKTOP_BINARY") ?? `${ROOT}dist/agent-desktop`;
  const reachable = await desktop.command("/usr/bin/setpriv", {
    args: [...nobody, "/usr/bin/test", "-x", program],
  }).output();
  if (!reachable.success) return; // the program lies where others cannot look
  const run = await desktop.runWith(
    { binary: "/usr/bin/setpriv", env: { AGENT_DESKTOP_HOME: undefined, HOME: "/" } },
    ...[...nobody, program, "list-apps"],
  );
  const { error } = sound(run);
  assertEquals(error?.code, "PLATFORM_NOT_SUPPORTED", run.stdout);
  assert(["session bus", "accessibility bus"].includes(error!.details!["stage"] as string));
});

Deno.test("ten helpers without windows, some of them mute: one short wait, the right one is taken", async () => {
  const tree = { windows: [frame([button("Save")])] };
  await using app = await startScripted(desktop, tree, {
    name: "editor",
    args: ["--helpers", "10", "--mute-helpers", "4", "--helper-name", "editor"],
    noWait: true, // a reader without deadlines would wait for the mute ones
  });
  const registered = await poll(5_000, async () => {
    const { apps } = await desktop.ok("list-apps", "--app", "editor") as { apps: unknown[] };
    return apps.length >= 7;
  });
  assert(registered);
  const share = 1_000; // what a mute application may cost, all of them together
  for (let i = 0; i < 2; i++) {
    const run = await desktop.run("list-apps");
    const { apps } = sound(run).data as { apps: { name: string; presentation?: string }[] };
    assert(run.wallMs < share + GRACE_MS, `${run.wallMs} ms`);
    const ours = apps.filter(({ name }) => name === "editor");
    assertEquals(ours.filter(({ presentation }) => presentation === "foreground").length, 1);
    assertEquals(ours.filter(({ presentation }) => presentation === "background").length, 6);
    assertEquals(apps.filter(({ presentation }) => presentation === undefined).length, 4);
  }
  const listed = await desktop.run("list-windows");
  assertEquals((sound(listed).data as unknown as unknown[]).length, 1);
  assert(listed.wallMs < 3 * share + GRACE_MS, `${listed.wallMs} ms`);
  // The one that has windows is meant, though others have the same name.
  const run = await desktop.run("snapshot", "--app", "editor");
  assertEquals(sound(run).data?.["window"], {
    id: (listed.envelope!.data as unknown as { id: string }[])[0]!.id,
    title: "Main",
  });
  assertEquals((await desktop.snapshot("--app", String(app.pid))).app, "editor");
});
