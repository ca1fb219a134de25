import { assert, assertEquals, assertRejects } from "@std/assert";
import { Arena } from "../../ffi/macos/core_foundation.ts";
import { Deadline } from "../../src/deadline.ts";
import { AppError } from "../../src/errors.ts";
import type { ObserveOptions } from "../../src/platform/platform.ts";
import type { Node } from "../../src/tree/node.ts";
import { test } from "./support/case.ts";
import { FakeMac } from "./support/fake.ts";
import type { FakeMachine, FakeNode } from "./support/fixture.ts";
import { type FakePlatform, machineFixture, usePlatform } from "./support/platform.ts";

const fake = await FakeMac.load();
const OPTIONS: ObserveOptions = { maxDepth: 50, bounds: "all" };

/** A machine with one window that holds these elements. */
function windowWith(children: FakeNode[], more: Partial<FakeMachine> = {}): FakeMachine {
  const window: FakeNode = {
    id: "window",
    role: "AXWindow",
    title: "Window",
    window: 11,
    frame: [0, 0, 500, 500],
    children,
  };
  return { apps: [{ pid: 600, name: "Test", frontmost: true, children: [window] }], ...more };
}

async function inside(
  machine: FakeMachine,
  work: (on: FakePlatform, deadline: Deadline) => Promise<void>,
): Promise<void> {
  const on = usePlatform(fake, machine);
  try {
    await work(on, Deadline.after(10_000));
  } catch (error) {
    on.platform.close();
    throw error;
  }
  on.finish();
}

/** Observes the window. */
async function observed(on: FakePlatform, deadline: Deadline, options = OPTIONS) {
  const seen = await on.platform.observe(on.at("window"), options, deadline);
  assert(seen);
  return seen;
}

function all(node: Node): Node[] {
  return [node, ...node.children.flatMap(all)];
}

test("a window's tree is read as it is", async () => {
  await inside(machineFixture("mail"), async ({ platform, at }, deadline) => {
    const seen = await platform.observe(at("inbox"), OPTIONS, deadline);
    assert(seen?.complete);
    const nodes = all(seen.root);
    const find = (name: string) => nodes.find((node) => node.name === name)!;
    assertEquals(find("Send").nativeId, { kind: "ax_identifier", value: "send-button" });
    assertEquals(find("Send").bounds, { x: 110, y: 55, width: 60, height: 30 });
    assertEquals(find("Delete").states, ["disabled"]);
    assertEquals(find("Subject").states, ["focused"]);
    assertEquals(find("Subject").value, "Hello");
    assertEquals(find("Volume").value, "0.5");
    assertEquals(find("Details").actions, ["Click", "Expand", "Collapse"]);
    assertEquals(find("Greetings").states, ["offscreen"]);
    assertEquals(nodes.filter((node) => node.unreadable).length, 0);
  });
});

test("a plain element costs two requests, a secure field is never asked for its text", async () => {
  await inside(machineFixture("mail"), async ({ platform, at }, deadline) => {
    fake.mark();
    await platform.observe(at("inbox"), OPTIONS, deadline);
    const cost = (node: string) => fake.requests.filter((call) => call.node === node).length;
    for (const plain of ["toolbar", "cell1", "logo"]) assertEquals(cost(plain), 2, plain);
    assertEquals(cost("status"), 3);
    await platform.inspect(at("password"), deadline);
    await platform.wholeValue(at("password"), 100, deadline);
    await platform.textRange(at("password"), deadline);
    await platform.candidates(at("inbox"), { role: "textfield", maxDepth: 50 }, deadline);
    await platform.candidates(at("inbox"), { role: "statictext", maxDepth: 50 }, deadline);
    const secret = new Set(["AXValue", "AXSelectedText", "AXSelectedTextRange"]);
    const reads = fake.requests.filter((call) =>
      call.node === "password" && call.fn.includes("Copy") &&
      call.name.split(",").some((name) => secret.has(name))
    );
    assertEquals(reads, []);
    assertEquals(await platform.children(at("password"), deadline), []);
    assertEquals(await platform.atPath(at("password"), [0], deadline), undefined);
  });
});

