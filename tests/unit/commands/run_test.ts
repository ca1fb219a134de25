/** Running commands without being a process for each. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { loadCommands } from "../../../src/commands/catalogue.ts";
import { type Command, describe } from "../../../src/commands/command.ts";
import { OpeningContext } from "../../../src/commands/context.ts";
import { runCommand } from "../../../src/commands/run.ts";
import type { Deadline } from "../../../src/deadline.ts";
import { AppError } from "../../../src/errors.ts";
import type { Platform } from "../../../src/platform/platform.ts";
import { app, desktop, fakePlatform } from "../cli/fakes.ts";

function contextOn(platform: Platform) {
  const log: string[] = [];
  const context = new OpeningContext({ headed: false, verbose: true, waitTimeoutMs: 0 }, {
    openPlatform() {
      log.push("open");
      return Promise.resolve(platform);
    },
    stateRoot: () => "/nonexistent",
    log: (message) => void log.push(message),
  });
  return { context, log };
}

/** A command that hands out its deadline. */
function probe(fields: { budgetMs?: number; permission?: "none" } = {}): Command {
  const schema: Parameters<typeof describe>[0]["schema"] = (z) =>
    z.strictObject({ timeout_ms: z.optional(z.number()) });
  return {
    name: "probe",
    ...describe({
      group: "Health",
      summary: "Probe",
      args: { timeout_ms: { kind: "integer", flag: "timeout-ms", value: "MS", help: "Time" } },
      schema,
      example: "",
      privileges: [],
      permission: "accessibility",
      ...fields,
      run: (_args, _context, deadline) => Promise.resolve(deadline),
    }),
  };
}

Deno.test("one process runs several commands on one context, which opens the platform once", async () => {
  let closed = 0;
  const platform = desktop([app("Editor", 7)]);
  platform.close = () => void closed++;
  const { context, log } = contextOn(platform);
  const run = async (name: string, args: Record<string, unknown> = {}) =>
    await runCommand((await loadCommands(name))[0]!, args, context);
  assertEquals(
    await run("list-apps"),
    await run("list-apps", { app: "edit" }),
  );
  const refusal = await assertRejects(() => run("list-apps", { nonsense: 1 }), AppError);
  assertEquals(refusal.code, "INVALID_ARGS");
  assertEquals((await run("version") as { os: string }).os.length > 0, true);
  assertEquals(await run("list-windows"), []);
  assertEquals([log, closed], [["open"], 0]);
  context.close();
  assertEquals(closed, 1);
});

Deno.test("the check of the grant takes its time from the command's", async () => {
  const slow = fakePlatform({
    requireAccess: (deadline) => deadline.sleep(120),
  });
  const left = async (command: Command, args: Record<string, unknown> = {}) => {
    const { context } = contextOn(slow);
    return (await runCommand(command, args, context) as Deadline).remaining;
  };
  const limited = await left(probe(), { timeout_ms: 60_000 });
  assert(limited > 0 && limited <= 60_000 - 119, `${limited}`);
  const byBudget = await left(probe({ budgetMs: 60_000 }));
  assert(byBudget > 0 && byBudget <= 60_000 - 119, `${byBudget}`);
  // 0 asks for a single attempt: the budget of one, where the command has such a thing.
  assert(await left(probe({ budgetMs: 60_000 }), { timeout_ms: 0 }) > 0);
  assertEquals(await left(probe(), { timeout_ms: 0 }), 0);
});

Deno.test("a command without any time of its own still has its grant checked", async () => {
  let remaining = 0;
  const { context } = contextOn(fakePlatform({
    requireAccess: (deadline) => {
      remaining = deadline.remaining;
      return Promise.resolve();
    },
  }));
  await runCommand(probe(), { timeout_ms: 0 }, context);
  assert(remaining > 0);
});
