/** Windows whose elements are plain trees the test changes as it likes, and a context on them. */
import type { Context, Globals } from "../../../src/cli/context.ts";
import type {
  AppInfo,
  Observation,
  ObserveOptions,
  Platform,
  Surface,
  WindowInfo,
} from "../../../src/platform/platform.ts";
import type { Node } from "../../../src/tree/node.ts";
import { documentOrder } from "../../../src/tree/walk.ts";
import { RefStore } from "../../../src/store/ref_store.ts";

export interface FakeWindow {
  info: WindowInfo;
  root: Node;
}

/** One application (pid 42, `editor`) with windows and layers. */
export class FakeDesktop {
  windows: FakeWindow[] = [];
  surfaces = new Map<Surface, Node>();
  instance: string | undefined = "test:1";
  observations = 0;
  lastOptions: ObserveOptions | undefined;
  /** Called before each observation with its number, from 1. */
  onObserve?: (count: number) => void;
  /** What an observation says besides the tree. */
  verdict: Partial<Observation> = {};

  addWindow(root: Node, fields: Partial<WindowInfo> = {}): WindowInfo {
    const number = this.windows.length + 1;
    const info: WindowInfo = {
      id: `w-${number}`,
      title: root.name ?? "",
      appName: "editor",
      pid: 42,
      isFocused: number === 1,
      visible: true,
      accessible: true,
      handle: `window ${number}`,
      ...fields,
    };
    this.windows.push({ info, root });
    return info;
  }

  #root(handle: string): Node | undefined {
    const window = this.windows.find(({ info }) => info.handle === handle);
    return window?.root ?? this.surfaces.get(handle.replace(/^surface /, "") as Surface);
  }

  /** The element of a handle `root/0/3`; the numbers are native indexes. */
  #find(handle: string): Node | undefined {
    const [root = "", ...path] = handle.split("/");
    let node = this.#root(root);
    for (const step of path) node = node?.children.find(({ index }) => index === Number(step));
    return node;
  }

  get platform(): Platform {
    const unused = () => Promise.reject(new Error("not part of this test"));
    return {
      name: "test",
      surfaces: ["window", "menu", "popover"],
      handlesPersist: false,
      keysReachProcess: false,
      pointerFirst: false,
      shortcutModifier: "ctrl",
      permissions: unused,
      displays: unused,
      openSurfaces: unused,
      children: unused,
      wholeValue: unused,
      perform: unused,
      scrollIntoView: unused,
      hitTest: unused,
      focusWindow: unused,
      selectedRange: unused,
      input: () => {
        throw new Error("not part of this test");
      },
      close: () => {},
      apps: () => {
        const app: AppInfo = { name: "editor", pid: 42, aliases: [] };
        return Promise.resolve(this.windows.length > 0 ? [app] : []);
      },
      windows: () => Promise.resolve(this.windows.map(({ info }) => info)),
      windowById: (id) => Promise.resolve(this.windows.find(({ info }) => info.id === id)?.info),
      processInstance: () => this.instance,
      surfaceRoot: (_pid, surface) =>
        Promise.resolve(this.surfaces.has(surface) ? `surface ${surface}` : undefined),
      observe: (handle, options) => {
        this.observations++;
        this.onObserve?.(this.observations);
        this.lastOptions = options;
        const found = this.#find(handle);
        if (found === undefined) return Promise.resolve(undefined);
        const root = read(found, handle, options.maxDepth);
        return Promise.resolve({
          root,
          complete: true,
          nodesObserved: documentOrder(root).length,
          ...this.verdict,
        });
      },
      inspect: (handle) => {
        const found = this.#find(handle);
        return Promise.resolve(found && { ...found, handle, children: [] });
      },
      atPath: (root, path) => {
        const handle = [root, ...path].join("/");
        return Promise.resolve(this.#find(handle) && handle);
      },
      isInside: (handle, root) => Promise.resolve(`${handle}/`.startsWith(`${root}/`)),
      candidates: (root, query) => {
        const found = this.#find(root);
        const tree = found && read(found, root, 50);
        const all = tree === undefined ? [] : documentOrder(tree).map(({ node }) => node);
        return Promise.resolve({
          nodes: all.filter(({ role }) => role === query.role),
          sameIdOtherRole: all.filter((node) =>
            query.nativeId !== undefined && node.role !== query.role &&
            node.nativeId?.value === query.nativeId.value
          ),
          complete: true,
          nodesRead: all.length,
        });
      },
    } as Platform;
  }
}

/** A copy down to `depth`, with handles and the count of what was cut. */
function read(node: Node, handle: string, depth: number): Node {
  const copy: Node = { ...node, handle, children: [] };
  if (depth > 0) {
    copy.children = node.children.map((child) =>
      read(child, `${handle}/${child.index}`, depth - 1)
    );
  } else if (node.children.length > 0) copy.childrenCount = node.children.length;
  return copy;
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
