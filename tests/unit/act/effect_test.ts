import { assertEquals, assertRejects } from "@std/assert";
import { AppError } from "../../../src/errors.ts";
import { runRefAction } from "../../../src/act/flow.ts";
import type { RefAction } from "../../../src/act/action_rules.ts";
import type { SemanticRequest } from "../../../src/platform/platform.ts";
import type { TestNode } from "../../support/test_platform/world.ts";
import { FakeDesktop, node } from "./fake_desktop.ts";

const SENT = [
  {
    label: "Native",
    mechanism: "semantic_api",
    outcome: "succeeded",
    verified: false,
  } as const,
];

function run(
  desktop: FakeDesktop,
  action: RefAction,
  request: SemanticRequest,
  headed = false,
  timeoutMs = 400,
) {
  const call = { action, request, ref: desktop.ref(), headed, timeoutMs };
  return runRefAction(call, desktop.within(timeoutMs));
}

/** A desktop whose element becomes what `effect` gives when something is delivered. */
function desktopOf(element: TestNode, effect?: (request: SemanticRequest) => Partial<TestNode>) {
  const desktop = new FakeDesktop(element);
  desktop.onPerform = (request) => {
    if (effect !== undefined) desktop.element = { ...element, ...effect(request) };
    return SENT.map((step) => ({ ...step }));
  };
  return desktop;
}

const checkbox = (checked: boolean) =>
  node({ role: "checkbox", actions: ["Toggle"], states: checked ? ["checked"] : [] });

Deno.test("check and uncheck are verified, and send nothing when already so", async () => {
  const desktop = desktopOf(checkbox(false), () => ({ states: ["checked"] }));
  const on = await run(desktop, "check", { kind: "check" });
  assertEquals(on.disposition.delivery, "delivered_verified");
  assertEquals(on.post_state?.states, ["checked"]);

  const again = await run(desktop, "check", { kind: "check" });
  assertEquals(again.disposition, { delivery: "not_delivered", retry: "safe" });
  assertEquals(again.steps, [{ label: "AlreadyInState", outcome: "skipped", verified: true }]);
  assertEquals(desktop.performed.length, 1);
});

Deno.test("a check that does not show is an error that may not be repeated", async () => {
  const desktop = desktopOf(checkbox(false));
  const error = await assertRejects(() => run(desktop, "check", { kind: "check" }), AppError);
  assertEquals(error.code, "ACTION_FAILED");
  assertEquals(error.delivery, "delivered_unverified");
  assertEquals(error.details?.["kind"], "post_action_verification");
  assertEquals(error.details?.["postcondition_satisfied"], false);
  assertEquals((error.details?.["post_state"] as { role: string }).role, "checkbox");
  assertEquals(desktop.performed.length, 1);
});

Deno.test("a toggle that bounces back is not verified", async () => {
  const desktop = desktopOf(checkbox(false), () => {
    setTimeout(() => desktop.element = checkbox(false), 8);
    return { states: ["checked"] };
  });
  const error = await assertRejects(() => run(desktop, "toggle", { kind: "toggle" }), AppError);
  assertEquals(error.details?.["kind"], "post_action_verification");
});

Deno.test("an indeterminate check box is checked by a delivery", async () => {
  const mixed = node({ role: "checkbox", actions: ["Toggle"], states: ["indeterminate"] });
  const desktop = desktopOf(mixed, () => ({ states: ["checked"] }));
  const result = await run(desktop, "check", { kind: "check" });
  assertEquals(result.disposition.delivery, "delivered_verified");
});

Deno.test("toggling what shows no state is delivered without a claim", async () => {
  const desktop = desktopOf(node());
  const result = await run(desktop, "toggle", { kind: "toggle" });
  assertEquals(result.disposition.delivery, "delivered_unverified");
  assertEquals(result.details?.["verification_scope"], "unavailable");
  assertEquals(result.details?.["verification_reason"], "insufficient_evidence");
});

const field = (fields: Partial<TestNode> = {}) =>
  node({
    role: "textfield",
    actions: ["SetValue", "TypeText", "SetFocus"],
    value: "old",
    ...fields,
  });

Deno.test("set-value is read back", async () => {
  const desktop = desktopOf(field(), () => ({ value: "new" }));
  const result = await run(desktop, "set-value", { kind: "set-value", value: "new" });
  assertEquals(result.disposition.delivery, "delivered_verified");
  assertEquals(result.details?.["verification_scope"], "element_value");
  assertEquals(result.details?.["application_commit"], "not_verified");
  assertEquals(result.post_state?.value, "new");
});

Deno.test("an application that acknowledges set-value and ignores it is found out", async () => {
  const desktop = desktopOf(field());
  const error = await assertRejects(
    () => run(desktop, "set-value", { kind: "set-value", value: "new" }),
    AppError,
  );
  assertEquals(error.code, "ACTION_FAILED");
  assertEquals(error.delivery, "delivered_unverified");
});

