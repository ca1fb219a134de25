/** Checks for a Mac that open, stop and end applications and type into them. */
import { Arena } from "../../ffi/macos/core_foundation.ts";
import { Deadline } from "../../src/deadline.ts";
import { axErrorName } from "../../src/platform/macos/accessible.ts";
import { isChromium } from "../../src/platform/macos/activation.ts";
import { closeApp, launchApp } from "../../src/platform/macos/launch.ts";
import type { MacPlatform } from "../../src/platform/macos/platform.ts";
import type { Node } from "../../src/tree/node.ts";
import { type Check, fail, info, type Outcome, pass, skip, verdict } from "./finding.ts";

const TEXT_EDIT = "com.apple.TextEdit";

/** Runs `work` with a fresh TextEdit and its text area; ends that TextEdit afterwards. */
async function withTextEdit(
  on: MacPlatform,
  work: (pid: number, area: Node, deadline: Deadline) => Promise<Outcome>,
): Promise<Outcome> {
  if (!on.native.ax.trusted()) return skip("needs Accessibility");
  const deadline = Deadline.after(60_000);
  const before = new Set((await on.apps(deadline)).map((app) => app.pid));
  const file = await Deno.makeTempFile({ suffix: ".txt" });
  const args = ["-n", "-b", TEXT_EDIT, file];
  const { success } = await new Deno.Command(on.tools.open, { args }).output();
  if (!success) return fail("TextEdit did not open");
  let pid = 0;
  try {
    while (!deadline.expired) {
      await deadline.sleep(100);
      const app = (await on.apps(deadline)).find((a) =>
        a.bundleId === TEXT_EDIT && !before.has(a.pid)
      );
      if (!app) continue;
      pid = app.pid;
      for (const window of await on.windows(pid, deadline)) {
        if (!window.handle) continue;
        await on.focusWindow(window, deadline);
        const query = { role: "textfield", maxDepth: 50 } as const;
        const area = (await on.candidates(window.handle, query, deadline)).nodes[0];
        if (area) return await work(pid, area, deadline);
      }
    }
    return fail("TextEdit showed no text area");
  } finally {
    if (pid > 0) on.native.system.signal(pid, 9);
    await Deno.remove(file);
  }
}

export const stopped: Check = (on, options) => {
  if (!options.intrusive) return skip("needs --intrusive");
  return withTextEdit(on, async (pid, area) => {
    const SIGSTOP = 17, SIGCONT = 19;
    on.native.system.signal(pid, SIGSTOP);
    try {
      const started = performance.now();
      const element = on.elements.find(area.handle!)!;
      using arena = new Arena();
      const answer = on.elements.attribute(element, "AXRole", Deadline.after(10_000), arena);
      const ms = Math.round(performance.now() - started);
      await Promise.resolve();
      return verdict(
        answer.error !== 0 && ms < 1_000,
        `a stopped application: ${axErrorName(answer.error)} after ${ms} ms (two slices of 250)`,
      );
    } finally {
      on.native.system.signal(pid, SIGCONT);
    }
  });
};

export const typing: Check = (on, options) => {
  if (!options.intrusive) return skip("needs --intrusive");
  return withTextEdit(on, async (_pid, area, deadline) => {
    await on.perform(area.handle!, { kind: "focus" }, { focus: true }, deadline);
    const parts: string[] = [];
    let sent = "";
    // One event carries 20 units; 32 is what others send in one.
    const long = "20 units: ä😀; and more than one event of them. ".repeat(3);
    for (const text of ["x".repeat(21), "y".repeat(32), long]) {
      await (await on.input()).text(text, deadline);
      sent += text;
      await deadline.sleep(500);
      const read = (await on.wholeValue(area.handle!, 65_536, deadline))?.text ?? "";
      parts.push(`${text.length} units: ${read === sent ? "arrived" : `${read.length} in all`}`);
      if (read !== sent) return fail(parts.join("; "));
    }
    return pass(parts.join("; "));
  });
};

/** Starting an application through the system's tool, and asking it to quit. */
export const launching: Check = async (on, options) => {
  if (!options.intrusive) return skip("needs --intrusive");
  const deadline = Deadline.after(60_000);
  const how = { args: [], env: [], newInstance: true, activate: false };
  const started = performance.now();
  const { native, elements, tools } = on;
  const { app, window } = await launchApp(native, elements, tools, TEXT_EDIT, how, deadline);
  const opened = performance.now();
  await closeApp(native, app, false, deadline);
  const ms = (from: number, to: number) => `${Math.round(to - from)} ms`;
  return verdict(
    app.bundleId === TEXT_EDIT,
    `${app.name} after ${ms(started, opened)}, window ${window?.id ?? "none"}; ` +
      `quit after ${ms(opened, performance.now())}`,
  );
};

/** How long Chromium's tree takes to come after the switch; it stays on until the program ends. */
export const renderers: Check = async (on, options) => {
  if (!options.intrusive) return skip("needs --intrusive");
  if (!on.native.ax.trusted()) return skip("needs Accessibility");
  const deadline = Deadline.after(60_000);
  const lines: string[] = [];
  for (const app of await on.apps(deadline)) {
    if (!isChromium(on.native, app.pid)) continue;
    const window = (await on.windows(app.pid, deadline)).find((one) => one.handle && one.visible);
    if (!window?.handle) continue;
    const started = performance.now();
    const seen = await on.observe(
      window.handle,
      { maxDepth: 50, bounds: "identity" },
      Deadline.after(15_000),
    );
    const ms = Math.round(performance.now() - started);
    lines.push(`${app.name}: ${seen?.details?.kind ?? "content"} after ${ms} ms`);
  }
  return lines.length > 0 ? info(lines.join("; ")) : skip("no Chromium or Electron window");
};
