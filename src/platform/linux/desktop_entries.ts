/**
 * Installed applications: the desktop entries of the freedesktop.org specification, as far as
 * starting one needs them.
 */

/** An entry that can be started. */
export interface DesktopEntry {
  /** Path below the `applications` folder with `-` for `/`, without `.desktop`. */
  id: string;
  /** The name in every language the entry has. */
  names: readonly string[];
  /** Program and arguments, field codes removed. */
  command: readonly string[];
  cwd?: string;
  /** It wants a terminal window around it. */
  terminal: boolean;
}

// An entry is a page of text; folders are searched this deep and this far.
const MAX_ENTRY_BYTES = 262_144;
const MAX_DEPTH = 4;
const MAX_ENTRIES = 8_192;

/** Reads an environment variable. */
type Env = (name: string) => string | undefined;

/** The `applications` folders, the user's own first (XDG Base Directory Specification). */
export function applicationFolders(env: Env): string[] {
  const home = env("HOME");
  const own = env("XDG_DATA_HOME") || (home === undefined ? undefined : `${home}/.local/share`);
  const shared = env("XDG_DATA_DIRS") || "/usr/local/share:/usr/share";
  return [own, ...shared.split(":")]
    .filter((folder) => folder !== undefined && folder.startsWith("/"))
    .map((folder) => `${folder!.replace(/\/+$/, "")}/applications`);
}

/**
 * Finds an application by desktop-entry id, else by a name in any language. The first folder that
 * has an id hides the others' entry of that id, as the specification wants it.
 *
 * @param same how texts are compared
 * @returns all that fit equally well: one, none, or several of one name
 */
export function findEntries(
  query: string,
  env: Env,
  same: (a: string, b: string) => boolean,
): DesktopEntry[] {
  const wanted = query.replace(/\.desktop$/, "");
  const byName: DesktopEntry[] = [];
  const seen = new Set<string>();
  for (const { id, path } of entryFiles(applicationFolders(env))) {
    if (seen.has(id)) continue;
    seen.add(id);
    const entry = readEntry(id, path, env);
    if (entry === undefined) continue;
    if (same(id, wanted)) return [entry];
    if (entry.names.some((name) => same(name, query))) byName.push(entry);
  }
  return byName;
}

function* entryFiles(folders: readonly string[]): Generator<{ id: string; path: string }> {
  let left = MAX_ENTRIES;
  for (const folder of folders) {
    const open = [{ path: folder, prefix: "", depth: 0 }];
    while (open.length > 0) {
      const { path, prefix, depth } = open.pop()!;
      for (const { name, isDirectory } of list(path)) {
        if (--left < 0) return;
        if (isDirectory) {
          const deeper = { path: `${path}/${name}`, prefix: `${prefix}${name}-`, depth: depth + 1 };
          if (depth < MAX_DEPTH) open.push(deeper);
        } else if (name.endsWith(".desktop")) {
          yield { id: `${prefix}${name.slice(0, -".desktop".length)}`, path: `${path}/${name}` };
        }
      }
    }
  }
}

function list(folder: string): Deno.DirEntry[] {
  try {
    return [...Deno.readDirSync(folder)].sort((a, b) => a.name < b.name ? -1 : 1);
  } catch {
    return []; // most of the folders named in the environment do not exist
  }
}

function readEntry(id: string, path: string, env: Env): DesktopEntry | undefined {
  try {
    if (Deno.statSync(path).size > MAX_ENTRY_BYTES) return undefined;
    return parseEntry(id, Deno.readTextFileSync(path), (program) => isProgram(program, env));
  } catch {
    return undefined; // a dangling link or a file of somebody else
  }
}

/**
 * The entry in a `.desktop` file; `undefined` for what is no application, is hidden, or has no
 * program here.
 */
export function parseEntry(
  id: string,
  text: string,
  exists: (program: string) => boolean,
): DesktopEntry | undefined {
  const keys = mainGroup(text);
  const exec = keys.get("Exec");
  if (keys.get("Type") !== "Application" || exec === undefined) return undefined;
  if (keys.get("Hidden") === "true") return undefined;
  const tried = keys.get("TryExec");
  if (tried !== undefined && !exists(unescapeValue(tried))) return undefined;
  const command = parseExec(unescapeValue(exec));
  if (command.length === 0) return undefined;
  const names = [...keys].filter(([key]) => key === "Name" || key.startsWith("Name["))
    .map(([, value]) => unescapeValue(value));
  const cwd = keys.get("Path");
  return {
    id,
    names,
    command,
    ...(cwd ? { cwd: unescapeValue(cwd) } : {}),
    terminal: keys.get("Terminal") === "true",
  };
}

/** Keys of the `[Desktop Entry]` group. */
function mainGroup(text: string): Map<string, string> {
  const keys = new Map<string, string>();
  let inside = false;
  for (const line of text.split(/\r?\n/)) {
    if (line.startsWith("[")) inside = line.trim() === "[Desktop Entry]";
    else if (inside && !line.startsWith("#")) {
      const at = line.indexOf("=");
      const key = line.slice(0, at).trim();
      if (at > 0 && !keys.has(key)) keys.set(key, line.slice(at + 1).trim());
    }
  }
  return keys;
}

const ESCAPES: Readonly<Record<string, string>> = {
  s: " ",
  n: "\n",
  t: "\t",
  r: "\r",
  "\\": "\\",
};

/** Escapes of string values (before quoting in `Exec` is looked at). */
function unescapeValue(value: string): string {
  return value.replace(/\\(.)/g, (whole, character: string) => ESCAPES[character] ?? whole);
}

/** Program and arguments of an `Exec` line: quotes taken off, field codes removed. */
export function parseExec(exec: string): string[] {
  const words: string[] = [];
  // A word is made of quoted parts (a backslash keeps the next of " ` $ \ as it is) and bare ones.
  for (const [word] of exec.matchAll(/(?:"(?:\\.|[^"\\])*"|[^\s"])+/g)) {
    // A word that is only a field code stands for what is not given here: files, an icon.
    if (/^%[a-zA-Z]$/.test(word)) continue;
    const plain = word.replace(
      /"((?:\\.|[^"\\])*)"/g,
      (_, quoted: string) => quoted.replace(/\\(["`$\\])/g, "$1"),
    );
    words.push(plain.replace(/%(.)/g, (_, code: string) => code === "%" ? "%" : ""));
  }
  return words;
}

/** Whether a program is there: a path, or a name on PATH. */
export function isProgram(program: string, env: Env): boolean {
  return programPath(program, env) !== undefined;
}

/** The path of an executable file, by path or by name on PATH. */
export function programPath(program: string, env: Env): string | undefined {
  if (program === "") return undefined;
  const tries = program.includes("/")
    ? [program]
    : (env("PATH") || "/usr/bin:/bin").split(":").filter((folder) => folder !== "")
      .map((folder) => `${folder}/${program}`);
  return tries.find((path) => {
    try {
      const info = Deno.statSync(path);
      return info.isFile && ((info.mode ?? 0) & 0o111) !== 0;
    } catch {
      return false;
    }
  });
}
