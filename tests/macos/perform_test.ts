import { assert, assertEquals, assertRejects } from "@std/assert";
import { Deadline } from "../../src/deadline.ts";
import { AppError, type Delivery, type ErrorCode } from "../../src/errors.ts";
import type { SemanticRequest, Step } from "../../src/platform/platform.ts";
import { test } from "./support/case.ts";
import { FakeMac } from "./support/fake.ts";
import type { FakeMachine, FakeNode } from "./support/fixture.ts";
import { machineFixture, usePlatform } from "./support/platform.ts";
import { withVirtualTime } from "./support/time.ts";

const fake = await FakeMac.load();
const mail = machineFixture("mail");
const MUTATIONS = new Set(["AXUIElementPerformAction", "AXUIElementSetAttributeValue"]);

function machineOf(children: FakeNode[]): FakeMachine {
  const window: FakeNode = { id: "window", role: "AXWindow", window: 11, children };
  return { apps: [{ pid: 600, name: "Test", frontmost: true, children: [window] }] };
}

/** Performs one request; the steps or the error, and what was sent. */
async function act(
  machine: FakeMachine,
  id: string,
  request: SemanticRequest,
  before: () => void = () => {},
  deadlineMs = 10_000,
): Promise<{ steps?: Step[]; error?: AppError; sent: string[] }> {
  return await withVirtualTime(async () => {
    const { platform, at, finish } = usePlatform(fake, machine);
    const handle = at(id);
    fake.mark();
    before();
    let steps: Step[] | undefined;
    let error: AppError | undefined;
    try {
      steps = await platform.perform(handle, request, { focus: true }, Deadline.after(deadlineMs));
    } catch (thrown) {
      if (!(thrown instanceof AppError)) throw thrown;
      error = thrown;
    }
    const sent = fake.calls.filter((call) => MUTATIONS.has(call.fn))
      .map((call) => `${call.node} ${call.name}`);
    finish();
    return { sent, ...(steps ? { steps } : {}), ...(error ? { error } : {}) };
  });
}

function labels(steps: Step[] | undefined): string[] {
  return (steps ?? []).map((step) =>
    `${step.label} ${step.outcome}${step.verified ? " verified" : ""}`
  );
}

test("click presses, once", async () => {
  const { steps, sent } = await act(mail, "send", { kind: "click" });
  assertEquals([labels(steps), sent], [["AXPress succeeded"], ["send AXPress"]]);
  assertEquals(fake.attribute("status", "AXValue"), "Sent");
});

test("click goes on only past what was refused", async () => {
  const nodes: FakeNode[] = [{
    id: "x",
    role: "AXButton",
    actions: { AXPress: "ret:-25206", AXOpen: "none", AXConfirm: "none" },
  }];
  const { steps, sent } = await act(machineOf(nodes), "x", { kind: "click" });
  assertEquals(labels(steps), ["AXPress attempted", "AXOpen succeeded"]);
  assertEquals(sent, ["x AXPress", "x AXOpen"]);
});

test("click presses the only child that can be pressed, and never one of two", async () => {
  const child = (id: string): FakeNode => ({ id, role: "AXButton", actions: ["AXPress"] });
  const one = machineOf([{ id: "x", role: "AXCell", children: [child("a")] }]);
  assertEquals((await act(one, "x", { kind: "click" })).sent, ["a AXPress"]);
  const two = machineOf([{ id: "x", role: "AXGroup", children: [child("a"), child("b")] }]);
  const { error, sent } = await act(two, "x", { kind: "click" });
  assertEquals([error?.code, error?.delivery, sent], [
    "ACTION_NOT_SUPPORTED",
    "not_delivered",
    [],
  ]);
});

test("click selects a row, or has its table select it", async () => {
  const row = await act(mail, "row1", { kind: "click" });
  assertEquals(row.steps?.[0]?.effect, "selected");
  assertEquals([labels(row.steps), row.sent], [["AXSelected succeeded"], [
    "row1 AXSelected",
  ]]);
  const table = machineOf([{
    id: "table",
    role: "AXTable",
    attributes: { AXSelectedRows: { elements: [] } },
    settable: ["AXSelectedRows"],
    children: [{ id: "row", role: "AXRow" }],
  }]);
  const { steps, sent } = await act(table, "row", { kind: "click" });
  assertEquals([labels(steps), sent], [
    ["AXSelectedRows succeeded"],
    ["table AXSelectedRows"],
  ]);
  assertEquals(fake.attribute("table", "AXSelectedRows"), "row");
});

