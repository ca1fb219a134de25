import { assert, assertEquals } from "@std/assert";
import { waitAfterAction } from "../../../src/commands/wait_after_action.ts";
import { waitRequest } from "../../../src/commands/wait_for.ts";
import { appOfEntry } from "../../../src/commands/watched_app.ts";
import { AppError } from "../../../src/errors.ts";
import { button, node } from "../../support/test_platform/trees.ts";
import { failsWith, runSnapshot as run, SNAPSHOT } from "./defaults.ts";
import { withDesktop } from "./fake_desktop.ts";

const named = { ...SNAPSHOT, app: "editor" };

function window(...names: string[]) {
  return node("window", { name: "w" }, names.map((name) => button(name)));
}

Deno.test("--wait-for answers with the snapshot in which the selector first matches", async () => {
  await withDesktop(async (desktop, context, store) => {
    const root = window("a");
    desktop.addWindow(root);
    desktop.onObserve = (count) => {
      if (count === 3) root.children.push(button("Done"));
    };
    const body = await run({ ...named, compact: true }, context) as Record<string, unknown>;
    assertEquals(desktop.observations, 3);
    assertEquals(body["matched_selector"], "button:done");
    assertEquals(typeof body["elapsed_ms"], "number");
    assertEquals("after_action" in body, false);
    assertEquals(body["ref_count"], 2);
    assertEquals(store.load(body["snapshot_id"] as string).entries.size, 2);
  }, { waitFor: "button:done" });
});

Deno.test("an application that is not there yet is waited for", async () => {
  await withDesktop(async (desktop, context) => {
    setTimeout(() => desktop.addWindow(window("Done")), 120);
    const body = await run(named, context) as Record<string, unknown>;
    assertEquals(body["matched_selector"], "button");
  }, { waitFor: "button" });
});

Deno.test("--wait-for-gone needs a whole tree without a match", async () => {
  await withDesktop(async (desktop, context) => {
    const root = window("Loading");
    desktop.addWindow(root);
    desktop.onObserve = (count) => {
      // The second look misses the element, but is not whole.
      desktop.world.observation = { complete: count !== 2 };
      if (count === 2) root.children = [];
      if (count === 3) root.children = window("Loading").children;
      if (count === 4) root.children = [];
    };
    const body = await run(named, context) as Record<string, unknown>;
    assertEquals(desktop.observations, 4);
    assertEquals(body["complete"], true);
    assertEquals(typeof body["snapshot_id"], "string");
  }, { waitForGone: ":loading" });
});

Deno.test("a target that is gone itself answers --wait-for-gone, but not --wait-for", async () => {
  await withDesktop(async (desktop, context, store) => {
    desktop.addWindow(window("Loading"));
    desktop.onObserve = () => desktop.editor.windows.length = 0;
    const { elapsed_ms, ...body } = await run(named, context) as Record<string, unknown>;
    assertEquals(typeof elapsed_ms, "number");
    assertEquals(body, { gone: true, matched_selector: ":loading", target_absent: true });
    assertEquals(store.latest(), undefined);
  }, { waitForGone: ":loading" });
  await withDesktop(async (_desktop, context) => {
    const error = await failsWith(run(named, context), "TIMEOUT");
    assertEquals((error.details!["last_error"] as { code: string }).code, "APP_NOT_FOUND");
    assertEquals("snapshot_id" in error.details!, false);
  }, { waitFor: ":loading", waitTimeoutMs: 100 });
});

Deno.test("no focused window is not the end of a target that was never named", async () => {
  await withDesktop(async (_desktop, context) => {
    const error = await failsWith(run(SNAPSHOT, context), "TIMEOUT");
    assertEquals((error.details!["last_error"] as { code: string }).code, "WINDOW_NOT_FOUND");
  }, { waitForGone: ":loading", waitTimeoutMs: 100 });
});

Deno.test("an expired wait keeps a snapshot of what was seen last", async () => {
  await withDesktop(async (desktop, context, store) => {
    desktop.addWindow(window("a"));
    const error = await failsWith(run(named, context), "TIMEOUT");
    const { snapshot_id, ...details } = error.details!;
    assertEquals(details, {
      gone: false,
      kind: "wait_timeout",
      predicate: "selector",
      selector: "button:Done",
      timeout_ms: 160,
    });
    assertEquals(store.load(snapshot_id as string).entries.get(1)!.name, "a");
    assertEquals(error.delivery, "unknown");
    assert(desktop.observations >= 2 && desktop.observations <= 4);
  }, { waitFor: "button:Done", waitTimeoutMs: 160 });
});

Deno.test("no time to wait is one look", async () => {
  await withDesktop(async (desktop, context) => {
    desktop.addWindow(window("a"));
    await failsWith(run(named, context), "TIMEOUT");
    assertEquals(desktop.observations, 1);
  }, { waitFor: "button:Done", waitTimeoutMs: 0 });
});