test("nothing of a secure field is in the tree, not even what its children draw", async () => {
  await inside(machineFixture("mail"), async ({ platform, at }, deadline) => {
    const seen = await platform.observe(at("inbox"), OPTIONS, deadline);
    assert(!JSON.stringify(seen).includes("hunter2"));
    const field = all(seen!.root).find((node) => node.name === "Password")!;
    assertEquals(field.states, ["secure"]);
    assertEquals(field.children, []);
  });
});

test("while role or subrole is unknown the value is not asked for", async () => {
  const field: FakeNode = {
    id: "field",
    role: "AXTextField",
    value: "secret",
    attributes: { AXSubrole: { error: -25204 } },
  };
  await inside(windowWith([field]), async (on, deadline) => {
    const seen = await observed(on, deadline);
    assertEquals(seen.complete, false);
    assert(!valueReads().includes("field"));
    assert(!JSON.stringify(seen).includes("secret"));
    const found = all(seen.root).find((node) => node.role === "textfield")!;
    assertEquals(found.unreadable, ["role", "value"]);
    assertEquals(await on.platform.wholeValue(on.at("field"), 100, deadline), undefined);
    assertEquals(await on.platform.textRange(on.at("field"), deadline), undefined);
    assert(!valueReads().includes("field"));
  });
});

/** Elements whose value was asked for. */
function valueReads(): string[] {
  return fake.requests.filter((call) =>
    call.fn.includes("Copy") && call.name.split(",").includes("AXValue")
  ).map((call) => call.node);
}

const buttons = (prefix: string): FakeNode[] =>
  Array.from({ length: 5 }, (_, i) => ({
    id: `${prefix}${i}`,
    role: "AXButton",
    title: `${prefix} ${i}`,
  }));

test("a failing role or subrole slot costs the value and nothing else", async () => {
  for (const slot of ["AXRole", "AXSubrole"]) {
    const group = (id: string): FakeNode => ({
      id,
      role: "AXGroup",
      title: id,
      attributes: { [slot]: { error: -25200 } },
      children: buttons(id),
    });
    // More of them in a row than unanswered elements are put up with.
    const groups = ["a", "b", "c", "d"].map(group);
    await inside(windowWith([...groups, ...buttons("last")]), async (on, deadline) => {
      const seen = await observed(on, deadline);
      const names = all(seen.root).filter((node) => node.role === "button").map(({ name }) => name);
      assertEquals(names.length, 25, slot);
      assertEquals(seen.complete, false);
      const found = await on.platform.candidates(
        on.at("window"),
        { role: "button", maxDepth: 50 },
        deadline,
      );
      assertEquals([found.nodes.length, found.complete], [25, false]);
    });
  }
});

test("what an element that may be a secure field draws is not shown", async () => {
  const field = (attributes: FakeNode["attributes"]): FakeNode => ({
    id: "field",
    role: "AXTextField",
    value: "hunter2",
    attributes: attributes!,
    children: [
      { id: "reveal", role: "AXButton", title: "Show" },
      { id: "leaf", role: "AXStaticText", value: "hunter2" },
      {
        id: "line",
        role: "AXGroup",
        children: [{ id: "inner", role: "AXStaticText", value: "hunter2" }],
      },
    ],
  });
  for (const slot of ["AXRole", "AXSubrole"]) {
    const machine = windowWith([field({ [slot]: { error: -25200 } })]);
    await inside(machine, async (on, deadline) => {
      const seen = await observed(on, deadline);
      assert(!JSON.stringify(seen).includes("hunter2"), slot);
      assertEquals(seen.complete, false);
      assert(all(seen.root).some((node) => node.name === "Show"));
      const window = on.at("window");
      for (const role of ["statictext", "textfield", "unknown"] as const) {
        const found = await on.platform.candidates(window, { role, maxDepth: 50 }, deadline);
        assert(!JSON.stringify(found).includes("hunter2"), role);
        assertEquals(found.complete, false);
      }
      assertEquals(await on.platform.children(on.at("field"), deadline), []);
      assertEquals(await on.platform.atPath(on.at("field"), [1], deadline), undefined);
      assertEquals(valueReads().filter((node) => node !== "window"), []);
    });
  }
});