test("an action the element does not offer is never sent", async () => {
  const nodes: FakeNode[] = [{ id: "x", role: "AXButton", actions: ["AXDelete", "Name:odd"] }];
  const { error, sent } = await act(machineOf(nodes), "x", { kind: "click" });
  assertEquals([error?.code, sent], ["ACTION_NOT_SUPPORTED", []]);
});

// AXError of the press, and what becomes of it.
const CLASSES: [number, ErrorCode, Delivery, number][] = [
  [-25200, "ACTION_NOT_SUPPORTED", "not_delivered", 2],
  [-25201, "ACTION_NOT_SUPPORTED", "not_delivered", 2],
  [-25202, "STALE_REF", "not_delivered", 1],
  [-25204, "APP_UNRESPONSIVE", "delivery_uncertain", 1],
  [-25205, "ACTION_FAILED", "delivery_uncertain", 1],
  [-25206, "ACTION_NOT_SUPPORTED", "not_delivered", 2],
  [-25208, "ACTION_NOT_SUPPORTED", "not_delivered", 2],
  [-25211, "PERM_DENIED", "not_delivered", 1],
  [-25212, "ACTION_FAILED", "delivery_uncertain", 1],
  [-25214, "ACTION_FAILED", "delivery_uncertain", 1],
];
for (const [code, expected, delivery, sends] of CLASSES) {
  test(`the answer ${code} to a press is ${expected}, ${delivery}`, async () => {
    const effects = `ret:${code}`;
    const nodes: FakeNode[] = [{
      id: "x",
      role: "AXButton",
      actions: { AXPress: effects, AXOpen: effects },
    }];
    const { error, sent } = await act(machineOf(nodes), "x", { kind: "click" });
    assertEquals([error?.code, error?.delivery, sent.length], [expected, delivery, sends]);
  });
}

const WITH_EFFECT: [string, SemanticRequest][] = [
  ["send", { kind: "click" }],
  ["bold", { kind: "toggle" }],
  ["details", { kind: "expand" }],
  ["subject", { kind: "set-value", value: "x" }],
  ["subject", { kind: "type", text: "x" }],
  ["subject", { kind: "clear" }],
  ["row1", { kind: "click" }],
  ["row1", { kind: "right-click" }],
  ["copies", { kind: "set-value", value: "2" }],
  ["priority", { kind: "select", option: "High" }],
  ["messages", { kind: "select", option: "Greetings" }],
  ["messages", { kind: "scroll", direction: "down", amount: 3 }],
  ["row2", { kind: "scroll-to" }],
];
for (const [id, request] of WITH_EFFECT) {
  test(`${request.kind} of ${id} that took effect unanswered is not sent again`, async () => {
    const { error, sent } = await act(mail, id, request, () => {
      for (const fn of MUTATIONS) fake.setLatency("pid:501", fn, 30_000);
    }, 400);
    assertEquals(error?.code, "APP_UNRESPONSIVE");
    assertEquals([error?.delivery, sent.length], ["delivery_uncertain", 1], sent.join());
  });
}

test("a press that opens a dialog and answers late took effect exactly once", async () => {
  const nodes: FakeNode[] = [
    {
      id: "x",
      role: "AXButton",
      actions: { AXPress: "toggle:x.AXValue,ret:-25204", AXOpen: "none" },
    },
  ];
  const { error, sent } = await act(machineOf(nodes), "x", { kind: "click" });
  assertEquals([error?.delivery, sent], ["delivery_uncertain", ["x AXPress"]]);
  assertEquals(fake.attribute("x", "AXValue"), "1");
});

test("an answer that says nothing is believed when the effect is seen", async () => {
  const nodes: FakeNode[] = [{
    id: "x",
    role: "AXTextField",
    attributes: { AXFocused: false },
    settable: ["AXFocused"],
    actions: { "set:AXFocused": "focus:x,ret:-25212" },
  }];
  const { steps } = await act(machineOf(nodes), "x", { kind: "focus" });
  assertEquals(labels(steps), ["AXFocused succeeded verified"]);
});

test("a right click opens the menu and sees it", async () => {
  const { steps, sent } = await act(mail, "row1", { kind: "right-click" });
  assertEquals([labels(steps), sent], [["AXShowMenu succeeded verified"], ["row1 AXShowMenu"]]);
  const again = await act(mail, "row1", { kind: "right-click" }, () => {
    fake.mutate("add:context under row1");
  });
  assertEquals([labels(again.steps), again.sent], [["MenuAlreadyOpen skipped verified"], []]);
});

