/**
 * Accessibility requests per element on macOS, counted on the stand-in for Apple's libraries: what
 * a reading costs there is the number of requests, each a round trip to the application.
 *
 *   deno run -A bench/macos_requests.ts [--json]
 *
 * Exit code 1 when a plain element costs more than two.
 */
import { Deadline } from "../src/deadline.ts";
import type { Node } from "../src/tree/node.ts";
import { FakeMac } from "../tests/macos/support/fake.ts";
import type { FakeMachine, FakeNode } from "../tests/macos/support/fixture.ts";
import { machineFixture, usePlatform } from "../tests/macos/support/platform.ts";

/** Goal for an element that has neither a value, nor anything to set, nor children by the page. */
const PLAIN_GOAL = 2;
const PLAIN = ["toolbar", "group", "cell", "image", "scrollarea"];
const ROWS = 300;

/** A window as applications are built: a toolbar, a long table, some text. */
function listMachine(): FakeMachine {
  const row = (i: number): FakeNode => ({
    role: "AXRow",
    subrole: "AXTableRow",
    attributes: { AXSelected: i === 0 },
    actions: ["AXShowMenu", "AXPress"],
    frame: [0, 20 * i, 400, 20],
    children: [{
      role: "AXCell",
      frame: [0, 20 * i, 400, 20],
      children: [{ role: "AXStaticText", value: `row ${i}`, frame: [2, 20 * i, 100, 16] }],
    }],
  });
  const button = (title: string): FakeNode => ({
    role: "AXButton",
    title,
    actions: ["AXPress"],
    attributes: { AXEnabled: true },
  });
  const children: FakeNode[] = [
    { role: "AXToolbar", children: ["Back", "Forward", "New"].map(button) },
    {
      role: "AXScrollArea",
      children: [{ role: "AXTable", children: Array.from({ length: ROWS }, (_, i) => row(i)) }],
    },
    { role: "AXGroup", children: [{ role: "AXStaticText", value: `${ROWS} rows` }] },
  ];
  const window: FakeNode = {
    id: "window",
    role: "AXWindow",
    window: 1,
    frame: [0, 0, 400, 6_000],
    children,
  };
  return { apps: [{ pid: 300, name: "List", frontmost: true, children: [window] }] };
}

interface Cost {
  name: string;
  nodes: number;
  requests: number;
  ms: number;
  byRole: Record<string, number>;
}

async function cost(
  fake: FakeMac,
  name: string,
  machine: FakeMachine,
  root: string,
): Promise<Cost> {
  const { platform, at, finish } = usePlatform(fake, machine);
  const handle = at(root);
  fake.mark();
  const started = performance.now();
  const seen = await platform.observe(
    handle,
    { maxDepth: 50, bounds: "all" },
    Deadline.after(60_000),
  );
  const ms = performance.now() - started;
  const requests = fake.requests;
  const counts = Map.groupBy(requests, (call) => call.node);
  const perRole = new Map<string, { nodes: number; requests: number }>();
  const handles = new Map(
    [...counts.keys()].filter((id) => id !== "system").map((id) => [at(id), id]),
  );
  const add = (node: Node) => {
    const spent = counts.get(handles.get(node.handle!) ?? "")?.length ?? 0;
    const sum = perRole.get(node.role) ?? { nodes: 0, requests: 0 };
    perRole.set(node.role, { nodes: sum.nodes + 1, requests: sum.requests + spent });
    node.children.forEach(add);
  };
  if (seen) add(seen.root);
  finish();
  const byRole = Object.fromEntries(
    [...perRole].map(([role, sum]) => [role, sum.requests / sum.nodes]),
  );
  return { name, nodes: seen?.nodesObserved ?? 0, requests: requests.length, ms, byRole };
}

const fake = await FakeMac.load();
const costs = [
  await cost(fake, "controls", machineFixture("mail"), "inbox"),
  await cost(fake, "long table", listMachine(), "window"),
];
const over = costs.flatMap(({ name, byRole }) =>
  PLAIN.filter((role) => (byRole[role] ?? 0) > PLAIN_GOAL).map((role) => `${name}: ${role}`)
);
if (Deno.args.includes("--json")) {
  console.log(JSON.stringify({ passed: over.length === 0, costs }));
} else {
  for (const { name, nodes, requests, ms, byRole } of costs) {
    const each = (requests / nodes).toFixed(2);
    console.log(
      `${name}: ${nodes} elements, ${requests} requests, ${each} each, ${ms.toFixed(0)} ms`,
    );
    for (const [role, average] of Object.entries(byRole)) {
      console.log(`  ${role.padEnd(12)} ${average.toFixed(2)}`);
    }
  }
  console.log(over.length === 0 ? "goal met" : `above ${PLAIN_GOAL}: ${over.join(", ")}`);
}
// The stand-in stays loaded, so the process is ended rather than left to wind down.
Deno.exit(over.length === 0 ? 0 : 1);
