/** Layers of an application: menus, sheets, popovers, alerts, the focused window. */
import { answered } from "../../../ffi/macos/accessibility.ts";
import { Arena, type Ref } from "../../../ffi/macos/core_foundation.ts";
import type { Deadline } from "../../deadline.ts";
import { isBlank } from "../../tree/node.ts";
import type { Handle } from "../../tree/node.ts";
import type { Surface, SurfaceInfo } from "../platform.ts";
import { AX, type Elements, notTrusted, unresponsive } from "./accessible.ts";

/** What `--surface` understands here. */
export const SURFACES_HERE: readonly Surface[] = [
  "window",
  "focused",
  "menu",
  "menubar",
  "sheet",
  "popover",
  "alert",
];

/** How far an open menu is looked for. */
const SEARCH_DEPTH = 8;
const SEARCH_NODES = 2_048;

/** Elements looked at by one of many looks for a menu. */
const MENU_POLL_NODES = 16;

const ALERT_ROLES: ReadonlySet<string> = new Set(["AXSheet", "AXDialog", "AXAlert"]);

/** An element with the little that surfaces are told by. */
interface Peek {
  element: Ref;
  /** Where it hangs, by child indexes: the same as long as the tree around it is. */
  id: string;
  role: string;
  subrole: string;
  title: string;
  selected: boolean;
  visible: boolean | undefined;
  children: Ref[];
}

const PEEK = ["AXRole", "AXSubrole", "AXTitle", "AXSelected", "AXVisible", "AXChildren"] as const;

/** Reads the surfaces of one application within one arena. */
class Layers {
  /** A part that decides something could not be read. */
  uncertain = false;

  constructor(
    readonly elements: Elements,
    readonly app: Ref,
    readonly deadline: Deadline,
    readonly arena: Arena,
  ) {}

  peek(element: Ref, id: string): Peek | undefined {
    const answer = this.elements.attributes(element, PEEK, this.deadline, this.arena);
    if (!answered(answer)) {
      if (answer.error === AX.apiDisabled) throw notTrusted();
      if (answer.error !== AX.invalidElement) this.uncertain = true;
      return undefined;
    }
    const [role, subrole, title, selected, visible, children] = answer.value;
    return {
      element,
      id,
      role: role?.kind === "text" ? role.text : "",
      subrole: subrole?.kind === "text" ? subrole.text : "",
      title: title?.kind === "text" ? title.text : "",
      selected: selected?.kind === "bool" && selected.value,
      visible: visible?.kind === "bool" ? visible.value : undefined,
      children: children?.kind === "list" ? children.elements : [],
    };
  }

  /** What stands in a list; `path` is where the list is. */
  peeks(elements: readonly Ref[], path: string): Peek[] {
    return elements.flatMap((element, i) => this.peek(element, `${path}/${i}`) ?? []);
  }

  focusedWindow(): Ref | undefined {
    return this.elements.element(this.app, "AXFocusedWindow", this.deadline, this.arena);
  }

  menuBar(): Peek | undefined {
    const own = this.elements.element(this.app, "AXMenuBar", this.deadline, this.arena);
    if (own) return this.peek(own, "app/menubar");
    const children = this.elements.elements(this.app, "AXChildren", this.deadline, this.arena);
    return this.peeks(children, "app/children").find((child) => child.role === "AXMenuBar");
  }

  /** Open menus, the one of the menu bar first. */
  *menus(searched = SEARCH_NODES): Generator<{ menu: Peek; context: boolean }> {
    const bar = this.menuBar();
    for (const item of bar ? this.peeks(bar.children, `${bar.id}/items`) : []) {
      if (item.role !== "AXMenuBarItem" || !item.selected) continue;
      for (const menu of this.peeks(item.children, `${item.id}/children`)) {
        if (menu.role === "AXMenu" && menu.visible !== false) yield { menu, context: false };
      }
    }
    const listed = this.elements.elements(this.app, "AXMenus", this.deadline, this.arena);
    for (const menu of this.peeks(listed, "app/menus")) {
      if (menu.visible !== false) yield { menu, context: true };
    }
    if (listed.length > 0) return;
    const found = this.#searchMenu(searched);
    if (found) yield { menu: found, context: true };
  }