test("a reply whose slots all failed is none; a role slot may tell that the element is gone", async () => {
  const failing = (code: number): FakeNode => ({
    id: "lost",
    role: "AXGroup",
    attributes: { AXRole: { error: code } },
    children: buttons("inner"),
  });
  await inside(windowWith([failing(-25202)]), async (on, deadline) => {
    assertEquals(all((await observed(on, deadline)).root).length, 1);
    assertEquals(await on.platform.inspect(on.at("lost"), deadline), undefined);
  });
  await inside(windowWith([failing(-25211)]), async (on, deadline) => {
    const error = await assertRejects(() => observed(on, deadline), AppError);
    assertEquals(error.code, "PERM_DENIED");
  });
});

test("slots of every kind: absent, failed, of the wrong type", async () => {
  const odd: FakeNode = {
    id: "odd",
    role: "AXButton",
    attributes: {
      AXTitle: { attributed: "rich" },
      AXDescription: { error: -25204 },
      AXEnabled: 1,
      AXIdentifier: { private: true },
      AXPosition: { size: [1, 2] },
      AXSize: { size: [3, 4] },
      AXSelected: null,
      AXHidden: { error: -25212 },
    },
  };
  await inside(windowWith([odd]), async (on, deadline) => {
    const { root } = await observed(on, deadline);
    const node = root.children[0]!;
    assertEquals(node.role, "button");
    assertEquals(
      new Set(node.unreadable),
      new Set(["name", "description", "states", "native_id", "bounds"]),
    );
    assertEquals(node.states, []);
  });
});

test("a reply of another length is not matched to the names", async () => {
  const node: FakeNode = { role: "AXGroup", attributes: { "fake:ShortReply": true } };
  await inside(windowWith([node]), async (on, deadline) => {
    const seen = await observed(on, deadline);
    assertEquals([seen.complete, seen.root.children.length, seen.root.truncated], [false, 0, true]);
  });
});

test("names: label, title, own text, labels inside, placeholder, description", async () => {
  const nodes: FakeNode[] = [
    { id: "label", role: "AXStaticText", value: "Your name" },
    { role: "AXTextField", title: "title", attributes: { AXTitleUIElement: { element: "label" } } },
    { role: "AXTextField", attributes: { AXPlaceholderValue: "hint" }, description: "described" },
    { role: "AXButton", children: [{ role: "AXStaticText", value: "Inside" }] },
    { role: "AXButton", description: "Described" },
    { role: "AXTextArea", children: [{ role: "AXStaticText", value: "Content" }] },
    { role: "AXImage", description: "Picture" },
    { role: "AXStaticText", title: "Heading", value: "Body" },
  ];
  await inside(windowWith(nodes), async (on, deadline) => {
    const { root } = await observed(on, deadline);
    assertEquals(root.children.map((node) => [node.name, node.value, node.description]), [
      ["Your name", undefined, undefined],
      ["Your name", undefined, undefined],
      ["hint", undefined, "described"],
      ["Inside", undefined, undefined],
      ["Described", undefined, undefined],
      [undefined, undefined, undefined],
      ["Picture", undefined, undefined],
      ["Heading", "Body", undefined],
    ]);
    // Read alone, every element has the name it has in the tree.
    for (const node of root.children) {
      const alone = await on.platform.inspect(node.handle!, deadline);
      assertEquals([alone?.name, alone?.description], [node.name, node.description]);
    }
  });
});

