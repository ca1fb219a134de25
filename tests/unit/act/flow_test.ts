import { assert, assertEquals, assertGreaterOrEqual, assertRejects } from "@std/assert";
import { AppError } from "../../../src/errors.ts";
import type { ActionCall } from "../../../src/act/action_context.ts";
import type { ActionResult } from "../../../src/act/action_result.ts";
import { runRefAction } from "../../../src/act/flow.ts";
import { entry, FakeDesktop, node } from "./fake_desktop.ts";

function click(desktop: FakeDesktop, fields: Partial<ActionCall> = {}): ActionCall {
  return {
    action: "click",
    request: { kind: "click" },
    ref: desktop.ref(),
    headed: false,
    timeoutMs: 300,
    ...fields,
  };
}

function perform(desktop: FakeDesktop, call: ActionCall): Promise<ActionResult> {
  return runRefAction(call, desktop.within(call.timeoutMs));
}

async function failure(desktop: FakeDesktop, call: ActionCall): Promise<AppError> {
  return await assertRejects(() => perform(desktop, call), AppError);
}

Deno.test("a headless click is one semantic delivery under the lease", async () => {
  const desktop = new FakeDesktop();
  const result = await perform(desktop, click(desktop));
  assertEquals(desktop.performed, [{ kind: "click" }]);
  assertEquals(result.disposition, { delivery: "delivered_unverified", retry: "unsafe" });
  assertEquals(result.steps?.[0]?.label, "Action.DoAction");
  assertEquals(desktop.leases, 1);
  assertEquals(desktop.leaseHeld, false);
  assertEquals(desktop.input.events, []);
  assertEquals(desktop.log, [], "no focus change, no scrolling");
});

Deno.test("an element that becomes enabled in time is clicked", async () => {
  const desktop = new FakeDesktop(node({ states: ["disabled"] }));
  desktop.onInspect = (count) => {
    if (count === 2) desktop.element = node();
  };
  const result = await perform(desktop, click(desktop, { timeoutMs: 2000 }));
  assertEquals(desktop.performed.length, 1);
  const wait = result.details?.["auto_wait"] as { read_only_preflight_attempts: number };
  assertEquals(wait.read_only_preflight_attempts, 2);
});

Deno.test("a disabled element ends in a timeout that says why, with nothing sent", async () => {
  const desktop = new FakeDesktop(node({ states: ["disabled"] }));
  const error = await failure(desktop, click(desktop));
  assertEquals(error.code, "TIMEOUT");
  assertEquals(error.delivery, "not_delivered");
  assertEquals(error.details?.["kind"], "actionability_timeout");
  const report = error.details?.["last_report"] as { phase: string; checks: { status: string }[] };
  assertEquals(report.phase, "preflight");
  assert(report.checks.some((check) => check.status === "fail"));
  assertEquals(desktop.performed, []);
  assertEquals(desktop.leases, 0);
});

Deno.test("a single attempt does not poll", async () => {
  const desktop = new FakeDesktop(node({ states: ["disabled"] }));
  const error = await failure(desktop, click(desktop, { timeoutMs: 0 }));
  assertEquals(error.code, "ACTION_FAILED");
  assertEquals(error.details?.["actionable"], false);
  assertEquals(desktop.inspections, 1);
});

Deno.test("an element that is gone is a stale ref after the budget", async () => {
  const desktop = new FakeDesktop();
  desktop.element = undefined;
  const error = await failure(desktop, click(desktop));
  assertEquals(error.code, "STALE_REF");
  assertEquals(error.details?.["deadline_elapsed"], true);
  assertGreaterOrEqual(desktop.resolutions, 2);
});

Deno.test("a resolution error that waiting cannot cure ends at once", async () => {
  const desktop = new FakeDesktop();
  desktop.onResolve = () => {
    throw new AppError("STALE_REF", "The process is gone", {
      details: { kind: "source_process_identity", retryable: false },
    });
  };
  const error = await failure(desktop, click(desktop, { timeoutMs: 5000 }));
  assertEquals(error.code, "STALE_REF");
  assertEquals(desktop.resolutions, 1);
});

