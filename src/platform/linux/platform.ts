/** The Linux platform: AT-SPI over libatspi's connection, peer-to-peer where offered. */
import type { Deadline } from "../../deadline.ts";
import { AppError } from "../../errors.ts";
import type { Handle, Node } from "../../tree/node.ts";
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
  WindowInfo,
} from "../platform.ts";
import { fromHandle, method, objectList, type ObjectRef, toHandle } from "./accessible.ts";
import type { Bus } from "./bus.ts";
import { readElementCache } from "./cache.ts";
import { connectAccessibilityBus } from "./connection.ts";
import type { Profile } from "./evidence.ts";
import { type AppRoot, type LinuxWindow, readAppRoots, readWindows, toApps } from "./inventory.ts";
import { applicationBus, readProfile } from "./application.ts";
import { processInstance } from "./process.ts";
import { findCandidates, isBelow, pathTarget, readElement, unresponsive } from "./locate.ts";
import { perform, scrollIntoView } from "./perform.ts";
import { SURFACES_HERE } from "./surfaces.ts";
import { readWholeText } from "./text.ts";
import { walk } from "./walk.ts";

/** Opens lazily: nothing touches a bus before the first question. */
export class LinuxPlatform implements Platform {
  readonly name = "linux";
  readonly surfaces: readonly Surface[] = SURFACES_HERE;
  readonly handlesPersist = true;
  #bus: Bus | undefined;
  #roots: AppRoot[] | undefined;
  readonly #apps = new Map<string, { bus: Bus; profile: Profile }>();

  #connect(deadline: Deadline): Bus {
    this.#bus ??= connectAccessibilityBus(deadline);
    return this.#bus;
  }

  #appRoots(deadline: Deadline, fresh = false): AppRoot[] {
    if (this.#roots === undefined || fresh) {
      this.#roots = readAppRoots(this.#connect(deadline), deadline);
    }
    return this.#roots;
  }

  /** The connection and profile to read one application with. */
  #app(busName: string, deadline: Deadline): { bus: Bus; profile: Profile } {
    let app = this.#apps.get(busName);
    if (app === undefined || !app.bus.connected) {
      const shared = this.#connect(deadline);
      app = {
        bus: applicationBus(shared, busName, deadline),
        profile: readProfile(shared, busName, deadline),
      };
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
      const accessibility = { state: "unknown", suggestion: error.suggestion ?? "" } as const;
      return { accessibility, automation: none, screen_recording: none };
    }
  }

  async apps(deadline: Deadline): Promise<AppInfo[]> {
    return toApps(this.#appRoots(deadline, true));
  }

  async windows(pid: number | undefined, deadline: Deadline): Promise<LinuxWindow[]> {
    const roots = this.#appRoots(deadline);
    const wanted = pid === undefined ? roots : roots.filter((root) => root.pid === pid);
    return readWindows(this.#connect(deadline), wanted, deadline);
  }

  async windowById(id: string, deadline: Deadline): Promise<WindowInfo | undefined> {
    // The id starts with the bus name, so only that application is asked.
    const roots = this.#appRoots(deadline).filter((root) =>
      id.startsWith(`w-${root.object.bus.slice(1)}-`)
    );
    return readWindows(this.#connect(deadline), roots, deadline).find((window) => window.id === id);
  }

  async displays(_deadline: Deadline): Promise<DisplayInfo[]> {
    throw new AppError("PLATFORM_NOT_SUPPORTED", "Displays need an X11 session");
  }

  processInstance(pid: number): string | undefined {
    return processInstance(pid);
  }

  async openSurfaces(_pid: number, _deadline: Deadline): Promise<SurfaceInfo[]> {
    return [];
  }

  async surfaceRoot(
    _pid: number,
    _surface: Surface,
    _deadline: Deadline,
  ): Promise<Handle | undefined> {
    return undefined;
  }

  async observe(
    root: Handle,
    options: ObserveOptions,
    deadline: Deadline,
  ): Promise<Observation | undefined> {
    const object = objectOf(root);
    const { bus, profile } = this.#app(object.bus, deadline);
    const cache = profile.cached ? readElementCache(bus, object.bus, deadline) : undefined;
    const result = walk(bus, object, options, profile, cache, deadline);
    if (result === "gone") return undefined;
    if (result === "silent") throw unresponsive("its window was read");
    return result;
  }

  async inspect(handle: Handle, deadline: Deadline): Promise<Node | undefined> {
    const object = fromHandle(handle);
    if (object === undefined) return undefined;
    const { bus, profile } = this.#app(object.bus, deadline);
    let result: Node | undefined;
    let silent = false;
    readElement(bus, object, profile, (node, mute) => {
      result = node;
      silent = mute;
    });
    bus.run(deadline);
    if (silent) throw unresponsive("an element was read");
    return result;
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
    const reply = bus.call(method(object, "Accessible", "GetChildren"), deadline);
    return reply.ok ? objectList(reply.values[0]).map(toHandle) : [];
  }

  async wholeValue(handle: Handle, maxBytes: number, deadline: Deadline) {
    const object = objectOf(handle);
    return readWholeText(this.#app(object.bus, deadline).bus, object, maxBytes, deadline);
  }

  async perform(handle: Handle, request: SemanticRequest, deadline: Deadline): Promise<Step[]> {
    const object = objectOf(handle);
    return perform(this.#app(object.bus, deadline).bus, object, request, deadline);
  }

  async scrollIntoView(handle: Handle, deadline: Deadline): Promise<boolean> {
    const object = objectOf(handle);
    return scrollIntoView(this.#app(object.bus, deadline).bus, object, deadline);
  }

  async hitTest(
    _handle: Handle,
    _point: Point,
    _window: WindowInfo | undefined,
    _deadline: Deadline,
  ): Promise<HitTest> {
    return { result: "unknown" };
  }

  async focusWindow(_window: WindowInfo, _deadline: Deadline): Promise<boolean> {
    return false;
  }

  input(): Input {
    throw new AppError("PLATFORM_NOT_SUPPORTED", "Keyboard and pointer need an X11 session");
  }

  close(): void {
    for (const { bus } of this.#apps.values()) if (bus !== this.#bus) bus[Symbol.dispose]();
    this.#apps.clear();
    this.#bus?.[Symbol.dispose]();
    this.#bus = undefined;
  }
}

/** The object of a handle this platform gave out. */
function objectOf(handle: Handle): ObjectRef {
  const object = fromHandle(handle);
  if (object === undefined) throw new AppError("INTERNAL", "Malformed element handle");
  return object;
}
