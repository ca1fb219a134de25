/** The rules of the actions are the ones that docs/acting.md prints. */
import { assertEquals } from "@std/assert";
import { type RefAction, ruleOf, RULES } from "../../../src/act/action_rules.ts";

const ACTIONS = Object.keys(RULES) as RefAction[];

/** The text below one heading of docs/acting.md. */
function section(heading: string): string {
  const page = Deno.readTextFileSync(new URL("../../../docs/acting.md", import.meta.url));
  return page.split(/^## /m).find((part) => part.startsWith(`${heading}\n`)) ?? "";
}

/** The actions that a text names between backticks. */
function actionsIn(text: string): RefAction[] {
  const named = [...text.matchAll(/`([^`]+)`/g)].map((match) => match[1]);
  return ACTIONS.filter((action) => named.includes(action));
}

Deno.test("each action has the checks that the page's table gives it", () => {
  const rows = section("Actionability").split("\n").filter((line) => line.startsWith("|"))
    .map((line) => line.split("|").slice(1, -1).map((cell) => cell.trim()));
  const [head, , ...body] = rows;
  const columns = head!.slice(1).map((cell) => cell.replaceAll("`", ""));
  const printed: Record<string, string[]> = {};
  for (const [names, ...marks] of body) {
    const checks = columns.filter((_, index) => marks[index] === "✓").sort();
    for (const action of actionsIn(names!)) printed[action] = checks;
  }
  const ruled = ACTIONS.map((action) => [action, [...ruleOf(action).checks].sort()]);
  assertEquals(printed, Object.fromEntries(ruled));
});

Deno.test("the actions that are verified are the ones the page names", () => {
  const first = section("Verification").split(/\bis read\b/, 1)[0]!;
  assertEquals(actionsIn(first), ACTIONS.filter((action) => ruleOf(action).verified));
});