Deno.test("numbers are compared as numbers", async () => {
  const spin = node({ role: "incrementor", actions: ["SetValue"], value: "3" });
  const desktop = desktopOf(spin, () => ({ value: "1.5" }));
  const result = await run(desktop, "set-value", { kind: "set-value", value: "1.50" });
  assertEquals(result.disposition.delivery, "delivered_verified");
});

Deno.test("clear wants an empty value", async () => {
  const gone = desktopOf(field(), () => {
    const empty: Partial<TestNode> = { value: "" };
    return empty;
  });
  assertEquals(
    (await run(gone, "clear", { kind: "clear" })).disposition.delivery,
    "delivered_verified",
  );
  const kept = desktopOf(field());
  await assertRejects(() => run(kept, "clear", { kind: "clear" }), AppError);
});

Deno.test("a secure field is never compared and its value never shown", async () => {
  const secret = field({ states: ["secure"] });
  delete secret.value;
  const desktop = desktopOf(secret, () => ({}));
  const result = await run(desktop, "set-value", { kind: "set-value", value: "pass" });
  assertEquals(result.disposition.delivery, "delivered_unverified");
  assertEquals(result.details?.["verification_reason"], "secure_field");
  assertEquals(JSON.stringify(result).includes("pass"), false);
});

Deno.test("type replaces the selection, counted in characters", async () => {
  const desktop = desktopOf(field({ value: "a😀bc" }), () => ({ value: "aXYc" }));
  desktop.element!.selection = { start: 1, end: 3 };
  const result = await run(desktop, "type", { kind: "type", text: "XY" });
  assertEquals(result.disposition.delivery, "delivered_verified");

  const wrong = desktopOf(field({ value: "a😀bc" }), () => ({ value: "XYa😀bc" }));
  wrong.element!.selection = { start: 1, end: 3 };
  await assertRejects(() => run(wrong, "type", { kind: "type", text: "XY" }), AppError);
});

Deno.test("type without a known selection makes no claim about a full field", async () => {
  const desktop = desktopOf(field(), () => ({ value: "oldX" }));
  const result = await run(desktop, "type", { kind: "type", text: "X" });
  assertEquals(result.details?.["verification_reason"], "insufficient_evidence");
});

Deno.test("headed type focuses the element and sends keys", async () => {
  const desktop = new FakeDesktop(field({ value: "" }));
  desktop.onPerform = (request) => {
    if (request.kind === "focus") desktop.element = field({ value: "", states: ["focused"] });
    return [{ label: "Component.GrabFocus", outcome: "succeeded" }];
  };
  desktop.input.onText = (text) => desktop.element = field({ value: text, states: ["focused"] });
  const result = await run(desktop, "type", { kind: "type", text: "hi" }, true);
  assertEquals(desktop.input.events, ["text hi"]);
  assertEquals(result.disposition.delivery, "delivered_verified");
  assertEquals(result.steps?.map((step) => step.label), ["Focus", "Keyboard.Type"]);
});

Deno.test("headed type without a focus request in the toolkit inserts the text itself", async () => {
  const desktop = desktopOf(
    field({ value: "" }),
    (request) => request.kind === "type" ? { value: request.text } : {},
  );
  const perform = desktop.onPerform;
  desktop.onPerform = (request) => {
    if (request.kind === "focus") throw new AppError("ACTION_NOT_SUPPORTED", "no focus request");
    return perform(request);
  };
  const result = await run(desktop, "type", { kind: "type", text: "hi" }, true);
  assertEquals(result.disposition.delivery, "delivered_verified");
  assertEquals(desktop.input.events, []);
});

Deno.test("text that only a focused field takes is refused headless and typed headed", async () => {
  const shy = field({ actions: ["SetFocus"], value: "" });
  const headless = desktopOf(shy);
  const error = await assertRejects(
    () => run(headless, "set-value", { kind: "set-value", value: "x" }),
    AppError,
  );
  assertEquals(error.code, "POLICY_DENIED");
  assertEquals(headless.performed, []);

  const desktop = new FakeDesktop(shy);
  desktop.onPerform = (request) => {
    if (request.kind === "focus") desktop.element = field({ value: "", states: ["focused"] });
    if (request.kind === "set-value") {
      desktop.element = field({ value: request.value, states: ["focused"] });
    }
    return [{ label: "Native", outcome: "succeeded" }];
  };
  const result = await run(desktop, "set-value", { kind: "set-value", value: "x" }, true);
  assertEquals(result.disposition.delivery, "delivered_verified");
  assertEquals(desktop.performed.map((request) => request.kind), ["focus", "set-value"]);
});

