/** What is measured, and what it has to reach. A new row is one entry here. */

import type { Row, Stage } from "./harness.ts";

/** How many rows the page in Chromium has; each is three accessibles. */
export const PAGE_ROWS = 1500;

const CALCULATOR = ["--app", "gnome-calculator"];
/** Far above what reading the page takes: the bench must never measure a deadline. */
const CHROMIUM = ["--app", "chromium", "--timeout-ms", "60000"];
const DEEP = ["--max-depth", "50"];

interface TreeNode {
  role: string;
  ref_id?: string;
  children_count?: number;
  children?: TreeNode[];
}

function* all(node: TreeNode): Generator<TreeNode> {
  yield node;
  for (const child of node.children ?? []) yield* all(child);
}

function treeOf(out: string): TreeNode {
  const { data } = JSON.parse(out);
  if (data.complete !== true) throw new Error("the snapshot is not complete");
  return data.tree;
}

/** How many nodes the tree in a snapshot's output has. */
const countNodes = (out: string) => [...all(treeOf(out))].length;

/** A row's command: the program with these arguments. */
const program = (...args: string[]) => (stage: Stage) => [stage.program, ...args];

/** The refs of the nodes that `matches` in one snapshot, taken once for the whole bench. */
function refs(stage: Stage, args: string[], matches: (node: TreeNode) => boolean) {
  return stage.once(args.join(" "), async () => {
    const found = [...all(treeOf(await stage.output("snapshot", ...args)))]
      .flatMap((node) => node.ref_id !== undefined && matches(node) ? [node.ref_id] : []);
    if (found.length === 0) throw new Error(`no such ref in snapshot ${args.join(" ")}`);
    return found;
  });
}

/** The ref in the middle of those found: neither the best nor the worst case of a search. */
async function middleRef(stage: Stage, args: string[], role: string): Promise<string> {
  const found = await refs(stage, args, (node) => node.role === role);
  return found[Math.floor(found.length / 2)] ?? "";
}

/** How many per cent shorter the snapshot gets through `flags`, in characters. */
async function saving(stage: Stage, args: string[], flags: string[]): Promise<number> {
  const whole = await stage.output("snapshot", ...args);
  const shorter = await stage.output("snapshot", ...args, ...flags);
  return 100 * (1 - shorter.length / whole.length);
}

/** The fixture windows whose savings are printed, and how each is started. */
const FIXTURES = {
  gtk3: { what: "GTK 3 controls", title: "GTK 3 controls", argv: ["gtk3_controls.py"] },
  gtk4: { what: "GTK 4 controls", title: "GTK 4 controls", argv: ["gtk4_controls.py"] },
  qt: { what: "Qt controls", title: "Qt controls", argv: ["qt_controls.py"] },
  web: { what: "web controls", title: "Web controls", argv: ["web_page.py", "web_controls.html"] },
} as const;

/** Starts a fixture once and returns the arguments that name its window. */
function fixtureWindow(stage: Stage, id: keyof typeof FIXTURES): Promise<string[]> {
  return stage.once(`fixture ${id}`, async () => {
    const { title, argv: [script, ...args] } = FIXTURES[id];
    const folder = `${import.meta.dirname}/../fixtures`;
    new Deno.Command("/usr/bin/python3", {
      args: [`${folder}/${script}`, ...args.map((page) => `${folder}/${page}`)],
      env: { FIXTURE_TITLE: title },
      stdin: "null",
      stdout: "null",
      stderr: "null",
    }).spawn().unref();
    for (let attempt = 0; attempt < FIXTURE_ATTEMPTS; attempt++) {
      await new Promise((wake) => setTimeout(wake, 500));
      const windows: { id: string; title: string }[] =
        JSON.parse(await stage.output("list-windows")).data;
      const window = windows.find((one) => one.title.startsWith(title));
      if (window) return ["--window-id", window.id, "--timeout-ms", "60000", ...DEEP, "-i"];
    }
    throw new Error(`no window ${title}`);
  });
}

// At two a second.
const FIXTURE_ATTEMPTS = 60;

/** What `--compact` and `--outline` save on each fixture window. */
const FIXTURE_ROWS: Row[] = (Object.keys(FIXTURES) as (keyof typeof FIXTURES)[]).flatMap((id) =>
  (["compact", "outline"] as const).map((flag): Row => ({
    kind: "figure",
    id: `${flag}-${id}`,
    what: `characters saved by --${flag} (${FIXTURES[id].what}, -i)`,
    // Their windows open last of all.
    chromium: true,
    unit: "%",
    measure: async (stage) => saving(stage, await fixtureWindow(stage, id), [`--${flag}`]),
  }))
);

/** How many per cent a skeleton and one drill into it are shorter than the full snapshot. */
async function drillSaving(stage: Stage): Promise<number> {
  const whole = await stage.output("snapshot", ...CHROMIUM, ...DEEP);
  const skeleton = await stage.output("snapshot", ...CHROMIUM, "--skeleton");
  const target = [...all(treeOf(skeleton))].find((node) => node.ref_id && node.children_count);
  if (!target?.ref_id) throw new Error("the skeleton has no drill target");
  const drill = await stage.output("snapshot", "--root", target.ref_id, "--timeout-ms", "60000");
  return 100 * (1 - (skeleton.length + drill.length) / whole.length);
}

