/** What one observation may read, and how much of it is used up. */
import type { Node } from "../tree/node.ts";
import { utf8Length } from "../tree/utf8.ts";
import { OBSERVE_LIMITS, type ObserveLimits } from "./platform.ts";

/** Counts what a walk reads against its limits. */
export class WalkBudget {
  readonly limits: ObserveLimits;
  #nodes = 0;
  #edges = 0;
  #textBytes = 0;

  constructor(limits: ObserveLimits = OBSERVE_LIMITS) {
    this.limits = limits;
  }

  /** Nodes taken and kept. */
  get nodes(): number {
    return this.#nodes;
  }

  /** Whether no more nodes may be read. */
  get isOutOfNodes(): boolean {
    return this.#nodes >= this.limits.nodes;
  }

  /** Takes one node; `false` when no more may be read. */
  takeNode(): boolean {
    if (this.isOutOfNodes) return false;
    this.#nodes++;
    return true;
  }

  /** Gives back nodes that are counted in their parent instead of being shown. */
  giveBackNodes(count: number): void {
    this.#nodes -= count;
  }

  /** Takes one step from a parent to a child; `false` when no more may be made. */
  takeEdge(): boolean {
    if (this.#edges >= this.limits.edges) return false;
    this.#edges++;
    return true;
  }

  /** UTF-8 bytes the next field may have. */
  get fieldBytes(): number {
    const left = this.limits.totalBytes - this.#textBytes;
    return Math.max(0, Math.min(left, this.limits.fieldBytes));
  }

  /** Whether fields have to be shorter than one alone might be. */
  get isTextShort(): boolean {
    return this.fieldBytes < this.limits.fieldBytes;
  }

  /** Counts the texts of a node. */
  spendText(node: Node): void {
    for (const text of [node.name, node.value, node.description]) {
      if (text) this.#textBytes += utf8Length(text);
    }
  }
}