Deno.test("ambiguity that clears up is reported with the success", async () => {
  const desktop = new FakeDesktop();
  desktop.onResolve = (count) => {
    if (count > 1) return;
    throw new AppError("AMBIGUOUS_TARGET", "Two match", { details: { retryable: true } });
  };
  const result = await perform(desktop, click(desktop, { timeoutMs: 1000 }));
  assertEquals(result.details?.["transient_ambiguity"], true);
});

Deno.test("headless click on an element without a click is refused, not guessed", async () => {
  const desktop = new FakeDesktop(node({ actions: ["SetFocus"] }));
  const error = await failure(desktop, click(desktop));
  assertEquals(error.code, "POLICY_DENIED");
  assertEquals(desktop.performed, []);

  desktop.element = node({ actions: [] });
  delete desktop.element.bounds;
  const unseen = await failure(desktop, click(desktop));
  assertEquals(unseen.details?.["kind"], "scroll_into_view_unsupported");
});

Deno.test("headed click focuses the exact window first", async () => {
  const desktop = new FakeDesktop();
  await perform(desktop, click(desktop, { headed: true }));
  assertEquals(desktop.log, ["focus window"]);
  assertEquals(desktop.performed.length, 1);
});

Deno.test("headed click without an advertised action goes through the pointer", async () => {
  const desktop = new FakeDesktop(node({ actions: [] }));
  const result = await perform(desktop, click(desktop, { headed: true }));
  assertEquals(desktop.performed, []);
  assertEquals(desktop.input.events, ["move 120,110", "press left", "release left"]);
  assertEquals(result.steps?.[0]?.mechanism, "physical_synthetic");
});

Deno.test("the pointer goes to the point that the hit test confirmed", async () => {
  const desktop = new FakeDesktop(node({ actions: [] }));
  desktop.hit = (x, y) =>
    x === 110 && y === 105
      ? { result: "target" }
      : { result: "occluded", occluder: { role: "dialog", name: "Ask" } };
  await perform(desktop, click(desktop, { headed: true }));
  assertEquals(desktop.input.events[0], "move 110,105");
});

Deno.test("a covered element is not clicked and the cover is named", async () => {
  const desktop = new FakeDesktop(node({ actions: [] }));
  desktop.hit = { result: "occluded", occluder: { role: "dialog", name: "Ask" } };
  const error = await failure(desktop, click(desktop, { headed: true }));
  assertEquals(error.code, "TIMEOUT");
  assert(error.message.includes("occluded by dialog"));
  assertEquals(desktop.input.events, []);
});

Deno.test("an inconclusive hit test does not block, a mixed one does", async () => {
  const desktop = new FakeDesktop(node({ actions: [] }));
  desktop.hit = { result: "unknown" };
  await perform(desktop, click(desktop, { headed: true }));
  assertEquals(desktop.input.events[0], "move 120,110");

  desktop.hit = (x) =>
    x === 120 ? { result: "unknown" } : { result: "occluded", occluder: { role: "menu" } };
  const error = await failure(desktop, click(desktop, { headed: true }));
  assertEquals(error.code, "TIMEOUT");
});

Deno.test("a window that does not take the focus gets no input", async () => {
  const desktop = new FakeDesktop();
  desktop.focusWorks = false;
  const error = await failure(desktop, click(desktop, { headed: true }));
  assertEquals(error.code, "ACTION_FAILED");
  assertEquals(error.delivery, "not_delivered");
  assertEquals(desktop.performed, []);
});

Deno.test("a focus that time ran out for is told as what was in the way", async () => {
  const desktop = new FakeDesktop(node({ actions: [] }));
  desktop.hit = { result: "occluded", occluder: { role: "window", name: "Other" } };
  desktop.onFocus = (count) => {
    if (count === 1) return;
    throw new AppError("APP_UNRESPONSIVE", "The application did not answer");
  };
  const error = await failure(desktop, click(desktop, { headed: true, timeoutMs: 200 }));
  assertEquals(error.code, "TIMEOUT");
  assert(error.message.includes("occluded by window"), error.message);
  assertEquals(desktop.input.events, []);
});

