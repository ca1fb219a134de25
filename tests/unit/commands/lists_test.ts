import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { AppError } from "../../../src/errors.ts";
import type { Permissions } from "../../../src/platform/platform.ts";
import { VERSION } from "../../../src/version.ts";
import { app, desktop, fakePlatform, run, window } from "../cli/fakes.ts";

const GRANTED: Permissions = {
  accessibility: { state: "granted" },
  automation: { state: "not_required" },
  screen_recording: { state: "not_required" },
};
const DENIED: Permissions = {
  ...GRANTED,
  accessibility: { state: "denied", suggestion: "Grant." },
};

Deno.test("list-apps shows what is known and searches by part of the name", async () => {
  const platform = desktop([
    {
      name: "Text Editor",
      pid: 1,
      aliases: ["gedit"],
      bundleId: "org.x",
      presentation: "background",
    },
    { name: "Éditeur", pid: 2, aliases: [] },
  ]);
  assertEquals((await run(["list-apps"], { platform })).envelope.data, {
    apps: [
      { name: "Text Editor", pid: 1, bundle_id: "org.x", presentation: "background" },
      { name: "Éditeur", pid: 2 },
    ],
  });
  const found = async (part: string) =>
    (await run(["list-apps", "--app", part], { platform })).envelope.data.apps
      .map((item: { pid: number }) => item.pid);
  assertEquals(await found("EDIT"), [1]);
  assertEquals(await found("e\u0301dit"), [2]);
  assertEquals(await found("nothing"), []);
});

Deno.test("list-windows is an array with every known field", async () => {
  const platform = desktop([app("one", 10)], [
    window("w-a", 10, {
      appName: "one",
      processInstance: "i",
      bounds: { x: 1, y: 2, width: 3, height: 4 },
      isFocused: true,
      minimized: false,
    }),
  ]);
  assertEquals((await run(["list-windows"], { platform })).envelope.data, [{
    id: "w-a",
    title: "Title of w-a",
    app_name: "one",
    pid: 10,
    process_instance: "i",
    bounds: { x: 1, y: 2, width: 3, height: 4 },
    is_focused: true,
    minimized: false,
    visible: true,
    accessible: true,
  }]);
});

Deno.test("list-windows --app is exact; a running application may have no window", async () => {
  const platform = desktop(
    [app("one", 10, ["uno"]), app("two", 11), app("idle", 12)],
    [window("w-a", 10, { appName: "one" }), window("w-b", 11, { appName: "two" })],
  );
  const ids = async (query: string) => {
    const { envelope } = await run(["list-windows", "--app", query], { platform });
    return envelope.data?.map((item: { id: string }) => item.id) ?? envelope.error?.code;
  };
  assertEquals(await ids("ONE"), ["w-a"]);
  assertEquals(await ids("uno"), ["w-a"]);
  assertEquals(await ids("11"), ["w-b"]);
  assertEquals(await ids("idle"), []);
  assertEquals(await ids("on"), "APP_NOT_FOUND");
});

Deno.test("list-displays puts the primary display first", async () => {
  const bounds = { x: 0, y: 0, width: 800, height: 600 };
  const platform = fakePlatform({
    displays: () =>
      Promise.resolve([
        { id: "b", bounds, isPrimary: false, scale: 2 },
        { id: "a", bounds, isPrimary: true, scale: 1 },
      ]),
  });
  assertEquals((await run(["list-displays"], { platform })).envelope.data, [
    { id: "a", bounds, is_primary: true, scale: 1 },
    { id: "b", bounds, is_primary: false, scale: 2 },
  ]);
});

Deno.test("list-surfaces shows the named or the focused application's layers", async () => {
  const asked: number[] = [];
  const base = desktop(
    [app("one", 10), app("two", 11)],
    [window("w-a", 10), window("w-b", 11, { isFocused: true })],
  );
  const platform = fakePlatform({
    apps: base.apps,
    windows: base.windows,
    openSurfaces(pid) {
      asked.push(pid);
      return Promise.resolve([
        { id: "s1", type: "menu", title: "File", itemCount: 3, handle: "h" },
        { id: "s2", type: "sheet", unclassified: ["menu"], handle: "h" },
      ]);
    },
  });
  const { envelope } = await run(["list-surfaces", "--app", "one"], { platform });
  assertEquals(envelope.data, {
    pid: 10,
    surfaces: [
      { id: "s1", type: "menu", title: "File", item_count: 3 },
      { id: "s2", type: "sheet", unclassified: ["menu"] },
    ],
  });
  await run(["list-surfaces"], { platform });
  assertEquals(asked, [10, 11]);
});

