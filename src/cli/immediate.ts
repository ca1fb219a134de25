/** `version`: answers before anything is set up, and loads next to nothing (contract §7). */
import { versionData } from "../commands/version.ts";
import type { Process } from "./process.ts";

/**
 * What the command answers, once the one check that precedes it has passed.
 *
 * @throws AppError `INVALID_ARGS` for a bad `AGENT_DESKTOP_HOME`
 */
export async function answerAtOnce(process: Process): Promise<unknown> {
  if (process.env("AGENT_DESKTOP_HOME") !== undefined) {
    const { explicitStateRoot } = await import("../store/state_root.ts");
    explicitStateRoot({ get: process.env });
  }
  process.keepOnly([]);
  return versionData();
}
