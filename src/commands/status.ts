/** `status`: what works here, with or without a desktop. */
import type { Context } from "../cli/context.ts";
import { AppError } from "../errors.ts";
import type { Permissions, Surface } from "../platform/platform.ts";
import { probe } from "./permissions.ts";
import { versionData } from "./version.ts";

/** What `status` prints. */
export interface StatusData {
  platform: string;
  version: string;
  permissions: Permissions;
  /** Newest snapshot of the selected namespace, and how many refs it holds. */
  snapshot_id: string | null;
  ref_count: number | null;
  session_id: string | null;
  tracing: boolean;
  supported_surfaces: readonly Surface[];
  /** Absent when there is none; `state_root_problem` says why. */
  state_root?: string;
  state_root_problem?: string;
}

/** Runs the command; nothing that is missing makes it fail. */
export async function run(_args: unknown, context: Context): Promise<StatusData> {
  const { platform, permissions } = await probe(context);
  const { os, version } = versionData();
  return {
    platform: platform?.name ?? os,
    version,
    permissions,
    session_id: context.globals.session ?? null,
    tracing: false,
    supported_surfaces: platform?.surfaces ?? [],
    ...stored(context),
  };
}

type Stored = Pick<
  StatusData,
  "snapshot_id" | "ref_count" | "state_root" | "state_root_problem"
>;

/** What the state root holds; an unusable one is reported, not fatal. */
function stored(context: Context): Stored {
  const nothing = { snapshot_id: null, ref_count: null };
  let root: string | undefined;
  try {
    root = context.stateRoot();
    const store = context.store();
    const id = store.latest();
    if (id === undefined) return { ...nothing, state_root: root };
    return { snapshot_id: id, ref_count: store.load(id).entries.size, state_root: root };
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown;
    // The pointer may name a snapshot that was pruned meanwhile.
    const state: Stored = { ...nothing };
    if (root !== undefined) state.state_root = root;
    if (thrown.code !== "SNAPSHOT_NOT_FOUND") state.state_root_problem = thrown.message;
    return state;
  }
}
