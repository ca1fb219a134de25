/** `status`: what works here, with or without a desktop. */
import type { Deadline } from "../deadline.ts";
import { AppError } from "../errors.ts";
import type { Permissions, Surface } from "../platform/platform.ts";
import { versionData } from "../version.ts";
import type { Description } from "./command.ts";
import type { Context } from "./context.ts";
import { GRANT_REPORT_MS, reportGrants } from "./grants.ts";

export const COMMAND: Description = {
  group: "Health",
  summary: "Tell what works here: permissions, surfaces, session, state root",
  args: {},
  example: "",
  privileges: ["read", "ffi", "env"],
  permission: "none",
  budgetMs: GRANT_REPORT_MS,
  run,
};

/** What `status` prints. */
interface StatusData {
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
async function run(
  _args: unknown,
  context: Context,
  deadline: Deadline,
): Promise<StatusData> {
  const { platform, permissions } = await reportGrants(context, deadline);
  const { os, version } = versionData();
  return {
    platform: platform?.name ?? os,
    version,
    permissions,
    session_id: context.globals.session ?? null,
    tracing: false,
    supported_surfaces: platform?.surfaces ?? [],
    ...storedState(context),
  };
}

type StoredState = Pick<
  StatusData,
  "snapshot_id" | "ref_count" | "state_root" | "state_root_problem"
>;

/** What the state root holds; an unusable one is reported, not fatal. */
function storedState(context: Context): StoredState {
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
    const state: StoredState = { ...nothing };
    if (root !== undefined) state.state_root = root;
    if (thrown.code !== "SNAPSHOT_NOT_FOUND") state.state_root_problem = thrown.message;
    return state;
  }
}
