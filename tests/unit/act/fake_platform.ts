/** A platform of one window whose elements are plain objects, for tests of the action flow. */
import { AppError } from "../../../src/errors.ts";
import type {
  HitTest,
  Input,
  Platform,
  SemanticRequest,
  Step,
  SurfaceInfo,
  TextRange,
  WindowInfo,
} from "../../../src/platform/platform.ts";
import type { RefEntry } from "../../../src/refs/entry.ts";
import type { Node } from "../../../src/tree/node.ts";
import type { ActionContext, TargetRef } from "../../../src/act/action_context.ts";

/** Records every input event as a word. */
export class FakeInput implements Input {
  readonly events: string[] = [];
  readonly held = new Set<string>();
  at = { x: 0, y: 0 };
  onText?: (text: string) => void;
  failOn?: string;

  #record(event: string): void {
    if (this.failOn === event) throw new Error("input device lost");
    this.events.push(event);
  }
  position() {
    return this.at;
  }
  move(to: { x: number; y: number }): void {
    this.#record(`move ${to.x},${to.y}`);
    this.at = to;
  }
  button(button: string, down: boolean): void {
    this.#record(`${down ? "press" : "release"} ${button}`);
    if (down) this.held.add(button);
    else this.held.delete(button);
  }
  wheel(dx: number, dy: number): void {
    this.#record(`wheel ${dx},${dy}`);
  }
  modifier(modifier: string, down: boolean): void {
    this.#record(`${down ? "press" : "release"} ${modifier}`);
    if (down) this.held.add(modifier);
    else this.held.delete(modifier);
  }
  key(name: string): Promise<boolean> {
    this.#record(`key ${name}`);
    return Promise.resolve(true);
  }
  text(text: string): Promise<void> {
    this.#record(`text ${text}`);
    this.onText?.(text);
    return Promise.resolve();
  }
  releaseAll(): void {
    for (const held of this.held) this.events.push(`lift ${held}`);
    this.held.clear();
  }
}

export function node(fields: Partial<Node> = {}): Node {
  return {
    role: "button",
    name: "Save",
    states: [],
    actions: ["Click"],
    bounds: { x: 100, y: 100, width: 40, height: 20 },
    index: 0,
    children: [],
    ...fields,
  };
}

export function entry(fields: Partial<RefEntry> = {}): RefEntry {
  return {
    pid: 42,
    process_instance: "instance-1",
    source_app: "Fixture",
    source_window_id: "w-1",
    role: "button",
    name: "Save",
    bounds_hash: null,
    available_actions: ["Click"],
    ...fields,
  };
}

/** One element `el` in one window `w-1`; the test changes it as it likes. */
export class FakeDesktop {
  element: Node | undefined;
  /** Called before each read; may change the element. */
  onInspect?: (count: number) => void;
  /** Called for each delivery; may change the element or throw. */
  onPerform: (request: SemanticRequest) => Step[] | Promise<Step[]> = () => [
    { label: "Action.DoAction", mechanism: "semantic_api", outcome: "succeeded", verified: false },
  ];
  onResolve?: (count: number) => void;
  hit: HitTest | ((x: number, y: number) => HitTest) = { result: "target" };
  surfaces: SurfaceInfo[] = [];
  range: TextRange | undefined;
  window: WindowInfo | undefined = {
    id: "w-1",
    title: "Fixture",
    appName: "Fixture",
    pid: 42,
    processInstance: "instance-1",
    isFocused: true,
    accessible: true,
  };
  focusWorks = true;
  /** Called each time the window is to be brought to the front; may throw. */
  onFocus?: (count: number) => void;
  focusings = 0;
  scrollWorks: boolean | (() => boolean) = false;
  readonly input = new FakeInput();
  readonly performed: SemanticRequest[] = [];
  readonly log: string[] = [];
  inspections = 0;
  resolutions = 0;
  leases = 0;
  leaseHeld = false;

  constructor(element: Node | undefined = node()) {
    this.element = element;
  }

  get platform(): Platform {
    const unused = () => Promise.reject(new Error("not part of this test"));
    return {
      name: "test",
      surfaces: ["window"],
      handlesPersist: false,
      keysReachProcess: false,
      pointerFirst: false,
      shortcutModifier: "ctrl",
      permissions: unused,
      apps: unused,
      windows: () => Promise.resolve(this.window === undefined ? [] : [this.window]),
      displays: unused,
      processInstance: () => "instance-1",
      windowById: (id) => Promise.resolve(this.window?.id === id ? this.window : undefined),
      openSurfaces: () => Promise.resolve(this.surfaces),
      surfaceRoot: unused,
      observe: unused,
      inspect: () => {
        this.inspections++;
        this.onInspect?.(this.inspections);
        return Promise.resolve(this.element === undefined ? undefined : { ...this.element });
      },
      atPath: unused,
      isInside: unused,
      candidates: unused,
      children: unused,
      wholeValue: () => Promise.resolve(undefined),
      textRange: () => Promise.resolve(this.range),
      perform: async (_handle, request) => {
        if (!this.leaseHeld) throw new Error("delivery without the lease");
        this.performed.push(request);
        return await this.onPerform(request);
      },
      scrollIntoView: () => {
        this.log.push("scroll");
        return Promise.resolve(
          typeof this.scrollWorks === "function" ? this.scrollWorks() : this.scrollWorks,
        );
      },
      hitTest: (_handle, point) =>
        Promise.resolve(typeof this.hit === "function" ? this.hit(point.x, point.y) : this.hit),
      focusWindow: async () => {
        this.log.push("focus window");
        this.onFocus?.(++this.focusings);
        return this.focusWorks;
      },
      input: () => Promise.resolve(this.input),
      close: () => {},
    };
  }

  /** The element, as a ref that names it. */
  ref(stored: RefEntry = entry()): TargetRef {
    return {
      entry: stored,
      resolve: () => {
        this.resolutions++;
        this.onResolve?.(this.resolutions);
        if (this.element === undefined) {
          return Promise.reject(
            new AppError("STALE_REF", "No element matches", {
              details: { kind: "resolution_complete_absence", retryable: true },
            }),
          );
        }
        const target = { handle: "el" };
        return Promise.resolve(
          this.window === undefined ? target : { ...target, window: this.window },
        );
      },
    };
  }

  get context(): ActionContext {
    return {
      platform: this.platform,
      lease: () => {
        this.leases++;
        this.leaseHeld = true;
        return Promise.resolve({ contentionCount: 0, release: () => this.leaseHeld = false });
      },
      budgets: { chain: 300, menu: 60, toggle: 80, toggleStable: 20 },
    };
  }
}