test("an element cut off by depth keeps the name its labels give it", async () => {
  const button = { role: "AXButton", children: [{ role: "AXStaticText", value: "Inside" }] };
  await inside(windowWith([button]), async (on, deadline) => {
    const seen = await observed(on, deadline, { maxDepth: 1, bounds: "all" });
    assertEquals(seen.complete, true);
    assertEquals([seen.root.children[0]!.name, seen.root.children[0]!.childrenCount], [
      "Inside",
      1,
    ]);
  });
});

for (const count of [0, 1, 127, 128, 129, 300, 4096]) {
  test(`${count} rows below a scroll area are all read`, async () => {
    const rows = Array.from({ length: count }, (_, i): FakeNode => ({
      role: "AXRow",
      title: `row ${i}`,
    }));
    const table: FakeNode = {
      role: "AXScrollArea",
      children: [{ id: "table", role: "AXTable", children: rows }],
    };
    await inside(windowWith([table]), async (on, deadline) => {
      const seen = await observed(on, deadline);
      const read = seen.root.children[0]!.children[0]!.children;
      assertEquals([seen.complete, read.length], [true, count]);
      assertEquals(read.map((node) => node.index), rows.map((_, i) => i));
      if (count > 0) assertEquals(read.at(-1)!.name, `row ${count - 1}`);
    });
  });
}

test("a container of too many rows gives those that show, and what follows it is read", async () => {
  const rows = Array.from({ length: 4097 }, (_, i): FakeNode => ({
    id: `r${i}`,
    role: "AXRow",
    title: `row ${i}`,
    attributes: { AXIndex: i },
  }));
  const nodes: FakeNode[] = [
    {
      role: "AXScrollArea",
      children: [{
        role: "AXTable",
        children: rows,
        attributes: { AXVisibleRows: { elements: ["r2000", "r2001", "r2002"] } },
      }],
    },
    { role: "AXButton", title: "After" },
  ];
  await inside(windowWith(nodes), async (on, deadline) => {
    const seen = await observed(on, deadline);
    const table = seen.root.children[0]!.children[0]!;
    assertEquals(table.children.map((node) => [node.name, node.index]), [
      ["row 2000", 2000],
      ["row 2001", 2001],
      ["row 2002", 2002],
    ]);
    assertEquals([table.childrenCount, table.truncated, seen.complete], [4097, true, false]);
    assertEquals(seen.root.children[1]!.name, "After");
    const path = [0, 0, 2001];
    const handle = await on.platform.atPath(on.at("window"), path, deadline);
    assertEquals(handle, table.children[1]!.handle);
  });
});

for (const claimed of [-1, 2_147_483_647]) {
  test(`a claim of ${claimed} children is not believed`, async () => {
    const table: FakeNode = {
      role: "AXTable",
      attributes: { "fake:ClaimedCount": claimed },
      children: [{ role: "AXRow", title: "one" }],
    };
    await inside(
      windowWith([{ role: "AXScrollArea", children: [table] }]),
      async (on, deadline) => {
        const seen = await observed(on, deadline);
        const read = seen.root.children[0]!.children[0]!;
        assertEquals([read.children.length, seen.complete], [1, false]);
        assertEquals(read.childrenCount, claimed > 0 ? claimed : undefined);
      },
    );
  });
}

test("a list that changes while it is read is read again", async () => {
  const table: FakeNode = {
    id: "table",
    role: "AXTable",
    children: [{ role: "AXRow", title: "a" }, { id: "b", role: "AXRow", title: "b" }],
  };
  const machine = windowWith([{ role: "AXScrollArea", children: [table] }]);
  await inside(machine, async (on, deadline) => {
    const root = on.at("window");
    fake.afterCalls("AXUIElementCopyAttributeValues", 1, "kill:b");
    const seen = await on.platform.observe(root, OPTIONS, deadline);
    assertEquals(seen!.root.children[0]!.children[0]!.children.map((row) => row.name), ["a"]);
  });
});

