/** The system's own tools, run with a time limit. */
import type { Deadline } from "../../deadline.ts";
import { AppError } from "../../errors.ts";

/** Programs that do what has no safe call. */
export interface ToolPaths {
  screencapture: string;
  sips: string;
  open: string;
  pbpaste: string;
}

const SYSTEM_TOOLS: ToolPaths = {
  screencapture: "/usr/sbin/screencapture",
  sips: "/usr/bin/sips",
  open: "/usr/bin/open",
  pbpaste: "/usr/bin/pbpaste",
};

/** The tools' paths: the system's on macOS, the injected ones elsewhere (see `libraryPaths`). */
export function toolPaths(injected?: Partial<ToolPaths>): ToolPaths {
  return Deno.build.os === "darwin" ? SYSTEM_TOOLS : { ...SYSTEM_TOOLS, ...injected };
}

/** What a tool came to. */
export interface ToolResult {
  success: boolean;
  stdout: string;
  stderr: string;
}

/**
 * Runs a tool to its end.
 *
 * @throws AppError `TIMEOUT` at the deadline (the tool is ended), `INTERNAL` when it cannot be run
 */
export async function runTool(
  path: string,
  args: readonly string[],
  deadline: Deadline,
): Promise<ToolResult> {
  const abort = new AbortController();
  const timer = setTimeout(() => abort.abort(), deadline.remaining);
  try {
    const output = await new Deno.Command(path, {
      args: [...args],
      // Without it pbpaste writes Mac OS Roman.
      env: { LC_CTYPE: "UTF-8" },
      stdin: "null",
      stdout: "piped",
      stderr: "piped",
      signal: abort.signal,
    }).output();
    if (abort.signal.aborted) throw tooLate(path);
    const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
    return {
      success: output.success,
      stdout: text(output.stdout),
      stderr: text(output.stderr),
    };
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    if (abort.signal.aborted) throw tooLate(path);
    throw new AppError("INTERNAL", `${name(path)} cannot be run`, {
      delivery: "not_delivered",
      cause,
    });
  } finally {
    clearTimeout(timer);
  }
}

function name(path: string): string {
  return path.split("/").at(-1)!;
}

function tooLate(path: string): AppError {
  return new AppError("TIMEOUT", `${name(path)} did not end in time`, {
    suggestion: "Try again with a larger --timeout-ms.",
    details: { kind: "deadline" },
    delivery: "unknown",
  });
}
