/** What refs promise across drills, sessions, and pages that change while they are read. */
import { assert, assertEquals } from "@std/assert";
import { handleOf, type TestNode } from "../support/test_platform/world.ts";
import { TestSubject } from "./test_subject.ts";

const button = (id: string, y: number): TestNode => ({
  id,
  role: "button",
  name: id,
  actions: ["Click"],
  bounds: { x: 0, y, width: 50, height: 10 },
});

const group = (id: string, ...children: TestNode[]): TestNode => ({
  id,
  role: "group",
  name: id,
  children,
  bounds: { x: 0, y: 0, width: 500, height: 500 },
});

function show(...children: TestNode[]): TestSubject {
  return new TestSubject({ id: "window", role: "window", name: "Window", children });
}

/** The ref of the element called `name`. */
// deno-lint-ignore no-explicit-any -- a node of an answer
function refOf(node: any, name: string): string {
  const search = (one: typeof node): string | undefined =>
    one.name === name ? one.ref_id : (one.children ?? []).map(search).find(Boolean);
  const ref = search(node);
  assert(ref, `${name} has no ref`);
  return ref;
}

Deno.test("a drill replaces the refs of the drill before it, and no others", async () => {
  const deep = group("a", group("b", group("c", group("d", button("Deep", 10)))));
  await using subject = show(button("Top", 0), deep);
  const read = async (...flags: string[]) =>
    (await subject.run("snapshot", "--app", "subject", ...flags)).data;
  const map = await read("--skeleton");
  const top = refOf(map.tree, "Top");
  const drill = async () => {
    const answer = await subject.run("snapshot", "--root", refOf(map.tree, "c"));
    assert(answer.ok, JSON.stringify(answer));
    return refOf(answer.data.tree, "Deep");
  };
  const first = await drill();
  assertEquals((await subject.run("get", first)).data.value, "Deep");
  const second = await drill();
  assert(first !== second, "numbers are never used again");
  const stale = (await subject.run("get", first)).error!;
  assertEquals(stale.code, "STALE_REF");
  assertEquals(stale.disposition, { delivery: "not_delivered", retry: "safe" });
  assertEquals((await subject.run("get", second)).data.value, "Deep");
  assertEquals((await subject.run("get", top)).data.value, "Top");
  assertEquals((await subject.run("status")).data.snapshot_id, map.snapshot_id);
});

Deno.test("two sessions and the global namespace never see each other's snapshots", async () => {
  await using subject = show(button("Only", 0));
  const names = [[], ["--session", "one"], ["--session", "two"]];
  const refs = [];
  for (const name of names) {
    const { data } = await subject.run("snapshot", "--app", "subject", ...name);
    refs.push(refOf(data.tree, "Only"));
  }
  for (const [i, name] of names.entries()) {
    const { data } = await subject.run("status", ...name);
    assert(refs[i]!.startsWith(`@${data.snapshot_id}:`));
    for (const [j, ref] of refs.entries()) {
      const answer = await subject.run("get", ref, ...name);
      if (i === j) assertEquals(answer.data.value, "Only");
      else assertEquals(answer.error!.code, "SNAPSHOT_NOT_FOUND");
    }
  }
});

Deno.test("an ended session still resolves its refs", async () => {
  await using subject = show(button("Only", 0));
  const { session_id } = (await subject.run("session", "start", "--name", "x")).data;
  const { data } = await subject.run("snapshot", "--app", "subject", "--session", session_id);
  const { ended_at } = (await subject.run("session", "end", session_id)).data;
  assertEquals(
    (await subject.run("session", "end", "--session", session_id)).data.ended_at,
    ended_at,
  );
  const ref = refOf(data.tree, "Only");
  assertEquals((await subject.run("get", ref, "--session", session_id)).data.value, "Only");
  const { sessions } = (await subject.run("session", "list")).data;
  assertEquals(sessions.length, 1);
  assertEquals(sessions[0].session_id, session_id);
  assertEquals((await subject.run("session", "end")).error!.code, "INVALID_ARGS");
});

Deno.test("a page exchanged while it was read gives refs that do not resolve on the new one", async () => {
  const old = ["Old 1", "Old 2", "Old 3"].map((id, i) => button(id, 20 * i));
  await using subject = show(group("page", ...old));
  subject.world.before = (method, handle) => {
    if (method !== "observe node" || handle !== handleOf(old[1]!)) return;
    const page = subject.world.apps[0]!.windows[0]!.root.children![0]!;
    page.children = ["New 1", "New 2", "New 3"].map((id, i) => button(id, 20 * i));
  };
  const { data } = await subject.run("snapshot", "--app", "subject");
  delete subject.world.before;
  for (const name of ["Old 1", "Old 2", "Old 3"]) {
    assertEquals((await subject.run("get", refOf(data.tree, name))).error!.code, "STALE_REF");
  }
});

Deno.test("a stale ref delivers nothing", async () => {
  await using subject = show(button("One", 0), button("Two", 20));
  const { data } = await subject.run("snapshot", "--app", "subject");
  await subject.change({ do: "remove", id: "One" });
  await subject.change({
    do: "set",
    id: "Two",
    fields: { bounds: { x: 0, y: 0, width: 50, height: 10 } },
  });
  const answer = await subject.run("click", refOf(data.tree, "One"), "--timeout-ms", "0");
  assertEquals(answer.error!.code, "STALE_REF");
  assertEquals(answer.error!.disposition, { delivery: "not_delivered", retry: "safe" });
  assertEquals(subject.platform.performed, []);
});
