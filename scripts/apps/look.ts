/** Looks at what an application shows by other means than the program under test. */
import type { Desktop } from "../../tests/e2e/support/desktop.ts";
import type { Check } from "./types.ts";

/** Titles of all visible windows, as the X server tells them. */
export async function titles(desktop: Desktop): Promise<string[]> {
  const found = await text(desktop, "xdotool", "search", "--onlyvisible", "--name", "");
  const names = await Promise.all(
    found.split("\n").filter(Boolean).map((id) => text(desktop, "xdotool", "getwindowname", id)),
  );
  return names.map((name) => name.replace(/\n$/, "")).filter((name) => name !== "");
}

/** The screen's pixels: the frame buffer file of the desktop's X server. */
export function picture(desktop: Desktop): Promise<Uint8Array> {
  return Deno.readFile(`${desktop.folder}/Xvfb_screen0`);
}

/** Whether a check holds; `before` is the screen before the operation. */
export async function holds(
  desktop: Desktop,
  pid: number,
  check: Check,
  before: Uint8Array,
): Promise<boolean> {
  if ("pixels" in check) return differing(before, await picture(desktop)) >= check.pixels;
  if ("file" in check) {
    try {
      return (await Deno.readTextFile(`${desktop.env["HOME"]}/${check.file}`)).includes(check.has);
    } catch {
      return false;
    }
  }
  if ("title" in check) {
    const some = (await titles(desktop)).some((one) => one.startsWith(check.title));
    return some !== Boolean(check.gone);
  }
  const nodes = await desktop.reader.find({
    app: `pid:${pid}`,
    max_children: 300,
    text: true,
    ...(check.name === undefined ? {} : { name: check.name }),
    ...(check.role === undefined ? {} : { role: check.role }),
  });
  const some = nodes.some((node) =>
    (check.text === undefined || node.text?.trim() === check.text) &&
    (check.value === undefined || node.value === check.value) &&
    (check.state === undefined || node.states.includes(check.state))
  );
  return some !== Boolean(check.gone);
}

/** How many of two equally large pictures' pixels (4 bytes) differ. */
export function differing(one: Uint8Array, other: Uint8Array): number {
  const before = new Uint32Array(one.buffer, 0, one.length >> 2);
  const after = new Uint32Array(other.buffer, 0, other.length >> 2);
  let count = 0;
  for (let i = 0; i < before.length; i++) if (before[i] !== after[i]) count += 1;
  return count;
}

/** A program's standard output, whatever its exit code. */
async function text(desktop: Desktop, file: string, ...args: string[]): Promise<string> {
  const { stdout } = await desktop.command(file, { args, stderr: "null" }).output();
  return new TextDecoder().decode(stdout);
}
