/** Applications and windows as the accessibility registry shows them. */
import type { Deadline } from "../../deadline.ts";
import { AppError } from "../../errors.ts";
import type { AppInfo, WindowInfo } from "../platform.ts";
import {
  applicationRoot,
  extents,
  method,
  objectList,
  type ObjectRef,
  property,
  toHandle,
} from "./accessible.ts";
import { COORDS, hasState, STATE } from "./atspi.ts";
import { type Bus, NO_ANSWER, type Reply } from "./bus.ts";
import { askChildren, childReplies } from "./children.ts";
import { toolkitOf } from "./toolkits/known.ts";
import type { Toolkit } from "./toolkits/toolkit.ts";
import { registeredApplications } from "./connection.ts";
import { type Dated, ofJustNow } from "./dated.ts";
import { commandName, processInstance } from "./process.ts";
import { reachBlocked } from "./own_socket.ts";
import { NO_WINDOW_ROLES, WINDOW_ROLES } from "./roles.ts";

// One mute helper process costs at most this (ms), because all are asked at once.
const APP_ANSWER_MS = 1_000;
// Who has not answered by then (ms) may be blocked, and is asked once more.
const PROMPT_MS = 250;
// More registered applications or top-levels than any desktop has; past it a list is cut.
const MAX_APPS = 1_024;
const MAX_WINDOWS_PER_APP = 256;

// Command of the process that sandboxed applications are to the bus (at most 15 characters).
const PROXY = "xdg-dbus-proxy";

/** One application root on the bus. */
export interface AppRoot {
  object: ObjectRef;
  pid: number;
  name: string;
  toolkit: Toolkit;
  /** Its top-levels when it was asked; `undefined` when it did not answer. */
  tops: Dated<ObjectRef[]> | undefined;
  /** It left every question open. */
  silent: boolean;
  /** It left open what it is called. */
  nameless: boolean;
  /** It talks through a proxy, whose process it is to the bus. */
  proxied: boolean;
}

function text(reply: Reply): string {
  return reply.ok && typeof reply.values[0] === "string" ? reply.values[0] : "";
}

function number(reply: Reply): number | undefined {
  return reply.ok && typeof reply.values[0] === "number" ? reply.values[0] : undefined;
}

function isOpen(reply: Reply): boolean {
  return !reply.ok && reply.error === NO_ANSWER;
}

function uniqueNamePid(bus: string) {
  return {
    destination: "org.freedesktop.DBus",
    path: "/org/freedesktop/DBus",
    interface: "org.freedesktop.DBus",
    member: "GetConnectionUnixProcessID",
    signature: "s",
    args: [bus],
  };
}

// Mute applications never cost more than this part of what is left: the rest is for the others.
const SHARE = 1 / 2;
const PATIENT_SHARE = 3 / 4;

/**
 * Every application root. One that does not answer in its share of the time is listed with what
 * the bus itself knows of it. `known` is the registry's list, when it has just been read. Throws
 * `PLATFORM_NOT_SUPPORTED` when the registry is mute.
 */
export function readAppRoots(
  bus: Bus,
  deadline: Deadline,
  patient: boolean,
  known?: Reply,
): AppRoot[] {
  const listed = known ?? registeredApplications(bus, deadline);
  if (!listed.ok) {
    throw new AppError(
      listed.error === NO_ANSWER ? "TIMEOUT" : "PLATFORM_NOT_SUPPORTED",
      "The accessibility registry did not list its applications",
      { suggestion: "Restart at-spi2-registryd, then retry.", platformDetail: listed.error },
    );
  }
  return readRoots(bus, objectList(listed.values[0]).slice(0, MAX_APPS), deadline, patient);
}

/** The application behind one bus name; `undefined` when it is gone. */
export function readAppRoot(bus: Bus, busName: string, deadline: Deadline): AppRoot | undefined {
  return readRoots(bus, [applicationRoot(busName)], deadline, true)[0];
}

/** Replies about a root: process id, name, toolkit, version, top-levels. */
type RootReplies = [Reply, Reply, Reply, Reply, Reply];

