/** The Linux platform: AT-SPI over libatspi's connection. */
import type { Deadline } from "../../deadline.ts";
import type { Clipboard } from "../clipboard.ts";
import type { Launcher } from "../launcher.ts";
import type { Screenshots } from "../screenshots.ts";
import type { WindowControl } from "../window_control.ts";
import { AppError } from "../../errors.ts";
import type { Handle, Node, Rect } from "../../tree/node.ts";
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
  Permits,
  Platform,
  Point,
  SemanticRequest,
  Step,
  Surface,
  SurfaceInfo,
  TextRange,
  WindowInfo,
  WindowOptions,
} from "../platform.ts";
import { fromHandle, type ObjectRef, toHandle } from "./accessible.ts";
import type { Bus, Reply } from "./bus.ts";
import { activateAccessibility } from "./activation.ts";
import { readElementCache } from "./cache.ts";
import { listChildren } from "./children.ts";
import { connectAccessibilityBus } from "./connection.ts";
import {
  type AppRoot,
  busOfWindowId,
  isUntitled,
  type LinuxWindow,
  readAppRoot,
  readAppRoots,
  readWindows,
  toApps,
} from "./inventory.ts";
import { type HasX11Window, type Profile, profileOf } from "./profile.ts";
import { type Dated, ofJustNow } from "./dated.ts";
import { processorTime } from "./processor_time.ts";
import { processAge, processInstance } from "./process.ts";
import { isBelow, type Lineage, readLineage } from "./ancestors.ts";
import { readElement } from "./evidence.ts";
import { findCandidates, pathTarget, unresponsive } from "./locate.ts";
import type { Element } from "./element.ts";
import { observeWithContent } from "./wait_for_content.ts";
import type { Placements, PlacementSource } from "./placements.ts";
import type { SurfaceSource } from "./surfaces.ts";
import { readWholeText } from "./whole_text.ts";
import { walk } from "./walk.ts";

// What `--surface` understands on Linux.
const SURFACES_HERE: readonly Surface[] = [
  "window",
  "focused",
  "menu",
  "menubar",
  "sheet",
  "popover",
  "alert",
];

type LazyParts = typeof import("./lazy_parts.ts");

