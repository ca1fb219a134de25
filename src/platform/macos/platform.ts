/** The macOS platform: accessibility over HIServices, windows over CoreGraphics, AppKit. */
import type { LibraryPaths } from "../../../ffi/macos/library.ts";
import { Arena, type Ref } from "../../../ffi/macos/core_foundation.ts";
import { Native } from "../../../ffi/macos/native.ts";
import type { Deadline } from "../../deadline.ts";
import type { Clipboard } from "../clipboard.ts";
import type { Launcher } from "../launcher.ts";
import type { Screenshots } from "../screenshots.ts";
import type { WindowControl } from "../window_control.ts";
import type { Handle, Node } from "../../tree/node.ts";
import type { Role } from "../../tree/roles.ts";
import type {
  AppInfo,
  CandidateQuery,
  Candidates,
  DisplayInfo,
  HitTest,
  Input,
  Modifier,
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
} from "../platform.ts";
import { OBSERVE_LIMITS } from "../platform.ts";
import { cutUtf8 } from "../../tree/utf8.ts";
import { Elements, notTrusted, unresponsive } from "./accessible.ts";
import { activateRenderer, hasWebContent, isChromium } from "./activation.ts";
import { gone } from "./delivery.ts";
import { probeRole, readBasics } from "./basics.ts";
import { readElement, readValue, type Scene } from "./evidence.ts";
import { focusWindow } from "./focus.ts";
import { hitTest } from "./hit_test.ts";
import { MacInput } from "./input.ts";
import { readApps, readDisplays, readWindow, readWindows } from "./inventory.ts";
import { isBelow } from "./ancestors.ts";
import { findCandidates, pathTarget } from "./locate.ts";
import { pressShortcut } from "./menu_shortcut.ts";
import { perform, scrollIntoView } from "./perform.ts";
import { openPermissionPane, readPermissions, requestPermissions } from "./permissions.ts";
import { processInstance } from "./process.ts";
import { readOpenSurfaces, readSurfaceRoot, SURFACES_HERE } from "./surfaces.ts";
import { readTextRange } from "./text_range.ts";
import { type ToolPaths, toolPaths } from "./tools.ts";
import { listChildren } from "./children.ts";
import { walk } from "./walk.ts";

/** Roles that show nothing outside their bounds. */
const FRAMES: ReadonlySet<Role> = new Set<Role>(["window", "dialog", "sheet", "popover"]);
/** A renderer builds its tree in hundreds of milliseconds; it is looked at this often (ms). */
const RENDERER_POLL_MS = 150;
/** Left for the walk after the waiting for a renderer (ms). */
const RENDERER_RESERVE_MS = 200;

/** Opens lazily: no library is loaded before the first question needs it. */
export class MacPlatform implements Platform {
  readonly name = "macos";
  readonly surfaces: readonly Surface[] = SURFACES_HERE;
  readonly handlesPersist = false;
  readonly keysReachProcess = true;
  readonly pointerFirst = true;
  readonly shortcutModifier = "meta";
  readonly native: Native;
  readonly tools: ToolPaths;
  #elements: Elements | undefined;
  #input: MacInput | undefined;

  /**
   * @param libraries stand-ins for the system's libraries; not looked at on macOS
   * @param tools stand-ins for the system's tools; not looked at on macOS
   * @throws NativeError off macOS without stand-ins
   */
  constructor(libraries?: LibraryPaths, tools?: Partial<ToolPaths>) {
    this.native = new Native(libraries);
    this.tools = toolPaths(tools);
  }

  /** Requests on live elements. */
  get elements(): Elements {
    return this.#elements ??= new Elements(this.native.ax, this.native.cf);
  }

  // ---- permissions and inventory ----

  permissions(_deadline: Deadline): Promise<Permissions> {
    return resolved(() => readPermissions(this.native));
  }

  requireAccess(_deadline: Deadline): Promise<void> {
    return resolved(() => {
      if (!this.native.ax.trusted()) throw notTrusted();
    });
  }

  requestPermissions(_deadline: Deadline): Promise<Permissions> {
    return resolved(() => requestPermissions(this.native));
  }

  openPermissionGuide(): "started" {
    openPermissionPane(this.native);
    return "started";
  }

  apps(_deadline: Deadline): Promise<AppInfo[]> {
    return resolved(() => {
      this.#elements?.trim();
      return readApps(this.native);
    });
  }

  async windows(pid: number | undefined, deadline: Deadline): Promise<WindowInfo[]> {
    this.elements.trim();
    return await readWindows(this.native, this.elements, pid, deadline);
  }

