/** What is measured, and what it has to reach. A new row is one entry here. */

import type { Row, Stage } from "./harness.ts";

/** How many rows the page in Chromium has; each is three accessibles. */
export const PAGE_ROWS = 1500;

const CALCULATOR = ["--app", "gnome-calculator"];
/** Far above what reading the page takes: the bench must never measure a deadline. */
const CHROMIUM = ["--app", "chromium", "--timeout-ms", "60000"];

interface TreeNode {
  children?: TreeNode[];
}

/** How many nodes the tree in a snapshot's envelope has. */
function countNodes(out: string): number {
  const count = (node: TreeNode): number =>
    (node.children ?? []).reduce((sum, child) => sum + count(child), 1);
  const { data } = JSON.parse(out);
  if (data.complete !== true) throw new Error("the snapshot is not complete");
  return count(data.tree);
}

const program = (...args: string[]) => (stage: Stage) => [stage.program, ...args];

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
    id: "snapshot",
    what: "snapshot of gnome-calculator",
    command: program("snapshot", ...CALCULATOR, "--max-depth", "50"),
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
    id: "chromium",
    what: `snapshot of a Chromium page of ${PAGE_ROWS} rows`,
    command: program("snapshot", ...CHROMIUM, "--max-depth", "50"),
    every: 4,
    per: { unit: "node", count: countNodes, atLeast: 4500 },
    goal: { atMost: 0.25 },
  },
];
