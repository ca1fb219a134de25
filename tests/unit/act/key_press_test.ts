import { assertEquals, assertRejects } from "@std/assert";
import { parseCombo } from "../../../src/act/key_combo.ts";
import { press } from "../../../src/act/key_press.ts";
import { AppError } from "../../../src/errors.ts";
import { FakeDesktop } from "./fake_desktop.ts";

const pressed = (desktop: FakeDesktop, headed = false) =>
  press({
    keys: [parseCombo("ctrl+shift+a")],
    headed,
    target: () => Promise.resolve(desktop.window),
  }, desktop.context);

Deno.test("press holds the modifiers around the key", async () => {
  const desktop = new FakeDesktop();
  const result = await pressed(desktop);
  assertEquals(desktop.input.events, [
    "press ctrl",
    "press shift",
    "key a",
    "release shift",
    "release ctrl",
  ]);
  assertEquals(result.disposition.delivery, "delivered_unverified");
  assertEquals(desktop.log, []);
});

Deno.test("press needs the focus: refused headless, given headed", async () => {
  const desktop = new FakeDesktop();
  desktop.shown.focused = false;
  const error = await assertRejects(() => pressed(desktop), AppError);
  assertEquals(error.code, "POLICY_DENIED");
  assertEquals(desktop.input.events, []);
  await pressed(desktop, true);
  assertEquals(desktop.log, ["focus window"]);
});

Deno.test("press notices that the application changed", async () => {
  const desktop = new FakeDesktop();
  const chosen = { ...desktop.window, processInstance: "instance-0" };
  const error = await assertRejects(
    () =>
      press({
        keys: [parseCombo("a")],
        headed: false,
        target: () => Promise.resolve(chosen),
      }, desktop.context),
    AppError,
  );
  assertEquals(error.code, "STALE_REF");
});

Deno.test("modifiers are lifted when the key fails", async () => {
  const desktop = new FakeDesktop();
  desktop.input.failOn = "key a";
  const error = await assertRejects(() => pressed(desktop), AppError);
  assertEquals(error.delivery, "delivery_uncertain");
  assertEquals(desktop.input.held.size, 0);
});

Deno.test("combinations and text go out in order; what stops them says how far they came", async () => {
  const desktop = new FakeDesktop();
  const call = {
    keys: [parseCombo("ctrl+a"), { text: "hi" }, parseCombo("return")],
    headed: false,
    target: () => Promise.resolve(desktop.window),
  };
  const result = await press(call, desktop.context);
  assertEquals(desktop.input.events, [
    "press ctrl",
    "key a",
    "release ctrl",
    "text hi",
    "key return",
  ]);
  assertEquals(result.window, { id: desktop.window.id, title: desktop.window.title });
  assertEquals(result.steps?.map(({ label }) => label), [
    "Keyboard.Press",
    "Keyboard.Type",
    "Keyboard.Press",
  ]);
  desktop.input.failOn = "key return";
  const error = await assertRejects(() => press(call, desktop.context), AppError);
  assertEquals([error.details?.["keys_sent"], error.details?.["keys_wanted"]], [2, 3]);
  assertEquals(error.delivery !== "not_delivered", true);
});
