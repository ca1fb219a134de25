/** An element followed through its own change: some toolkits rebuild it when its state changes. */
import type { Deadline } from "../deadline.ts";
import { staleRef } from "../errors.ts";
import type { Platform } from "../platform/platform.ts";
import type { Handle, Node } from "../tree/node.ts";
import type { TargetRef } from "./action_context.ts";
import { comparableText } from "./text_evidence.ts";

/** Reads an element after the delivery; once it is gone, the one that has its identity now. */
export class FollowedElement {
  readonly #platform: Platform;
  readonly #ref: TargetRef;
  #handle: Handle;

  constructor(platform: Platform, ref: TargetRef, handle: Handle) {
    this.#platform = platform;
    this.#ref = ref;
    this.#handle = handle;
  }

  /** A fresh reading. Throws what resolution raises, `STALE_REF` when there is no such element. */
  async read(deadline: Deadline): Promise<Node> {
    const node = await this.#platform.inspect(this.#handle, deadline);
    if (node !== undefined) return node;
    const again = await this.#ref.resolve(deadline);
    this.#handle = again.handle;
    const fresh = again.node ?? await this.#platform.inspect(again.handle, deadline);
    if (fresh !== undefined) return fresh;
    throw staleRef("The element is gone after the action");
  }

  /** The text of a node just read; `undefined` when there is none to compare. */
  async text(node: Node, deadline: Deadline): Promise<string | undefined> {
    if (node.unreadable?.includes("value") || node.embedded === "lost") return undefined;
    return await comparableText(this.#platform, this.#handle, node, deadline);
  }
}
