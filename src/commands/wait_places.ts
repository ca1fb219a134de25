/** `wait --window`, `--text`, `--menu`, `--menu-closed`: until something is there, or gone. */
import type { Deadline } from "../deadline.ts";
import type { Platform } from "../platform/platform.ts";
import { allocate } from "../refs/allocate.ts";
import { formatRef } from "../refs/syntax.ts";
import { findMatches } from "../tree/match.ts";
import type { Context } from "./context.ts";
import { MAX_DEPTH, openScope, readScope } from "./observe.ts";
import { focusedApp, resolveApp } from "./target.ts";
import { watch } from "./wait_poll.ts";
import { windowItem } from "./window_item.ts";

const WINDOW_POLL_MS = 100;
const MENU_POLL_MS = 100;
const TEXT_POLL_MS = 200;
const TEXT_SLOWEST_MS = 1_000;
/** Titles named when no window came, and their longest part, in characters. */
const MAX_TITLES = 8;
const MAX_TITLE = 120;
/** One look at a whole window. */
const LOOK_MS = 5_000;

/** Waits for a window with a text in its title. */
export async function waitForWindow(
  platform: Platform,
  title: string,
  app: string | undefined,
  timeoutMs: number,
  deadline: Deadline,
): Promise<unknown> {
  let titles: string[] = [];
  return await watch({
    predicate: "window",
    timeoutMs,
    everyMs: WINDOW_POLL_MS,
    lastSeen: () => ({
      title,
      last_observed: {
        window_count: titles.length,
        titles: titles.slice(0, MAX_TITLES).map((one) => one.slice(0, MAX_TITLE).toWellFormed()),
        truncated: titles.length > MAX_TITLES,
      },
    }),
    async look(limit) {
      await platform.apps(limit); // the list of a moment ago lacks what has just started
      const pid = app === undefined ? undefined : (await resolveApp(platform, app, limit)).app.pid;
      const windows = await platform.windows(pid, limit, { placed: true });
      titles = windows.map((window) => window.title);
      const found = windows.find((window) => window.title.includes(title));
      return found && { found: true, window: windowItem(found) };
    },
  }, deadline);
}

/** What text is waited for. */
export interface TextWait {
  app?: string | undefined;
  /** Exactly so many elements. */
  count?: number | undefined;
  timeout: number;
}

/** Waits for a text in a window; the first element that has it gets a ref where it can have one. */
export async function waitForText(
  context: Context,
  text: string,
  { app, count, timeout }: TextWait,
  deadline: Deadline,
): Promise<unknown> {
  const platform = await context.platform();
  let seen = 0;
  return await watch({
    predicate: "text",
    timeoutMs: timeout,
    everyMs: TEXT_POLL_MS,
    slowest: TEXT_SLOWEST_MS,
    lastSeen: () => ({
      text_chars: [...text].length,
      last_observed: { count: seen },
      ...(count === undefined ? {} : { expected_count: count }),
    }),
    async look(limit) {
      await platform.apps(limit);
      const within = limit.within(LOOK_MS);
      const scope = await openScope(platform, app === undefined ? {} : { app }, within);
      const observation = await readScope(platform, scope, { maxDepth: MAX_DEPTH }, within);
      // Of an element and what it is in, the innermost has the text.
      const { order, indexes } = findMatches(observation.root, { text });
      const inner = indexes.filter((index) =>
        !indexes.some((other) => order[other]!.parent === index)
      );
      seen = inner.length;
      const wanted = count === undefined ? seen > 0 : seen === count && observation.complete;
      if (!wanted) return undefined;
      const first = inner[0] === undefined ? undefined : order[inner[0]]!.node;
      const store = context.store();
      const id = store.newId();
      const only = new Set(first === undefined ? [] : [first]);
      const storeHandles = platform.handlesPersist;
      store.saveNew(id, allocate(observation.root, { source: scope.source, storeHandles, only }));
      return {
        found: true,
        text,
        ref: first?.ref === undefined ? null : formatRef(id, first.ref),
        role: first?.role ?? null,
        snapshot_id: id,
        ...(count === undefined ? {} : { count: seen }),
      };
    },
  }, deadline);
}

/** Waits until a menu of the application is open, or none is. */
export async function waitForMenu(
  platform: Platform,
  open: boolean,
  app: string | undefined,
  timeoutMs: number,
  deadline: Deadline,
): Promise<unknown> {
  return await watch({
    predicate: open ? "menu" : "menu_closed",
    timeoutMs,
    everyMs: MENU_POLL_MS,
    lastSeen: () => app === undefined ? {} : { app },
    async look(limit) {
      const { app: { pid } } = app === undefined
        ? await focusedApp(platform, limit)
        : await resolveApp(platform, app, limit);
      const surfaces = await platform.openSurfaces(pid, limit);
      const isOpen = surfaces.some(({ type }) => type === "menu" || type === "context_menu");
      return isOpen === open ? { found: true } : undefined;
    },
  }, deadline);
}
