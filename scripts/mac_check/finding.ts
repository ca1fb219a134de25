/** What the checks for a Mac have in common. */
import type { LibraryPaths } from "../../ffi/macos/library.ts";
import type { MacPlatform } from "../../src/platform/macos/platform.ts";

/** What a check came to. */
export interface Finding {
  name: string;
  status: "pass" | "fail" | "info" | "skip";
  detail: string;
}

export interface CheckOptions {
  intrusive: boolean;
  apps: readonly string[];
  /** The compiled program. */
  binary?: string;
  /** Off macOS: stand-ins for the libraries. */
  libraries?: LibraryPaths;
}

export type Outcome = Omit<Finding, "name">;
export type Check = (on: MacPlatform, options: CheckOptions) => Promise<Outcome> | Outcome;

export const pass = (detail: string): Outcome => ({ status: "pass", detail });
export const fail = (detail: string): Outcome => ({ status: "fail", detail });
export const info = (detail: string): Outcome => ({ status: "info", detail });
export const skip = (detail: string): Outcome => ({ status: "skip", detail });
export const verdict = (good: boolean, detail: string): Outcome =>
  good ? pass(detail) : fail(detail);
