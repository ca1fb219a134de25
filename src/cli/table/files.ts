/**
 * Which file of the table describes which command: a run loads the rows it may need, not all of
 * them. `mod.ts` has the whole table for those who want it; tests keep the
 * two the same.
 */
import type { Row } from "./row.ts";

interface File {
  /** Commands in the order of the file. */
  names: readonly string[];
  rows: () => Promise<readonly Row[]>;
}

/** The files in the order of the table. */
export const FILES: readonly File[] = [
  {
    names: [
      "snapshot",
      "find",
      "get",
      "is",
      "list-apps",
      "list-windows",
      "list-displays",
      "list-surfaces",
    ],
    rows: async () => (await import("./observe.ts")).OBSERVE,
  },
  {
    names: [
      "click",
      "double-click",
      "triple-click",
      "right-click",
      "type",
      "set-value",
      "clear",
      "focus",
      "select",
      "toggle",
      "check",
      "uncheck",
      "expand",
      "collapse",
      "scroll",
      "scroll-to",
    ],
    rows: async () => (await import("./act.ts")).ACT,
  },
  {
    names: [
      "press",
      "key-down",
      "key-up",
      "hover",
      "drag",
      "mouse-move",
      "mouse-click",
      "mouse-wheel",
      "mouse-down",
      "mouse-up",
    ],
    rows: async () => (await import("./input.ts")).INPUT,
  },
  { names: ["session"], rows: async () => (await import("./session.ts")).SESSION },
  {
    names: ["status", "permissions", "version"],
    rows: async () => (await import("./health.ts")).HEALTH,
  },
];

/** The rows of every file that describes a command named by one of `words`. */
export async function rowsFor(words: readonly string[]): Promise<readonly Row[]> {
  const files = FILES.filter(({ names }) => names.some((name) => words.includes(name)));
  return (await Promise.all(files.map(({ rows }) => rows()))).flat();
}
