/** What the program needs of the process it runs in; tests put their own in its place. */
import { type Privilege, PRIVILEGES } from "../commands/command.ts";
import { writeAll } from "../write_all.ts";

/** Environment, output streams and permissions of a process. */
export interface Process {
  /** An environment variable, `undefined` when it is not set. */
  env(name: string): string | undefined;
  /**
   * Writes all of a text to stdout.
   *
   * @throws whatever the stream throws when it is closed or full
   */
  stdout(text: string): void;
  /** Writes a line to stderr; a stderr that takes nothing is nobody's concern. */
  stderr(line: string): void;
  /** Gives up every permission that is not listed, for good. */
  keepOnly(privileges: readonly Privilege[]): void;
}

/** The process this program runs in. */
export const REAL_PROCESS: Process = {
  env(name) {
    try {
      return Deno.env.get(name);
    } catch (thrown) {
      // Not UTF-8. It is set all the same, to a value that no rule accepts.
      if (thrown instanceof Deno.errors.InvalidData) return "\ufffd";
      throw thrown;
    }
  },
  stdout: (text) => writeText(Deno.stdout, text),
  stderr(line) {
    try {
      writeText(Deno.stderr, line + "\n");
    } catch {
      // There is no other place to say so.
    }
  },
  keepOnly(privileges) {
    for (const name of PRIVILEGES) {
      if (!privileges.includes(name)) Deno.permissions.revokeSync({ name });
    }
  },
};

function writeText(stream: typeof Deno.stdout, text: string): void {
  writeAll((bytes) => stream.writeSync(bytes), new TextEncoder().encode(text));
}