/** Keeps the thread until `at`, as a busy machine does. */
function stall(at: number): void {
  while (performance.now() < at);
}

Deno.test("a look that time ran out for does not make a covered element ready", async () => {
  const desktop = new FakeDesktop(node({ actions: [] }));
  const start = performance.now();
  desktop.hit = () => {
    if (performance.now() < start + 150) {
      return { result: "occluded", occluder: { role: "dialog", name: "Ask" } };
    }
    stall(start + 320);
    return { result: "unknown" };
  };
  const error = await failure(desktop, click(desktop, { headed: true, timeoutMs: 300 }));
  assertEquals(error.code, "TIMEOUT");
  assert(error.message.includes("occluded by dialog"), error.message);
  assertEquals(desktop.input.events, []);
});

Deno.test("a resolution begun too late leaves the reason of the one before", async () => {
  const desktop = new FakeDesktop(node());
  const start = performance.now();
  desktop.onResolve = () => {
    if (performance.now() < start + 150) {
      throw new AppError("STALE_REF", "No element matches", { details: { retryable: true } });
    }
    stall(start + 320);
    throw new AppError("TIMEOUT", "No time was left", {
      details: { kind: "resolution_deadline_exhausted" },
    });
  };
  const error = await failure(desktop, click(desktop));
  assertEquals([error.code, error.details?.["deadline_elapsed"]], ["STALE_REF", true]);
  assertEquals(desktop.performed, []);
});

Deno.test("headed actions need a ref that names its window", async () => {
  const desktop = new FakeDesktop();
  const nameless = entry();
  delete nameless.source_window_id;
  const error = await failure(
    desktop,
    click(desktop, { headed: true, ref: desktop.ref(nameless) }),
  );
  assertEquals(error.code, "ACTION_NOT_SUPPORTED");
});

Deno.test("one scroll attempt brings an off-screen element into view", async () => {
  const desktop = new FakeDesktop(node({ states: ["offscreen"] }));
  desktop.scrollWorks = () => {
    desktop.element = node();
    return true;
  };
  await perform(desktop, click(desktop));
  assertEquals(desktop.log, ["scroll"]);
  assertEquals(desktop.performed.length, 1);
});

Deno.test("an element that cannot be scrolled into view is refused with that reason", async () => {
  const desktop = new FakeDesktop(node({ states: ["offscreen"] }));
  for (const timeoutMs of [0, 250]) {
    const error = await failure(desktop, click(desktop, { timeoutMs }));
    assertEquals(error.code, "ACTION_FAILED");
    assertEquals(error.details?.["kind"], "scroll_into_view_unsupported");
    assertEquals(error.details?.["retryable"], false);
  }
  assertEquals(desktop.log, ["scroll", "scroll"], "one attempt per call");
});

Deno.test("a failure after a preparatory scroll says so", async () => {
  const desktop = new FakeDesktop(node({ states: ["offscreen"] }));
  desktop.scrollWorks = () => {
    desktop.element = node({ states: ["disabled"] });
    return true;
  };
  const error = await failure(desktop, click(desktop));
  assertEquals(error.details?.["preparatory_scroll"], true);
  assertEquals(error.details?.["retryable"], false);
});

Deno.test("a refused delivery keeps its own verdict and is not repeated", async () => {
  const desktop = new FakeDesktop();
  desktop.onPerform = () => {
    throw new AppError("ACTION_FAILED", "DoAction said no");
  };
  const refused = await failure(desktop, click(desktop, { timeoutMs: 2000 }));
  assertEquals(refused.delivery, "not_delivered");
  desktop.onPerform = () => {
    throw new AppError("TIMEOUT", "no reply", { delivery: "delivery_uncertain" });
  };
  const uncertain = await failure(desktop, click(desktop, { timeoutMs: 2000 }));
  assertEquals(uncertain.delivery, "delivery_uncertain");
  assertEquals(desktop.performed.length, 2);
});

