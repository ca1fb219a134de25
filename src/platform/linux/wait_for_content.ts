/**
 * Cold applications: a window that has nothing in it yet, a web page that has not come, a renderer
 * that publishes nothing until asked. The tree is read again until it has content and keeps still,
 * inside the deadline; else the answer says what is missing (docs/linux.md, "Late content").
 */
import type { Deadline } from "../../deadline.ts";
import { isBlank, type Node } from "../../tree/node.ts";
import type { Observation } from "../platform.ts";

/**
 * `empty`: nothing but the frame; `blank`: a page without content, or a window of empty
 * containers; `loading`: it says so.
 */
type Readiness = "ready" | "empty" | "blank" | "loading";

const POLL_MS = 100;
// A page without content may just be an empty page, and a window of empty containers a canvas:
// this long is waited for it to fill.
const BLANK_MS = 2_000;
// After the switches had been on already, waiting for a renderer to notice them is hopeless.
const KNOWN_SWITCHED_MS = 500;
const YOUNG_READINGS = 3;
// Kept back for the last reading, so that it is not cut by the deadline.
const RESERVE_MS = 50;
const RESERVE_READINGS = 1.5;

export interface ContentOptions {
  /** Whether the toolkit publishes its pages on demand only, and they come and go on their own. */
  web: boolean;
  /** Whether the tree may be under construction without saying so. */
  young: boolean;
  /** Reads the tree once. */
  read: () => Observation | undefined;
  /** Switches the desktop's accessibility on; whether that changed anything. */
  activate: () => boolean;
}

/**
 * Reads until there is something to see. `undefined` when the root is gone. The result is
 * incomplete, with `details.kind`, when the content did not come in time.
 */
export async function observeWithContent(
  options: ContentOptions,
  deadline: Deadline,
): Promise<Observation | undefined> {
  let last = options.read();
  if (last === undefined) return undefined;
  let state = readiness(last, options.web);
  if (state === "ready" && !options.young) return last;
  const reserve = RESERVE_MS + deadline.elapsed * RESERVE_READINGS;
  const switched = options.web && state === "empty" && options.activate();
  const patience = deadline.within(
    Math.min(
      Math.max(0, deadline.remaining - reserve),
      state === "blank"
        ? BLANK_MS
        : options.web && state === "empty" && !switched
        ? KNOWN_SWITCHED_MS
        : Infinity,
    ),
  );
  // Of a young application as many readings in a row have to agree.
  const wanted = options.young ? YOUNG_READINGS : 2;
  let agreeing = 1;
  let seen = options.young ? outlineOf(last.root) : "";
  while (!patience.expired) {
    await patience.sleep(POLL_MS);
    const next = options.read();
    if (next === undefined) return undefined;
    const outline = options.young ? outlineOf(next.root) : "";
    const still = next.complete && next.nodesObserved === last.nodesObserved && outline === seen;
    agreeing = still ? agreeing + 1 : 1;
    state = readiness(next, options.web);
    last = next;
    seen = outline;
    if (state === "ready" && agreeing >= wanted) return last;
  }
  if (state === "ready" && options.young) state = "loading";
  return state === "empty" || state === "loading" ? unfinished(last, state, options.web) : last;
}

/** What is there, without what moves or counts while nothing is built. */
function outlineOf(node: Node): string {
  const said = `${isBlank(node.name) ? "" : "n"}${node.value === undefined ? "" : "v"}`;
  return `${node.role}${said}(${node.children.map(outlineOf).join()})`;
}

function unfinished(seen: Observation, state: "empty" | "loading", web: boolean): Observation {
  if (state === "loading") {
    return {
      ...seen,
      complete: false,
      details: { kind: "content_loading" },
      suggestion: "Take the snapshot again, or raise --timeout-ms to wait for the page.",
    };
  }
  if (!web) {
    return {
      ...seen,
      complete: false,
      details: { kind: "window_empty" },
      suggestion: "The window shows nothing to accessibility yet; raise --timeout-ms or retry.",
    };
  }
  return {
    ...seen,
    complete: false,
    details: { kind: "renderer_accessibility_inactive" },
    suggestion:
      "Start the application with --force-renderer-accessibility to see its pages; with --force-electron-a11y the frame is taken as it is.",
  };
}

/** How much of a tree is there. What depth cut off is not missing. */
function readiness(observation: Observation, web: boolean): Readiness {
  const { root } = observation;
  if (root.childrenCount !== undefined || root.truncated) return "ready";
  if (root.children.length === 0) return "empty";
  const pages: Node[] = [];
  const cut = collectPages(root, pages);
  const shown = pages.filter(({ states }) => !states.includes("offscreen"));
  // A page cannot be disabled: it is told so before the process that has it was heard of.
  const late = ({ states }: Node) => states.includes("busy") || states.includes("disabled");
  if ((shown.length > 0 ? shown : pages).some(late)) return "loading";
  if (!web) return root.children.some(hasContent) ? "ready" : "blank";
  if (cut) return "ready";
  if (pages.length === 0) return "empty";
  return pages.some((page) => page.children.length > 0 || page.childrenCount !== undefined)
    ? "ready"
    : "blank";
}

/** Whether anything is there besides containers that say nothing. */
function hasContent(node: Node): boolean {
  const container = node.role === "group" || node.role === "unknown";
  return !container || !isBlank(node.name) || node.value !== undefined ||
    !isBlank(node.description) || node.childrenCount !== undefined || node.truncated === true ||
    node.children.some(hasContent);
}

/** Gathers web areas; `true` when the tree was cut, so that one may hide below the cut. */
function collectPages(node: Node, pages: Node[]): boolean {
  if (node.role === "webarea") {
    pages.push(node);
    return false;
  }
  let cut = node.childrenCount !== undefined || node.truncated === true;
  for (const child of node.children) if (collectPages(child, pages)) cut = true;
  return cut && pages.length === 0;
}
