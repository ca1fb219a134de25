/**
 * The last action of a session, for the commands that read: they settle first
 * (docs/acting.md, "Reading after an action").
 */
import { type ActionNote, settle } from "../act/settle.ts";
import type { Deadline } from "../deadline.ts";
import type { Context } from "./context.ts";

/** Keeps an action that was delivered. That it cannot be kept must not fail the action. */
export function noteAction(context: Context, note: ActionNote): void {
  try {
    context.store().saveNote(JSON.stringify(note));
  } catch (error) {
    context.log(`the action could not be noted: ${error}`);
  }
}

/** Waits until the application of the session's last action has come to rest, if that was now. */
export async function settleAfterAction(context: Context, deadline: Deadline): Promise<void> {
  const note = lastAction(context);
  if (note !== undefined) await settle(note, await context.platform(), deadline);
}

/** The note of the last action; `undefined` when there is none that can be read. */
function lastAction(context: Context): ActionNote | undefined {
  let value: unknown;
  try {
    value = JSON.parse(context.store().loadNote() ?? "null");
  } catch (error) {
    context.log(`the last action could not be read: ${error}`);
    return undefined;
  }
  if (typeof value !== "object" || value === null) return undefined;
  const { at, seen, pid, processorTime, delay } = value as Partial<ActionNote>;
  if (![at, seen, delay].every((number) => typeof number === "number")) return undefined;
  return {
    at: at!,
    seen: seen!,
    delay: delay!,
    ...(typeof pid === "number" && pid > 0 ? { pid } : {}),
    ...(typeof processorTime === "number" ? { processorTime } : {}),
  };
}
