/** Windows whose elements are plain trees the test changes as it likes, and a context on them. */
import type { Context, Globals } from "../../../src/commands/context.ts";
import type { ObserveOptions } from "../../../src/platform/platform.ts";
import { RefStore } from "../../../src/store/ref_store.ts";
import { TestPlatform } from "../../support/test_platform/platform.ts";
import type { TestApp, TestNode, TestWindow, World } from "../../support/test_platform/world.ts";

/** One application (pid 42, `editor`) with windows and layers, on the tests' platform. */
export class FakeDesktop {
  /** Called before each observation with its number, from 1. */
  onObserve?: (count: number) => void;
  readonly editor: TestApp = {
    name: "editor",
    pid: 42,
    instance: "test:1",
    windows: [],
    surfaces: {},
  };
  readonly world: World = {
    apps: [this.editor],
    handlesPersist: false,
    before: (method) => {
      if (method === "observe") this.onObserve?.(this.observations);
    },
  };
  readonly platform = new TestPlatform(this.world, {
    surfaces: ["window", "menu", "popover"],
  });

  /** Observations so far. */
  get observations(): number {
    return this.platform.observed.length;
  }

  /** What the last observation was asked for. */
  get lastOptions(): ObserveOptions | undefined {
    return this.platform.observed.at(-1);
  }

  addWindow(root: TestNode, fields: Partial<TestWindow> = {}): void {
    const number = this.editor.windows.length + 1;
    this.editor.windows.push({
      id: `w-${number}`,
      title: root.name ?? "",
      focused: number === 1,
      visible: true,
      root,
      ...fields,
    });
  }
}

/** Runs a test with a desktop and a context whose store is a folder of its own. */
export async function withDesktop(
  body: (desktop: FakeDesktop, context: Context, store: RefStore) => Promise<void>,
  globals: Partial<Globals> = {},
): Promise<void> {
  const folder = await Deno.makeTempDir();
  await Deno.chmod(folder, 0o700);
  const desktop = new FakeDesktop();
  const store = new RefStore(folder);
  const context: Context = {
    globals: { headed: false, verbose: false, waitTimeoutMs: 30_000, ...globals },
    platform: () => Promise.resolve(desktop.platform),
    store: () => store,
    stateRoot: () => folder,
    log: () => {},
  };
  try {
    await body(desktop, context, store);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

// The store opens the C library once in a process and keeps it. Doing that here keeps it from
// counting as a leak of whichever test comes first.
await withDesktop((_desktop, _context, store) => {
  store.saveNew(store.newId(), { counter: 0, entries: new Map() });
  return Promise.resolve();
});
