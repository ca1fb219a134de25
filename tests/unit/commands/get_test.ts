import { assert, assertEquals } from "@std/assert";
import type { TestNode } from "../../support/test_platform/world.ts";
import { TestSubject } from "../../conformance/test_subject.ts";

/** A window with these elements, and the refs of those that have one, in document order. */
async function show(...children: TestNode[]): Promise<{ subject: TestSubject; refs: string[] }> {
  children.forEach((child, i) => child.bounds ??= { x: 0, y: i * 20, width: 100, height: 18 });
  const subject = new TestSubject({ id: "window", role: "window", name: "Window", children });
  const { data } = await subject.run("snapshot", "--app", "subject", "--flat");
  return { subject, refs: data.elements.map((one: { ref_id: string }) => one.ref_id) };
}

Deno.test("get: every property of a live element", async () => {
  const { subject, refs } = await show(
    {
      id: "field",
      role: "textfield",
      name: "Title",
      value: "hello",
      states: ["focused"],
      actions: ["SetValue"],
    },
  );
  await using _ = subject;
  const ref = refs[0]!;
  const get = async (property: string) => {
    const { data } = await subject.run("get", ref, "--property", property);
    assertEquals(data.property, property);
    assertEquals(data.ref, ref);
    return data;
  };
  assertEquals((await subject.run("get", ref)).data.value, "hello");
  await subject.change({ do: "set", id: "field", fields: { value: "changed", states: [] } });
  assertEquals((await get("text")).value, "changed");
  assertEquals((await get("value")).value, "changed");
  assertEquals((await get("title")).value, "Title");
  assertEquals((await get("role")).value, "textfield");
  assertEquals((await get("states")).value, []);
  assertEquals(await get("bounds"), {
    property: "bounds",
    ref,
    live: true,
    value: { x: 0, y: 0, width: 100, height: 18 },
  });
});

Deno.test("get text: what a field holds, what anything else is called, else the other half", async () => {
  const { subject, refs } = await show(
    { id: "a", role: "textfield", name: "Name", value: "" },
    { id: "b", role: "combobox", name: "Size", value: "Large" },
    { id: "c", role: "button", name: "Save", value: "3" },
    { id: "d", role: "option", value: "only a value" },
    { id: "e", role: "button" },
  );
  await using _ = subject;
  const texts = [];
  for (const ref of refs) texts.push((await subject.run("get", ref)).data.value);
  assertEquals(texts, ["Name", "Large", "Save", "only a value", ""]);
  const { data } = await subject.run("get", refs[4]!, "--property", "value");
  assertEquals(data.value, null);
  assertEquals((await subject.run("get", refs[4]!, "--property", "title")).data.value, null);
});

Deno.test("get: a secure field never gives its text, however it is asked", async () => {
  const secret = "correct horse";
  const { subject, refs } = await show({
    id: "password",
    role: "textfield",
    name: "Password",
    value: secret,
    states: ["secure"],
    actions: ["SetValue"],
  });
  await using _ = subject;
  for (const property of ["text", "value", "title", "states", "role", "bounds"]) {
    const answer = await subject.run("get", refs[0]!, "--property", property);
    assert(answer.ok);
    assert(!JSON.stringify(answer).includes(secret), property);
  }
  // It became secure after the snapshot.
  await subject.change({ do: "set", id: "password", fields: { states: [] } });
  assertEquals((await subject.run("get", refs[0]!, "--property", "value")).data.value, null);
  for (const name of ["snapshots", "latest_snapshot_id"]) {
    const { stdout } = await new Deno.Command("grep", {
      args: ["-r", secret, `${subject.stateRoot}/${name}`],
    }).output();
    assertEquals(new TextDecoder().decode(stdout), "");
  }
});

