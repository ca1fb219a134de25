/** Layers and overlays of an application, as far as its toolkit shows them. */
import type { Deadline } from "../../deadline.ts";
import { comparePaths } from "../../tree/walk.ts";
import type { Surface, SurfaceInfo } from "../platform.ts";
import { method, type ObjectRef, property, toHandle } from "./accessible.ts";
import { hasState, LAYER, ROLE, STATE } from "./atspi.ts";
import type { Bus } from "./bus.ts";
import type { ElementCache } from "./cache.ts";
import type { Profile } from "./profile.ts";
import { type LinuxWindow, windowId } from "./inventory.ts";
import { type Seen, StructureReader } from "./structure.ts";
import { DIALOG_ROLES, POPOVER_ROLES } from "./roles.ts";

// A web page's alert is a notification; an alert dialog is an alert.
const ALERTS: ReadonlySet<number> = new Set([ROLE.alert, ROLE.notification]);
const MENU_ITEMS: ReadonlySet<number> = new Set([
  ROLE.checkMenuItem,
  ROLE.menuItem,
  ROLE.radioMenuItem,
  ROLE.tearoffMenuItem,
]);
const MENUS: ReadonlySet<number> = new Set([ROLE.menu, ROLE.popupMenu]);
// What a menu that is no context menu hangs on.
const BUTTONS: ReadonlySet<number> = new Set([
  ROLE.pushButton,
  ROLE.toggleButton,
  ROLE.comboBox,
  ROLE.pushButtonMenu,
]);
// What can be between a menu and its items.
const WITHIN_MENUS: ReadonlySet<number> = new Set([
  ROLE.filler,
  ROLE.panel,
  ROLE.scrollPane,
  ROLE.viewport,
  ROLE.section,
  ROLE.grouping,
]);
// Content that holds no overlays is not searched.
const CONTENT: ReadonlySet<number> = new Set([
  ROLE.list,
  ROLE.scrollBar,
  ROLE.spinButton,
  ROLE.table,
  ROLE.terminal,
  ROLE.text,
  ROLE.tree,
  ROLE.treeTable,
  ROLE.entry,
  ROLE.listBox,
]);
// Overlays sit near the top; a page of thousands of elements is not read for them.
const MAX_DEPTH = 24;
const MAX_NODES = 4_096;

type Kind = "menu" | "context_menu" | "sheet" | "popover" | "alert" | "menubar";

interface Found {
  kind: Kind;
  object: ObjectRef;
  items: number;
}

/** The menu an item is in: GTK 4 has containers in between. */
function menuOf(item: Seen): Seen | undefined {
  let above = item.parent;
  while (above !== undefined && WITHIN_MENUS.has(above.roleNumber)) above = above.parent;
  return above !== undefined && MENUS.has(above.roleNumber) ? above : undefined;
}

/** Whether a menu is the list of a combo box that is closed: browsers say of it that it shows. */
function isClosedCombo(above: Seen | undefined): boolean {
  return above?.roleNumber === ROLE.comboBox && hasState(above.states, STATE.expandable) &&
    !hasState(above.states, STATE.expanded);
}

/** An application with the means to read it. */
export interface SurfaceSource {
  bus: Bus;
  profile: Profile;
  windows: readonly LinuxWindow[];
  /** The application's element cache, where it keeps one. */
  cache: ElementCache | undefined;
}

/** Every overlay of an application that is open now, in document order, menu bars left out. */
export function openSurfaces(source: SurfaceSource, deadline: Deadline): SurfaceInfo[] {
  const found = findSurfaces(source, deadline).filter((one) => one.kind !== "menubar");
  const titles = source.bus.callAll(
    found.map((one) => property(one.object, "Accessible", "Name")),
    deadline,
  );
  return found.map((one, i) => {
    const reply = titles[i]!;
    const title = reply.ok && typeof reply.values[0] === "string" ? reply.values[0] : "";
    const surface: SurfaceInfo = {
      id: windowId(one.object).replace(/^w-/, "s-"),
      type: one.kind,
      handle: toHandle(one.object),
    };
    if (title !== "") surface.title = title;
    if (one.kind === "menu" || one.kind === "context_menu") surface.itemCount = one.items;
    return surface;
  });
}

