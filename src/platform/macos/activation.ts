/** Chromium builds its accessibility tree only when asked; this asks, and says when it did not. */
import { answered } from "../../../ffi/macos/accessibility.ts";
import { Arena, type Ref } from "../../../ffi/macos/core_foundation.ts";
import type { Native } from "../../../ffi/macos/native.ts";
import type { Deadline } from "../../deadline.ts";
import type { Node } from "../../tree/node.ts";
import type { Elements } from "./accessible.ts";

/** Attribute of the application element that switches the renderer's tree on (Chromium, Electron). */
const SWITCH = "AXManualAccessibility";
const FRAMEWORKS = [
  "Electron Framework.framework",
  "Chromium Embedded Framework.framework",
  "Google Chrome Framework.framework",
  "Chromium Framework.framework",
  "Microsoft Edge Framework.framework",
];

/** Whether an application draws its windows with Chromium; `false` when nobody can tell. */
export function isChromium(native: Native, pid: number): boolean {
  // From the executable's place, because loading AppKit costs every other application time.
  const bundle = /^.*?\.app(?=\/)/.exec(native.system.processPath(pid) ?? "")?.[0];
  if (bundle === undefined) return false;
  for (const framework of FRAMEWORKS) {
    try {
      if (Deno.statSync(`${bundle}/Contents/Frameworks/${framework}`).isDirectory) return true;
    } catch {
      // Not there, or not ours to look at.
    }
  }
  return false;
}

/** Whether a tree holds web content. */
export function hasWebContent(node: Node): boolean {
  return node.role === "webarea"
    ? node.children.length > 0 || (node.childrenCount ?? 0) > 0
    : node.children.some(hasWebContent);
}

/**
 * Switches the renderer's tree on. Its return code says nothing (older versions refuse and obey),
 * so the tree is the judge.
 */
export function activateRenderer(elements: Elements, app: Ref, deadline: Deadline): void {
  using arena = new Arena();
  const now = elements.attribute(app, SWITCH, deadline, arena);
  if (answered(now) && now.value.kind === "bool" && now.value.value) return;
  elements.set(app, SWITCH, elements.cf.true, deadline);
}