Deno.test("what waiting cannot cure ends it", async () => {
  await withDesktop(async (desktop, context) => {
    desktop.addWindow(window("a"), { accessible: false });
    await failsWith(run(named, context), "ACTION_NOT_SUPPORTED");
  }, { waitFor: "button" });
  await withDesktop(async (desktop, context) => {
    desktop.addWindow(window("a"));
    await failsWith(run({ ...named, root: "@sabc:e1" }, context), "INVALID_ARGS");
    await failsWith(run({ ...named, since: "sabc" }, context), "INVALID_ARGS");
    assertEquals(desktop.observations, 0);
  }, { waitFor: "button" });
  await withDesktop(async (_desktop, context) => {
    await failsWith(run(named, context), "INVALID_ARGS");
  }, { waitFor: "nosuchrole:x" });
});

Deno.test("after an action every window of the application is watched; the match is the answer", async () => {
  await withDesktop(async (desktop, context, store) => {
    desktop.addWindow(window("Save"));
    const { snapshot_id } = await run(SNAPSHOT, context) as { snapshot_id: string };
    const entry = store.load(snapshot_id).entries.get(1)!;
    // The action brought up a window that now has the focus.
    desktop.addWindow(window("Other"), { focused: true });
    const wait = (globals: { waitFor?: string; waitForGone?: string }) =>
      waitAfterAction(
        desktop.platform,
        store,
        waitRequest({ ...globals, waitTimeoutMs: 100 })!,
        appOfEntry(desktop.platform, entry),
        { action: "click" },
      );
    const met = await wait({ waitFor: "button:save" });
    const { elapsed_ms, snapshot_id: saved, ...rest } = met;
    assertEquals(typeof elapsed_ms, "number");
    assertEquals(rest, {
      after_action: { action: "click" },
      match: { name: "Save", path: ["window:w"], ref_id: `@${saved}:e1`, role: "button" },
      matched_selector: "button:save",
      ref_count: 1,
      window: { id: "w-1", title: "w" },
    });
    assertEquals(store.load(saved as string).entries.get(1)!.name, "Save");
    const other = await wait({ waitFor: "button:other" });
    assertEquals((other["window"] as { id: string }).id, "w-2");
    const expired = await failsWith(wait({ waitFor: "button:never" }), "TIMEOUT");
    assertEquals(expired.details!["after_action"], { action: "click" });
    assertEquals(expired.delivery, "delivered_unverified");
    // The snapshot in the error is of the ref's own window.
    const last = store.load(expired.details!["snapshot_id"] as string);
    assertEquals(last.entries.get(1)!.name, "Save");

    // Gone means from all windows.
    await failsWith(wait({ waitForGone: "button:other" }), "TIMEOUT");
    desktop.editor.windows.pop();
    const gone = await wait({ waitForGone: "button:other" });
    assertEquals([gone["gone"], "target_absent" in gone], [true, false]);
    desktop.editor.windows.pop();
    const absent = await wait({ waitForGone: "button:save" });
    assertEquals([absent["gone"], absent["target_absent"]], [true, true]);
  });
});

Deno.test("a window that accessibility does not reach hides nothing of the others", async () => {
  await withDesktop(async (desktop, context, store) => {
    desktop.addWindow(window("Save"));
    const { snapshot_id } = await run(SNAPSHOT, context) as { snapshot_id: string };
    const entry = store.load(snapshot_id).entries.get(1)!;
    desktop.addWindow(window("Deaf"), { accessible: false });
    const app = appOfEntry(desktop.platform, entry);
    const request = waitRequest({ waitFor: "button:save", waitTimeoutMs: 100 })!;
    const met = await waitAfterAction(desktop.platform, store, request, app, {});
    assertEquals((met["match"] as { name: string }).name, "Save");
    // A selector that is no selector ends it, and does not look as if nothing had been delivered.
    desktop.editor.windows.length = 0;
    const error = await failsWith(
      waitAfterAction(desktop.platform, store, request, app, {}),
      "TIMEOUT",
    );
    assert(error instanceof AppError);
    assertEquals(error.delivery, "delivered_unverified");
  });
});

Deno.test("after an action in a menu the window behind it is watched too", async () => {
  await withDesktop(async (desktop, context, store) => {
    desktop.addWindow(window("Saved"));
    desktop.editor.surfaces = { menu: node("menu", {}, [node("menuitem", { name: "Save" })]) };
    const { snapshot_id } = await run({ ...SNAPSHOT, surface: "menu" }, context) as {
      snapshot_id: string;
    };
    const entry = store.load(snapshot_id).entries.get(1)!;
    desktop.editor.surfaces = {};
    const request = waitRequest({ waitFor: ":saved", waitTimeoutMs: 100 })!;
    const app = appOfEntry(desktop.platform, entry);
    const met = await waitAfterAction(desktop.platform, store, request, app, {});
    assertEquals(met["matched_selector"], ":saved");
  });
});

Deno.test("without a wait flag there is no wait", () => {
  assertEquals(waitRequest({ waitTimeoutMs: 5 }), undefined);
});

Deno.test("a wait for an end that half a tree could not prove says so", async () => {
  await withDesktop(async (desktop, context) => {
    desktop.addWindow(window("a"));
    desktop.world.observation = { complete: false };
    const error = await failsWith(run(named, context), "TIMEOUT");
    assertEquals([error.details!["complete"], error.details!["gone"]], [false, true]);
  }, { waitForGone: "button:nosuch", waitTimeoutMs: 100 });
});
