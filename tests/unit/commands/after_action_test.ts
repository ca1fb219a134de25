/** The note of the last action: kept in its session, read by whoever reads next, never in the way. */
import { assert, assertEquals } from "@std/assert";
import { effectiveUserId } from "../../../ffi/libc.ts";
import { noteAction, settleAfterAction } from "../../../src/commands/after_action.ts";
import { Deadline } from "../../../src/deadline.ts";
import { RefStore } from "../../../src/store/ref_store.ts";
import type { Context } from "../../../src/commands/context.ts";
import { TestPlatform } from "../../support/test_platform/platform.ts";

// Opens the C library now, so that no test seems to leave it open.
effectiveUserId();

/** A context over a store; `asked` counts how often the platform was. */
function contextOf(root: string, session?: string): { context: Context; asked: () => number } {
  let asked = 0;
  const platform = new TestPlatform({ apps: [], handlesPersist: false }, {
    processorTime: () => {
      asked++;
      return 5;
    },
  });
  const context = {
    globals: { headed: false, verbose: false, waitTimeoutMs: 0 },
    platform: () => Promise.resolve(platform),
    store: () => new RefStore(root, session),
    stateRoot: () => root,
    log: () => {},
  } as Context;
  return { context, asked: () => asked };
}

async function inFolder(use: (root: string) => Promise<void>): Promise<void> {
  const root = await Deno.makeTempDir();
  try {
    await Deno.chmod(root, 0o700);
    await use(root);
  } finally {
    await Deno.remove(root, { recursive: true });
  }
}

const note = () => ({ at: Date.now(), pid: 42, processorTime: 5, seen: 0, delay: 0 });

Deno.test("the action of this session is waited for, that of another is not", () =>
  inFolder(async (root) => {
    const one = contextOf(root, "run-1");
    noteAction(one.context, note());
    await settleAfterAction(one.context, Deadline.after(1_000));
    assert(one.asked() > 0);
    const other = contextOf(root, "run-2");
    await settleAfterAction(other.context, Deadline.after(1_000));
    const global = contextOf(root);
    await settleAfterAction(global.context, Deadline.after(1_000));
    assertEquals([other.asked(), global.asked()], [0, 0]);
  }));

Deno.test("a damaged note is no note", () =>
  inFolder(async (root) => {
    const { context, asked } = contextOf(root);
    for (const text of ["", "{", "null", "[]", '"x"', '{"at":"now"}', '{"at":1}']) {
      new RefStore(root).saveNote(text);
      await settleAfterAction(context, Deadline.after(1_000));
    }
    assertEquals(asked(), 0);
  }));

Deno.test("a note that cannot be kept fails nothing", () =>
  inFolder(async (root) => {
    await Deno.mkdir(`${root}/last_action.json`);
    const { context } = contextOf(root);
    noteAction(context, note());
    await settleAfterAction(context, Deadline.after(1_000));
  }));
