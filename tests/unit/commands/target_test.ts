import { assertEquals, assertRejects } from "@std/assert";
import { foldName, matchApps } from "../../../src/commands/app_query.ts";
import { similarNames } from "../../../src/commands/similar_names.ts";
import {
  focusedApp,
  resolveApp,
  selectSurfaceWindow,
  selectWindow,
  type TargetFlags,
} from "../../../src/commands/target.ts";
import { Deadline } from "../../../src/deadline.ts";
import { AppError } from "../../../src/errors.ts";
import type { AppInfo, Platform, WindowInfo } from "../../../src/platform/platform.ts";
import { app, desktop, window } from "../cli/fakes.ts";

const soon = () => Deadline.after(1000);

async function selected(platform: Platform, flags: TargetFlags): Promise<string> {
  return (await selectWindow(platform, flags, soon())).id;
}

function refused(platform: Platform, flags: TargetFlags, code: string): Promise<AppError> {
  return refusedBy(() => selectWindow(platform, flags, soon()), code);
}

async function refusedBy(call: () => Promise<unknown>, code: string): Promise<AppError> {
  const error = await assertRejects(call, AppError);
  assertEquals(error.code, code, error.message);
  assertEquals(error.delivery, "not_delivered");
  assertEquals(typeof error.suggestion, "string");
  return error;
}

function names(apps: AppInfo[], query: string): number[] {
  return matchApps(apps, query).map(({ pid }) => pid);
}

Deno.test("names are compared without case and without regard to composition", () => {
  const pairs = [
    ["Téxte Éditeur", "téxte éditeur"],
    ["Téxte Éditeur", "TE\u0301XTE E\u0301DITEUR"],
    ["STRASSE", "straße"],
    ["ΟΔΥΣΣΕΥΣ", "οδυσσευς"],
    ["ﬁle", "FILE"],
    ["Editor", "  editor "],
  ] as const;
  for (const [one, other] of pairs) assertEquals(foldName(one), foldName(other));
  for (const [one, other] of [["e", "é"], ["file", "files"], ["a b", "ab"]] as const) {
    assertEquals(foldName(one) === foldName(other), false);
  }
});

Deno.test("an application answers to its name, an alias or its pid; a number is only a pid", () => {
  const apps = [app("Text Editor", 10, ["gedit"]), app("Other", 11, ["python3"]), app("12", 13)];
  assertEquals(names(apps, "text editor"), [10]);
  assertEquals(names(apps, "GEDIT"), [10]);
  assertEquals(names(apps, "11"), [11]);
  assertEquals(names(apps, "12"), []);
  assertEquals(names(apps, "13"), [13]);
  assertEquals(names(apps, "Text"), []);
  assertEquals(names(apps, ""), []);
  assertEquals(names([app("", 1), app(" ", 2)], " "), []);
});

Deno.test("a name goes before an alias of another application", () => {
  const apps = [app("gedit", 10), app("Plugin", 11, ["gedit"])];
  assertEquals(names(apps, "gedit"), [10]);
});

Deno.test("no such application: up to five near names, nothing far", async () => {
  const many = ["calc", "calcs", "calca", "calcu", "calco", "calci", "calce"];
  const apps = [...many.map((name, index) => app(name, 20 + index)), app("Mail", 99)];
  const error = await refused(desktop(apps), { app: "calk" }, "APP_NOT_FOUND");
  const { candidates } = error.details as { candidates: string[] };
  assertEquals(candidates[0], "calc");
  assertEquals(candidates.length <= 5, true);
  assertEquals(candidates.includes("Mail"), false);
  const none = await refused(desktop(apps), { app: "zzzz" }, "APP_NOT_FOUND");
  assertEquals(none.details, undefined);
  const pid = await refused(desktop(apps), { app: "4711" }, "APP_NOT_FOUND");
  assertEquals(pid.details, undefined);
  assertEquals(none.message.includes("zzzz") || none.suggestion!.includes("zzzz"), false);
});

