/**
 * What the test platform shows: plain data a test writes as JSON and changes between two calls,
 * as an application changes between two commands.
 */
import type { Delivery, ErrorCode } from "../../../src/errors.ts";
import type { Field, NativeId, Node, Rect } from "../../../src/tree/node.ts";
import type { Role } from "../../../src/tree/roles.ts";
import type { State } from "../../../src/tree/states.ts";
import type { Action } from "../../../src/tree/actions.ts";
import type {
  DisplayInfo,
  Observation,
  SemanticRequest,
  Surface,
  TextRange,
} from "../../../src/platform/platform.ts";

/** What an element does to the world when it is acted on. */
export type Effect =
  | { op: "set"; id: string; fields: Partial<Omit<TestNode, "id" | "children">> }
  | { op: "remove"; id: string }
  | { op: "add"; parent: string; at?: number; node: TestNode }
  | { op: "fail"; code: ErrorCode; message: string; delivery?: Delivery }
  /** The request is taken and nothing happens. */
  | { op: "ignore" };

export interface TestNode {
  /** Names the element in the test; never shown to the program. */
  id: string;
  /** What the platform hands out for it; `/test/<id>` when absent. */
  handle?: string;
  role: Role;
  name?: string;
  value?: string;
  description?: string;
  nativeId?: NativeId;
  states?: State[];
  actions?: Action[];
  bounds?: Rect;
  boundsSpace?: "screen" | "window";
  children?: TestNode[];
  /** Effects of a request, in place of the default ones. */
  on?: Partial<Record<SemanticRequest["kind"], Effect[]>>;
  /** Fields that cannot be read. */
  unreadable?: Field[];
  /** Its children are there, but listing them fails. */
  childrenUnreadable?: boolean;
  /** Reports this many children, of which only `children` are read. */
  virtualCount?: number;
  /** Selected characters of its value. */
  selection?: TextRange;
  /** What a reading says of it, whatever the rest of the element is. */
  reads?: Partial<Node>;
}

export interface TestWindow {
  /** Starts with `w-`. */
  id: string;
  title: string;
  root: TestNode;
  bounds?: Rect;
  focused?: boolean;
  minimized?: boolean;
  visible?: boolean;
  /** `false`: listed, and proven to have no accessible content. */
  accessible?: boolean;
  /** Listed, but its root cannot be had right now. */
  unreachable?: boolean;
}

export interface TestApp {
  name: string;
  pid: number;
  /** `test-proc-v1:<pid>` when absent; another value is a reused pid, null one not to be told. */
  instance?: string | null;
  aliases?: string[];
  windows: TestWindow[];
  surfaces?: Partial<Record<Surface, TestNode>>;
  /** Reads of its windows and elements raise `APP_UNRESPONSIVE`. */
  unresponsive?: boolean;
}

export interface World {
  apps: TestApp[];
  displays?: DisplayInfo[];
  /** Whether handles may be stored; true when absent. */
  handlesPersist?: boolean;
  /** Keys reach a process without the focus, as on macOS. */
  keysReachProcess?: boolean;
  /** Headed clicks go through the pointer, as on macOS. */
  pointerFirst?: boolean;
  /** What every observation says besides the tree. */
  observation?: Partial<Observation>;
  /** Called before every read or request, by its method's name; may change the world or throw. */
  before?: (method: string, handle: string | undefined) => void;
}

/** The handle of an element. */
export function handleOf(node: TestNode): string {
  return node.handle ?? `/test/${node.id}`;
}

/** An element and where it is. */
export interface Place {
  node: TestNode;
  parent: TestNode | undefined;
  index: number;
  app: TestApp;
}

/** Every element of the world, parents before children; windows first, then open surfaces. */
export function* everyNode(world: World): Generator<Place> {
  for (const app of world.apps) {
    const roots = [
      ...app.windows.map((window) => window.root),
      ...Object.values(app.surfaces ?? {}),
    ];
    for (const root of roots) yield* below(root, undefined, 0, app);
  }
}

/** An element and everything below it, parents before children. */
export function* below(
  node: TestNode,
  parent: TestNode | undefined,
  index: number,
  app: TestApp,
): Generator<Place> {
  yield { node, parent, index, app };
  for (const [at, child] of (node.children ?? []).entries()) yield* below(child, node, at, app);
}

/** The element with a test id; throws when the test names one that is not there. */
export function byId(world: World, id: string): Place {
  for (const place of everyNode(world)) if (place.node.id === id) return place;
  throw new Error(`the test world has no element '${id}'`);
}
