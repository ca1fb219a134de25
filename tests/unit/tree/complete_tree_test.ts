import { assertEquals } from "@std/assert";
import { completeTree } from "../../../src/tree/complete_tree.ts";
import type { Node } from "../../../src/tree/node.ts";
import type { Role } from "../../../src/tree/roles.ts";

function node(role: Role, fields: Partial<Node> = {}): Node {
  return { role, states: [], actions: [], index: 0, children: [], ...fields };
}

/** What a control without a name is called when a label with this text is its child. */
function nameOf(role: Role, fields: Partial<Node> = {}): string | undefined {
  const control = node(role, { children: [node("statictext", { name: " Words " })], ...fields });
  completeTree(control);
  return control.name;
}

Deno.test("a control without a name takes that of its label, where the label is not its content", () => {
  for (const role of ["button", "checkbox", "link", "tab", "option"] as const) {
    assertEquals(nameOf(role), "Words", role);
  }
  for (const role of ["textfield", "combobox", "incrementor"] as const) {
    assertEquals(nameOf(role), undefined, role);
    assertEquals(nameOf(role, { description: "Told" }), "Told", role);
  }
  assertEquals(nameOf("button", { name: "Own" }), "Own");
  assertEquals(nameOf("button", { states: ["secure"] }), undefined);
  assertEquals(nameOf("group"), undefined);
});
