import config from "../deno.json" with { type: "json" };

/** The program's version, as `deno.json` states it; bundling puts the value into the binary. */
export const VERSION: string = config.version;

/** What a program says about itself. */
export interface VersionData {
  /** Version of the program. */
  version: string;
  /** What the binary was built for, as a Rust target triple. */
  target: string;
  os: "linux" | "macos" | typeof Deno.build.os;
}

/** Version, target and operating system of the running program; asks nothing of the machine. */
export function versionData(): VersionData {
  const { os, target } = Deno.build;
  return { version: VERSION, target, os: os === "darwin" ? "macos" : os };
}
