/** `snapshot --since`: what changed since an earlier snapshot of the same window. */
import { AppError } from "../errors.ts";
import type { Observation } from "../platform/platform.ts";
import type { RefStore } from "../store/ref_store.ts";
import { changesBetween } from "../tree/changes.ts";
import { decodeTree, originOf, type StoredTree } from "../refs/tree_file.ts";
import type { Scope } from "./observe.ts";
import { type OutputOptions, refPrefix, shownTree, snapshotHead } from "./snapshot_output.ts";

const FULL_SNAPSHOT = "Take a new snapshot without --since and compare with that one from then on.";

/** The tree an earlier snapshot kept, to compare with. */
export class Since {
  readonly #id: string;
  readonly #tree: StoredTree;

  private constructor(id: string, tree: StoredTree) {
    this.#id = id;
    this.#tree = tree;
  }

  /**
   * Loads the tree of a snapshot.
   *
   * Throws `SNAPSHOT_NOT_FOUND` when there is no such snapshot or it kept no tree (`find` keeps
   * none, and neither does a snapshot too large to keep).
   */
  static load(store: RefStore, id: string): Since {
    const text = store.loadTree(id);
    const tree = text === undefined ? undefined : decodeTree(text);
    if (tree !== undefined) return new Since(id, tree);
    throw new AppError("SNAPSHOT_NOT_FOUND", `Snapshot ${id} kept no tree to compare with`, {
      suggestion: FULL_SNAPSHOT,
    });
  }

  /** Throws `INVALID_ARGS` unless it is of the process, window and surface of `scope`. */
  requireOrigin(scope: Scope): void {
    const now = originOf(scope.source);
    const { origin } = this.#tree;
    const same = now.pid === origin.pid && now.process_instance === origin.process_instance &&
      now.window === origin.window && now.surface === origin.surface;
    if (same) return;
    throw new AppError("INVALID_ARGS", `Snapshot ${this.#id} is not of this window`, {
      suggestion: FULL_SNAPSHOT,
      details: { since_window_id: origin.window, window_id: now.window },
    });
  }

  /**
   * `data` with `changes` in the tree's place. Both trees are reduced by `-i` and `--compact`
   * first, so that a change in what is not shown is not reported.
   */
  body(
    scope: Scope,
    observation: Observation,
    snapshot: { id: string; refCount: number },
    options: OutputOptions,
  ): Record<string, unknown> {
    return {
      ...snapshotHead(scope, observation, snapshot),
      changes: changesBetween(
        { root: shownTree(this.#tree.root, options), refPrefix: `${refPrefix(this.#id)}e` },
        { root: shownTree(observation.root, options), refPrefix: `${refPrefix(snapshot.id)}e` },
      ),
    };
  }
}