test("values are set in the type they have", async () => {
  const cases: [string, string, string | undefined][] = [
    ["subject", "neu ✓", "neu ✓"],
    ["volume", "0.75", "0.75"],
    ["volume", "1", "1"],
  ];
  for (const [id, value, stored] of cases) {
    const { steps } = await act(mail, id, { kind: "set-value", value });
    assertEquals([labels(steps), fake.attribute(id, "AXValue")], [["AXValue succeeded"], stored]);
  }
  const wrong: [string, ErrorCode][] = [["loud", "INVALID_ARGS"], ["1,5", "INVALID_ARGS"], [
    "7",
    "ACTION_FAILED",
  ]];
  for (const [value, code] of wrong) {
    const { error, sent } = await act(mail, "volume", { kind: "set-value", value });
    assertEquals([error?.code, error?.delivery, sent], [code, "not_delivered", []]);
  }
});

test("a number that cannot be set is stepped to, never past it", async () => {
  const { steps, sent } = await act(mail, "copies", { kind: "set-value", value: "2" });
  assertEquals([labels(steps), sent.length], [["AXIncrement ×1 succeeded verified"], 1]);
  const stuck = await act(mail, "copies", { kind: "set-value", value: "7" });
  assertEquals(labels(stuck.steps), ["AXIncrement ×2 succeeded"]);
});

test("a secure field is written and never read", async () => {
  for (
    const request of [
      { kind: "set-value", value: "new" },
      { kind: "type", text: "new" },
      { kind: "clear" },
      { kind: "focus" },
    ] satisfies SemanticRequest[]
  ) {
    const { steps } = await act(mail, "password", request);
    assertEquals(steps?.length, 1, request.kind);
    const reads = fake.calls.filter((call) =>
      call.node === "password" && call.fn.includes("Copy") &&
      call.name.split(",").includes("AXValue")
    );
    assertEquals(reads, [], request.kind);
  }
});

test("text goes to the caret, over the selection", async () => {
  await act(mail, "subject", { kind: "type", text: "!" });
  assertEquals(fake.attribute("subject", "AXValue"), "Hello!");
  await act(
    mail,
    "subject",
    { kind: "type", text: "é你😀" },
    () => fake.mutate("set:subject.AXSelectedTextRange=g:1,3"),
  );
  assertEquals(fake.attribute("subject", "AXValue"), "Hé你😀o");
});

test("what is so already is not sent", async () => {
  const cases: [string, SemanticRequest][] = [
    ["bold", { kind: "uncheck" }],
    ["details", { kind: "collapse" }],
    ["subject", { kind: "focus" }],
    ["priority", { kind: "select", option: "normal" }],
  ];
  for (const [id, request] of cases) {
    const { steps, sent } = await act(mail, id, request);
    assertEquals([steps?.map((step) => step.outcome), sent], [["skipped"], []], request.kind);
  }
});

test("an option is chosen from the menu; a missing one leaves it closed and is told with the others", async () => {
  const { steps, sent } = await act(mail, "priority", { kind: "select", option: "high" });
  assertEquals(sent[0], "priority AXPress");
  assertEquals(labels(steps).at(-1), "AXPress of option succeeded verified");
  assertEquals(fake.attribute("priority", "AXValue"), "High");
  const missing = await act(mail, "priority", { kind: "select", option: "Urgent" });
  assertEquals([missing.error?.code, missing.error?.delivery, missing.sent], [
    "ELEMENT_NOT_FOUND",
    "delivered_unverified",
    ["priority AXPress", "priority-menu AXCancel"],
  ]);
  assertEquals(missing.error?.details, {
    kind: "option_absent",
    options: ["Low", "High"],
    prepared: ["AXPress", "AXCancel"],
  });
  const row = await act(mail, "messages", { kind: "select", option: "Urgent" });
  assertEquals([row.error?.delivery, row.error?.details?.["options"]], ["not_delivered", [
    "Invoice",
    "Greetings",
  ]]);
});

test("a row is found by the text inside it", async () => {
  const { steps, sent } = await act(mail, "messages", { kind: "select", option: "GREETINGS" });
  assertEquals([labels(steps), sent], [["AXSelected succeeded verified"], ["row2 AXSelected"]]);
});