Deno.test("an alias that comes near is reported by the name of its application", async () => {
  const platform = desktop([app("Text Editor", 10, ["gedit"])]);
  const error = await refused(platform, { app: "gedti" }, "APP_NOT_FOUND");
  assertEquals(error.details, { candidates: ["Text Editor"] });
});

Deno.test("near names: contained ones, small typing errors, no noise", () => {
  const known = ["snapshot", "set-value", "select", "is", "get"];
  assertEquals(similarNames("snapshott", known, 1), ["snapshot"]);
  assertEquals(similarNames("SNAPSHOT", known, 1), ["snapshot"]);
  assertEquals(similarNames("shot", known, 1), ["snapshot"]);
  assertEquals(similarNames("selct", known, 1), ["select"]);
  assertEquals(similarNames("frobnicate", known, 5), []);
  assertEquals(similarNames("", known, 5), []);
  assertEquals(similarNames("x".repeat(1_000_000), known, 5), []);
});

Deno.test("several processes of one name: ambiguous, with pids and windows", async () => {
  const apps = [app("twin", 10), app("twin", 11)];
  const windows = [window("w-a", 10), window("w-b", 11)];
  const error = await refused(desktop(apps, windows), { app: "twin" }, "AMBIGUOUS_TARGET");
  assertEquals(error.details, {
    candidate_count: 2,
    candidate_summaries_truncated: false,
    candidates: [
      { name: "twin", pid: 10, windows: [{ id: "w-a", title: "Title of w-a" }] },
      { name: "twin", pid: 11, windows: [{ id: "w-b", title: "Title of w-b" }] },
    ],
  });
  assertEquals(await selected(desktop(apps, windows), { app: "11" }), "w-b");
});

Deno.test("several processes of one name: the only one with windows is meant", async () => {
  const helpers = Array.from({ length: 10 }, (_, index) => app("browser", 100 + index));
  const platform = desktop([...helpers, app("browser", 10)], [window("w-a", 10)]);
  assertEquals(await selected(platform, { app: "browser" }), "w-a");
  const { app: found } = await resolveApp(platform, "browser", soon());
  assertEquals(found.pid, 10);
});

Deno.test("several processes of one name and no window: ambiguous, the list is cut at ten", async () => {
  const platform = desktop(Array.from({ length: 12 }, (_, index) => app("daemon", 100 + index)));
  const error = await refused(platform, { app: "daemon" }, "AMBIGUOUS_TARGET");
  assertEquals(error.details?.["candidate_count"], 12);
  assertEquals(error.details?.["candidate_summaries_truncated"], true);
  assertEquals((error.details?.["candidates"] as unknown[]).length, 10);
});

Deno.test("an application without windows", async () => {
  const platform = desktop([app("daemon", 10)]);
  await refused(platform, { app: "daemon" }, "APP_NOT_FOUND");
  assertEquals((await resolveApp(platform, "daemon", soon())).windows, []);
});

Deno.test("of an application's windows, each step counts only if it leaves one", async () => {
  const one = async (...windows: WindowInfo[]) =>
    await selected(desktop([app("app", 10)], windows), { app: "app" });
  const hidden = { visible: false };
  const focused = { isFocused: true };
  const unreachable = { accessible: false };
  // The only window is taken as it is.
  assertEquals(await one(window("w-a", 10, { ...hidden, ...unreachable })), "w-a");
  assertEquals(await one(window("w-a", 10, hidden), window("w-b", 10)), "w-b");
  assertEquals(await one(window("w-a", 10, { minimized: true }), window("w-b", 10)), "w-b");
  assertEquals(await one(window("w-a", 10), window("w-b", 10, focused)), "w-b");
  assertEquals(await one(window("w-a", 10), window("w-b", 10, unreachable)), "w-a");
  // Visible goes before focused.
  assertEquals(
    await one(
      window("w-a", 10, { ...hidden, ...focused }),
      window("w-b", 10),
      window("w-c", 10, unreachable),
    ),
    "w-b",
  );
  // None visible: that step does not count, the next one does.
  assertEquals(
    await one(window("w-a", 10, hidden), window("w-b", 10, { ...hidden, ...focused })),
    "w-b",
  );
});

