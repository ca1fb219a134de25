/** What names an application: its name, an alias, or its pid; and what is said when nothing fits. */
import { AppError } from "../errors.ts";
import type { AppInfo } from "../platform/platform.ts";

/** Most similar names listed in an error (docs/observation.md, "Choosing a window"). */
const MAX_SIMILAR_NAMES = 5;

/**
 * A name in the form in which names are compared: NFC, without case. Upper-casing first lets
 * letters that lower-casing alone keeps apart (`ß` and `SS`, the two lower-case sigmas) meet.
 */
export function foldName(name: string): string {
  return name.normalize("NFC").toUpperCase().toLowerCase().normalize("NFC").trim();
}

/** The pid a query consists of; a number never stands for a name. */
export function parsePid(query: string): number | undefined {
  return /^[0-9]{1,10}$/.test(query.trim()) ? Number(query.trim()) : undefined;
}

/** The applications a query names: those of that name or alias, or the one with that pid. */
export function matchApps(apps: readonly AppInfo[], query: string): AppInfo[] {
  const pid = parsePid(query);
  if (pid !== undefined) return apps.filter((app) => app.pid === pid);
  const wanted = foldName(query);
  if (wanted === "") return [];
  // Comparing accessible names first: an alias (the command name may be an interpreter's) counts
  // only when no application is called that.
  const named = apps.filter((app) => foldName(app.name) === wanted);
  return named.length > 0
    ? named
    : apps.filter((app) => app.aliases.some((alias) => foldName(alias) === wanted));
}

/** The refusal of a query that names no application, with the names that are similar. */
export async function appNotFound(apps: readonly AppInfo[], query: string): Promise<AppError> {
  const candidates = parsePid(query) === undefined ? await similarApps(apps, query) : [];
  const what = parsePid(query) === undefined ? "with that name" : "with that pid";
  return new AppError("APP_NOT_FOUND", `No running application ${what} offers accessibility`, {
    suggestion: candidates.length > 0
      ? "Pass one of details.candidates with --app, or run list-apps."
      : "Run list-apps and pass a name or pid it prints with --app.",
    ...(candidates.length > 0 ? { details: { candidates } } : {}),
  });
}

/** Names of applications that are called nearly that, or have an alias that is. */
async function similarApps(apps: readonly AppInfo[], query: string): Promise<string[]> {
  const { similarNames } = await import("./similar_names.ts");
  const names = new Map<string, string>();
  for (const app of apps) {
    for (const name of [app.name, ...app.aliases]) {
      if (name !== "" && !names.has(foldName(name))) names.set(foldName(name), app.name || name);
    }
  }
  const found = similarNames(foldName(query), names.keys(), names.size)
    .map((name) => names.get(name)!);
  return [...new Set(found)].slice(0, MAX_SIMILAR_NAMES);
}