/** Opens lazily: nothing touches a bus before the first question. */
export class LinuxPlatform implements Platform {
  readonly name = "linux";
  readonly surfaces: readonly Surface[] = SURFACES_HERE;
  readonly handlesPersist = true;
  readonly keysReachProcess = false;
  readonly pointerFirst = false;
  readonly shortcutModifier = "ctrl";
  #bus: Bus | undefined;
  /** What the registry said when the bus was found. */
  #registered: Dated<Reply> | undefined;
  #input: Input | undefined;
  #roots: AppRoot[] | undefined;
  /** Applications asked for by name while the whole list was not needed. */
  readonly #singleRoots = new Map<string, AppRoot>();
  /** Applications behind a proxy whose own process has been looked for. */
  readonly #searched = new WeakSet<AppRoot>();
  readonly #apps = new Map<string, { bus: Bus; profile: Profile }>();
  /** Top-levels met so far: only they are waited for when they come up empty. */
  readonly #windowHandles = new Set<Handle>();
  readonly #placementSource: PlacementSource = {
    bus: (deadline) => this.#connect(deadline),
    windows: (busName, deadline) => this.#windowsOf(this.#rootsOf(busName, deadline), deadline),
    profile: (busName, deadline) => this.#app(busName, deadline).profile,
  };
  #placements: Placements | undefined;
  /** The element inspected last with what was found above it. */
  #lineage: Dated<{ handle: Handle; lineage: ReadonlySet<Handle> }> | undefined;
  #lazyParts: LazyParts | undefined;
  readonly #hasX11Window: HasX11Window | undefined;

  /** @param hasX11Window Given in a Wayland session, where some windows are on no X server. */
  constructor(hasX11Window?: HasX11Window) {
    this.#hasX11Window = hasX11Window;
  }

  async #load(): Promise<LazyParts> {
    this.#lazyParts ??= await import("./lazy_parts.ts");
    return this.#lazyParts;
  }

  async #allPlacements(): Promise<Placements> {
    const { Placements } = await this.#load();
    return this.#placements ??= new Placements(this.#placementSource);
  }

  #connect(deadline: Deadline): Bus {
    if (this.#bus === undefined) {
      const { bus, applications } = connectAccessibilityBus(deadline);
      this.#bus = bus;
      this.#registered = { value: applications, at: performance.now() };
    }
    return this.#bus;
  }

  #appRoots(deadline: Deadline, fresh = false, patient = false): AppRoot[] {
    if (this.#roots === undefined || fresh) {
      const bus = this.#connect(deadline);
      this.#roots = readAppRoots(bus, deadline, patient, ofJustNow(this.#registered));
    }
    return this.#roots;
  }

  /** The shared connection and how one application is read over it. */
  #app(busName: string, deadline: Deadline): { bus: Bus; profile: Profile } {
    let app = this.#apps.get(busName);
    if (app === undefined) {
      const [root] = this.#rootsOf(busName, deadline);
      const profile = profileOf(root, this.#hasX11Window);
      app = { bus: this.#connect(deadline), profile };
      this.#apps.set(busName, app);
    }
    return app;
  }

  async permissions(deadline: Deadline): Promise<Permissions> {
    const none = { state: "not_required" } as const;
    try {
      this.#connect(deadline);
      return { accessibility: { state: "granted" }, automation: none, screen_recording: none };
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      const suggestion = `${error.message}. ${error.suggestion ?? ""}`.trim();
      const accessibility = { state: "unknown", suggestion } as const;
      return { accessibility, automation: none, screen_recording: none };
    }
  }

  async requireAccess(deadline: Deadline): Promise<void> {
    this.#connect(deadline);
  }

  async apps(
    deadline: Deadline,
    options: { patient?: boolean; unreachable?: boolean } = {},
  ): Promise<AppInfo[]> {
    const roots = this.#appRoots(deadline, true, options.patient);
    await this.#findProcesses(roots, deadline);
    if (!options.unreachable) return toApps(roots);
    return [...toApps(roots), ...(await this.#load()).unreachableApps(roots)];
  }

  async windows(
    pid: number | undefined,
    deadline: Deadline,
    { placed = false, unreachable = false, connection }: WindowOptions = {},
  ): Promise<WindowInfo[]> {
    const all = this.#appRoots(deadline);
    await this.#findProcesses(all, deadline);
    // Of all applications, those that have answered nothing so far are not asked again.
    const roots = all
      .filter((root) => pid === undefined ? !root.silent : root.pid === pid)
      .filter((root) => connection === undefined || root.object.bus === connection);
    const { windows, unanswered } = this.#readWindows(roots, deadline);
    const listed = await this.#asShown(windows, all, pid, { placed, unreachable });
    if (placed) (await this.#allPlacements()).placeWindows(windows, deadline);
    if (listed.length === 0 && unanswered) throw unresponsive("its windows were listed");
    return listed;
  }

  /** Finds out whose the applications are that seem to be a proxy's, once. */
  async #findProcesses(roots: readonly AppRoot[], deadline: Deadline): Promise<void> {
    const open = roots.filter((root) => root.proxied && !this.#searched.has(root));
    if (open.length === 0) return;
    for (const root of open) this.#searched.add(root);
    const { findProcesses } = await this.#load();
    findProcesses(this.#connect(deadline), open, deadline);
  }

  /**
   * Windows as the window system shows them. It is asked when there is something to decide between,
   * or when the application's own word says nothing: one window of one application needs no look.
   */
  async #asShown(
    windows: LinuxWindow[],
    all: readonly AppRoot[],
    pid: number | undefined,
    { placed, unreachable }: { placed: boolean; unreachable: boolean },
  ): Promise<WindowInfo[]> {
    const [first] = windows;
    const plain = pid !== undefined && !placed && windows.length === 1 && first!.isFocused &&
      !isUntitled(first!.title);
    if (plain) return windows;
    const { withUnreachable, correctWindows } = await this.#load();
    if (unreachable) return withUnreachable(windows, all, pid);
    correctWindows(windows);
    return windows;
  }

  /** The application behind a bus name; of the others nothing is asked. */
  #rootsOf(busName: string, deadline: Deadline): AppRoot[] {
    const listed = this.#roots?.filter((root) => root.object.bus === busName);
    if (listed !== undefined) return listed;
    let root = this.#singleRoots.get(busName);
    if (root === undefined) {
      root = readAppRoot(this.#connect(deadline), busName, deadline);
      if (root === undefined) return [];
      this.#singleRoots.set(busName, root);
    }
    return [root];
  }

  /** Windows of some applications; when one is meant and leaves the question open, an error. */
  #windowsOf(roots: readonly AppRoot[], deadline: Deadline): LinuxWindow[] {
    const { windows, unanswered } = this.#readWindows(roots, deadline);
    if (windows.length === 0 && unanswered) throw unresponsive("its windows were listed");
    return windows;
  }

  #readWindows(roots: readonly AppRoot[], deadline: Deadline) {
    const read = readWindows(this.#connect(deadline), roots, deadline);
    for (const window of read.windows) this.#windowHandles.add(toHandle(window.object));
    return read;
  }

  async windowById(
    id: string,
    deadline: Deadline,
    { placed = false }: { placed?: boolean } = {},
  ): Promise<WindowInfo | undefined> {
    // The id starts with the bus name, so only that application is asked.
    const busName = busOfWindowId(id);
    if (busName === undefined) {
      return (await this.#load()).windowOfX11Id(id, () => this.#appRoots(deadline));
    }
    const roots = this.#rootsOf(busName, deadline);
    await this.#findProcesses(roots, deadline);
    const { windows, unanswered } = this.#readWindows(roots, deadline);
    const found = windows.find((window) => window.id === id);
    if (found === undefined && unanswered) throw unresponsive("its windows were listed");
    if (found !== undefined) await this.#asShownOne(found, windows, placed);
    return found;
  }

  async #asShownOne(found: LinuxWindow, windows: LinuxWindow[], placed: boolean): Promise<void> {
    if (!placed && !isUntitled(found.title)) return;
    (await this.#load()).correctWindows(windows);
  }

  async displays(_deadline: Deadline): Promise<DisplayInfo[]> {
    return (await this.#load()).readDisplays();
  }

  processorTime(pid: number): number | undefined {
    return processorTime(pid);
  }

  clickDelay(handle: Handle, deadline: Deadline): number {
    return this.#app(objectOf(handle).bus, deadline).profile.clickDelayMs;
  }

  processInstance(pid: number): string | undefined {
    return processInstance(pid);
  }

  async openSurfaces(pid: number, deadline: Deadline): Promise<SurfaceInfo[]> {
    const { openSurfaces } = await this.#load();
    return this.#surfaceSources(pid, deadline).flatMap((source) => openSurfaces(source, deadline));
  }

  async surfaceRoot(
    pid: number,
    surface: Surface,
    deadline: Deadline,
  ): Promise<Handle | undefined> {
    const { surfaceRoot } = await this.#load();
    for (const source of this.#surfaceSources(pid, deadline)) {
      const root = surfaceRoot(source, surface, deadline);
      if (root !== undefined) return toHandle(root);
    }
    return undefined;
  }

  /** A process's applications, each with its windows. */
  #surfaceSources(pid: number, deadline: Deadline): SurfaceSource[] {
    const known = [...this.#singleRoots.values()].filter((root) => root.pid === pid);
    const roots = this.#roots === undefined && known.length > 0
      ? known
      : this.#appRoots(deadline).filter((root) => root.pid === pid);
    return roots.map((root) => {
      const { bus, profile } = this.#app(root.object.bus, deadline);
      const cache = profile.usesCache
        ? readElementCache(bus, root.object.bus, deadline)
        : undefined;
      return { bus, profile, cache, windows: this.#windowsOf([root], deadline) };
    });
  }

  async observe(
    root: Handle,
    options: ObserveOptions,
    deadline: Deadline,
  ): Promise<Observation | undefined> {
    const object = objectOf(root);
    const app = this.#app(object.bus, deadline);
    const { bus } = app;
    const profile = options.bounds === "all"
      ? { ...app.profile, toScreen: (await this.#allPlacements()).converter(object, deadline) }
      : app.profile;
    const read = () => {
      const cache = profile.usesCache ? readElementCache(bus, object.bus, deadline) : undefined;
      const result = walk(bus, object, options, profile, cache, deadline);
      if (result === "silent") throw unresponsive("its window was read");
      return result === "gone" ? undefined : result;
    };
    // Only a whole window can be cold; a region that is named has been seen with its content.
    if (options.assumeRendererActive || !this.#windowHandles.has(root)) return read();
    return await observeWithContent(
      {
        web: profile.publishesOnDemand,
        young: this.#isYoung(object.bus, profile, deadline),
        read,
        activate: () => activateAccessibility(deadline),
      },
      deadline,
    );
  }

  /** Whether an application has started so short a time ago that its tree may not be whole. */
  #isYoung(busName: string, profile: Profile, deadline: Deadline): boolean {
    if (profile.buildsLateMs === 0) return false;
    const [root] = this.#rootsOf(busName, deadline);
    const age = root && processAge(root.pid);
    return age !== undefined && age < profile.buildsLateMs;
  }

  async inspect(
    handle: Handle,
    deadline: Deadline,
    { ancestry = false }: { ancestry?: boolean } = {},
  ): Promise<Node | undefined> {
    const object = fromHandle(handle);
    if (object === undefined) return undefined;
    const lineage: Lineage = { handles: new Set(), open: false };
    if (ancestry) readLineage(this.#connect(deadline), object, this.#windowHandles, lineage);
    const { bus, profile } = this.#app(object.bus, deadline);
    let result: Node | undefined;
    let silent = false;
    readElement(bus, object, profile, (node, mute) => {
      result = node;
      silent = mute;
    });
    // `bus.run` blocks this thread. Callers inspect several elements side by side (`Promise.all`); with
    // this step each has queued its requests before the first waits for all of them together.
    await undefined;
    bus.run(deadline);
    if (ancestry) {
      this.#lineage = { value: { handle, lineage: lineage.handles }, at: performance.now() };
    }
    if (silent) throw unresponsive("an element was read");
    return result;
  }

  async toScreen(
    handle: Handle,
    toolkitBounds: Rect,
    deadline: Deadline,
  ): Promise<Rect | undefined> {
    return (await this.#allPlacements()).converter(objectOf(handle), deadline)?.(toolkitBounds);
  }

  async atPath(
    root: Handle,
    path: readonly number[],
    deadline: Deadline,
  ): Promise<Handle | undefined> {
    const object = objectOf(root);
    const target = pathTarget(this.#app(object.bus, deadline).bus, object, path, deadline);
    return target && toHandle(target);
  }

  async isInside(handle: Handle, root: Handle, deadline: Deadline): Promise<boolean | undefined> {
    const known = ofJustNow(this.#lineage);
    if (known?.handle === handle && known.lineage.has(root)) return true;
    const object = objectOf(handle);
    return isBelow(this.#app(object.bus, deadline).bus, object, objectOf(root), deadline);
  }

  async candidates(root: Handle, query: CandidateQuery, deadline: Deadline): Promise<Candidates> {
    const object = objectOf(root);
    const { bus, profile } = this.#app(object.bus, deadline);
    return findCandidates(bus, object, query, profile, deadline);
  }

  async children(handle: Handle, deadline: Deadline): Promise<Handle[]> {
    const object = objectOf(handle);
    const { bus } = this.#app(object.bus, deadline);
    return listChildren(bus, object, deadline).map(toHandle);
  }

  async wholeValue(handle: Handle, maxBytes: number, deadline: Deadline) {
    const object = objectOf(handle);
    const { bus, profile } = this.#app(object.bus, deadline);
    return readWholeText(bus, object, maxBytes, profile.webAttributes, deadline);
  }

  async perform(
    handle: Handle,
    request: SemanticRequest,
    permits: Permits,
    deadline: Deadline,
  ): Promise<Step[]> {
    const object = objectOf(handle);
    const { perform } = await this.#load();
    return perform(this.#target(object, deadline), request, permits, deadline);
  }

  async scrollIntoView(handle: Handle, deadline: Deadline): Promise<boolean> {
    const object = objectOf(handle);
    const { scrollIntoView } = await this.#load();
    return scrollIntoView(this.#target(object, deadline), deadline);
  }

  async textRange(handle: Handle, deadline: Deadline): Promise<TextRange | undefined> {
    const { textRange } = await this.#load();
    return textRange(this.#target(objectOf(handle), deadline), deadline);
  }

  /** An element as the delivering functions take it. */
  #target(object: ObjectRef, deadline: Deadline): Element {
    const { bus, profile } = this.#app(object.bus, deadline);
    return { bus, object, toolkit: profile };
  }

  async hitTest(
    handle: Handle,
    point: Point,
    window: WindowInfo | undefined,
    deadline: Deadline,
  ): Promise<HitTest> {
    const object = objectOf(handle);
    const { bus, profile } = this.#app(object.bus, deadline);
    const root = window?.handle === undefined ? undefined : fromHandle(window.handle);
    const at = (await this.#allPlacements()).toToolkit(object, point, deadline);
    const { hitTest } = await this.#load();
    const { hitTestFindsFirst } = profile;
    return hitTest({ bus, object, root, window, hitTestFindsFirst, at }, point, deadline);
  }

  async topWindowAt(point: Point): Promise<string | undefined> {
    const { topWindowAt } = await this.#load();
    return topWindowAt(point);
  }

  async focusWindow(window: WindowInfo, deadline: Deadline): Promise<boolean> {
    const { focusWindow } = await this.#load();
    return await focusWindow(window, deadline);
  }

  async input(): Promise<Input> {
    const { openInput } = await this.#load();
    this.#input ??= openInput();
    return this.#input;
  }

  async windowControl(): Promise<WindowControl> {
    const { X11WindowControl } = await import("./x11/window_control.ts");
    return new X11WindowControl();
  }

  async screenshots(): Promise<Screenshots> {
    const { X11Screenshots } = await import("./x11/screenshots.ts");
    return new X11Screenshots();
  }

  async clipboard(folder: () => string): Promise<Clipboard> {
    const { openX11Clipboard } = await import("./x11/clipboard.ts");
    return openX11Clipboard(folder);
  }

  async launcher(): Promise<Launcher> {
    const { LinuxLauncher } = await import("./launch.ts");
    return new LinuxLauncher(this);
  }

  forget(): void {
    this.#registered = undefined;
    this.#roots = undefined;
    this.#singleRoots.clear();
    this.#lineage = undefined;
    this.#placements = undefined;
  }

  close(): void {
    this.#apps.clear();
    this.#bus?.[Symbol.dispose]();
    this.#bus = undefined;
    this.#lazyParts?.closeSharedX11();
  }
}

/** The object of a handle this platform gave out. */
function objectOf(handle: Handle): ObjectRef {
  const object = fromHandle(handle);
  if (object === undefined) throw new AppError("INTERNAL", "Malformed element handle");
  return object;
}