Deno.test("windows that fit equally: ambiguous, with what tells them apart", async () => {
  const windows = [
    window("w-a", 10, { title: "Untitled" }),
    window("w-b", 10, { title: "Untitled" }),
    window("w-c", 10, { visible: false }),
  ];
  const platform = desktop([app("app", 10)], windows);
  const error = await refused(platform, { app: "app" }, "AMBIGUOUS_TARGET");
  const candidate = { title: "Untitled", is_focused: false, visible: true, accessible: true };
  assertEquals(error.details, {
    candidate_count: 2,
    candidate_summaries_truncated: false,
    candidates: [{ id: "w-a", ...candidate }, { id: "w-b", ...candidate }],
  });
  assertEquals(await selected(platform, { window_id: "w-b" }), "w-b");
});

Deno.test("without flags the focused window is meant", async () => {
  const windows = [window("w-a", 10), window("w-b", 11, { isFocused: true })];
  assertEquals(await selected(desktop([], windows), {}), "w-b");
  await refused(desktop([], [window("w-a", 10)]), {}, "WINDOW_NOT_FOUND");
  const two = [window("w-a", 10, { isFocused: true }), window("w-b", 11, { isFocused: true })];
  await refused(desktop([], two), {}, "AMBIGUOUS_TARGET");
});

Deno.test("a window id is exact, and has to belong to the application when one is named", async () => {
  const apps = [app("one", 10, ["uno"]), app("two", 11)];
  const windows = [window("w-a", 10, { appName: "one" }), window("w-b", 11, { appName: "two" })];
  const platform = desktop(apps, windows);
  assertEquals(await selected(platform, { window_id: "w-a", app: "ONE" }), "w-a");
  assertEquals(await selected(platform, { window_id: "w-a", app: "uno" }), "w-a");
  assertEquals(await selected(platform, { window_id: "w-a", app: "10" }), "w-a");
  await refused(platform, { window_id: "w-a", app: "two" }, "WINDOW_NOT_FOUND");
  await refused(platform, { window_id: "w-a", app: "11" }, "WINDOW_NOT_FOUND");
  await refused(platform, { window_id: "w-x" }, "WINDOW_NOT_FOUND");
  await refused(platform, { window_id: "W-A" }, "WINDOW_NOT_FOUND");
});

Deno.test("a surface belongs to the application: focused window, else visible, else first", async () => {
  const one = async (windows: WindowInfo[], flags: TargetFlags = { app: "app" }) =>
    (await selectSurfaceWindow(desktop([app("app", 10)], windows), flags, soon())).id;
  const hidden = window("w-h", 10, { visible: false });
  const hidden2 = window("w-i", 10, { visible: false });
  const plain = window("w-p", 10);
  const focused = window("w-f", 10, { isFocused: true });
  assertEquals(await one([hidden, plain, focused]), "w-f");
  assertEquals(await one([hidden, plain, window("w-q", 10)]), "w-p");
  assertEquals(await one([hidden, hidden2]), "w-h");
  assertEquals(await one([plain, focused], {}), "w-f");
  await refusedBy(() => one([]), "APP_NOT_FOUND");
  await refusedBy(() => one([plain], {}), "APP_NOT_FOUND");
});

Deno.test("the focused application", async () => {
  const focused = window("w-a", 10, { isFocused: true, appName: "seen on the window" });
  const known = await focusedApp(desktop([app("app", 10)], [focused, window("w-b", 10)]), soon());
  assertEquals([known.app.name, known.windows.length], ["app", 2]);
  // An application that did not answer is still known by its window.
  const mute = await focusedApp(desktop([], [focused]), soon());
  assertEquals([mute.app.name, mute.app.pid], ["seen on the window", 10]);
  await refusedBy(() => focusedApp(desktop([]), soon()), "APP_NOT_FOUND");
  const two = desktop([], [focused, window("w-b", 11, { isFocused: true })]);
  await refusedBy(() => focusedApp(two, soon()), "AMBIGUOUS_TARGET");
});
