/**
 * What the conformance table needs of a platform: an application that shows a tree of elements and
 * can be changed from outside, and the program run on it.
 */
import type { Rect } from "../../src/tree/node.ts";
import { byId, everyNode, type TestNode, type World } from "../support/test_platform/world.ts";

/** One envelope of the program. */
export interface Answer {
  ok: boolean;
  // deno-lint-ignore no-explicit-any -- the table looks at answers of every command
  data?: any;
  error?: {
    code: string;
    message: string;
    // deno-lint-ignore no-explicit-any -- as above
    details?: any;
    disposition: { delivery: string; retry: string };
  };
}

/** Something that happens to the application between two commands. */
export type Edit =
  | { do: "set"; id: string; fields: Partial<TestNode> }
  | { do: "remove"; id: string }
  | { do: "insert"; parent: string; at: number; element: TestNode }
  /** New order of all children, by id. */
  | { do: "reorder"; parent: string; order: string[] }
  /** Another element in the same place; it may have the same id as long as it is gone. */
  | { do: "replace"; id: string; element: TestNode }
  | { do: "close window" }
  | { do: "open"; surface: "menu" | "popover"; root: TestNode }
  | { do: "close"; surface: "menu" | "popover" };

/** What not every platform can be made to show. */
export type Ability =
  /** Elements that report no bounds, window closing, surfaces, unreadable parts, any state. */
  | "fake"
  /** Native ids. */
  | "ids";

/** An application under test; one for each case. */
export abstract class Subject {
  /** The application as it should look now. */
  readonly world: World;

  protected constructor(root: TestNode) {
    this.world = {
      apps: [{
        name: "subject",
        pid: 4242,
        windows: [{ id: "w-1", title: "Subject", focused: true, root }],
      }],
    };
  }

  /** What to pass to `--app`. */
  abstract readonly app: string;
  /** `AGENT_DESKTOP_HOME` of the program. */
  abstract readonly stateRoot: string;
  /** Runs the program. */
  abstract run(...args: string[]): Promise<Answer>;
  /** Makes the application do it. */
  abstract change(edit: Edit): Promise<void>;
  abstract [Symbol.asyncDispose](): Promise<void>;

  /** Test id of the element that now stands at `bounds`; tells elements without text apart too. */
  idAt(bounds: Rect | null | undefined): string | undefined {
    for (const { node } of everyNode(this.world)) {
      const at = node.bounds;
      if (at === undefined || !bounds) continue;
      if (at.x === bounds.x && at.y === bounds.y && at.width === bounds.width) return node.id;
    }
    return undefined;
  }

  /** Keeps `world` in step with the application. */
  protected mirror(edit: Edit): void {
    const app = this.world.apps[0]!;
    switch (edit.do) {
      case "set":
        Object.assign(byId(this.world, edit.id).node, edit.fields);
        break;
      case "remove": {
        const { parent, index } = byId(this.world, edit.id);
        parent!.children!.splice(index, 1);
        break;
      }
      case "insert":
        (byId(this.world, edit.parent).node.children ??= []).splice(edit.at, 0, edit.element);
        break;
      case "reorder": {
        const children = byId(this.world, edit.parent).node.children!;
        children.sort((a, b) => edit.order.indexOf(a.id) - edit.order.indexOf(b.id));
        break;
      }
      case "replace": {
        const { parent, index } = byId(this.world, edit.id);
        parent!.children![index] = edit.element;
        break;
      }
      case "close window":
        app.windows = [];
        break;
      case "open":
        app.surfaces = { ...app.surfaces, [edit.surface]: edit.root };
        break;
      case "close":
        app.surfaces = {};
        break;
    }
  }
}