  windowById(id: string, deadline: Deadline): Promise<WindowInfo | undefined> {
    return resolved(() => readWindow(this.native, this.elements, id, deadline));
  }

  displays(_deadline: Deadline): Promise<DisplayInfo[]> {
    return resolved(() => readDisplays(this.native));
  }

  processInstance(pid: number): string | undefined {
    return processInstance(this.native.system, pid);
  }

  openSurfaces(pid: number, deadline: Deadline): Promise<SurfaceInfo[]> {
    return resolved(() => readOpenSurfaces(this.elements, pid, deadline));
  }

  surfaceRoot(pid: number, surface: Surface, deadline: Deadline): Promise<Handle | undefined> {
    return resolved(() => readSurfaceRoot(this.elements, pid, surface, deadline));
  }

  // ---- observation ----

  async observe(
    root: Handle,
    options: ObserveOptions,
    deadline: Deadline,
  ): Promise<Observation | undefined> {
    const element = this.elements.find(root);
    if (!element) return undefined;
    using arena = new Arena();
    const scene = this.#scene(element, deadline, arena);
    const seen = await walk(this.elements, root, options, scene, deadline);
    if (seen === "gone") return undefined;
    if (seen === "silent") throw unresponsive("the tree was read");
    const pid = this.elements.ax.pidOf(element);
    const needsRenderer = !options.assumeRendererActive && seen.root.role === "window" &&
      !hasWebContent(seen.root) && isChromium(this.native, pid);
    if (!needsRenderer) return seen;
    return await this.#withRenderer(root, pid, options, scene, seen, deadline);
  }