Deno.test("the click that gives the focus is not the second of a double click", async () => {
  const shy = field({ actions: ["SetFocus"], value: "" });
  const desktop = new FakeDesktop(shy);
  desktop.msSinceClick = 200;
  desktop.onPerform = () => {
    throw new AppError("ACTION_NOT_SUPPORTED", "no focus request");
  };
  desktop.onInspect = () => {
    if (desktop.clicksNoted === 0 || desktop.element?.states?.length) return;
    desktop.element = field({ actions: ["SetFocus"], value: "", states: ["focused"] });
  };
  desktop.input.onText = (text) => desktop.element = { ...desktop.element!, value: text };
  const start = performance.now();
  await run(desktop, "type", { kind: "type", text: "hi" }, true);
  assertEquals(performance.now() - start > 295, true);
  assertEquals(desktop.clicksNoted, 1);
  assertEquals(desktop.input.events, ["move 120,110", "press left", "release left", "text hi"]);
});

Deno.test("the text of an element that was rebuilt is read from the new one", async () => {
  const desktop = desktopOf(field());
  desktop.onPerform = () => {
    // Too long for one reading of the element, so that its whole text is asked for.
    const value = "new".repeat(30_000);
    desktop.element = { ...field({ value }), id: "el2", handle: "el2" };
    return SENT.map((step) => ({ ...step }));
  };
  const value = "new".repeat(30_000);
  const result = await run(desktop, "set-value", { kind: "set-value", value });
  assertEquals(result.disposition.delivery, "delivered_verified");
});

Deno.test("an element that takes no text is refused for good", async () => {
  const desktop = desktopOf(node({ role: "button" }));
  const error = await assertRejects(
    () => run(desktop, "type", { kind: "type", text: "x" }),
    AppError,
  );
  assertEquals(error.code, "ACTION_NOT_SUPPORTED");
});

const branch = (open: boolean) =>
  node({ role: "treeitem", actions: ["Expand", "Collapse"], states: open ? ["expanded"] : [] });

Deno.test("expand waits for the state, collapse of a closed branch sends nothing", async () => {
  const desktop = desktopOf(branch(false), () => {
    setTimeout(() => desktop.element = branch(true), 60);
    return {};
  });
  const result = await run(desktop, "expand", { kind: "expand" });
  assertEquals(result.disposition.delivery, "delivered_verified");

  const closed = desktopOf(branch(false));
  const nothing = await run(closed, "collapse", { kind: "collapse" });
  assertEquals(nothing.disposition.delivery, "not_delivered");
  assertEquals(closed.performed, []);
});

Deno.test("an expansion that never settles is a timeout after delivery", async () => {
  const desktop = desktopOf(branch(false));
  const error = await assertRejects(() => run(desktop, "expand", { kind: "expand" }), AppError);
  assertEquals(error.code, "TIMEOUT");
  assertEquals(error.delivery, "delivered_unverified");
  assertEquals(error.details?.["kind"], "chain_deadline");
  assertEquals(error.details?.["wanted_expanded"], true);
  assertEquals(error.details?.["observed_expanded"], false);
});

Deno.test("a reading that fails after delivery keeps its code and forbids a retry", async () => {
  const desktop = desktopOf(checkbox(false), () => ({}));
  const perform = desktop.onPerform;
  desktop.onPerform = (request) => {
    const steps = perform(request);
    desktop.onInspect = () => {
      throw new AppError("APP_UNRESPONSIVE", "no answer", { details: { retryable: true } });
    };
    return steps;
  };
  const error = await assertRejects(() => run(desktop, "check", { kind: "check" }), AppError);
  assertEquals(error.code, "APP_UNRESPONSIVE");
  assertEquals(error.delivery, "delivered_unverified");
  assertEquals(error.details?.["kind"], "post_action_verification");
});

Deno.test("focus is refused headless outside the focused window", async () => {
  const desktop = desktopOf(node({ actions: ["SetFocus"] }));
  await run(desktop, "focus", { kind: "focus" });
  desktop.shown.focused = false;
  const error = await assertRejects(() => run(desktop, "focus", { kind: "focus" }), AppError);
  assertEquals(error.code, "POLICY_DENIED");
  assertEquals(desktop.performed.length, 1);
});

Deno.test("scroll is semantic headless and a wheel headed", async () => {
  const pane = node({ role: "scrollarea", actions: ["Scroll"] });
  const request = { kind: "scroll", direction: "down", amount: 2 } as const;
  const headless = desktopOf(pane);
  await run(headless, "scroll", request);
  assertEquals(headless.performed, [request]);
  const headed = desktopOf(pane);
  await run(headed, "scroll", request, true);
  assertEquals(headed.performed, []);
  assertEquals(headed.input.events, ["move 120,110", "wheel 0,-2"]);
});