function askRoots(bus: Bus, objects: readonly ObjectRef[], deadline: Deadline): RootReplies[] {
  const lists = new Map<ObjectRef, Reply>();
  for (const object of objects) askChildren(bus, object, (reply) => lists.set(object, reply));
  const replies = bus.callAll(
    objects.flatMap((object) => [
      uniqueNamePid(object.bus),
      property(object, "Accessible", "Name"),
      property(object, "Application", "ToolkitName"),
      property(object, "Application", "Version"),
    ]),
    deadline,
  );
  bus.run(deadline, () => lists.size === objects.length);
  return objects.map((object, i) =>
    [...replies.slice(i * 4, i * 4 + 4), lists.get(object)!] as RootReplies
  );
}

function readRoots(
  bus: Bus,
  objects: readonly ObjectRef[],
  deadline: Deadline,
  patient: boolean,
): AppRoot[] {
  const share = deadline.within(
    patient
      ? deadline.remaining * PATIENT_SHARE
      : Math.min(APP_ANSWER_MS, deadline.remaining * SHARE),
  );
  const replies = askRoots(bus, objects, share.within(PROMPT_MS));
  const late = objects.filter((_, i) => replies[i]!.slice(1).some(isOpen));
  for (const object of late) {
    const pid = number(replies[objects.indexOf(object)]![0]);
    if (pid !== undefined) reachBlocked(bus, object.bus, pid, share);
  }
  const again = askRoots(bus, late, share);
  // What was said the first time stays said: the bus itself told the pid of a mute application.
  late.forEach((object, i) => {
    const at = objects.indexOf(object);
    replies[at] = again[i]!.map((reply, part) =>
      isOpen(reply) ? replies[at]![part]! : reply
    ) as RootReplies;
  });
  const at = performance.now();
  return objects.flatMap((object, i) => {
    const [pid, name, toolkit, version, tops] = replies[i]!;
    const processId = number(pid);
    // The bus answers for every connection it has; no pid means the application has just gone.
    if (processId === undefined) return [];
    return [{
      object,
      pid: processId,
      name: text(name) || commandName(processId) || "",
      toolkit: toolkitOf({ toolkit: text(toolkit), version: text(version), name: text(name) }),
      tops: tops.ok ? { value: objectList(tops.values[0]), at } : undefined,
      silent: [name, toolkit, version, tops].every((reply) => isOpen(reply)),
      nameless: isOpen(name),
      proxied: commandName(processId) === PROXY,
    }];
  });
}

/**
 * One entry per process that has application roots, which are merged; one for each root that is
 * behind a proxy.
 */
export function toApps(roots: readonly AppRoot[]): AppInfo[] {
  const apps = new Map<number | string, AppInfo>();
  for (const root of roots) {
    const key = root.proxied ? root.object.bus : root.pid;
    const app = apps.get(key) ?? newApp(root);
    if (!root.nameless) delete app.silent;
    if (root.tops !== undefined && app.presentation !== "foreground") {
      app.presentation = root.tops.value.length > 0 ? "foreground" : "background";
    }
    apps.set(key, app);
  }
  return [...apps.values()];
}

function newApp(root: AppRoot): AppInfo {
  const app: AppInfo = { name: root.name, pid: root.pid, aliases: [] };
  if (root.nameless) app.silent = true;
  if (root.proxied) app.connection = root.object.bus;
  const command = commandName(root.pid);
  if (command !== undefined && command !== root.name) app.aliases.push(command);
  const instance = processInstance(root.pid);
  if (instance !== undefined) app.processInstance = instance;
  return app;
}

/** Window id in the form `w-` + bus name without its colon + path with `-` for `/`. */
export function windowId(object: ObjectRef): string {
  return `w-${object.bus.replace(/^:/, "")}${object.path.replaceAll("/", "-")}`;
}

/** The bus name in a window id; `undefined` when the text is no window id. */
export function busOfWindowId(id: string): string | undefined {
  const name = /^w-(\d+\.\d+)-/.exec(id)?.[1];
  return name && `:${name}`;
}

// How GTK 4 before 4.10 calls a window without a name: by its type.
const TYPE_NAME = /^[A-Z][A-Za-z0-9]*Window$/;

/** Whether an application's own word on its window's title says nothing. */
export function isUntitled(title: string): boolean {
  return title.trim() === "" || TYPE_NAME.test(title);
}

/** A window with what the reader needs besides the public facts. */
export interface LinuxWindow extends WindowInfo {
  object: ObjectRef;
  root: AppRoot;
}

