/** Which module runs which command; each is loaded when its command is used. `version` needs none. */
import type { CommandModule } from "./context.ts";
import type { RefActionArgs, ScrollArgs, SelectArgs, SetValueArgs, TypeArgs } from "./table/act.ts";
import type {
  DragArgs,
  HoverArgs,
  KeyArgs,
  MouseButtonArgs,
  MouseClickArgs,
  MouseMoveArgs,
  MouseWheelArgs,
  PressArgs,
} from "./table/input.ts";
import type {
  AppOnlyArgs,
  FindArgs,
  GetArgs,
  IsArgs,
  PermissionsArgs,
  SessionArgs,
  SnapshotArgs,
} from "./table/mod.ts";

/** Arguments of each command. */
interface ArgsOf {
  "snapshot": SnapshotArgs;
  "find": FindArgs;
  "get": GetArgs;
  "is": IsArgs;
  "click": RefActionArgs;
  "double-click": RefActionArgs;
  "triple-click": RefActionArgs;
  "right-click": RefActionArgs;
  "type": TypeArgs;
  "set-value": SetValueArgs;
  "clear": RefActionArgs;
  "focus": RefActionArgs;
  "select": SelectArgs;
  "toggle": RefActionArgs;
  "check": RefActionArgs;
  "uncheck": RefActionArgs;
  "expand": RefActionArgs;
  "collapse": RefActionArgs;
  "scroll": ScrollArgs;
  "scroll-to": RefActionArgs;
  "press": PressArgs;
  "key-down": KeyArgs;
  "key-up": KeyArgs;
  "hover": HoverArgs;
  "drag": DragArgs;
  "mouse-move": MouseMoveArgs;
  "mouse-click": MouseClickArgs;
  "mouse-wheel": MouseWheelArgs;
  "mouse-down": MouseButtonArgs;
  "mouse-up": MouseButtonArgs;
  "list-apps": AppOnlyArgs;
  "list-windows": AppOnlyArgs;
  "list-displays": unknown;
  "list-surfaces": AppOnlyArgs;
  "session": SessionArgs;
  "permissions": PermissionsArgs;
  "status": unknown;
}

type Loaders = { readonly [Name in keyof ArgsOf]: () => Promise<CommandModule<ArgsOf[Name]>> };

const LOADERS: Loaders = {
  "snapshot": () => import("../commands/snapshot.ts"),
  "find": () => import("../commands/find.ts"),
  "get": () => import("../commands/get.ts"),
  "is": () => import("../commands/is.ts"),
  "click": () => import("../commands/click.ts"),
  "double-click": () => import("../commands/double_click.ts"),
  "triple-click": () => import("../commands/triple_click.ts"),
  "right-click": () => import("../commands/right_click.ts"),
  "type": () => import("../commands/type.ts"),
  "set-value": () => import("../commands/set_value.ts"),
  "clear": () => import("../commands/clear.ts"),
  "focus": () => import("../commands/focus.ts"),
  "select": () => import("../commands/select.ts"),
  "toggle": () => import("../commands/toggle.ts"),
  "check": () => import("../commands/check.ts"),
  "uncheck": () => import("../commands/uncheck.ts"),
  "expand": () => import("../commands/expand.ts"),
  "collapse": () => import("../commands/collapse.ts"),
  "scroll": () => import("../commands/scroll.ts"),
  "scroll-to": () => import("../commands/scroll_to.ts"),
  "press": () => import("../commands/press.ts"),
  "key-down": () => import("../commands/key_down.ts"),
  "key-up": () => import("../commands/key_up.ts"),
  "hover": () => import("../commands/hover.ts"),
  "drag": () => import("../commands/drag.ts"),
  "mouse-move": () => import("../commands/mouse_move.ts"),
  "mouse-click": () => import("../commands/mouse_click.ts"),
  "mouse-wheel": () => import("../commands/mouse_wheel.ts"),
  "mouse-down": () => import("../commands/mouse_down.ts"),
  "mouse-up": () => import("../commands/mouse_up.ts"),
  "list-apps": () => import("../commands/list_apps.ts"),
  "list-windows": () => import("../commands/list_windows.ts"),
  "list-displays": () => import("../commands/list_displays.ts"),
  "list-surfaces": () => import("../commands/list_surfaces.ts"),
  "session": () => import("../commands/session.ts"),
  "permissions": () => import("../commands/permissions.ts"),
  "status": () => import("../commands/status.ts"),
};

/** Loads the module of a command in the table. */
export function loadCommand(name: string): Promise<CommandModule<unknown>> {
  // The table's schema produced the arguments that this module's type asks for.
  return (LOADERS as Record<string, () => Promise<CommandModule<unknown>>>)[name]!();
}
