/** What runs on a desktop: applications and their windows. */
import type { Handle, Rect } from "../tree/node.ts";

/** A running application that accessibility can see. */
export interface AppInfo {
  name: string;
  pid: number;
  /** Other names it answers to: the process command name, the bundle id. */
  aliases: string[];
  bundleId?: string;
  processInstance?: string;
  /** Tells it from other applications that may seem to be the same process; absent elsewhere. */
  connection?: string;
  /** Absent when the application did not answer in its share of the time. */
  presentation?: "foreground" | "background";
  /** It did not tell its name in its share of the time: `name` is not its own. */
  silent?: true;
}

/** A top-level window. */
export interface WindowInfo {
  /** Opaque, starts with `w-`, stable while the native window lives. */
  id: string;
  title: string;
  appName: string;
  pid: number;
  processInstance?: string;
  /** Without the window's shadow; absent when they are unknown. */
  bounds?: Rect;
  /** What the toolkit says where it knows no bounds: tells windows of one title apart. */
  size?: { width: number; height: number };
  isFocused: boolean;
  minimized?: boolean;
  visible?: boolean;
  /** `false` only when the window is proven unreachable for accessibility. */
  accessible: boolean;
  /**
   * Why it is not: its application has no accessibility, has it and does not answer, or answers and
   * tells nothing of this window.
   */
  unreachable?: "no_accessibility" | "not_answering" | "not_published";
  /** Title of a modal window that keeps all input from this one; absent when there is none. */
  behindModal?: string;
  /** Root element of the window; absent when it has none. */
  handle?: Handle;
}
