/**
 * Sending one mutation and judging its answer. An answer that leaves open whether it took effect
 * ends everything: nothing is ever sent a second time, in any other form, after that.
 */
import { answered } from "../../../ffi/macos/accessibility.ts";
import { Arena, type Ref } from "../../../ffi/macos/core_foundation.ts";
import type { Deadline } from "../../deadline.ts";
import { AppError, staleRef } from "../../errors.ts";
import type { Role } from "../../tree/roles.ts";
import type { Step } from "../platform.ts";
import { AX, axErrorName, type Elements, notTrusted } from "./accessible.ts";
import { type Basics, readBasics } from "./basics.ts";
import { waitUntil } from "./poll.ts";

/** After an answer that leaves the effect open it is looked for, this long and this often (ms). */
const EFFECT_WAIT_MS = 400;
const EFFECT_POLL_MS = 40;

/** The element an action is for, as it is now. */
export interface ActionTarget {
  element: Ref;
  basics: Basics;
  role: Role;
  actions: readonly string[];
}

/** Whether a mutation was delivered, or refused so that something else may be tried. */
export type Sent = "delivered" | "refused";

/** The mutations of one command, in order, and how far they got. */
export class Delivery {
  readonly steps: Step[] = [];
  /** Whether the application has taken a mutation. */
  #delivered = false;

  constructor(
    readonly elements: Elements,
    readonly arena: Arena,
    readonly deadline: Deadline,
  ) {}

  /**
   * Reads the element and what it offers.
   *
   * @throws AppError `STALE_REF` when it is gone, `APP_UNRESPONSIVE`, `PERM_DENIED`
   */
  target(element: Ref): ActionTarget {
    const basics = readBasics(
      this.elements,
      element,
      { children: false },
      this.deadline,
      this.arena,
    );
    if (basics === "denied") throw notTrusted();
    if (basics === "gone") throw gone();
    if (basics === "silent") throw this.#unanswered("before it was sent", AX.cannotComplete);
    return { element, basics, role: basics.role, actions: this.actions(element) };
  }

  /** Action names, none when they cannot be read. */
  actions(element: Ref): readonly string[] {
    const answer = this.elements.actions(element, this.deadline, this.arena);
    return answered(answer) ? answer.value : [];
  }

  settable(element: Ref, name: string): boolean {
    const answer = this.elements.settable(element, name, this.deadline);
    return answered(answer) && answer.value;
  }

  /** Performs an action the element offers. */
  async perform(
    element: Ref,
    action: string,
    effect?: () => boolean,
    label = action,
  ): Promise<Sent> {
    this.#mustHaveTime();
    return await this.#judge(
      label,
      this.elements.perform(element, action, this.deadline),
      effect,
    );
  }

  /** Sets an attribute. */
  async set(
    element: Ref,
    name: string,
    value: Ref["pointer"],
    effect?: () => boolean,
    label = name,
  ): Promise<Sent> {
    this.#mustHaveTime();
    return await this.#judge(
      label,
      this.elements.set(element, name, value, this.deadline),
      effect,
    );
  }

  #mustHaveTime(): void {
    if (!this.deadline.expired) return;
    throw new AppError("TIMEOUT", "There was no time left to send the action", {
      details: { kind: "deadline", elapsed_ms: this.deadline.elapsed },
      delivery: this.#delivered ? "delivered_unverified" : "not_delivered",
    });
  }

  async #judge(label: string, code: number, effect?: () => boolean): Promise<Sent> {
    switch (code) {
      case AX.success:
        this.#delivered = true;
        this.steps.push({
          label,
          outcome: "succeeded",
          mechanism: "semantic_api",
          verified: false,
        });
        return "delivered";
      case AX.failure:
      case AX.illegalArgument:
      case AX.actionUnsupported:
      case AX.notImplemented:
        this.steps.push({ label, outcome: "attempted", mechanism: "semantic_api" });
        return "refused";
      case AX.attributeUnsupported:
      case AX.noValue:
        return await this.#uninformative(label, code, effect);
      case AX.apiDisabled:
        throw notTrusted();
      case AX.invalidElement:
        throw this.#delivered ? this.#failed(label, code) : gone();
      case AX.cannotComplete:
        throw this.#unanswered(`confirming ${label}`, code, "delivery_uncertain");
      default:
        throw this.#failed(label, code);
    }
  }

  async #uninformative(label: string, code: number, effect?: () => boolean): Promise<Sent> {
    if (effect && await this.until(effect, EFFECT_WAIT_MS, EFFECT_POLL_MS)) {
      this.#delivered = true;
      this.steps.push({ label, outcome: "succeeded", mechanism: "semantic_api", verified: true });
      return "delivered";
    }
    throw this.#failed(label, code);
  }

  #failed(label: string, code: number): AppError {
    return new AppError("ACTION_FAILED", `The application did not accept ${label}`, {
      suggestion: "Take a snapshot to see whether the action took effect.",
      platformDetail: axErrorName(code),
      delivery: "delivery_uncertain",
    });
  }

  #unanswered(
    what: string,
    code: number,
    delivery: "not_delivered" | "delivery_uncertain" = "not_delivered",
  ): AppError {
    return new AppError("APP_UNRESPONSIVE", `The application did not answer while ${what}`, {
      suggestion: delivery === "not_delivered"
        ? "Check that the application is not blocked, then retry."
        : "Read the state before trying again; the request may have taken effect.",
      platformDetail: axErrorName(code),
      delivery: this.#delivered ? "delivery_uncertain" : delivery,
    });
  }

  /** Marks the last step as seen to have worked, or not. */
  verified(seen: boolean): void {
    const last = this.steps.at(-1);
    if (last?.outcome === "succeeded") last.verified = seen;
  }

  /** Marks the last step as a click that only selected the item: that is not all a click can do. */
  onlySelected(): void {
    const last = this.steps.at(-1);
    if (last === undefined) return;
    last.verified = false;
    last.effect = "selected";
  }

  /** A step that was not needed. */
  skip(label: string): Step[] {
    this.steps.push({ label, outcome: "skipped", verified: true });
    return this.steps;
  }

  /** Polls until a condition holds; whether it did in time. */
  async until(condition: () => boolean, ms: number, pollMs: number): Promise<boolean> {
    return await waitUntil(condition, pollMs, this.deadline.within(ms));
  }

  /** Nothing the element offers does this. */
  unsupported(what: string): AppError {
    return new AppError("ACTION_NOT_SUPPORTED", `The element offers no way to ${what}`, {
      suggestion: "Read available_actions of the element and choose another command.",
      delivery: this.#delivered ? "delivered_unverified" : "not_delivered",
    });
  }
}

/** The failure of an element that went away before anything was sent. */
export function gone(): AppError {
  return staleRef("The element is gone", undefined, {
    platformDetail: axErrorName(AX.invalidElement),
  });
}