/**
 * Top-level windows of the given application roots, in the order applications list them. One
 * process may take all of the time, several share it. `unanswered`: the one process that was
 * asked left open what windows it has.
 */
export function readWindows(
  bus: Bus,
  roots: readonly AppRoot[],
  deadline: Deadline,
): { windows: LinuxWindow[]; unanswered: boolean } {
  const withWindows = roots.filter((root) => root.tops?.value.length !== 0);
  const single = new Set(withWindows.map((root) => root.pid)).size === 1;
  const round = () =>
    single ? deadline : deadline.within(Math.min(APP_ANSWER_MS, deadline.remaining * SHARE));
  const lists = withWindows.map((root) => ofJustNow(root.tops));
  const unlisted = withWindows.filter((_, i) => lists[i] === undefined);
  const answers = childReplies(bus, unlisted.map((root) => root.object), round());
  let unanswered = single && answers.some(isOpen);
  const answered = new Map(unlisted.map((root, i) => [root, answers[i]!]));
  const tops = withWindows.flatMap((root, i) => {
    const reply = answered.get(root);
    const objects = lists[i] ?? (reply?.ok ? objectList(reply.values[0]) : []);
    return objects.slice(0, MAX_WINDOWS_PER_APP).map((object) => ({ root, object }));
  });
  const replies = bus.callAll(
    tops.flatMap(({ object }) => [
      method(object, "Accessible", "GetRole"),
      method(object, "Accessible", "GetState"),
      property(object, "Accessible", "Name"),
      method(object, "Component", "GetExtents", "u", COORDS.screen),
    ]),
    round(),
  );
  const modal = new Set<LinuxWindow>();
  const windows = tops.flatMap(({ root, object }, i) => {
    const [role, state, name, bounds] = replies.slice(i * 4, i * 4 + 4) as [
      Reply,
      Reply,
      Reply,
      Reply,
    ];
    if (single && isOpen(role)) unanswered = true;
    if (!isWindow(number(role), state, bounds)) return [];
    const window = toWindow(root, object, state, text(name), bounds);
    if (hasState(stateWords(state), STATE.modal)) modal.add(window);
    return [window];
  });
  markBlocked(windows, modal);
  return { windows, unanswered };
}

/** Whether a top-level is a window: by its role, or because it shows something of its own. */
function isWindow(role: number | undefined, state: Reply, bounds: Reply): boolean {
  if (role === undefined) return false;
  if (WINDOW_ROLES.has(role)) return true;
  if (NO_WINDOW_ROLES.has(role) || !hasState(stateWords(state), STATE.showing)) return false;
  const rect = bounds.ok ? extents(bounds.values[0]) : undefined;
  return rect !== undefined && rect.width > 1 && rect.height > 1;
}

/**
 * Tells the window that a modal one of its application keeps from all input. With several
 * windows that are not modal it stays open which of them is meant, and none is marked.
 */
function markBlocked(windows: readonly LinuxWindow[], modal: ReadonlySet<LinuxWindow>): void {
  for (const dialog of modal) {
    if (dialog.visible !== true) continue;
    const others = windows.filter((one) => one.root === dialog.root && !modal.has(one));
    if (others.length === 1) others[0]!.behindModal = dialog.title;
  }
}

function stateWords(state: Reply): number[] {
  return state.ok && Array.isArray(state.values[0]) ? state.values[0] as number[] : [];
}

function toWindow(
  root: AppRoot,
  object: ObjectRef,
  state: Reply,
  title: string,
  bounds: Reply,
): LinuxWindow {
  const words = stateWords(state);
  const window: LinuxWindow = {
    id: windowId(object),
    title,
    appName: root.name,
    pid: root.pid,
    isFocused: hasState(words, STATE.active),
    accessible: true,
    handle: toHandle(object),
    object,
    root,
  };
  const instance = processInstance(root.pid);
  if (instance !== undefined) window.processInstance = instance;
  const rect = bounds.ok ? extents(bounds.values[0]) : undefined;
  if (rect && root.toolkit.screenPixels) window.bounds = rect;
  else if (rect) window.size = { width: rect.width, height: rect.height };
  if (state.ok) {
    window.visible = hasState(words, STATE.showing);
    if (hasState(words, STATE.iconified)) window.minimized = true;
  }
  return window;
}