Deno.test("a click that opens an overlay lists it", async () => {
  const desktop = new FakeDesktop(node({ role: "menubutton" }));
  desktop.onPerform = () => {
    setTimeout(() => {
      desktop.surfaces = [{ id: "s1", type: "menu", itemCount: 3, handle: "m" }];
    }, 20);
    return [{ label: "Action.DoAction", outcome: "succeeded" }];
  };
  const result = await perform(desktop, click(desktop));
  assertEquals(result.surfaces, [{ id: "s1", type: "menu", item_count: 3 }]);
});

Deno.test("double click is refused headless before anything is looked up", async () => {
  const desktop = new FakeDesktop();
  const error = await failure(desktop, click(desktop, { action: "double-click" }));
  assertEquals(error.code, "POLICY_DENIED");
  assertEquals(desktop.resolutions, 0);
});

Deno.test("double and triple click are that many presses at one point", async () => {
  for (const [action, count] of [["double-click", 2], ["triple-click", 3]] as const) {
    const desktop = new FakeDesktop();
    await perform(desktop, click(desktop, { action, headed: true }));
    const presses = desktop.input.events.filter((event) => event === "press left");
    assertEquals(presses.length, count);
    assertEquals(desktop.performed, []);
  }
});

Deno.test("a button that went down is lifted when input fails", async () => {
  const desktop = new FakeDesktop(node({ actions: [] }));
  desktop.input.failOn = "release left";
  const error = await failure(desktop, click(desktop, { headed: true }));
  assertEquals(error.delivery, "delivery_uncertain");
  assertEquals(desktop.input.held.size, 0);
});

Deno.test("an element that moves is not clicked by the pointer", async () => {
  const desktop = new FakeDesktop(node({ actions: [] }));
  desktop.onInspect = (count) => {
    desktop.element = node({ actions: [], bounds: { x: count * 3, y: 0, width: 9, height: 9 } });
  };
  const error = await failure(desktop, click(desktop, { headed: true, timeoutMs: 200 }));
  assertEquals(error.code, "TIMEOUT");
  assert(error.message.includes("stable"));
});

Deno.test("a press that would reach something else is not made", async () => {
  const desktop = new FakeDesktop();
  const presses = () => desktop.input.events.filter((event) => event === "press left").length;
  desktop.hit = () =>
    presses() === 0 ? { result: "target" } : { result: "occluded", occluder: { role: "button" } };
  const error = await failure(desktop, click(desktop, { action: "triple-click", headed: true }));
  assertEquals([error.code, error.delivery], ["ACTION_FAILED", "delivered_unverified"]);
  assertEquals(error.details?.["presses_delivered"], 1);
  assertEquals(error.details?.["presses_wanted"], 3);
  assertEquals(presses(), 1);
  assertEquals(desktop.clicksNoted, 1);
});

Deno.test("no press is made on what goes out of view with the first", async () => {
  const desktop = new FakeDesktop();
  desktop.onInspect = () => {
    if (desktop.input.events.includes("release left")) {
      desktop.element = node({ states: ["offscreen"] });
    }
  };
  const error = await failure(desktop, click(desktop, { action: "double-click", headed: true }));
  assertEquals([error.code, error.delivery], ["ACTION_FAILED", "delivered_unverified"]);
  assertEquals(desktop.input.events.filter((event) => event === "press left").length, 1);
});

Deno.test("what covers the element after the checks gets no press at all", async () => {
  const desktop = new FakeDesktop(node({ actions: [] }));
  let tests = 0;
  desktop.hit = () =>
    tests++ < 2 ? { result: "target" } : { result: "occluded", occluder: { role: "dialog" } };
  const error = await failure(desktop, click(desktop, { headed: true }));
  assertEquals([error.code, error.delivery], ["ACTION_FAILED", "not_delivered"]);
  assertEquals(desktop.input.events.includes("press left"), false);
  assertEquals(desktop.clicksNoted, 0);
});

Deno.test("an element that the first press makes anew gets the second as well", async () => {
  const desktop = new FakeDesktop();
  desktop.onInspect = () => {
    if (desktop.input.events.includes("release left")) desktop.element = node({ id: "el-2" });
  };
  await perform(desktop, click(desktop, { action: "double-click", headed: true }));
  assertEquals(desktop.input.events.filter((event) => event === "press left").length, 2);
});
