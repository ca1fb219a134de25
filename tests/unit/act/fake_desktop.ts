/** A window with one element on the tests' platform, for tests of the action flow. */
import type { ActionNote } from "../../../src/act/settle.ts";
import { AppError } from "../../../src/errors.ts";
import type {
  HitTest,
  SemanticRequest,
  Step,
  SurfaceInfo,
  WindowInfo,
} from "../../../src/platform/platform.ts";
import type { RefEntry } from "../../../src/refs/entry.ts";
import {
  type ActionContext,
  SINGLE_ATTEMPT_MS,
  type TargetRef,
} from "../../../src/act/action_context.ts";
import { Deadline } from "../../../src/deadline.ts";
import { TestPlatform } from "../../support/test_platform/platform.ts";
import type { TestNode, TestWindow } from "../../support/test_platform/world.ts";

export function node(fields: Partial<TestNode> = {}): TestNode {
  return {
    id: "el",
    handle: "el",
    role: "button",
    name: "Save",
    states: [],
    actions: ["Click"],
    bounds: { x: 100, y: 100, width: 40, height: 20 },
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
  /** Called before each read; may change the element. */
  onInspect?: (count: number) => void;
  /** Called for each delivery; may change the element or throw. */
  onPerform: (request: SemanticRequest) => Step[] | Promise<Step[]> = () => [
    { label: "Action.DoAction", mechanism: "semantic_api", outcome: "succeeded", verified: false },
  ];
  onResolve?: (count: number) => void;
  hit: HitTest | ((x: number, y: number) => HitTest) = { result: "target" };
  surfaces: SurfaceInfo[] = [];
  focusWorks = true;
  /** Called each time the window is to be brought to the front; may throw. */
  onFocus?: (count: number) => void;
  focusings = 0;
  scrollWorks: boolean | (() => boolean) = false;
  readonly performed: SemanticRequest[] = [];
  readonly log: string[] = [];
  inspections = 0;
  resolutions = 0;
  leases = 0;
  leaseHeld = false;
  /** How long ago the last pointer click of any process was. */
  msSinceClick = Infinity;
  clicksNoted = 0;
  readonly notes: ActionNote[] = [];
  readonly shown: TestWindow = {
    id: "w-1",
    title: "Fixture",
    focused: true,
    root: { id: "root", role: "window", name: "Fixture", children: [] },
  };
  readonly platform = new TestPlatform({
    apps: [{ name: "Fixture", pid: 42, instance: "instance-1", windows: [this.shown] }],
    handlesPersist: false,
    before: (method) => {
      if (method !== "inspect") return;
      this.inspections++;
      this.onInspect?.(this.inspections);
    },
  }, {
    openSurfaces: () => Promise.resolve(this.surfaces),
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
  });
  readonly input = this.platform.keyboardAndPointer;

  constructor(element: TestNode = node()) {
    this.element = element;
  }

  /** The window as the program sees it. */
  get window(): WindowInfo {
    return this.platform.windowNow("w-1")!;
  }

  get element(): TestNode | undefined {
    return this.shown.root.children?.[0];
  }

  set element(element: TestNode | undefined) {
    this.shown.root.children = element === undefined ? [] : [element];
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
        return Promise.resolve({
          handle: this.element.handle ?? this.element.id,
          window: this.window,
        });
      },
    };
  }

  /** What acting needs, for a command of a few seconds. */
  get context(): ActionContext {
    return this.within(5_000);
  }

  /** What acting needs, for a command of `ms` milliseconds; 0 for a single look. */
  within(ms: number): ActionContext {
    return {
      platform: this.platform,
      lease: () => {
        this.leases++;
        this.leaseHeld = true;
        return Promise.resolve({
          contentionCount: 0,
          msSinceClick: () => this.msSinceClick,
          noteClick: () => this.clicksNoted++,
          [Symbol.dispose]: () => {
            this.leaseHeld = false;
          },
        });
      },
      budgets: { chain: 300, menu: 60, toggle: 80, toggleStable: 20 },
      note: (note) => this.notes.push(note),
      deadline: Deadline.after(ms === 0 ? SINGLE_ATTEMPT_MS : ms),
    };
  }
}
