/** Trees for the scripted application, and what every answer about them has to be. */
import { assert, assertEquals } from "@std/assert";
import type { ScriptedNode } from "./apps.ts";
import { describe, type Desktop, type Envelope, type Run, type Snapshot } from "./desktop.ts";

type Extra = Record<string, unknown>;

/** What a run may exceed its own deadline by: start, exit, and a machine with other work. */
export const GRACE_MS = 2_500;

/** The usual states of a control that is there to be used. */
export const USABLE = ["enabled", "sensitive", "showing", "visible"] as const;

/** The one window of a scripted application: active, with the given children. */
export function frame(children: ScriptedNode[], extra: Extra = {}): ScriptedNode {
  return {
    id: "win",
    role: "frame",
    name: "Main",
    states: ["active", ...USABLE],
    children,
    ...extra,
  };
}

/** A button with one action `click`; its id is its name in lower case. */
export function button(name: string, extra: Extra = {}): ScriptedNode {
  return {
    id: name.toLowerCase().replaceAll(" ", "-"),
    role: "push button",
    name,
    actions: [{ name: "click" }],
    ...extra,
  };
}

/** A tool bar with one button `Last`: what must be reached whatever stands before it. */
export function toolbar(): ScriptedNode {
  return { id: "bar", role: "tool bar", name: "Bar", children: [button("Last")] };
}

/**
 * What holds for every run, however faulty the application: one envelope, the exit code that
 * belongs to it, nothing on standard error, no signal. Returns the envelope.
 */
export function sound(run: Run): Envelope {
  const { envelope } = run;
  assert(!run.timedOut && run.signal === null, describe(run));
  assert(envelope !== undefined, `no envelope: ${describe(run)}`);
  assertEquals(run.code, envelope.ok ? 0 : 1, describe(run));
  assertEquals(run.stderr, "", "nothing on standard error");
  assertEquals(envelope.ok, envelope.error === undefined, describe(run));
  if (envelope.error) {
    const { code, message, suggestion, disposition } = envelope.error;
    assert(/^[A-Z]+(_[A-Z]+)*$/.test(code) && code !== "INTERNAL", describe(run));
    assert(message !== "" && !message.includes("\n"), describe(run));
    assert(suggestion !== undefined && suggestion !== "", describe(run));
    assert(["safe", "unsafe", "unknown"].includes(disposition.retry), describe(run));
  }
  return envelope;
}

/** A snapshot of an application, which must be sound. */
export async function snapshotOf(
  desktop: Desktop,
  app: string,
  ...args: string[]
): Promise<Snapshot> {
  const run = await desktop.run("snapshot", "--app", app, ...args);
  const envelope = sound(run);
  if (!envelope.ok) throw new Error(describe(run));
  return envelope.data as unknown as Snapshot;
}
