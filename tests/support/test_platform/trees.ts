/** Elements of the tests' platform, written shortly. */
import type { Action } from "../../../src/tree/actions.ts";
import type { State } from "../../../src/tree/states.ts";
import type { TestNode } from "./world.ts";

/** An element whose lists are all there, so that a test can change them at once. */
export interface TestTree extends TestNode {
  states: State[];
  actions: Action[];
  children: TestTree[];
}

let made = 0;

/** An element with what is given and an id of its own. */
export function node(
  role: TestNode["role"],
  fields: Partial<TestNode> = {},
  children: TestTree[] = [],
): TestTree {
  return { id: `${role} ${++made}`, role, states: [], actions: [], ...fields, children };
}

/** A button that can be clicked and focused. */
export function button(name: string, fields: Partial<TestNode> = {}): TestTree {
  return node("button", { name, actions: ["Click", "SetFocus"], ...fields });
}

/** A text that only shows something. */
export function label(name: string): TestTree {
  return node("statictext", { name });
}
