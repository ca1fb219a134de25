/** Every way a resolution can end, and how long it takes. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { Deadline } from "../../../src/deadline.ts";
import { AppError } from "../../../src/errors.ts";
import { TestPlatform } from "../../support/test_platform/platform.ts";
import type { TestNode, TestWindow, World } from "../../support/test_platform/world.ts";
import { boundsHash } from "../../../src/refs/bounds_hash.ts";
import type { RefEntry } from "../../../src/refs/entry.ts";
import { resolve, type Resolved } from "../../../src/refs/resolve.ts";
import { entry } from "./entries.ts";

const PLACE = { x: 10, y: 10, width: 80, height: 20 };

const button = (id: string, fields: Partial<TestNode> = {}): TestNode => ({
  id,
  role: "button",
  name: "Save",
  ...fields,
});

function window(id: string, children: TestNode[], fields: Partial<TestWindow> = {}): TestWindow {
  return {
    id,
    title: "Window",
    root: { id: `root of ${id}`, role: "window", name: "Window", children },
    ...fields,
  };
}

function world(...windows: TestWindow[]): World {
  return { apps: [{ name: "app", pid: 42, windows }] };
}

/** A ref to a button called Save in window w-1. */
function stored(fields: Partial<RefEntry> = {}): RefEntry {
  const { source_window_id: _, source_window_bounds_hash: __, ...base } = entry();
  return {
    ...base,
    pid: 42,
    process_instance: "test-proc-v1:42",
    source_window_id: "w-1",
    source_window_title: "Window",
    ...fields,
  };
}

function run(shown: World, ref: RefEntry, ms = 200): Promise<Resolved> {
  return resolve(new TestPlatform(shown), {
    ref: { snapshot: "sabc", number: 1 },
    entry: ref,
    map: { counter: 1, entries: new Map([[1, ref]]) },
  }, Deadline.after(ms));
}

async function fails(shown: World, ref: RefEntry, ms = 200): Promise<AppError> {
  const error = await assertRejects(() => run(shown, ref, ms), AppError);
  assertEquals(error.delivery, "not_delivered");
  assert(error.suggestion !== undefined);
  assert(!error.message.includes("Save"), error.message);
  for (const key of ["resolution_phase", "path_fast", "query_stats"]) {
    assert(error.details![key] !== undefined, key);
  }
  return error;
}

/** Code, kind and whether waiting may help. */
function ending(error: AppError): unknown[] {
  return [error.code, error.details!["kind"], error.details!["retryable"]];
}

Deno.test("a window that cannot be reached by its id is stood in for by the only one like it", async () => {
  const known = window("w-1", [], { unreachable: true });
  const same = (id: string, fields: Partial<TestWindow> = {}) =>
    window(id, [button(`in ${id}`)], { bounds: PLACE, ...fields });
  const ref = stored({ source_window_bounds_hash: boundsHash(PLACE) });
  const { node } = await run(world(known, same("w-2")), ref);
  assertEquals(node.handle, "/test/in w-2");
  assertEquals(ending(await fails(world(known), ref)), [
    "APP_UNRESPONSIVE",
    "resolution_window_bridge_miss",
    true,
  ]);
  assertEquals(ending(await fails(world(known, same("w-2", { title: "Other" })), ref)), [
    "APP_UNRESPONSIVE",
    "resolution_window_bridge_miss",
    true,
  ]);
  assertEquals(ending(await fails(world(known, same("w-2"), same("w-3")), ref)), [
    "AMBIGUOUS_TARGET",
    "source_window_title_ambiguous",
    true,
  ]);
  assertEquals(ending(await fails(world(known, window("w-1", [])), ref)), [
    "AMBIGUOUS_TARGET",
    "source_window_number_ambiguous",
    true,
  ]);
});

Deno.test("window and process must be those of the ref", async () => {
  const shown = world(window("w-1", [button("a")]));
  assertEquals(ending(await fails(shown, stored({ source_window_id: "nonsense" }))), [
    "STALE_REF",
    "source_window_identity_invalid",
    false,
  ]);
  assertEquals(ending(await fails(shown, stored({ pid: 43 }))), [
    "STALE_REF",
    "source_process_identity",
    false,
  ]);
  assertEquals(ending(await fails(shown, stored({ source_window_id: "w-2" }))), [
    "STALE_REF",
    "resolution_complete_absence",
    false,
  ]);
  const elsewhere: World = {
    apps: [
      { name: "app", pid: 42, windows: [] },
      { name: "other", pid: 43, windows: [window("w-1", [button("a")])] },
    ],
  };
  assertEquals(ending(await fails(elsewhere, stored())), [
    "STALE_REF",
    "source_window_identity_invalid",
    false,
  ]);
});