async function withHome<T>(use: (env: Record<string, string>) => Promise<T>): Promise<T> {
  const home = await Deno.makeTempDir();
  try {
    return await use({ AGENT_DESKTOP_HOME: home });
  } finally {
    await Deno.remove(home, { recursive: true });
  }
}

Deno.test("status with a desktop and nothing stored", async () => {
  await withHome(async (env) => {
    const { envelope } = await run(["status"], { env, platform: fakePlatform() });
    assertEquals(envelope.data, {
      platform: "test",
      version: VERSION,
      permissions: GRANTED,
      snapshot_id: null,
      ref_count: null,
      session_id: null,
      tracing: false,
      supported_surfaces: ["window", "menu"],
      state_root: env["AGENT_DESKTOP_HOME"],
    });
  });
});

Deno.test("status without a desktop says so and what to do", async () => {
  await withHome(async (env) => {
    const platform = () =>
      Promise.reject(
        new AppError("PLATFORM_NOT_SUPPORTED", "No session bus", { suggestion: "Start one." }),
      );
    const { code, envelope } = await run(["status"], { env, platform });
    assertEquals(code, 0);
    assertEquals(envelope.data.permissions.accessibility, {
      state: "unknown",
      suggestion: "No session bus. Start one.",
    });
    assertEquals(envelope.data.supported_surfaces, []);
  });
});

Deno.test("status ends in time when the desktop never answers", async () => {
  await withHome(async (env) => {
    const started = performance.now();
    const { code, envelope } = await run(["status"], {
      env,
      platform: fakePlatform({ permissions: () => new Promise(() => {}) }),
    });
    assertEquals(code, 0);
    assertEquals(envelope.data.permissions.accessibility.state, "unknown");
    assert(performance.now() - started < 2000);
  });
});

Deno.test("status reports an unusable state root instead of failing", async () => {
  const { code, envelope } = await run(["status"], { env: {}, platform: fakePlatform() });
  assertEquals(code, 0);
  assertEquals("state_root" in envelope.data, false);
  assertStringIncludes(envelope.data.state_root_problem, "HOME is not set");
  assertEquals([envelope.data.snapshot_id, envelope.data.ref_count], [null, null]);
});

Deno.test("status reports a state root it may not use, a broken pointer and a pruned snapshot", async () => {
  await withHome(async (env) => {
    const home = env["AGENT_DESKTOP_HOME"]!;
    const status = async () => (await run(["status"], { env, platform: fakePlatform() })).envelope;
    for (const pointer of ["snotthere\n", "../x\n", "", "\u0000"]) {
      await Deno.writeTextFile(`${home}/latest_snapshot_id`, pointer, { mode: 0o600 });
      const { data } = await status();
      assertEquals([data.snapshot_id, data.ref_count, data.state_root], [null, null, home]);
    }
    await Deno.remove(`${home}/latest_snapshot_id`);
    await Deno.symlink("/etc/passwd", `${home}/latest_snapshot_id`);
    const { data } = await status();
    assertStringIncludes(data.state_root_problem, "symbolic link");
  });
});

Deno.test("permissions is the report; nobody is asked without --request", async () => {
  let asked = 0;
  const platform = (report: Permissions) =>
    fakePlatform({
      permissions: () => Promise.resolve(report),
      requestPermissions: () => {
        asked++;
        return Promise.resolve(GRANTED);
      },
      openPermissionGuide: () => "started",
    });
  const data = async (report: Permissions, ...flags: string[]) =>
    (await run(["permissions", ...flags], { platform: platform(report) })).envelope.data;
  assertEquals(await data(DENIED), DENIED);
  assertEquals(await data(GRANTED, "--request"), GRANTED);
  assertEquals(asked, 0);
  assertEquals(await data(DENIED, "--request"), GRANTED);
  assertEquals(asked, 1);
  assertEquals(await data(DENIED, "--guide"), { ...DENIED, guide: "started" });
  assertEquals(await data(GRANTED, "--guide"), { ...GRANTED, guide: "not_needed" });
});

Deno.test("permissions cannot ask where there is no dialog, and says so", async () => {
  for (const flag of ["--request", "--guide"]) {
    const platform = fakePlatform({ permissions: () => Promise.resolve(DENIED) });
    const { code, envelope } = await run(["permissions", flag], { platform });
    assertEquals(code, 1);
    assertEquals(envelope.error?.code, "PLATFORM_NOT_SUPPORTED");
    assert(envelope.error?.suggestion);
  }
});