Deno.test("get value: a long text is read whole, and marked where even that ends", async () => {
  const long = `${"é".repeat(100_000)}end`;
  const { subject, refs } = await show({ id: "a", role: "textfield", name: "Notes", value: long });
  await using _ = subject;
  const ref = refs[0]!;
  const whole = (await subject.run("get", ref, "--property", "value")).data;
  assertEquals(whole.value, long);
  assertEquals(whole.truncated, undefined);
  await subject.change({
    do: "set",
    id: "a",
    fields: { value: `x${"é".repeat(4 * 1024 * 1024)}` },
  });
  const cut = (await subject.run("get", ref, "--property", "value")).data;
  assertEquals(cut.truncated, true);
  // 8 MiB would end in the middle of a character.
  assertEquals(new TextEncoder().encode(cut.value).length, 8 * 1024 * 1024 - 1);
  assert(cut.value.endsWith("é"));
});

Deno.test("is: each property answers and says whether it applies", async () => {
  const { subject, refs } = await show(
    { id: "check", role: "checkbox", name: "On", states: ["checked"], actions: ["Toggle"] },
    { id: "off", role: "button", name: "Off", states: ["disabled"] },
    { id: "tree", role: "treeitem", name: "Branch", states: ["expanded", "selected"] },
    { id: "tab", role: "tab", name: "Second", states: ["offscreen", "focused"] },
    {
      id: "flat",
      role: "link",
      name: "Flat",
      bounds: { x: 0, y: 0, width: 0, height: 10 },
    },
  );
  await using _ = subject;
  const [check, off, branch, tab, flat] = refs as [string, string, string, string, string];
  const is = async (ref: string, property?: string) => {
    const flags = property === undefined ? [] : ["--property", property];
    const { data } = await subject.run("is", ref, ...flags);
    assertEquals(data.property, property ?? "visible");
    assertEquals(data.ref, ref);
    return [data.result, data.applicable];
  };
  assertEquals(await is(check), [true, true]);
  assertEquals(await is(tab), [false, true]);
  assertEquals(await is(flat), [false, true]);
  assertEquals(await is(check, "enabled"), [true, true]);
  assertEquals(await is(off, "enabled"), [false, true]);
  assertEquals(await is(check, "checked"), [true, true]);
  assertEquals(await is(off, "checked"), [false, false]);
  assertEquals(await is(tab, "focused"), [true, true]);
  assertEquals(await is(off, "focused"), [false, true]);
  assertEquals(await is(branch, "expanded"), [true, true]);
  assertEquals(await is(off, "expanded"), [false, false]);
  assertEquals(await is(branch, "selected"), [true, true]);
  assertEquals(await is(tab, "selected"), [false, true]);
  assertEquals(await is(off, "selected"), [false, false]);
  await subject.change({ do: "set", id: "check", fields: { unreadable: ["bounds"] } });
  assertEquals(await is(check), [false, false]);
  await subject.change({ do: "set", id: "tab", fields: { unreadable: ["bounds"] } });
  assertEquals(await is(tab), [false, true]);
  await subject.change({ do: "set", id: "off", fields: { unreadable: ["states"] } });
  assertEquals(await is(off, "enabled"), [false, false]);
});

Deno.test("a live handle costs three reads, a dead one a single search", async () => {
  const { subject, refs } = await show(
    ...Array.from(
      { length: 30 },
      (_, i): TestNode => ({ id: `b${i}`, role: "button", name: `B${i}` }),
    ),
  );
  await using _ = subject;
  const calls = subject.platform.calls;
  calls.length = 0;
  await subject.run("get", refs[7]!);
  assertEquals(calls, ["inspect", "windowById", "isInside"]);
  await subject.change({
    do: "set",
    id: "b7",
    fields: { handle: "/test/rebuilt", bounds: { x: 300, y: 0, width: 9, height: 9 } },
  });
  calls.length = 0;
  assertEquals((await subject.run("get", refs[7]!)).data.value, "B7");
  assertEquals(calls.filter((call) => call === "candidates").length, 1);
  assertEquals(calls.filter((call) => call === "observe").length, 0);
});
