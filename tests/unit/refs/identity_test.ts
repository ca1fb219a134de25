import { assertEquals } from "@std/assert";
import type { Evidence } from "../../../src/refs/entry.ts";
import {
  compareIdentity,
  hasMeaningfulIdentity,
  type Identity,
} from "../../../src/refs/identity.ts";
import type { Node } from "../../../src/tree/node.ts";

type Stored = Partial<Evidence>;
type Live = Partial<Node>;

const ID = { kind: "ax_identifier", value: "ok" } as const;

const ROWS: [what: string, stored: Stored, live: Live, expected: Identity][] = [
  ["same name", { name: "OK" }, { name: "OK" }, "match"],
  ["other role", { name: "OK" }, { name: "OK", role: "link" }, "mismatch"],
  ["other name", { name: "OK" }, { name: "Ok" }, "mismatch"],
  ["white space counts inside a name", { name: "a b" }, { name: "a  b" }, "mismatch"],
  ["name moved to the value", { name: "OK" }, { value: "OK" }, "match"],
  ["value moved to the name", { value: "OK" }, { name: "OK" }, "match"],
  ["description moved to the name", { description: "OK" }, { name: "OK" }, "match"],
  ["name does not move to the description", { name: "OK" }, { description: "OK" }, "mismatch"],
  ["nothing left of a name", { name: "OK" }, {}, "mismatch"],
  ["name decides, not the description", { name: "OK", description: "a" }, {
    name: "OK",
    description: "b",
  }, "match"],
  ["value decides before the description", { value: "1", description: "a" }, {
    value: "2",
    description: "a",
  }, "mismatch"],
  ["unreadable name", { name: "OK" }, { unreadable: ["name"] }, "unreadable"],
  ["unreadable fallback", { name: "OK" }, { unreadable: ["value"] }, "unreadable"],
  ["unread number beside a name that is none", { role: "slider", name: "Volume", value: "3" }, {
    role: "slider",
    name: "Volume",
    unreadable: ["value"],
  }, "match"],
  ["unread number beside another name", { role: "slider", name: "Volume" }, {
    role: "slider",
    name: "Balance",
    unreadable: ["value"],
  }, "mismatch"],
  ["unread number beside a name that may repeat it", { role: "incrementor", name: "7" }, {
    role: "incrementor",
    name: "7",
    unreadable: ["value"],
  }, "unreadable"],
  ["unread text beside a name that may repeat it", { role: "combobox", name: "Red" }, {
    role: "combobox",
    name: "Red",
    unreadable: ["value"],
  }, "unreadable"],
  ["unread state of a check box", { role: "checkbox", name: "Wrap" }, {
    role: "checkbox",
    name: "Wrap",
    unreadable: ["value"],
  }, "match"],
  ["unread number where only the place decides", { role: "slider" }, {
    role: "slider",
    unreadable: ["value"],
  }, "textless"],
  ["unreadable description is not asked", { name: "OK" }, {
    name: "OK",
    unreadable: ["description"],
  }, "match"],
  ["same id", { native_id: ID, name: null }, { nativeId: ID }, "match"],
  ["other kind of id", { native_id: ID }, {
    nativeId: { kind: "automation_id", value: "ok" },
  }, "mismatch"],
  ["id gone, name the same", { native_id: ID, name: "OK" }, { name: "OK" }, "mismatch"],
  ["unreadable id", { native_id: ID }, { unreadable: ["native_id"] }, "unreadable"],
  ["same id, other name", { native_id: ID, name: "A" }, { nativeId: ID, name: "B" }, "mismatch"],
  ["same id, unreadable name", { native_id: ID, name: "A" }, {
    nativeId: ID,
    unreadable: ["name"],
  }, "match"],
  ["same id, other description", { native_id: ID, description: "a" }, {
    nativeId: ID,
    description: "b",
  }, "match"],
  ["text field with another value", { role: "textfield", name: "T", value: "1" }, {
    role: "textfield",
    name: "T",
    value: "2",
  }, "match"],
  ["text field that has only a value", { role: "textfield", value: "1" }, {
    role: "textfield",
    value: "1",
  }, "textless"],
  ["spin button whose name is its value", { role: "incrementor", name: "1.50", value: "1.5" }, {
    role: "incrementor",
    name: "2",
    value: "2",
  }, "textless"],
  ["live name that only repeats the value", { role: "textfield", name: "Title" }, {
    role: "textfield",
    name: "Title",
    value: "Title",
  }, "mismatch"],
  ["mutable role without text, live one named", { role: "checkbox" }, {
    role: "checkbox",
    name: "On",
  }, "textless"],
  ["other role without text, live one named", {}, { name: "On" }, "mismatch"],
  ["no text on either side", {}, {}, "textless"],
  ["no text, live one unreadable", {}, { unreadable: ["name"] }, "unreadable"],
  ["blank is absent", { name: " \n" }, { name: "\t" }, "textless"],
  ["secure field whose value is not read", { role: "textfield", name: "Password" }, {
    role: "textfield",
    name: "Password",
    states: ["secure"],
    unreadable: ["value"],
  }, "match"],
];

for (const [what, stored, live, expected] of ROWS) {
  Deno.test(`identity: ${what}`, () => {
    const evidence: Evidence = {
      role: "button",
      name: null,
      bounds_hash: null,
      available_actions: [],
      ...stored,
    };
    const node: Node = {
      role: "button",
      states: [],
      actions: [],
      index: 0,
      children: [],
      ...live,
    };
    assertEquals(compareIdentity(evidence, node), expected);
  });
}

Deno.test("only identifiers and stable texts are meaningful", () => {
  const base: Evidence = { role: "textfield", name: null, bounds_hash: 1n, available_actions: [] };
  assertEquals(hasMeaningfulIdentity({ ...base, value: "typed" }), false);
  assertEquals(hasMeaningfulIdentity({ ...base, name: " " }), false);
  assertEquals(hasMeaningfulIdentity({ ...base, description: "d" }), true);
  assertEquals(hasMeaningfulIdentity({ ...base, native_id: ID }), true);
  assertEquals(hasMeaningfulIdentity({ ...base, role: "option", value: "v" }), true);
});
