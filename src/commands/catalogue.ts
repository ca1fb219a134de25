/**
 * Every command: its name, in the order of the general help, and the file that describes and runs
 * it. A file is loaded when its command is used.
 */
import type { Command, Description } from "./command.ts";

/** A line of the catalogue. */
export interface Entry {
  /** What the file says of the command: one description, or one for each action. */
  load(): Promise<Description | readonly Description[]>;
  /** Whether the command never touches the desktop, so that no platform need be loaded for it. */
  offline?: true;
}

/** A file with one command. */
function one(
  load: () => Promise<{ COMMAND: Description | readonly Description[] }>,
  rest: { offline?: true } = {},
): Entry {
  return { load: async () => (await load()).COMMAND, ...rest };
}

/** A file with a table of commands; the compiler checks that each name is in it. */
function several<Name extends string>(
  names: readonly Name[],
  load: () => Promise<{ COMMANDS: Readonly<Record<Name, Description>> }>,
): Record<Name, Entry> {
  const entry = (name: Name): Entry => ({ load: async () => (await load()).COMMANDS[name] });
  return Object.fromEntries(names.map((name) => [name, entry(name)])) as Record<Name, Entry>;
}

const CATALOGUE: Readonly<Record<string, Entry>> = {
  "snapshot": one(() => import("./snapshot.ts")),
  "find": one(() => import("./find.ts")),
  "get": one(() => import("./get.ts")),
  "is": one(() => import("./is.ts")),
  "list-apps": one(() => import("./list_apps.ts")),
  "list-windows": one(() => import("./list_windows.ts")),
  "list-displays": one(() => import("./list_displays.ts")),
  "list-surfaces": one(() => import("./list_surfaces.ts")),
  "wait": one(() => import("./wait.ts")),
  ...several(
    [
      "click",
      "double-click",
      "triple-click",
      "right-click",
      "type",
      "set-value",
      "clear",
      "focus",
      "select",
      "toggle",
      "check",
      "uncheck",
      "expand",
      "collapse",
      "scroll",
      "scroll-to",
    ],
    () => import("./ref_actions.ts"),
  ),
  "press": one(() => import("./press.ts")),
  ...several(["key-down", "key-up"], () => import("./held.ts")),
  "hover": one(() => import("./hover.ts")),
  "drag": one(() => import("./drag.ts")),
  ...several(["mouse-move", "mouse-click", "mouse-wheel"], () => import("./mouse.ts")),
  ...several(["mouse-down", "mouse-up"], () => import("./held.ts")),
  "launch": one(() => import("./launch.ts")),
  "close-app": one(() => import("./close_app.ts")),
  ...several(
    ["focus-window", "resize-window", "move-window", "minimize", "maximize", "restore"],
    () => import("./window_commands.ts"),
  ),
  "screenshot": one(() => import("./screenshot.ts")),
  ...several(
    ["clipboard-get", "clipboard-set", "clipboard-clear"],
    () => import("./clipboard.ts"),
  ),
  "batch": {
    load: async () => (await import("./batch.ts")).batchOver({ load: loadCommands, usesDesktop }),
  },
  "session": one(() => import("./session.ts"), { offline: true }),
  "status": one(() => import("./status.ts")),
  "permissions": one(() => import("./permissions.ts")),
  "version": one(() => import("./version.ts"), { offline: true }),
};

/** The names of all commands. */
export const NAMES: readonly string[] = Object.keys(CATALOGUE);

/** Whether a command of that name may look at the desktop; `false` also where there is none. */
export function usesDesktop(name: string): boolean {
  return Object.hasOwn(CATALOGUE, name) && CATALOGUE[name]!.offline !== true;
}

/** Loads a command: one, or one for each of its actions; none for an unknown name. */
export async function loadCommands(name: string): Promise<readonly Command[]> {
  if (!Object.hasOwn(CATALOGUE, name)) return [];
  const found = await CATALOGUE[name]!.load();
  const descriptions: readonly Description[] = "run" in found ? [found] : found;
  return descriptions.map((description) => ({ name, ...description }));
}

/** Loads every command, in the order of the catalogue. */
export async function loadAllCommands(): Promise<readonly Command[]> {
  return (await Promise.all(NAMES.map(loadCommands))).flat();
}
