/** Commands on the stand-in: the whole way from argv to the envelope. */
import { assert, assertEquals } from "@std/assert";
import { main, Run } from "../../main.ts";
import { effectiveUserId } from "../../ffi/libc.ts";
import type { Process } from "../../src/cli/process.ts";
import { MacPlatform } from "../../src/platform/macos/platform.ts";
import { test } from "./support/case.ts";
import { FakeMac } from "./support/fake.ts";
import type { FakeMachine, FakeNode, FakeValue } from "./support/fixture.ts";
import { assertClean, machineFixture } from "./support/platform.ts";

effectiveUserId();
const fake = await FakeMac.load();

// deno-lint-ignore no-explicit-any -- envelopes of every command
type Envelope = any;

interface Session {
  run(...args: string[]): Promise<Envelope>;
  /** Runs a command on the ref of the element with this name; a fresh snapshot each time. */
  on(command: string, name: string, ...args: string[]): Promise<Envelope>;
  events(): string[];
}

async function session(
  machine: FakeMachine,
  work: (session: Session) => Promise<void>,
): Promise<void> {
  fake.become(machine);
  const root = await Deno.makeTempDir({ prefix: "macos-commands-" });
  const run = async (...args: string[]) => {
    let output = "";
    const process: Process = {
      env: (name) => name === "AGENT_DESKTOP_HOME" ? root : undefined,
      stdout: (text) => void (output += text),
      stderr: () => {},
      keepOnly: () => {},
    };
    const platform = new MacPlatform(fake.libraries);
    await main(args, () => Promise.resolve(platform), new Run(process));
    platform.close();
    assertClean(fake);
    return JSON.parse(output);
  };
  const find = (node: Envelope, name: string): string | undefined => {
    if (node.name === name && node.ref_id) return node.ref_id;
    for (const child of node.children ?? []) {
      const ref = find(child, name);
      if (ref) return ref;
    }
    return undefined;
  };
  try {
    await work({
      run,
      events: () => fake.events,
      async on(command, name, ...args) {
        const snapshot = await run("snapshot", "--window-id", "w-101");
        const ref = find(snapshot.data.tree, name);
        assert(ref, `${name} has no ref: ${JSON.stringify(snapshot)}`);
        fake.mark();
        return await run(command, ref, ...args);
      },
    });
  } finally {
    await Deno.remove(root, { recursive: true });
  }
}

const mail = machineFixture("mail");

test("inventories", async () => {
  await session(mail, async ({ run }) => {
    const windows = await run("list-windows", "--app", "mail");
    assertEquals(windows.data.map((w: Envelope) => w.id), ["w-101", "w-102"]);
    const apps = await run("list-apps");
    assertEquals(apps.data.apps.map((a: Envelope) => a.bundle_id), [
      "org.example.Mail",
      "org.example.Notes",
    ]);
    assertEquals((await run("list-displays")).data[0].scale, 2);
    const status = await run("status");
    assertEquals(status.data.supported_surfaces, [
      ...["window", "focused", "menu", "menubar", "sheet", "popover", "alert"],
    ]);
    assertEquals((await run("permissions")).data.accessibility.state, "granted");
    const bar = await run("snapshot", "--app", "Mail", "--surface", "menubar");
    assertEquals(bar.data.tree.children[0].name, "File");
    const shell = await run("snapshot", "--surface", "taskbar");
    assertEquals(shell.error.code, "PLATFORM_NOT_SUPPORTED");
  });
});

test("stateful actions are verified by a reading afterwards", async () => {
  await session(mail, async ({ on }) => {
    const verified = async (command: string, name: string, ...args: string[]) => {
      const answer = await on(command, name, ...args);
      assert(answer.ok, JSON.stringify(answer));
      assertEquals(answer.data.disposition.delivery, "delivered_verified", command);
    };
    await verified("set-value", "Subject", "Hi");
    await verified("type", "Subject", "!");
    await verified("clear", "Subject");
    await verified("toggle", "Bold");
    await verified("uncheck", "Bold");
    await verified("check", "Bold");
    await verified("expand", "Details");
    await verified("collapse", "Details");
    await verified("set-value", "Volume", "0.25");
    const again = await on("check", "Bold");
    assertEquals(again.data.disposition, { delivery: "not_delivered", retry: "safe" });
    const secret = await on("set-value", "Password", "s3cret");
    assertEquals(secret.data.disposition.delivery, "delivered_unverified");
    assertEquals(secret.data.details.verification_reason, "secure_field");
    assert(!JSON.stringify(secret).includes("s3cret"));
  });
});

test("headless commands that need the pointer are refused before anything is sent", async () => {
  await session(mail, async ({ on, events }) => {
    for (const command of ["double-click", "triple-click", "hover"]) {
      const answer = await on(command, "Send");
      assertEquals(answer.error?.code, "POLICY_DENIED", JSON.stringify(answer));
      assertEquals(events(), []);
    }
  });
});