  /** Waits for the content of a renderer that has just been told to publish it. */
  async #withRenderer(
    root: Handle,
    pid: number,
    options: ObserveOptions,
    scene: Scene,
    before: Observation,
    deadline: Deadline,
  ): Promise<Observation> {
    using app = this.elements.ax.application(pid);
    activateRenderer(this.elements, app, deadline);
    while (deadline.remaining > RENDERER_POLL_MS + RENDERER_RESERVE_MS) {
      await deadline.sleep(RENDERER_POLL_MS);
      const now = await walk(this.elements, root, options, scene, deadline);
      if (typeof now !== "string" && hasWebContent(now.root)) return now;
    }
    return {
      ...before,
      complete: false,
      details: { kind: "renderer_accessibility_inactive" },
      suggestion:
        "Give the renderer more time with --timeout-ms, or restart the application with " +
        "--force-renderer-accessibility.",
    };
  }

  /** What the states of the elements at and below `root` depend on besides themselves. */
  #scene(root: Ref, deadline: Deadline, arena: Arena): Scene {
    const { elements } = this;
    const pid = elements.ax.pidOf(root);
    const app = arena.own(elements.ax.application(pid > 0 ? pid : Deno.pid));
    const focused = elements.element(app, "AXFocusedUIElement", deadline, arena);
    const window = elements.element(root, "AXWindow", deadline, arena) ?? root;
    const basics = readBasics(elements, window, { children: false }, deadline, arena);
    // Other roots, such as menus, may show their elements outside their own bounds.
    const isFrame = typeof basics !== "string" && FRAMES.has(basics.role);
    return { focused, windowBounds: isFrame ? basics.bounds : undefined };
  }

  inspect(handle: Handle, deadline: Deadline): Promise<Node | undefined> {
    return resolved(() => {
      const element = this.elements.find(handle);
      if (!element) return undefined;
      using arena = new Arena();
      const scene = this.#scene(element, deadline, arena);
      const node = readElement(this.elements, handle, 0, scene, deadline);
      if (node === "silent") throw unresponsive("an element was read");
      return node === "gone" ? undefined : node;
    });
  }

  atPath(
    root: Handle,
    path: readonly number[],
    deadline: Deadline,
  ): Promise<Handle | undefined> {
    return resolved(() => pathTarget(this.elements, root, path, deadline));
  }

  isInside(handle: Handle, root: Handle, deadline: Deadline): Promise<boolean | undefined> {
    return resolved(() => {
      const element = this.elements.find(handle);
      const above = this.elements.find(root);
      return element && above ? isBelow(this.elements, element, above, deadline) : false;
    });
  }

  candidates(root: Handle, query: CandidateQuery, deadline: Deadline): Promise<Candidates> {
    return resolved(() => {
      const element = this.elements.find(root);
      if (!element) return { nodes: [], sameIdOtherRole: [], complete: true, nodesRead: 0 };
      using arena = new Arena();
      const scene = this.#scene(element, deadline, arena);
      return findCandidates(this.elements, root, query, scene, deadline);
    });
  }

  children(handle: Handle, deadline: Deadline): Promise<Handle[]> {
    return resolved(() => {
      const element = this.elements.find(handle);
      if (!element) return [];
      const probe = probeRole(this.elements, element, deadline);
      if ("error" in probe || probe.secrecy.childrenMayShow) return [];
      const max = OBSERVE_LIMITS.childrenPerNode;
      return listChildren(this.elements, element, probe.axRole, undefined, max, deadline)
        .children.map((child) => child.handle);
    });
  }

  wholeValue(
    handle: Handle,
    maxBytes: number,
    deadline: Deadline,
  ): Promise<{ text: string; truncated: boolean } | undefined> {
    return resolved(() => {
      const element = this.elements.find(handle);
      if (!element) return undefined;
      const probe = probeRole(this.elements, element, deadline);
      if ("error" in probe || probe.secrecy.value !== "open") return undefined;
      // A unit takes a byte at least.
      const { text, more } = readValue(this.elements, element, deadline, maxBytes);
      if (text === undefined) return undefined;
      const cut = cutUtf8(text, maxBytes);
      return { text: cut, truncated: cut !== text || more !== undefined };
    });
  }

  textRange(handle: Handle, deadline: Deadline): Promise<TextRange | undefined> {
    return resolved(() => {
      const element = this.elements.find(handle);
      return element && readTextRange(this.elements, element, deadline);
    });
  }

  // ---- interaction ----

  async perform(
    handle: Handle,
    request: SemanticRequest,
    _permits: Permits,
    deadline: Deadline,
  ): Promise<Step[]> {
    const element = this.elements.find(handle);
    if (!element) throw gone();
    return await perform(this.elements, element, request, deadline);
  }

  async scrollIntoView(handle: Handle, deadline: Deadline): Promise<boolean> {
    const element = this.elements.find(handle);
    if (!element) throw gone();
    return await scrollIntoView(this.elements, element, deadline);
  }

  hitTest(
    handle: Handle,
    point: Point,
    _window: WindowInfo | undefined,
    deadline: Deadline,
  ): Promise<HitTest> {
    return resolved(() => {
      const element = this.elements.find(handle);
      return element
        ? hitTest(this.elements, element, point, deadline)
        : { result: "unknown" as const };
    });
  }

  async focusWindow(window: WindowInfo, deadline: Deadline): Promise<boolean> {
    return await focusWindow(this.native, this.elements, window, deadline);
  }

  async pressShortcut(
    pid: number,
    modifiers: readonly Modifier[],
    key: string,
    deadline: Deadline,
  ): Promise<Step[] | undefined> {
    return await pressShortcut(this.elements, pid, modifiers, key, deadline);
  }

  /**
   * Pointer and keyboard.
   *
   * @param pid keys go to this process, which need not have the focus
   * @throws AppError `PERM_DENIED` without the permission: macOS would drop the events silently
   */
  async input(pid?: number): Promise<Input> {
    if (!this.native.ax.trusted() || this.native.cg.postEvents() === false) throw notTrusted();
    const focused = (deadline: Deadline) => this.elements.focused(pid, deadline);
    if (pid !== undefined) return new MacInput(this.native.cg, focused, pid);
    return this.#input ??= new MacInput(this.native.cg, focused);
  }

  async windowControl(): Promise<WindowControl> {
    const { MacWindowControl } = await import("./desktop_parts.ts");
    return new MacWindowControl(this.native, this.elements);
  }

  async screenshots(): Promise<Screenshots> {
    const { MacScreenshots } = await import("./desktop_parts.ts");
    return new MacScreenshots(this.native, this.tools);
  }

  async clipboard(): Promise<Clipboard> {
    const { MacClipboard } = await import("./desktop_parts.ts");
    return new MacClipboard(this.native, this.tools);
  }

  async launcher(): Promise<Launcher> {
    const { MacLauncher } = await import("./desktop_parts.ts");
    return new MacLauncher(this.native, this.elements, this.tools);
  }

  close(): void {
    this.#input?.releaseAll();
    this.#input = undefined;
    this.#elements?.close();
    this.native.close();
  }
}

/** The calls are synchronous; their failures become rejections. */
function resolved<T>(work: () => T): Promise<T> {
  try {
    return Promise.resolve(work());
  } catch (error) {
    return Promise.reject(error);
  }
}
