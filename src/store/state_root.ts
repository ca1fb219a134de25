/** Where the program keeps its state (docs/contract.md, "Environment"). */
import { AppError } from "../errors.ts";
import { effectiveUserId } from "../../ffi/libc.ts";
import { directoryProblem } from "./private_file.ts";

/** What is read of the environment. */
export interface Environment {
  get(name: string): string | undefined;
}

const DEFAULT_NAME = ".agent-desktop";

function lstat(path: string): Deno.FileInfo | Error | undefined {
  try {
    return Deno.lstatSync(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    return error instanceof Error ? error : new Error(String(error));
  }
}

/**
 * The state root that `AGENT_DESKTOP_HOME` names, checked; `undefined` when it is not set.
 *
 * @throws AppError `INVALID_ARGS` when it is empty, relative, a symlink, not a directory, or not
 * this user's own.
 */
export function explicitStateRoot(env: Environment): string | undefined {
  const value = env.get("AGENT_DESKTOP_HOME");
  if (value === undefined) return undefined;
  const invalid = (reason: string) =>
    new AppError("INVALID_ARGS", `AGENT_DESKTOP_HOME '${value.slice(0, 512)}': ${reason}`, {
      suggestion: "Set AGENT_DESKTOP_HOME to the absolute path of a directory of your own " +
        "(it is created when missing), or unset it.",
    });
  if (value === "") throw invalid("it is empty");
  if (!value.startsWith("/")) throw invalid("it is not an absolute path");
  if (value.includes("\0")) throw invalid("it holds a NUL character");
  // A trailing slash would make the system follow a symlink.
  const root = value.replace(/\/+$/, "") || "/";
  const info = lstat(root);
  if (info instanceof Error) throw invalid(info.message);
  const problem = info === undefined ? undefined : directoryProblem(info);
  if (problem !== undefined) throw invalid(problem);
  return root;
}

/**
 * The state root: `AGENT_DESKTOP_HOME` itself, else `$HOME/.agent-desktop`. It need not exist yet.
 *
 * @throws AppError `INVALID_ARGS` for a bad `AGENT_DESKTOP_HOME`, `INTERNAL` (`not_delivered`) when
 * there is no usable `HOME`.
 */
export function resolveStateRoot(env: Environment): string {
  const explicit = explicitStateRoot(env);
  if (explicit !== undefined) return explicit;
  const home = env.get("HOME");
  const unusable = (reason: string) =>
    new AppError(
      "INTERNAL",
      `No place for the state root ${home ? `${home}/` : "~/"}${DEFAULT_NAME}: ${reason}`,
      {
        delivery: "not_delivered",
        suggestion: "Set AGENT_DESKTOP_HOME to the absolute path of a directory of your own.",
        details: { kind: "state_root", path: home ?? null },
      },
    );
  if (home === undefined || home === "") throw unusable("HOME is not set");
  if (!home.startsWith("/") || home.includes("\0")) throw unusable("HOME is not an absolute path");
  const base = home.replace(/\/+$/, "") || "/";
  const info = lstat(base);
  if (info === undefined) throw unusable("HOME does not exist");
  if (info instanceof Error) throw unusable(info.message);
  if (info.isSymlink) throw unusable("HOME is a symbolic link");
  if (!info.isDirectory) throw unusable("HOME is not a directory");
  if (info.uid !== null && info.uid !== effectiveUserId()) {
    throw unusable("HOME belongs to another user");
  }
  return base === "/" ? `/${DEFAULT_NAME}` : `${base}/${DEFAULT_NAME}`;
}
