/** Runs rows of the conformance table on a subject. */
import { assert, assertEquals } from "@std/assert";
import type { TestNode } from "../support/test_platform/world.ts";
import type { Ability, Subject } from "./subject.ts";
import {
  at,
  button,
  group,
  type Handles,
  type Outcome,
  type RefmapFile,
  type Row,
} from "./table.ts";

/** Elements stand in a column, twenty points each, unless they say otherwise. */
function place(children: TestNode[], from = 20): TestNode[] {
  let y = from;
  for (const child of children) {
    child.bounds ??= { x: 10, y, width: 100, height: 18 };
    y += 20;
    // Inside a container everything stands further right, so that no two elements share a place.
    if (child.children !== undefined) {
      place(child.children, y);
      for (const inner of child.children) inner.bounds!.x += 10;
      y += 20 * child.children.length;
    }
  }
  return children;
}

/** The window's root for a row. */
export function rootOf(row: Row): TestNode {
  return {
    id: "window",
    role: "window",
    name: "Subject",
    bounds: { x: 0, y: 0, width: 1000, height: 800 },
    children: place(structuredClone(row.children)),
  };
}

/** What a variant must give, or `undefined` when the row says nothing about it. */
export function outcomeOf(row: Row, handles: Handles): Outcome | undefined {
  const { expect } = row;
  return "to" in expect || "code" in expect ? expect : expect[handles];
}

/** Runs one row on a subject that shows `rootOf(row)`. */
export async function runRow(row: Row, handles: Handles, subject: Subject): Promise<void> {
  const outcome = outcomeOf(row, handles);
  if (outcome === undefined) return;
  if (row.surface !== undefined) {
    await subject.change({
      do: "open",
      surface: row.surface,
      root: group(row.surface, [button("copy", "Copy", { bounds: at(500, 500) })]),
    });
  }
  const ref = await takeRef(subject, row);
  const snapshot = /^@(.*):e\d+$/.exec(ref)![1]!;
  rewrite(subject.stateRoot, snapshot, (refmap) => {
    row.tamper?.(refmap);
    if (handles === "lost") {
      refmap.shared.handles = refmap.shared.handles.map((prefix) => `${prefix}gone_`);
    }
    if (handles === "none") {
      for (const entry of Object.values(refmap.inner)) delete entry.handle;
    }
  });
  for (const edit of row.edits) await subject.change(structuredClone(edit));
  const answer = await subject.run("get", ref, "--property", "bounds");
  if ("to" in outcome) {
    assert(answer.ok, JSON.stringify(answer.error));
    assertEquals(subject.idAt(answer.data.value), outcome.to);
  } else {
    assert(!answer.ok, `it resolved to ${subject.idAt(answer.data?.value)}`);
    assertEquals(answer.error!.code, outcome.code, JSON.stringify(answer.error));
    if (outcome.kind !== undefined) assertEquals(answer.error!.details.kind, outcome.kind);
    assertEquals(answer.error!.disposition, { delivery: "not_delivered", retry: "safe" });
  }
}

/** Takes a snapshot and returns the ref of the row's element. */
async function takeRef(subject: Subject, row: Row): Promise<string> {
  const surface = row.surface === undefined ? [] : ["--surface", row.surface];
  const answer = await subject.run(
    "snapshot",
    "--app",
    subject.app,
    "--include-bounds",
    ...surface,
  );
  assert(answer.ok, JSON.stringify(answer));
  const ref = row.surface === undefined
    ? refAt(answer.data.tree, (bounds) => subject.idAt(bounds) === row.ref)
    : refAt(answer.data.tree, (bounds) => bounds?.x === 500);
  assert(ref !== undefined, `no ref for ${row.ref} in ${JSON.stringify(answer.data.tree)}`);
  // Stored as a snapshot without --include-bounds would store it: hashes only.
  return ref;
}

// deno-lint-ignore no-explicit-any -- a node of the answer
function refAt(node: any, isIt: (bounds: any) => boolean): string | undefined {
  if (node.ref_id !== undefined && isIt(node.bounds ?? null)) return node.ref_id;
  for (const child of node.children ?? []) {
    const found = refAt(child, isIt);
    if (found !== undefined) return found;
  }
  return undefined;
}

function rewrite(stateRoot: string, snapshot: string, change: (file: RefmapFile) => void): void {
  const path = `${stateRoot}/snapshots/${snapshot}/refmap.json`;
  const file = JSON.parse(Deno.readTextFileSync(path));
  change(file);
  Deno.writeTextFileSync(path, JSON.stringify(file));
}

/** For a subject that cannot show what a row needs. */
export function canRun(row: Row, abilities: readonly Ability[]): boolean {
  return (row.needs ?? []).every((ability) => abilities.includes(ability));
}
