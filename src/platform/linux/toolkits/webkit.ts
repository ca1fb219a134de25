/** WebKitGTK, whose web processes are applications of their own. */
import { type ApplicationFacts, DEFAULT, type Toolkit } from "./toolkit.ts";

const WEBKIT: Toolkit = { ...DEFAULT, name: "WebKitGTK", webAttributes: true };

/** Applications whose toolkit calls itself "WebKitGTK". */
export function webkit({ toolkit }: ApplicationFacts): Toolkit | undefined {
  return /^WebKitGTK$/i.test(toolkit) ? WEBKIT : undefined;
}
