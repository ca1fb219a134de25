/** Folders and child processes for tests of the store. */
import { fromFileUrl } from "@std/path";
import { effectiveUserId } from "../../../ffi/libc.ts";

// The C library stays loaded for the life of the process; loaded here it is no test's leak.
effectiveUserId();

/** A private folder that is removed when it goes out of scope. */
export class Folder implements Disposable {
  readonly path: string = Deno.makeTempDirSync({ prefix: "store-" });

  /** Every file below, relative, sorted. */
  files(below = ""): string[] {
    const found: string[] = [];
    for (const { name, isDirectory } of Deno.readDirSync(`${this.path}/${below}`)) {
      if (isDirectory) found.push(...this.files(`${below}${name}/`));
      else found.push(below + name);
    }
    return found.sort();
  }

  /** Makes every temporary file old enough to be swept. */
  ageTemps(): number {
    const temps = this.files().filter((name) => name.endsWith(".tmp"));
    const old = new Date(Date.now() - 61_000);
    for (const name of temps) Deno.utimeSync(`${this.path}/${name}`, old, old);
    return temps.length;
  }

  [Symbol.dispose](): void {
    Deno.removeSync(this.path, { recursive: true });
  }
}

const CONFIG = fromFileUrl(new URL("../../../deno.json", import.meta.url));

/** A child process that runs a module of this folder. */
export function script(module: string, args: string[], shell?: string): Deno.Command {
  const file = fromFileUrl(new URL(module, import.meta.url));
  const deno = [Deno.execPath(), "run", "-A", "--no-check", "--config", CONFIG, file, ...args];
  const options = { stdin: "null", stdout: "piped", stderr: "piped" } as const;
  if (shell === undefined) return new Deno.Command(deno[0]!, { ...options, args: deno.slice(1) });
  return new Deno.Command("bash", {
    ...options,
    args: ["-c", `${shell} exec "$@"`, "bash", ...deno],
  });
}

/** Another process that holds a lock until it is killed. */
export async function holdLock(path: string): Promise<{ kill(): Promise<void> }> {
  const holder = script("hold_script.ts", [path]).spawn();
  const reader = holder.stdout.getReader();
  await reader.read();
  return {
    async kill() {
      holder.kill("SIGKILL");
      await holder.status;
      await reader.cancel();
      await holder.stderr.cancel();
    },
  };
}
