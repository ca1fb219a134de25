/** A platform over plain data, for tests of everything above the platform interface. */
import type { Deadline } from "../../../src/deadline.ts";
import { AppError } from "../../../src/errors.ts";
import type { Handle, Node } from "../../../src/tree/node.ts";
import type {
  AppInfo,
  CandidateQuery,
  Candidates,
  DisplayInfo,
  HitTest,
  Input,
  Observation,
  ObserveOptions,
  Permissions,
  Platform,
  Point,
  SemanticRequest,
  Step,
  Surface,
  SurfaceInfo,
  TextRange,
  WindowInfo,
} from "../../../src/platform/platform.ts";
import { TestInput } from "./input.ts";
import { perform } from "./perform.ts";
import { cutUtf8 } from "../../../src/tree/utf8.ts";
import { observe, readNode } from "./walk.ts";
import {
  below,
  everyNode,
  handleOf,
  type Place,
  type TestApp,
  type TestNode,
  type TestWindow,
  type World,
} from "./world.ts";

/** One request that reached an element. */
export interface Performed {
  id: string;
  request: SemanticRequest;
}

/**
 * Shows a `World`; every call looks at it anew.
 *
 * @param own Answers of the test itself, in place of those of the world.
 */
export class TestPlatform implements Platform {
  readonly name = "test";
  readonly surfaces: readonly Surface[] = ["window", "focused", "menu", "popover", "alert"];
  /** Requests delivered so far. */
  readonly performed: Performed[] = [];
  /** Calls made so far, by method name. */
  readonly calls: string[] = [];
  /** What each observation so far was asked for. */
  readonly observed: ObserveOptions[] = [];
  readonly keyboardAndPointer = new TestInput();
  readonly shortcutModifier = "ctrl";
  readonly keysReachProcess: boolean;
  readonly pointerFirst: boolean;
  readonly handlesPersist: boolean;

  constructor(readonly world: World, own: Partial<Platform> = {}) {
    this.keysReachProcess = world.keysReachProcess ?? false;
    this.pointerFirst = world.pointerFirst ?? false;
    this.handlesPersist = world.handlesPersist ?? true;
    Object.assign(this, own);
  }

