/** `version`: which build this is. */
import { versionData } from "../version.ts";
import type { Description } from "./command.ts";

export const COMMAND: Description = {
  group: "Health",
  summary: "Print version, target and operating system as JSON",
  args: {},
  example: "",
  privileges: [],
  permission: "none",
  immediate: versionData,
  run: async () => versionData(),
};
