/** Chromium's DevTools endpoint of an application that was just started. */
import type { Deadline } from "../deadline.ts";
import { AppError } from "../errors.ts";
import type { AppInfo } from "../platform/platform.ts";

const HOST = "127.0.0.1";
const POLL_MS = 100;
const TRY_MS = 500;
const MAX_BODY = 65_536;
/** The endpoint opens with the first window; longer than this (ms) it will not come. */
const PROBE_MS = 5_000;

/** Where a DevTools client connects. */
export interface Endpoint {
  port: number;
  http_endpoint: string;
  websocket_url: string;
  product?: string;
}

/** A port of this machine that nothing listens on now. */
export function freePort(): number {
  const listener = Deno.listen({ hostname: HOST, port: 0 });
  try {
    return listener.addr.port;
  } finally {
    listener.close();
  }
}

/** @throws AppError `INVALID_ARGS` when something listens on the port already */
export function requirePortFree(port: number): void {
  try {
    Deno.listen({ hostname: HOST, port }).close();
  } catch (cause) {
    throw new AppError("INVALID_ARGS", `Port ${port} is not free`, {
      suggestion: "Pass another port to --cdp, or 0 for a free one.",
      details: { kind: "cdp_port_in_use", port },
      cause,
    });
  }
}

/** The endpoint on one port. */
export class DevTools {
  constructor(private readonly port: number) {}

  /**
   * Waits until the endpoint answers.
   *
   * @throws AppError `ACTION_FAILED` (`cdp_endpoint_unavailable`); the application is left running
   */
  async await(app: AppInfo, deadline: Deadline): Promise<Endpoint> {
    const budget = Math.min(PROBE_MS, deadline.remaining);
    const limit = deadline.within(budget);
    let answered = false;
    while (true) {
      const found = await this.#ask();
      if (found === "something else") answered = true;
      else if (found !== undefined) return found;
      if (limit.expired) break;
      await limit.sleep(POLL_MS);
    }
    throw new AppError("ACTION_FAILED", "The application was started, without DevTools", {
      suggestion:
        "Chromium opens DevTools only for a profile of its own: close the application and " +
        "launch it again with --arg=--user-data-dir=FOLDER.",
      delivery: "delivered_unverified",
      details: {
        kind: "cdp_endpoint_unavailable",
        pid: app.pid,
        port: this.port,
        elapsed_ms: deadline.elapsed,
        probe_budget_ms: Math.round(budget),
        ...(app.processInstance === undefined ? {} : { process_instance: app.processInstance }),
        ...(answered ? { responder_without_devtools_body: true } : {}),
      },
    });
  }

  async #ask(): Promise<Endpoint | "something else" | undefined> {
    const address = `http://${HOST}:${this.port}`;
    try {
      const response = await fetch(`${address}/json/version`, {
        signal: AbortSignal.timeout(TRY_MS),
        redirect: "error",
      });
      const body = await readBounded(response);
      const facts = JSON.parse(body) as Record<string, unknown>;
      const socket = facts["webSocketDebuggerUrl"];
      if (typeof socket !== "string") return "something else";
      const product = facts["Browser"];
      return {
        port: this.port,
        http_endpoint: address,
        websocket_url: socket,
        ...(typeof product === "string" ? { product } : {}),
      };
    } catch (thrown) {
      return thrown instanceof SyntaxError ? "something else" : undefined;
    }
  }
}

/** The beginning of a body, up to the limit. */
async function readBounded(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  let left = MAX_BODY;
  for await (const part of response.body ?? []) {
    text += decoder.decode(part.subarray(0, left), { stream: true });
    left -= part.length;
    if (left <= 0) break;
  }
  return text;
}