Deno.test("without a window id a match needs its rectangle, in any window", async () => {
  const { source_window_id: _, ...ref } = stored({ bounds_hash: boundsHash(PLACE) });
  const shown = world(window("w-1", []), window("w-2", [button("a", { bounds: PLACE })]));
  assertEquals((await run(shown, ref)).node.handle, "/test/a");
  const moved = world(window("w-1", [button("a", { bounds: { ...PLACE, x: 11 } })]));
  assertEquals(ending(await fails(moved, ref))[1], "resolution_complete_absence");
  assertEquals(ending(await fails(world(), ref))[1], "resolution_complete_absence");
  assertEquals(ending(await fails(world(window("w-1", [], { unreachable: true })), ref)), [
    "APP_UNRESPONSIVE",
    "resolution_root_array_incomplete",
    true,
  ]);
});

Deno.test("a ref without any evidence is stale at once", async () => {
  const error = await fails(world(window("w-1", [button("a")])), stored({ name: null }));
  assertEquals(ending(error), ["STALE_REF", "resolution_identity_insufficient", false]);
  assertEquals(error.details!["resolution_phase"], "identity_insufficient");
});

Deno.test("an incomplete reading is repeated, and the answer comes as soon as it is there", async () => {
  const target = button("a");
  const shown = world(window("w-1", [{ id: "g", role: "group", children: [target] }]));
  const group = shown.apps[0]!.windows[0]!.root.children![0]!;
  group.childrenUnreadable = true;
  let searches = 0;
  shown.before = (method) => {
    if (method === "candidates" && ++searches === 4) group.childrenUnreadable = false;
  };
  const start = performance.now();
  assertEquals((await run(shown, stored(), 5000)).node.handle, "/test/a");
  assert(performance.now() - start >= 70, "three pauses of 25 ms");
});

Deno.test("repeating ends after 750 ms, or with the deadline, and says so", async () => {
  const dark: TestNode = { id: "g", role: "group", childrenUnreadable: true };
  for (const [ms, atLeast] of [[5000, 740], [120, 115]] as const) {
    const start = performance.now();
    const error = await fails(world(window("w-1", [dark])), stored(), ms);
    assertEquals(ending(error), ["APP_UNRESPONSIVE", "resolution_traversal_incomplete", true]);
    assertEquals(error.details!["deadline_elapsed"], true);
    assertEquals(error.details!["phase"], "broad_search");
    assertEquals(error.details!["depth"], 50);
    const stats = error.details!["query_stats"] as { attempts: number; nodes_read: number };
    assert(stats.attempts > 2 && stats.nodes_read >= stats.attempts);
    assert(performance.now() - start >= atLeast);
  }
});

Deno.test("an application that does not answer is named as such", async () => {
  const shown = world(window("w-1", [button("a")]));
  shown.apps[0]!.unresponsive = true;
  const error = await fails(shown, stored(), 60);
  assertEquals(ending(error), ["APP_UNRESPONSIVE", "resolution_ax_read", true]);
});

Deno.test("a deadline that has passed is told without a single read", async () => {
  const shown = world(window("w-1", [button("a")]));
  shown.before = (method) => {
    throw new Error(`read by ${method}`);
  };
  const error = await fails(shown, stored(), -1);
  assertEquals(ending(error).slice(0, 2), ["TIMEOUT", "resolution_deadline_exhausted"]);
  assertEquals(typeof error.details!["elapsed_ms"], "number");
});

Deno.test("several matches are counted, and ten of them listed without their text", async () => {
  const many = Array.from({ length: 12 }, (_, i) => button(`b${i}`));
  const error = await fails(world(window("w-1", many)), stored({ description: "long" }));
  assertEquals(ending(error).slice(0, 2), ["AMBIGUOUS_TARGET", "resolution_ambiguous"]);
  const { details } = error;
  assertEquals(details!["candidate_count"], 12);
  assertEquals(details!["candidate_summaries_truncated"], true);
  const candidates = details!["candidates"] as unknown[];
  assertEquals(candidates.length, 10);
  assertEquals(candidates[3], { index: 3, role: "button", identity: "matched" });
  for (const key of ["role", "name", "description", "source_app", "source_window_title"]) {
    assert(key in details!, key);
  }
  assertEquals(details!["source_window_id"], "w-1");
});

Deno.test("the path is a hint: it is followed only to the same element in the same place", async () => {
  const ref = stored({ bounds_hash: boundsHash(PLACE), bounds_space: "screen", path: [1] });
  const at = (children: TestNode[]) => world(window("w-1", children));
  const shown = at([button("x", { name: "Other" }), button("a", { bounds: PLACE })]);
  const platform = new TestPlatform(shown);
  const stand = {
    ref: { snapshot: "sabc", number: 1 },
    entry: ref,
    map: { counter: 1, entries: new Map([[1, ref]]) },
  };
  assertEquals((await resolve(platform, stand, Deadline.after(100))).node.handle, "/test/a");
  assert(!platform.calls.includes("candidates"), "no search is needed");
  const moved = at([button("a", { bounds: PLACE }), button("x", { name: "Other" })]);
  assertEquals((await run(moved, ref)).node.handle, "/test/a");
  // Window coordinates say nothing about screen coordinates.
  const other = at([
    button("a", { bounds: PLACE, boundsSpace: "window" }),
    button("b", { bounds: { ...PLACE, y: 99 }, boundsSpace: "window" }),
  ]);
  assertEquals((await fails(other, ref)).code, "AMBIGUOUS_TARGET");
});
