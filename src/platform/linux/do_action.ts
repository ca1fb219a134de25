/** Running an element's own action, also where its handler does not return for a long time. */
import { Deadline } from "../../deadline.ts";
import type { Step } from "../platform.ts";
import { applicationRoot, method, property } from "./accessible.ts";
import { type Bus, NO_ANSWER, type Reply } from "./bus.ts";
import { delivered } from "./delivery.ts";
import type { Element } from "./element.ts";
import { connectOwnSocket, reachBlocked } from "./own_socket.ts";
import type { MethodCall } from "./wire.ts";

// A handler returns within this (ms), or it is asked whether the application answers something else.
const PROMPT_MS = 300;
// How long a dialog may take to come up, as long as nothing else is answered either.
const BLOCKED_MS = 2_000;
const LOOK_MS = 100;
// The sign that a command asks for more before it does something (GNOME, KDE and Windows alike).
const ASKS_FOR_MORE = /(…|\.\.\.)\s*$/;

/**
 * Runs the action at an index, once. A handler that runs a dialog of its own does not return before
 * that closes: it is told from an application that does not answer by a question it answers
 * meanwhile, and the step says so (`handler_running`).
 */
export function doAction(element: Element, index: number, deadline: Deadline): Step {
  const { bus, object, toolkit } = element;
  const call = method(object, "Action", "DoAction", "i", index);
  if (!toolkit.handlersBlockConnection) {
    const { reply, running } = callBeside(bus, call, deadline);
    return running ? stillRunning() : delivered("Action.DoAction", reply);
  }
  const peer = prepareOwnSocket(element, deadline);
  try {
    const step = delivered("Action.DoAction", (peer ?? bus).call(call, deadline));
    const running = peer === undefined
      ? blocksBus(element, deadline)
      : !answers(peer, object.bus, deadline);
    return running ? { ...step, handler_running: true } : step;
  } finally {
    peer?.[Symbol.dispose]();
  }
}

function stillRunning(): Step {
  return {
    label: "Action.DoAction",
    outcome: "succeeded",
    mechanism: "semantic_api",
    verified: false,
    handler_running: true,
  };
}

function ping(busName: string): MethodCall {
  return method(applicationRoot(busName), "Accessible", "GetRole");
}

/** A request, and whether another one was answered while this one was not. */
function callBeside(
  bus: Bus,
  call: MethodCall,
  deadline: Deadline,
): { reply: Reply; running: boolean } {
  let reply: Reply | undefined;
  let pong = false;
  const prompt = Deadline.after(Math.min(PROMPT_MS, deadline.remaining));
  bus.send(call, (answer) => reply = answer);
  bus.run(deadline, () => reply !== undefined || prompt.expired);
  if (reply === undefined) {
    bus.send(ping(call.destination), (answer) => pong = answer.ok);
    bus.run(deadline, () => reply !== undefined || pong);
  }
  const running = reply === undefined && pong;
  if (running) bus.giveUp();
  return { reply: reply ?? { ok: false, error: NO_ANSWER, message: "" }, running };
}

function answers(bus: Bus, busName: string, deadline: Deadline): boolean {
  return bus.call(ping(busName), deadline.within(PROMPT_MS)).ok;
}

/**
 * Whether the application is blocked by what was asked of it. It is then reached another way, so
 * that what follows can be read.
 */
function blocksBus({ bus, object }: Element, deadline: Deadline): boolean {
  if (answers(bus, object.bus, deadline)) return false;
  const pid = pidOf(bus, object.bus, deadline);
  const until = deadline.within(BLOCKED_MS);
  while (pid !== undefined && !until.expired) {
    if (bus.call(ping(object.bus), until.within(LOOK_MS)).ok) return false;
    if (reachBlocked(bus, object.bus, pid, until)) return true;
  }
  return false;
}

/**
 * Has the application listen on its own socket, which it does once it has been asked for the
 * address: it could not be asked any more when the handler blocks its connection. Where a dialog is
 * to be expected, the connection over which the action goes so that it blocks nothing else.
 */
function prepareOwnSocket({ bus, object }: Element, deadline: Deadline): Bus | undefined {
  if (bus.isRouted(object.bus)) return undefined;
  const [address, name] = bus.callAll([
    method(applicationRoot(object.bus), "Application", "GetApplicationBusAddress"),
    property(object, "Accessible", "Name"),
  ], deadline);
  if (!address?.ok || !name?.ok || !ASKS_FOR_MORE.test(String(name.values[0]))) return undefined;
  return connectOwnSocket(String(address.values[0]), deadline);
}

function pidOf(bus: Bus, busName: string, deadline: Deadline): number | undefined {
  const reply = bus.call({
    destination: "org.freedesktop.DBus",
    path: "/org/freedesktop/DBus",
    interface: "org.freedesktop.DBus",
    member: "GetConnectionUnixProcessID",
    signature: "s",
    args: [busName],
  }, deadline);
  return reply.ok && typeof reply.values[0] === "number" ? reply.values[0] : undefined;
}
