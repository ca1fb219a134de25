/** The desktop's own switches that make toolkits publish their trees. */
import type { Deadline } from "../../deadline.ts";
import { connectSessionBus } from "./connection.ts";
import { Variant } from "./wire.ts";

const SWITCHES = ["IsEnabled", "ScreenReaderEnabled"] as const;

/**
 * Turns on `org.a11y.Status.IsEnabled` and `ScreenReaderEnabled`, which Chromium and Electron wait
 * for. Returns whether one of them was off. They are left on: a renderer that sees them go off
 * stops publishing.
 */
export function activateAccessibility(deadline: Deadline): boolean {
  using session = connectSessionBus(deadline);
  const call = (member: string, signature: string, ...args: (string | Variant)[]) => ({
    destination: "org.a11y.Bus",
    path: "/org/a11y/bus",
    interface: "org.freedesktop.DBus.Properties",
    member,
    signature,
    args,
  });
  let changed = false;
  for (const name of SWITCHES) {
    const reply = session.call(call("Get", "ss", "org.a11y.Status", name), deadline);
    if (reply.ok && reply.values[0] === true) continue;
    const set = call("Set", "ssv", "org.a11y.Status", name, new Variant("b", true));
    if (session.call(set, deadline).ok) changed = true;
  }
  return changed;
}