test("an element that vanishes costs itself and a mark, not its siblings", async () => {
  const nodes = ["a", "b", "c"].map((id): FakeNode => ({ id, role: "AXButton", title: id }));
  await inside(windowWith(nodes), async (on, deadline) => {
    const root = on.at("window");
    fake.afterCalls("AXUIElementCopyActionNames", 2, "kill:b");
    const seen = await on.platform.observe(root, OPTIONS, deadline);
    assertEquals(seen!.root.children.map((node) => node.name), ["a", "c"]);
    assertEquals([seen!.complete, seen!.root.truncated], [false, true]);
  });
});

test("cycles and shared children end", async () => {
  const nodes: FakeNode[] = [
    {
      id: "self",
      role: "AXGroup",
      title: "self",
      attributes: { AXChildren: { elements: ["self"] } },
    },
    { id: "a", role: "AXGroup", title: "a", attributes: { AXChildren: { elements: ["b"] } } },
    { id: "b", role: "AXGroup", title: "b", attributes: { AXChildren: { elements: ["a", "c"] } } },
    { id: "c", role: "AXGroup", title: "c" },
  ];
  await inside(windowWith(nodes), async (on, deadline) => {
    const seen = await observed(on, deadline);
    assertEquals(seen.nodesObserved, 5);
    assertEquals(seen.complete, false);
  });
});

test("an element with two parents is shown once and nothing is missing", async () => {
  const nodes: FakeNode[] = [
    { role: "AXRow", title: "row", children: [{ id: "cell", role: "AXCell", title: "cell" }] },
    { role: "AXColumn", title: "column", attributes: { AXChildren: { elements: ["cell"] } } },
  ];
  await inside(windowWith(nodes), async (on, deadline) => {
    const seen = await observed(on, deadline);
    assertEquals([seen.nodesObserved, seen.complete], [4, true]);
  });
});

test("raw depth is bounded", async () => {
  let node: FakeNode = { role: "AXButton", title: "deep" };
  for (let i = 0; i < 60; i++) node = { role: "AXGroup", children: [node] };
  await inside(windowWith([node]), async (on, deadline) => {
    const seen = await observed(on, deadline);
    assertEquals([seen.nodesObserved, seen.complete], [51, true]);
    assertEquals(all(seen.root).at(-1)!.childrenCount, 1);
  });
});

test("nameless wrappers take no logical depth", async () => {
  let node: FakeNode = { role: "AXButton", title: "deep" };
  for (let i = 0; i < 20; i++) node = { role: "AXGroup", children: [node] };
  await inside(windowWith([node]), async (on, deadline) => {
    const seen = await observed(on, deadline, { maxDepth: 2, bounds: "all" });
    assertEquals(all(seen.root).at(-1)!.name, "deep");
  });
});

test("a long value is cut with its length, and can be read whole", async () => {
  const value = "ü".repeat(40_000);
  await inside(windowWith([{ role: "AXTextArea", value }]), async (on, deadline) => {
    const node = (await observed(on, deadline)).root.children[0]!;
    assertEquals(node.value, "ü".repeat(32_768));
    assertEquals(node.valueLength, 80_000);
    const whole = await on.platform.wholeValue(node.handle!, 1_048_576, deadline);
    assertEquals(whole, { text: value, truncated: false });
    const part = await on.platform.wholeValue(node.handle!, 11, deadline);
    assertEquals(part, { text: "ü".repeat(5), truncated: true });
  });
});

test("a blocked application ends in its own error, in time", async () => {
  const on = usePlatform(fake, windowWith([{ role: "AXButton", title: "x" }]));
  const root = on.at("window");
  fake.setLatency("pid:600", "*", 5_000);
  const started = performance.now();
  const error = await assertRejects(
    () => on.platform.observe(root, OPTIONS, Deadline.after(600)),
    AppError,
  );
  assertEquals(error.code, "APP_UNRESPONSIVE");
  assert(performance.now() - started < 600 + 300);
  on.finish();
});