/**
 * A ref whose stored handle and path lead nowhere, as after the page rebuilt its elements: only a
 * search through the structure can find it again.
 */
function lostRef(stage: Stage): Promise<string> {
  return stage.once("lost ref", async () => {
    const args = [...CHROMIUM, ...DEEP];
    const found = [...all(treeOf(await stage.output("snapshot", ...args)))]
      .flatMap((node) => node.ref_id !== undefined && node.role === "button" ? [node.ref_id] : []);
    const ref = found[Math.floor(found.length / 2)];
    if (ref === undefined) throw new Error("the page has no button");
    const [snapshot, key] = ref.slice(1).split(":");
    const path = `${Deno.env.get("AGENT_DESKTOP_HOME")}/snapshots/${snapshot}/refmap.json`;
    const map = JSON.parse(await Deno.readTextFile(path));
    const entry = map.inner[`@${key}`];
    entry.path = [9, 9, 9];
    delete entry.handle;
    await Deno.writeTextFile(path, JSON.stringify(map));
    return ref;
  });
}

/** Accessibility requests one plain element costs on macOS, counted on the stand-in library. */
async function macosRequests(stage: Stage): Promise<number> {
  const script = `${import.meta.dirname}/macos_requests.ts`;
  const { out } = await stage.run([Deno.execPath(), "run", "-A", script, "--json"], true);
  const costs: { byRole: Record<string, number> }[] = JSON.parse(out ?? "").costs;
  const plain = ["toolbar", "group", "cell", "image"];
  return Math.max(...costs.flatMap(({ byRole }) => plain.map((role) => byRole[role] ?? 0)));
}

export const ROWS: Row[] = [
  {
    kind: "timed",
    id: "console.log",
    what: "compiled console.log",
    command: (stage) => [stage.baseline],
  },
  {
    kind: "timed",
    id: "version",
    what: "version",
    command: program("version"),
    goal: { atMost: 1.3, times: "console.log" },
  },
  {
    kind: "timed",
    id: "status",
    what: "status",
    command: program("status"),
  },
  {
    kind: "timed",
    id: "snapshot",
    what: "snapshot of gnome-calculator",
    command: program("snapshot", ...CALCULATOR, ...DEEP),
    goal: { atMost: 3, times: "console.log" },
  },
  {
    kind: "timed",
    id: "pyatspi",
    what: "the same tree walked by pyatspi",
    command: () => [
      "/usr/bin/python3",
      "-E",
      "-s",
      "-B",
      `${import.meta.dirname}/walk.py`,
      "gnome-calculator",
    ],
    goal: { atLeast: 4, times: "snapshot" },
  },
  {
    kind: "timed",
    id: "click",
    what: "click in gnome-calculator",
    command: async (stage) => [
      stage.program,
      "click",
      await middleRef(stage, [...CALCULATOR, ...DEEP], "button"),
    ],
    goal: { atMost: 4, times: "console.log" },
  },
  {
    kind: "timed",
    id: "skeleton",
    what: "skeleton of that page",
    chromium: true,
    command: program("snapshot", ...CHROMIUM, "--skeleton"),
    every: 4,
    goal: { atMost: 0.25, times: "chromium" },
  },
  // Last of what saves a snapshot: the status that get is compared with counts this page's refs.
  {
    kind: "timed",
    id: "chromium",
    what: `snapshot of a Chromium page of ${PAGE_ROWS} rows`,
    chromium: true,
    command: program("snapshot", ...CHROMIUM, ...DEEP),
    every: 4,
    per: { unit: "node", count: countNodes, atLeast: 4500 },
    goal: { atMost: 0.25 },
  },
  {
    kind: "timed",
    id: "get",
    what: "get of a button in the middle of that page",
    chromium: true,
    command: async (stage) => [
      stage.program,
      "get",
      await middleRef(stage, [...CHROMIUM, ...DEEP], "button"),
    ],
    goal: { atMost: 1.3, times: "status" },
  },
  {
    kind: "timed",
    id: "get-lost",
    what: "get of a button whose handle and path are gone",
    chromium: true,
    command: async (stage) => [stage.program, "get", await lostRef(stage)],
    every: 4,
    // One structure read (role, states and children of every element, and the buttons' names) is
    // a bit more than half the questions of a full read, and none of them can be spared.
    goal: { atMost: 0.75, times: "chromium" },
  },
  {
    kind: "figure",
    id: "compact",
    what: "characters saved by --compact (calculator, -i)",
    unit: "%",
    measure: (stage) => saving(stage, [...CALCULATOR, ...DEEP, "-i"], ["--compact"]),
  },
  {
    kind: "figure",
    id: "outline",
    what: "characters saved by --outline (calculator, -i)",
    unit: "%",
    measure: (stage) => saving(stage, [...CALCULATOR, ...DEEP, "-i"], ["--outline"]),
  },
  {
    kind: "figure",
    id: "drill",
    what: "characters saved by skeleton + one drill (page)",
    chromium: true,
    unit: "%",
    measure: drillSaving,
  },
  ...FIXTURE_ROWS,
  {
    kind: "figure",
    id: "macos",
    what: "macOS: requests for a plain element (stand-in library)",
    unit: "requests",
    measure: macosRequests,
    goal: { atMost: 2 },
  },
];