/** Root of a surface other than `window`; `undefined` when it is not open. */
export function surfaceRoot(
  source: SurfaceSource,
  surface: Surface,
  deadline: Deadline,
): ObjectRef | undefined {
  if (surface === "focused") return source.windows.find((window) => window.isFocused)?.object;
  const wanted: readonly Kind[] = surface === "menu" ? ["menu", "context_menu"] : [surface as Kind];
  const found = findSurfaces(source, deadline).filter((one) => wanted.includes(one.kind));
  // Of open menus the last is the innermost: the one that takes the next key.
  return (surface === "menu" ? found.at(-1) : found[0])?.object;
}

/** Looks through all windows at once, the focused one's finds first. */
function findSurfaces(source: SurfaceSource, deadline: Deadline): Found[] {
  const windows = [...source.windows].sort((a, b) => Number(b.isFocused) - Number(a.isFocused));
  const finders = windows.map((window) => new Finder(source, window));
  for (const finder of finders) finder.start();
  source.bus.run(deadline);
  return finders.flatMap((finder) => finder.results());
}

class Finder {
  readonly #reader: StructureReader;
  readonly #found: { path: readonly number[]; found: Found }[] = [];
  readonly #menus = new Map<Seen, Found>();

  constructor(private readonly source: SurfaceSource, private readonly window: LinuxWindow) {
    this.#reader = new StructureReader(source.bus, {
      maxDepth: MAX_DEPTH,
      maxNodes: MAX_NODES,
      visit: (seen) => this.#visit(seen),
      cache: source.cache,
    });
  }

  start(): void {
    this.#reader.start(this.window.object);
  }

  results(): Found[] {
    return this.#found
      .sort((a, b) => comparePaths(a.path, b.path))
      .map(({ found }) => found);
  }

  #visit(seen: Seen): boolean {
    const shows = hasState(seen.states, STATE.showing) || !this.source.profile.reportsShowing;
    const modal = hasState(seen.states, STATE.modal);
    const { roleNumber, parent } = seen;
    if (ALERTS.has(roleNumber) && (parent === undefined || shows)) this.#add("alert", seen);
    else if (parent === undefined && (DIALOG_ROLES.has(roleNumber) || modal)) {
      this.#add("sheet", seen);
    } else if (parent !== undefined && DIALOG_ROLES.has(roleNumber) && shows) {
      this.#add("sheet", seen);
    } else if (roleNumber === ROLE.menuBar) this.#add("menubar", seen);
    else if (POPOVER_ROLES.has(roleNumber) && parent !== undefined && shows) {
      if (modal) this.#add("popover", seen);
      else if (this.source.profile.layeredPopovers) this.#askPopover(seen);
    } else if (MENU_ITEMS.has(roleNumber) && shows) {
      const menu = menuOf(seen);
      if (menu !== undefined) this.#addItem(menu);
    }
    return !CONTENT.has(roleNumber);
  }

  #add(kind: Kind, seen: Seen): Found {
    const found: Found = { kind, object: seen.object, items: 0 };
    this.#found.push({ path: seen.path, found });
    return found;
  }

  /** A menu is open when its items show; one of a bar, a menu or a button is no context menu. */
  #addItem(menu: Seen): void {
    let found = this.#menus.get(menu);
    if (found === undefined) {
      if (isClosedCombo(menu.parent)) return;
      const above = menu.parent?.roleNumber ?? -1;
      const attached = above === ROLE.menuBar || MENUS.has(above) || MENU_ITEMS.has(above) ||
        BUTTONS.has(above);
      found = this.#add(attached ? "menu" : "context_menu", menu);
      this.#menus.set(menu, found);
    }
    found.items++;
  }

  #askPopover(seen: Seen): void {
    this.source.bus.send(method(seen.object, "Component", "GetLayer"), (reply) => {
      if (reply.ok && reply.values[0] === LAYER.popup) this.#add("popover", seen);
    });
  }
}