test("headed pointer and keys reach the element in its window", async () => {
  await session(mail, async ({ run, on, events }) => {
    const click = await on("double-click", "Send", "--headed");
    assert(click.ok, JSON.stringify(click));
    assertEquals(events().filter((event) => event.includes("left-down")).length, 2);
    assertEquals(fake.attribute("status", "AXValue"), "Sent");
    const typed = await on("type", "Subject", " 😀", "--headed");
    assert(typed.ok, JSON.stringify(typed));
    assertEquals(fake.attribute("subject", "AXValue"), "Hello 😀");
    fake.mark();
    const press = await run("press", "cmd+s", "--app", "Mail", "--headed", "--window-id", "w-101");
    assert(press.ok, JSON.stringify(press));
    assertEquals(events(), [
      "tap:0 key-down key=55 flags=0x100000",
      "tap:0 key-down key=1 flags=0x100000",
      "tap:0 key-up key=1 flags=0x100000",
      "tap:0 key-up key=55 flags=0",
    ]);
    fake.mark();
    const once = await on("click", "Send", "--headed");
    assert(once.ok, JSON.stringify(once));
    assertEquals(once.data.steps.at(-1).mechanism, "physical_synthetic");
    assertEquals(events().filter((event) => event.includes("left-down")).length, 1);
  });
});

test("headless keys go to the process itself and leave the focus where it is", async () => {
  await session(mail, async ({ run, events }) => {
    const before = (await run("list-windows")).data;
    const owner = before.find((one: Envelope) => one.id === "w-201").pid;
    fake.mark();
    const pressed = await run("press", "a", "--window-id", "w-201");
    assert(pressed.ok, JSON.stringify(pressed));
    assertEquals(events().length, 2);
    assert(events().every((event) => event.startsWith(`pid:${owner} key-`)), events().join());
    assertEquals((await run("list-windows")).data, before);
  });
});

test("a process that is another one under the same pid is stale", async () => {
  await session(mail, async ({ run }) => {
    const snapshot = await run("snapshot", "--window-id", "w-101");
    const text = JSON.stringify(snapshot);
    const ref = /"ref_id":"([^"]+)"/.exec(text)![1]!;
    fake.mutate("reborn:501");
    fake.mark();
    const answer = await run("click", ref, "--timeout-ms", "0");
    assertEquals(answer.error.code, "STALE_REF");
    assertEquals(fake.count("AXUIElementPerformAction"), 0);
  });
});

test("without permission commands end with PERM_DENIED and say what to do", async () => {
  await session({ ...mail, trust: { accessibility: false } }, async ({ run }) => {
    const answer = await run("snapshot", "--app", "Mail");
    assertEquals(answer.error.code, "PERM_DENIED");
    assert(answer.error.suggestion.includes("Accessibility"));
    assertEquals(answer.error.disposition.delivery, "not_delivered");
    fake.mark();
    assertEquals((await run("permissions", "--guide")).data.guide, "started");
    assert(fake.events[0]?.startsWith("open x-apple.systempreferences:"));
  });
});

test("a headless shortcut presses its menu item; keys are sent where no menu has it", async () => {
  const item = (id: string, attributes: Record<string, FakeValue>): FakeNode => ({
    id,
    role: "AXMenuItem",
    title: id,
    actions: ["AXPress"],
    attributes,
  });
  const items = [
    item("plain", { AXMenuItemCmdChar: "S", AXMenuItemCmdModifiers: 8 }),
    item("save as", { AXMenuItemCmdChar: "S", AXMenuItemCmdModifiers: 1 }),
    item("greyed", { AXMenuItemCmdChar: "S", AXMenuItemCmdModifiers: 0, AXEnabled: false }),
    item("save", { AXMenuItemCmdChar: "S", AXMenuItemCmdModifiers: 0 }),
    // The key that deletes backwards has no character; its code is 51.
    item("trash", { AXMenuItemCmdVirtualKey: 51, AXMenuItemCmdModifiers: 0 }),
  ];
  const bar: FakeNode = {
    id: "notes bar",
    role: "AXMenuBar",
    children: [{
      id: "notes file",
      role: "AXMenuBarItem",
      children: [{ id: "notes menu", role: "AXMenu", children: items }],
    }],
  };
  const notes = mail.apps.find((app) => app.pid === 502)!;
  const apps = mail.apps.map((app) =>
    app === notes
      ? {
        ...app,
        children: [...app.children, bar],
        attributes: { ...app.attributes, AXMenuBar: { element: "notes bar" } },
      }
      : app
  );
  await session({ ...mail, apps }, async ({ run, events }) => {
    const press = async (combo: string) => {
      fake.mark();
      const answer = await run("press", combo, "--window-id", "w-201");
      assert(answer.ok, JSON.stringify(answer));
      const pressed = fake.calls.filter((call) => call.fn === "AXUIElementPerformAction");
      return [pressed.map((call) => call.node), answer.data.steps[0].mechanism, events().length];
    };
    assertEquals(await press("cmd+s"), [["save"], "semantic_api", 0]);
    assertEquals(await press("shift+cmd+s"), [["save as"], "semantic_api", 0]);
    assertEquals(await press("cmd+backspace"), [["trash"], "semantic_api", 0]);
    // One key down and up for the key and for each modifier.
    assertEquals(await press("alt+cmd+s"), [[], "physical_synthetic", 6]);
    assertEquals(await press("shift+s"), [[], "physical_synthetic", 4]);
  });
});