  // Context and pop-up menus hang anywhere below what has the focus.
  #searchMenu(nodes: number): Peek | undefined {
    const focused = this.elements.element(
      this.app,
      "AXFocusedUIElement",
      this.deadline,
      this.arena,
    );
    const children = this.elements.elements(this.app, "AXChildren", this.deadline, this.arena);
    const starts = children.map((element, i) => ({ element, id: `app/children/${i}`, depth: 0 }));
    if (focused) starts.unshift({ element: focused, id: "focused", depth: 0 });
    const stack = starts.reverse();
    for (let read = 0; stack.length > 0 && read < nodes; read++) {
      if (this.deadline.expired) break;
      const { element, id, depth } = stack.pop()!;
      const found = this.peek(element, id);
      if (!found || found.role === "AXMenuBar") continue;
      if (found.role === "AXMenu" && found.visible !== false) return found;
      if (depth >= SEARCH_DEPTH) continue;
      for (let i = found.children.length - 1; i >= 0; i--) {
        stack.push({ element: found.children[i]!, id: `${id}/children/${i}`, depth: depth + 1 });
      }
    }
    return undefined;
  }

  /** The focused window, or the child of it, that has this role. */
  onFocusedWindow(role: string): Peek[] {
    const focused = this.focusedWindow();
    const window = focused && this.peek(focused, "focused-window");
    if (!window) return [];
    const is = (peek: Peek) => peek.role === role || peek.subrole === role;
    if (is(window)) return [window];
    return this.peeks(window.children, "focused-window/children").filter(is);
  }

  alerts(): Peek[] {
    const windows = this.elements.elements(this.app, "AXWindows", this.deadline, this.arena);
    const found: Peek[] = [];
    for (const window of this.peeks(windows, "app/windows")) {
      for (const peek of [window, ...this.peeks(window.children, `${window.id}/children`)]) {
        if (peek.role === "AXSheet" || ALERT_ROLES.has(peek.subrole)) found.push(peek);
      }
    }
    return found;
  }
}

function layers(elements: Elements, pid: number, deadline: Deadline, arena: Arena): Layers {
  const app = arena.own(elements.ax.application(pid));
  // A blocked application must not look like one without surfaces. One that is just starting may
  // refuse the first question.
  const ask = () => elements.attribute(app, "AXRole", deadline, arena).error;
  const error = ask();
  if (error === AX.apiDisabled) throw notTrusted();
  if (error === AX.cannotComplete && ask() === AX.cannotComplete) {
    throw unresponsive("its surfaces were read");
  }
  return new Layers(elements, app, deadline, arena);
}

/** Root of a surface; `undefined` when it is not open. */
export function readSurfaceRoot(
  elements: Elements,
  pid: number,
  surface: Surface,
  deadline: Deadline,
): Handle | undefined {
  using arena = new Arena();
  const l = layers(elements, pid, deadline, arena);
  const root = surfaceElement(l, surface);
  return root && elements.hold(root);
}

function surfaceElement(l: Layers, surface: Surface): Ref | undefined {
  switch (surface) {
    case "focused":
      return l.focusedWindow();
    case "menubar":
      return l.menuBar()?.element;
    case "menu":
      for (const { menu } of l.menus()) return menu.element;
      return undefined;
    case "sheet":
      return l.onFocusedWindow("AXSheet")[0]?.element;
    case "popover":
      return l.onFocusedWindow("AXPopover")[0]?.element;
    case "alert":
      return l.alerts()[0]?.element;
    default:
      return undefined;
  }
}

/** Overlays open now. */
export function readOpenSurfaces(
  elements: Elements,
  pid: number,
  deadline: Deadline,
): SurfaceInfo[] {
  using arena = new Arena();
  const l = layers(elements, pid, deadline, arena);
  const found: SurfaceInfo[] = [];
  const seen = new Set<Handle>();
  const add = (type: string, peek: Peek) => {
    const handle = elements.hold(peek.element);
    if (seen.has(handle)) return;
    seen.add(handle);
    found.push({
      id: peek.id,
      type,
      handle,
      ...(isBlank(peek.title) ? {} : { title: peek.title }),
      ...(type === "menu" || type === "context_menu" ? { itemCount: peek.children.length } : {}),
    });
  };
  for (const { menu, context } of l.menus()) add(context ? "context_menu" : "menu", menu);
  for (const sheet of l.onFocusedWindow("AXSheet")) add("sheet", sheet);
  for (const popover of l.onFocusedWindow("AXPopover")) add("popover", popover);
  for (const alert of l.alerts()) add("alert", alert);
  if (l.uncertain) {
    for (const surface of found) surface.unclassified = ["menu", "sheet", "popover", "alert"];
  }
  return found;
}

/**
 * Whether a menu is open: in the menu bar, listed by the application, or below the element that was
 * asked to show one. Cheap enough to be asked again and again; `false` when it cannot be read.
 */
export function isMenuOpen(elements: Elements, element: Ref, deadline: Deadline): boolean {
  using arena = new Arena();
  const app = arena.own(elements.ax.application(elements.ax.pidOf(element)));
  const l = new Layers(elements, app, deadline, arena);
  for (const _open of l.menus(MENU_POLL_NODES)) return true;
  return l.peeks(l.peek(element, "element")?.children.slice(0, MENU_POLL_NODES) ?? [], "element")
    .some((child) => child.role === "AXMenu" && child.visible !== false);
}