test("a slow application gives what can be read until the deadline", async () => {
  const nodes = Array.from(
    { length: 40 },
    (_, i): FakeNode => ({ role: "AXButton", title: `${i}` }),
  );
  const on = usePlatform(fake, windowWith(nodes));
  const root = on.at("window");
  fake.setLatency("pid:600", "*", 20);
  const started = performance.now();
  const seen = await on.platform.observe(root, OPTIONS, Deadline.after(500));
  assert(performance.now() - started < 500 + 300);
  assertEquals([seen!.complete, seen!.root.truncated], [false, true]);
  assert(seen!.root.children.length > 2);
  on.finish();
});

test("without permission every reading says so", async () => {
  for (const mode of [0, 1] as const) {
    await inside(windowWith([]), async (on, deadline) => {
      const root = on.at("window");
      fake.setTrusted(false, mode);
      const error = await assertRejects(() => on.platform.requireAccess(deadline), AppError);
      assertEquals(error.code, "PERM_DENIED");
      if (mode === 0) {
        const read = await assertRejects(
          () => on.platform.observe(root, OPTIONS, deadline),
          AppError,
        );
        assertEquals(read.code, "PERM_DENIED");
      }
    });
  }
});

test("a root that is gone is no tree", async () => {
  await inside(windowWith([]), async (on, deadline) => {
    const root = on.at("window");
    fake.invalidate("window");
    assertEquals(await on.platform.observe(root, OPTIONS, deadline), undefined);
    assertEquals(await on.platform.inspect(root, deadline), undefined);
    assertEquals(await on.platform.observe("ax-unknown", OPTIONS, deadline), undefined);
  });
});

test("one element has one handle, however it is found", async () => {
  await inside(machineFixture("mail"), async ({ platform, at }, deadline) => {
    const root = at("inbox");
    const seen = await platform.observe(root, OPTIONS, deadline);
    const send = all(seen!.root).find((node) => node.name === "Send")!.handle!;
    assertEquals(await platform.atPath(root, [0, 0], deadline), send);
    const found = await platform.candidates(root, { role: "button", maxDepth: 50 }, deadline);
    assertEquals([found.complete, found.nodes.map((node) => node.name)], [true, [
      "Send",
      "Delete",
    ]]);
    assertEquals(found.nodes[0]!.handle, send);
    assertEquals(await platform.isInside(send, root, deadline), true);
    assertEquals(await platform.isInside(root, send, deadline), false);
    assertEquals(await platform.isInside(send, at("compose"), deadline), false);
    assertEquals(await platform.atPath(root, [0, 9], deadline), undefined);
  });
});

test("an identifier on another role is reported as such", async () => {
  const nodes: FakeNode[] = [{ role: "AXCheckBox", title: "x", identifier: "the-id" }];
  await inside(windowWith(nodes), async (on, deadline) => {
    const nativeId = { kind: "ax_identifier", value: "the-id" } as const;
    const found = await on.platform.candidates(
      on.at("window"),
      { role: "button", maxDepth: 50, nativeId },
      deadline,
    );
    assertEquals([found.nodes, found.sameIdOtherRole.map((node) => node.role)], [[], ["checkbox"]]);
  });
});

test("the table of elements is bounded: what is forgotten counts as gone", async () => {
  const nodes = Array.from(
    { length: 20 },
    (_, i): FakeNode => ({ role: "AXButton", title: `${i}` }),
  );
  await inside(windowWith(nodes), async (on, deadline) => {
    const { root } = await observed(on, deadline);
    on.platform.elements.trim(10);
    const kept = root.children.filter((node) => on.platform.elements.find(node.handle!));
    assertEquals(kept.map((node) => node.name), ["15", "16", "17", "18", "19"]);
    assertEquals(await on.platform.inspect(root.children[0]!.handle!, deadline), undefined);
    // Found again, it has a handle of its own again.
    const again = await on.platform.atPath(on.at("window"), [0], deadline);
    assertEquals((await on.platform.inspect(again!, deadline))?.name, "0");
  });
});

