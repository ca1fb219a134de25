/**
 * The way to the accessibility bus, step by step and under a deadline: session bus, its
 * `org.a11y.Bus` service, the accessibility bus, the registry. Only when all of them have
 * answered is libatspi asked for its connection, because it ends the process when it cannot
 * connect.
 */
import { AppError } from "../../errors.ts";
import type { Deadline } from "../../deadline.ts";
import { effectiveUserId } from "../../../ffi/libc.ts";
import { accessibilityConnection } from "../../../ffi/linux/atspi.ts";
import { Bus, NO_ANSWER, type Reply } from "./bus.ts";
import { REGISTRY } from "./accessible.ts";
import { childReplies } from "./children.ts";

// Without a bus a command must say so in well under two seconds, whatever its own timeout.
const PROBE_MS = 1_500;

// A reason may quote an address from the environment.
const MAX_REASON = 300;

type Stage = "session bus" | "org.a11y.Bus" | "accessibility bus" | "registry";

const HINTS: Record<Stage, string> = {
  "session bus":
    "Run inside the desktop session of the signed-in user, or set DBUS_SESSION_BUS_ADDRESS; a private one starts with 'dbus-run-session -- COMMAND'.",
  "org.a11y.Bus":
    "Start the accessibility bus with '/usr/libexec/at-spi-bus-launcher --launch-immediately' (package at-spi2-core), then retry.",
  "accessibility bus":
    "Unset AT_SPI_BUS_ADDRESS if it is left over from another session, restart at-spi-bus-launcher (package at-spi2-core), then retry.",
  registry:
    "Restart the accessibility service: end at-spi2-registryd and start '/usr/libexec/at-spi-bus-launcher --launch-immediately' (package at-spi2-core).",
};

function unavailable(stage: Stage, reason: string): AppError {
  // Libraries end some of their messages with a line break.
  const line = reason.trim().replace(/\s*\n\s*/g, " ").slice(0, MAX_REASON);
  return new AppError("PLATFORM_NOT_SUPPORTED", `The ${stage} did not answer: ${line}`, {
    suggestion: HINTS[stage],
    details: { kind: "accessibility_bus_unavailable", stage },
  });
}

/** libdbus can also start programs for an address; only sockets are followed. */
function isSocketAddress(address: string): boolean {
  return address.split(";").every((part) => /^unix:(path|abstract)=/.test(part));
}

function sessionBusAddress(): string {
  const given = Deno.env.get("DBUS_SESSION_BUS_ADDRESS");
  if (given) {
    if (isSocketAddress(given)) return given;
    throw unavailable("session bus", "DBUS_SESSION_BUS_ADDRESS is not a unix socket address");
  }
  const runtime = Deno.env.get("XDG_RUNTIME_DIR") || `/run/user/${effectiveUserId()}`;
  return `unix:path=${runtime}/bus`;
}

function connect(address: string, stage: Stage, deadline: Deadline): Bus {
  try {
    return Bus.connect(address, deadline);
  } catch (error) {
    throw unavailable(stage, error instanceof Error ? error.message : String(error));
  }
}

/** A connection to the session bus. Throws `PLATFORM_NOT_SUPPORTED`. */
export function connectSessionBus(deadline: Deadline): Bus {
  return connect(sessionBusAddress(), "session bus", deadline.within(PROBE_MS));
}

/** Asks the session bus where the accessibility bus is. */
function accessibilityAddress(session: Bus, deadline: Deadline): string {
  const reply = session.call(
    {
      destination: "org.a11y.Bus",
      path: "/org/a11y/bus",
      interface: "org.a11y.Bus",
      member: "GetAddress",
    },
    deadline,
  );
  if (!reply.ok) {
    throw unavailable(
      "org.a11y.Bus",
      reply.error === NO_ANSWER ? "no answer in time" : reply.message || reply.error,
    );
  }
  const address = reply.values[0];
  if (typeof address !== "string" || !isSocketAddress(address)) {
    throw unavailable("org.a11y.Bus", "it gave no usable address");
  }
  return address;
}

function reachable(address: string, deadline: Deadline): boolean {
  if (!isSocketAddress(address)) return false;
  try {
    Bus.connect(address, deadline)[Symbol.dispose]();
    return true;
  } catch {
    return false;
  }
}

/** libatspi's connection, and what the registry said over it: that it is there is known by that. */
interface Connected {
  bus: Bus;
  applications: Reply;
}

/** What the session bus says the accessibility bus is called. */
function askSession(probe: Deadline): string {
  const session = connect(sessionBusAddress(), "session bus", probe);
  try {
    return accessibilityAddress(session, probe);
  } finally {
    session[Symbol.dispose]();
  }
}

/**
 * libatspi's connection to the accessibility bus, known to answer. `AT_SPI_BUS_ADDRESS` is
 * followed when something answers there; a stale one is passed over for the session's own.
 * Throws `PLATFORM_NOT_SUPPORTED` naming the part that did not answer.
 */
export function connectAccessibilityBus(deadline: Deadline): Connected {
  const probe = deadline.within(PROBE_MS);
  const given = Deno.env.get("AT_SPI_BUS_ADDRESS");
  if (!given || !reachable(given, probe.within(PROBE_MS / 3))) {
    const address = askSession(probe);
    connect(address, "accessibility bus", probe)[Symbol.dispose]();
    Deno.env.set("AT_SPI_BUS_ADDRESS", address);
  }
  let bus: Bus;
  try {
    bus = new Bus(accessibilityConnection());
  } catch (error) {
    throw new AppError(
      "PLATFORM_NOT_SUPPORTED",
      `libatspi cannot be used: ${error instanceof Error ? error.message : error}`,
      {
        suggestion: "Install libatspi (Debian: apt-get install libatspi2.0-0), then retry.",
        details: { kind: "accessibility_bus_unavailable", stage: "libatspi" },
      },
    );
  }
  const applications = registeredApplications(bus, probe);
  if (!applications.ok) {
    throw unavailable(
      "registry",
      applications.error === NO_ANSWER
        ? "no answer in time"
        : applications.message || applications.error,
    );
  }
  return { bus, applications };
}

/** Applications the registry knows, as their root accessibles. */
export function registeredApplications(bus: Bus, deadline: Deadline): Reply {
  return childReplies(bus, [REGISTRY], deadline)[0]!;
}
