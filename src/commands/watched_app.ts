/** Which application is watched after an action. Loads nothing: most actions wait for nothing. */
import type { Deadline } from "../deadline.ts";
import { AppError } from "../errors.ts";
import type { Platform } from "../platform/platform.ts";
import type { RefEntry } from "../refs/entry.ts";
import type { TargetQuery } from "./observe.ts";

/** Which application is watched. */
export interface WatchedApp {
  /** Finds it anew for each look: its process, and the window that is looked at first. */
  find(deadline: Deadline): Promise<{ pid: number; window?: string | undefined }>;
  /** Whether it was named, so that its end answers `--wait-for-gone`. */
  named: boolean;
}

/** The application a ref belongs to. */
export function appOfEntry(platform: Platform, entry: RefEntry): WatchedApp {
  return {
    named: true,
    find() {
      if (platform.processInstance(entry.pid) === entry.process_instance) {
        return Promise.resolve({ pid: entry.pid, window: entry.source_window_id });
      }
      throw new AppError("APP_NOT_FOUND", "The application of the ref has ended", {
        suggestion: "Run list-apps to see what runs.",
      });
    },
  };
}

/** The application that `--app` and `--window-id` name, or whichever has the focus. */
export function appOfQuery(
  platform: Platform,
  { app, window_id }: Pick<TargetQuery, "app" | "window_id"> = {},
): WatchedApp {
  return {
    named: (app ?? window_id) !== undefined,
    async find(deadline) {
      const { selectWindow } = await import("./target.ts");
      const { pid, id } = await selectWindow(platform, { app, window_id }, deadline);
      return { pid, window: id };
    },
  };
}
