/** Starting and ending applications, the same on every platform. */
import type { Deadline } from "../deadline.ts";
import type { AppInfo, WindowInfo } from "./desktop_items.ts";

/** What to start. */
export interface LaunchRequest {
  /** Name, identifier or path of the application. */
  query: string;
  args: readonly string[];
  /** Added to this process's own environment. */
  env: Readonly<Record<string, string>>;
  cwd?: string;
  /** Bring its window forward, and wait for one until the deadline. */
  activate: boolean;
}

/** An application that runs now. */
export interface Launched {
  app: AppInfo;
  /** Absent when it showed none in time. */
  window?: WindowInfo;
  /** It ran before. */
  attached: boolean;
  /** It is built on Chromium, which can be asked over the DevTools protocol too. */
  renderer?: "chromium";
}

/** Starts and ends applications. */
export interface Launcher {
  /** Instances of the application that run, if it is known by that name here. */
  running(query: string, deadline: Deadline): Promise<AppInfo[]>;
  /** Shows a running instance as `launch` would have; nothing is started. */
  attach(app: AppInfo, activate: boolean, deadline: Deadline): Promise<Launched>;
  /**
   * Starts a new instance and waits for it.
   *
   * @throws AppError `APP_NOT_FOUND` when nothing of that name is installed, `APP_UNRESPONSIVE` when
   * it ended before it showed a window, `ACTION_FAILED` when the system did not start it
   */
  start(request: LaunchRequest, deadline: Deadline): Promise<Launched>;
  /**
   * Asks an application to end, or ends it; returns once the process is gone.
   *
   * @throws AppError `INVALID_ARGS` for a process the desktop lives by, `STALE_REF` when it is gone
   * already, `TIMEOUT` when it still runs at the end (with the dialog it shows instead)
   */
  close(app: AppInfo, force: boolean, deadline: Deadline): Promise<void>;
}