test("of a text no more is copied than a field may hold; its length is told all the same", async () => {
  const value = "x".repeat(200_000);
  const field: FakeNode = { id: "field", role: "AXTextArea", value, title: value };
  await inside(windowWith([field]), async (on, deadline) => {
    const node = (await observed(on, deadline)).root.children[0]!;
    assertEquals([node.value!.length, node.valueLength], [65_536, 200_000]);
    assertEquals(node.name!.length, 65_536);
    using arena = new Arena();
    const { elements } = on.platform;
    const read = elements.attribute(elements.find(on.at("field"))!, "AXValue", deadline, arena, 7);
    assertEquals(read.value, { kind: "text", text: "xxxxxxx", length: 200_000, cut: true });
    const whole = await on.platform.wholeValue(on.at("field"), 150_000, deadline);
    assertEquals([whole?.text.length, whole?.truncated], [150_000, true]);
  });
});

test("counting what is not shown takes a moment at most", async () => {
  const tables = Array.from({ length: 20 }, (_, i): FakeNode => ({
    id: `table${i}`,
    role: "AXTable",
    children: buttons(`row${i}`),
  }));
  const area: FakeNode = { id: "area", role: "AXScrollArea", children: tables };
  await inside(windowWith([area]), async (on, deadline) => {
    fake.setLatency("pid:600", "AXUIElementGetAttributeValueCount", 1_000);
    const started = performance.now();
    const seen = await observed(on, deadline, { ...OPTIONS, maxDepth: 2 });
    // Twenty ordinary requests that run out of time would take five seconds.
    assert(performance.now() - started < 3_000);
    assertEquals([seen.complete, all(seen.root).length], [false, 22]);
  });
});

test("an overview counts a crowd of nameless containers in their parent", async () => {
  const rows = (count: number, title?: string): FakeNode[] =>
    Array.from({ length: count }, (_, i) => ({
      id: `row${i}`,
      role: "AXRow",
      ...(title !== undefined && { title: `${title} ${i}` }),
      children: [{ id: `cell${i}`, role: "AXCell" }],
    }));
  const look = async (children: FakeNode[]) => {
    const list: FakeNode = { id: "list", role: "AXList", title: "List", children };
    let found: Node | undefined;
    let nodes = 0;
    await inside(windowWith([list]), async (on, deadline) => {
      const seen = await observed(on, deadline, { ...OPTIONS, maxDepth: 2, overview: true });
      assert(seen.complete);
      found = all(seen.root).find((node) => node.role === "list")!;
      nodes = seen.nodesObserved;
    });
    return [found!.children.length, found!.childrenCount, nodes];
  };
  assertEquals(await look(rows(40)), [0, 40, 2]);
  // Few are listed, and so are those that can be told apart.
  assertEquals(await look(rows(16)), [16, undefined, 18]);
  assertEquals(await look(rows(40, "Row")), [40, undefined, 42]);
});

test("of elements with another title only the structure is read", async () => {
  const named = ["Open", "Save", "Close"].map((title): FakeNode => ({
    id: title,
    role: "AXButton",
    title,
  }));
  const labelled: FakeNode = {
    id: "labelled",
    role: "AXButton",
    title: "Other",
    attributes: { AXTitleUIElement: { element: "label" } },
  };
  const label: FakeNode = { id: "label", role: "AXStaticText", value: "Save" };
  await inside(windowWith([...named, labelled, label]), async (on, deadline) => {
    fake.mark();
    const query = { role: "button", maxDepth: 50, name: "Save" } as const;
    const found = await on.platform.candidates(on.at("window"), query, deadline);
    assertEquals(found.nodes.map(({ name }) => name), ["Save", "Save"]);
    assertEquals(found.complete, true);
    const asked = (node: string) => fake.requests.filter((call) => call.node === node).length;
    assertEquals([asked("Open"), asked("Close")], [1, 1]);
    assert(asked("Save") > 1);
  });
});
