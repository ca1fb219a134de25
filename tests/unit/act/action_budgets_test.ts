import { assertEquals, assertThrows } from "@std/assert";
import { readBudgets } from "../../../src/act/action_budgets.ts";
import { AppError } from "../../../src/errors.ts";

Deno.test("budgets: defaults, caps, malformed values", () => {
  const from = (values: Record<string, string>) => readBudgets((name) => values[name]);
  assertEquals(from({}), { chain: 10_000, menu: 750, toggle: 600, toggleStable: 200 });
  assertEquals(from({ AGENT_DESKTOP_MENU_TIMEOUT_MS: "99999999" }).menu, 10_000);
  for (const value of ["-1", "1.5", "soon", " 5"]) {
    const error = assertThrows(() => from({ AGENT_DESKTOP_CHAIN_TIMEOUT_MS: value }), AppError);
    assertEquals(error.code, "INVALID_ARGS");
  }
});
