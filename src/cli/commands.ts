/** Which module runs which command; each is loaded when its command is used. `version` needs none. */
import type { CommandModule } from "./context.ts";
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
  "list-apps": AppOnlyArgs;
  "list-windows": AppOnlyArgs;
  "list-displays": unknown;
  "list-surfaces": AppOnlyArgs;
  "permissions": PermissionsArgs;
  "session": SessionArgs;
  "status": unknown;
}

type Loaders = { readonly [Name in keyof ArgsOf]: () => Promise<CommandModule<ArgsOf[Name]>> };

const LOADERS: Loaders = {
  "snapshot": () => import("../commands/snapshot.ts"),
  "find": () => import("../commands/find.ts"),
  "get": () => import("../commands/get.ts"),
  "is": () => import("../commands/is.ts"),
  "list-apps": () => import("../commands/list_apps.ts"),
  "list-windows": () => import("../commands/list_windows.ts"),
  "list-displays": () => import("../commands/list_displays.ts"),
  "list-surfaces": () => import("../commands/list_surfaces.ts"),
  "permissions": () => import("../commands/permissions.ts"),
  "session": () => import("../commands/session.ts"),
  "status": () => import("../commands/status.ts"),
};

/** Loads the module of a command in the table. */
export function loadCommand(name: string): Promise<CommandModule<unknown>> {
  // The table's schema produced the arguments that this module's type asks for.
  return (LOADERS as Record<string, () => Promise<CommandModule<unknown>>>)[name]!();
}