  #enter(method: string, handle?: Handle): void {
    this.calls.push(method);
    this.world.before?.(method, handle);
  }

  #find(handle: Handle): Place | undefined {
    for (const place of everyNode(this.world)) {
      if (handleOf(place.node) !== handle) continue;
      requireAnswer(place.app);
      return place;
    }
    return undefined;
  }

  permissions(_deadline: Deadline): Promise<Permissions> {
    return Promise.resolve({
      accessibility: { state: "granted" },
      automation: { state: "not_required" },
      screen_recording: { state: "not_required" },
    });
  }

  async apps(_deadline: Deadline): Promise<AppInfo[]> {
    this.#enter("apps");
    return await Promise.all(this.world.apps.map((app) => ({
      name: app.name,
      pid: app.pid,
      aliases: app.aliases ?? [],
      processInstance: instanceOf(app),
      ...(!app.unresponsive && { presentation: "foreground" as const }),
    })));
  }

  async windows(pid: number | undefined, _deadline: Deadline): Promise<WindowInfo[]> {
    this.#enter("windows");
    const apps = this.world.apps.filter((app) => pid === undefined || app.pid === pid);
    if (pid !== undefined) apps.forEach(requireAnswer);
    return await Promise.resolve(apps.flatMap((app) => app.windows.map((w) => windowInfo(app, w))));
  }

  displays(_deadline: Deadline): Promise<DisplayInfo[]> {
    this.#enter("displays");
    return Promise.resolve(
      this.world.displays ?? [{
        id: "display-1",
        bounds: { x: 0, y: 0, width: 1280, height: 900 },
        isPrimary: true,
        scale: 1,
      }],
    );
  }

  processInstance(pid: number): string | undefined {
    const app = this.world.apps.find((one) => one.pid === pid);
    return app && instanceOf(app);
  }

  async windowById(id: string, _deadline: Deadline): Promise<WindowInfo | undefined> {
    this.#enter("windowById");
    return await Promise.resolve(this.windowNow(id));
  }

  /** The window with that id, for a test: no read of the program's. */
  windowNow(id: string): WindowInfo | undefined {
    for (const app of this.world.apps) {
      const window = app.windows.find((one) => one.id === id);
      if (window === undefined) continue;
      requireAnswer(app);
      return windowInfo(app, window);
    }
    return undefined;
  }

  openSurfaces(pid: number, _deadline: Deadline): Promise<SurfaceInfo[]> {
    this.#enter("openSurfaces");
    const app = this.world.apps.find((one) => one.pid === pid);
    return Promise.resolve(
      Object.entries(app?.surfaces ?? {}).map(([type, root]) => ({
        id: root.id,
        type,
        handle: handleOf(root),
        ...(root.name !== undefined && { title: root.name }),
        itemCount: root.children?.length ?? 0,
      })),
    );
  }

  surfaceRoot(pid: number, surface: Surface, _deadline: Deadline): Promise<Handle | undefined> {
    this.#enter("surfaceRoot");
    const root = this.world.apps.find((one) => one.pid === pid)?.surfaces?.[surface];
    return Promise.resolve(root && handleOf(root));
  }

  async observe(
    root: Handle,
    options: ObserveOptions,
    _deadline: Deadline,
  ): Promise<Observation | undefined> {
    this.observed.push(options);
    this.#enter("observe", root);
    const place = this.#find(root);
    if (place === undefined) return undefined;
    const visit = (node: TestNode) => this.world.before?.("observe node", handleOf(node));
    return await Promise.resolve({
      ...observe(place.node, options, visit),
      ...this.world.observation,
    });
  }

  async inspect(handle: Handle, _deadline: Deadline): Promise<Node | undefined> {
    this.#enter("inspect", handle);
    const place = this.#find(handle);
    return await Promise.resolve(place && readNode(place.node, place.index));
  }

  async atPath(
    root: Handle,
    path: readonly number[],
    _deadline: Deadline,
  ): Promise<Handle | undefined> {
    this.#enter("atPath", root);
    let node: TestNode | undefined = this.#find(root)?.node;
    for (const index of path) node = node?.children?.[index];
    return await Promise.resolve(node && handleOf(node));
  }

  async isInside(handle: Handle, root: Handle, _deadline: Deadline): Promise<boolean | undefined> {
    this.#enter("isInside", handle);
    const place = this.#find(root);
    if (place === undefined) return false;
    for (const { node } of below(place.node, undefined, 0, place.app)) {
      if (handleOf(node) === handle) return await Promise.resolve(true);
    }
    return false;
  }

  async candidates(root: Handle, query: CandidateQuery, _deadline: Deadline): Promise<Candidates> {
    this.#enter("candidates", root);
    const found: Candidates = { nodes: [], sameIdOtherRole: [], complete: true, nodesRead: 0 };
    const search = (source: TestNode, index: number, depth: number) => {
      found.nodesRead++;
      if (source.childrenUnreadable) found.complete = false;
      const node = readNode(source, index);
      if (source.role === query.role) found.nodes.push(node);
      else if (
        query.nativeId !== undefined && source.nativeId?.kind === query.nativeId.kind &&
        source.nativeId.value === query.nativeId.value
      ) found.sameIdOtherRole.push(node);
      if (depth >= query.maxDepth || source.childrenUnreadable) return;
      source.children?.forEach((child, at) => search(child, at, depth + 1));
    };
    const place = this.#find(root);
    if (place !== undefined) search(place.node, place.index, 0);
    return await Promise.resolve(found);
  }

  async children(handle: Handle, _deadline: Deadline): Promise<Handle[]> {
    this.#enter("children", handle);
    return await Promise.resolve((this.#find(handle)?.node.children ?? []).map(handleOf));
  }

  async wholeValue(
    handle: Handle,
    maxBytes: number,
    _deadline: Deadline,
  ): Promise<{ text: string; truncated: boolean } | undefined> {
    this.#enter("wholeValue", handle);
    const node = this.#find(handle)?.node;
    if (node?.value === undefined || node.states?.includes("secure")) return undefined;
    const text = cutUtf8(node.value, maxBytes);
    return await Promise.resolve({ text, truncated: text !== node.value });
  }

  async textRange(handle: Handle, _deadline: Deadline): Promise<TextRange | undefined> {
    this.#enter("textRange", handle);
    return await Promise.resolve(this.#find(handle)?.node.selection);
  }

  async perform(handle: Handle, request: SemanticRequest): Promise<Step[]> {
    this.#enter("perform", handle);
    const place = this.#find(handle);
    if (place === undefined) throw new AppError("STALE_REF", "The element is gone");
    this.performed.push({ id: place.node.id, request });
    return await Promise.resolve(perform(this.world, place, request));
  }

  async scrollIntoView(handle: Handle, _deadline: Deadline): Promise<boolean> {
    this.#enter("scrollIntoView", handle);
    const node = this.#find(handle)?.node;
    if (node === undefined || !node.actions?.includes("ScrollTo")) return false;
    node.states = node.states?.filter((state) => state !== "offscreen");
    return await Promise.resolve(true);
  }

  async hitTest(
    handle: Handle,
    point: Point,
    _window: WindowInfo | undefined,
    _deadline: Deadline,
  ): Promise<HitTest> {
    this.#enter("hitTest", handle);
    const place = this.#find(handle);
    if (place === undefined) return { result: "unknown" };
    // What comes later in the tree is drawn on top.
    let top: TestNode | undefined;
    for (const { node, app } of everyNode(this.world)) {
      if (app === place.app && contains(node, point)) top = node;
    }
    if (top === undefined) return { result: "unknown" };
    for (const { node } of below(place.node, undefined, 0, place.app)) {
      if (node === top) return await Promise.resolve({ result: "target" });
    }
    return {
      result: "occluded",
      occluder: {
        role: top.role,
        ...(top.name !== undefined && { name: top.name }),
        ...(top.bounds !== undefined && { bounds: top.bounds }),
      },
    };
  }

  async focusWindow(window: WindowInfo, _deadline: Deadline): Promise<boolean> {
    this.#enter("focusWindow", window.handle);
    const windows = this.world.apps.flatMap((app) => app.windows);
    for (const one of windows) one.focused = one.id === window.id;
    return await Promise.resolve(windows.some((one) => one.focused));
  }

  async input(): Promise<Input> {
    this.#enter("input");
    return this.keyboardAndPointer;
  }

  windowControl(): Promise<never> {
    return absent("Window control");
  }

  screenshots(): Promise<never> {
    return absent("A screenshot");
  }

  clipboard(): Promise<never> {
    return absent("The clipboard");
  }

  launcher(): Promise<never> {
    return absent("Launching");
  }

  close(): void {}
}

function instanceOf(app: TestApp): string | undefined {
  return app.instance === null ? undefined : app.instance ?? `test-proc-v1:${app.pid}`;
}

function requireAnswer(app: TestApp): void {
  if (!app.unresponsive) return;
  throw new AppError("APP_UNRESPONSIVE", "The application does not answer");
}

function windowInfo(app: TestApp, window: TestWindow): WindowInfo {
  return {
    id: window.id,
    title: window.title,
    appName: app.name,
    pid: app.pid,
    processInstance: instanceOf(app),
    isFocused: window.focused ?? false,
    accessible: window.accessible ?? true,
    ...(window.bounds !== undefined && { bounds: { ...window.bounds } }),
    ...(window.minimized !== undefined && { minimized: window.minimized }),
    ...(window.visible !== undefined && { visible: window.visible }),
    ...(window.accessible !== false && !window.unreachable && { handle: handleOf(window.root) }),
  };
}

function contains({ bounds, states }: TestNode, { x, y }: Point): boolean {
  return bounds !== undefined && !states?.includes("hidden") && !states?.includes("offscreen") &&
    x >= bounds.x && x < bounds.x + bounds.width && y >= bounds.y && y < bounds.y + bounds.height;
}

/** A tree of plain data has no desktop around it. */
function absent(what: string): Promise<never> {
  return Promise.reject(new AppError("PLATFORM_NOT_SUPPORTED", `${what} is not available`));
}