test("scrolling pages, else moves the bar, and says whether anything moved", async () => {
  const down = await act(mail, "text1", { kind: "scroll", direction: "down", amount: 2 });
  assertEquals(labels(down.steps), ["AXScrollDownByPage ×2 succeeded verified"]);
  const up = await act(
    mail,
    "messages",
    { kind: "scroll", direction: "up", amount: 2 },
    () => fake.mutate("set:bar.AXValue=d:0.5"),
  );
  assertEquals(labels(up.steps), ["AXValue of scroll bar succeeded verified"]);
  assertEquals(Number(fake.attribute("bar", "AXValue")), 0.3);
  const top = await act(mail, "messages", { kind: "scroll", direction: "up", amount: 2 });
  assertEquals(labels(top.steps), ["AXValue of scroll bar succeeded"]);
  const left = await act(mail, "messages", { kind: "scroll", direction: "left", amount: 1 });
  assertEquals([left.error?.code, left.sent], ["ACTION_NOT_SUPPORTED", []]);
});

test("a gone element is stale and an unknown handle too", async () => {
  const { error } = await act(mail, "send", { kind: "click" }, () => fake.invalidate("send"));
  assertEquals([error?.code, error?.delivery], ["STALE_REF", "not_delivered"]);
  const { platform, finish } = usePlatform(fake, mail);
  await assertRejects(
    () => platform.perform("ax-999", { kind: "click" }, { focus: true }, Deadline.after(100)),
    AppError,
  );
  finish();
});

test("a blocked application is noticed before anything is sent", async () => {
  const { error, sent } = await act(
    mail,
    "send",
    { kind: "click" },
    () => fake.setLatency("pid:501", "*", 2_000),
  );
  assertEquals([error?.code, error?.delivery, sent], ["APP_UNRESPONSIVE", "not_delivered", []]);
  assert(error?.platformDetail?.includes("-25204"));
});

test("an element that cannot show itself is brought into view by what is around it", async () => {
  const area = (effect: string): FakeNode[] => [{
    id: "area",
    role: "AXScrollArea",
    frame: [0, 0, 100, 100],
    actions: { AXScrollDownByPage: effect },
    children: [
      { id: "first", role: "AXButton", frame: [0, 0, 50, 20] },
      { id: "last", role: "AXButton", frame: [0, 140, 50, 20] },
    ],
  }];
  const moves = "set:first.AXPosition=p:0,-80,set:last.AXPosition=p:0,60";
  const shown = await act(machineOf(area(moves)), "last", { kind: "scroll-to" });
  assertEquals(labels(shown.steps), ["AXScrollDownByPage succeeded verified"]);
  assertEquals(shown.sent, ["area AXScrollDownByPage"]);
  // Content that does not move is not scrolled again and again.
  const stuck = await act(machineOf(area("none")), "last", { kind: "scroll-to" });
  assertEquals(labels(stuck.steps), ["AXScrollDownByPage succeeded"]);
  // A bar that goes on without the element ever coming into view.
  const endless: FakeNode[] = [{
    id: "area",
    role: "AXScrollArea",
    frame: [0, 0, 100, 100],
    attributes: { AXVerticalScrollBar: { element: "bar" } },
    children: [
      { id: "last", role: "AXButton", frame: [0, 140, 50, 20] },
      {
        id: "bar",
        role: "AXScrollBar",
        attributes: { AXValue: { double: 0 } },
        settable: ["AXValue"],
      },
    ],
  }];
  assertEquals((await act(machineOf(endless), "last", { kind: "scroll-to" })).sent.length, 10);
  const inside = await act(machineOf(area(moves)), "first", { kind: "scroll-to" });
  assertEquals([inside.error?.code, inside.sent], ["ACTION_NOT_SUPPORTED", []]);
});

test("a row without a menu of its own has that of the button for the selected item", async () => {
  const nodes: FakeNode[] = [
    {
      id: "toolbar",
      role: "AXToolbar",
      children: [
        { id: "share", role: "AXMenuButton", title: "Share" },
        {
          id: "tasks",
          role: "AXMenuButton",
          attributes: { AXHelp: "Perform tasks with the selected item(s)" },
          actions: { AXShowMenu: "add:popup under tasks" },
          children: [{ id: "popup", role: "AXMenu", detached: true }],
        },
      ],
    },
    {
      id: "list",
      role: "AXList",
      children: [{
        id: "row",
        role: "AXRow",
        attributes: { AXSelected: false },
        settable: ["AXSelected"],
      }],
    },
  ];
  const { steps, sent } = await act(machineOf(nodes), "row", { kind: "right-click" });
  assertEquals(sent, ["row AXSelected", "tasks AXShowMenu"]);
  assertEquals(
    labels(steps).at(-1)?.split(" ").slice(0, 5).join(" "),
    "AXShowMenu of menu button succeeded",
  );
});
