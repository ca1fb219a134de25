/**
 * Looks at what is under the pointer before every press: what an earlier press did (closed a popup,
 * turned a page) must not send the next one to something else (docs/acting.md, "Pointer").
 */
import type { Deadline } from "../deadline.ts";
import { AppError, type Details } from "../errors.ts";
import type { HitTest, Point } from "../platform/platform.ts";
import type { Handle } from "../tree/node.ts";
import type { LiveElement } from "./action_context.ts";
import { checkVisible } from "./checks.ts";
import type { Dispatch } from "./dispatch.ts";

/** Guards the presses of one click, double or triple click at one point. */
export class PressGuard {
  readonly #dispatch: Dispatch;
  readonly #point: Point;
  #element: LiveElement;
  #topWindow: string | undefined;

  constructor(dispatch: Dispatch, point: Point) {
    this.#dispatch = dispatch;
    this.#point = point;
    this.#element = dispatch.element;
  }

  /**
   * Returns when the next press would reach the element, or nobody can tell.
   *
   * @param made How many presses have been made.
   * @throws AppError `ACTION_FAILED` when it would reach something else or the time ran out; the
   * press must not be made then
   */
  async confirm(made: number, deadline: Deadline): Promise<void> {
    let facts: Details | undefined;
    try {
      facts = await this.#obstacle(made, deadline);
    } catch (error) {
      // After a press: an element that is gone, an application that does not answer.
      if (!(error instanceof AppError) || made === 0) throw error;
      facts = { cause: error.code };
    }
    if (facts === undefined && made > 0 && deadline.expired) facts = { cause: "too_late" };
    if (facts !== undefined) throw this.#notPressed(made, facts);
  }

  /** What speaks against the press; `undefined` when nothing does. */
  async #obstacle(made: number, deadline: Deadline): Promise<Details | undefined> {
    const { platform, call } = this.#dispatch;
    let hit = await this.#test(this.#element.handle, made, deadline);
    if (hit.result !== "target" && made > 0) {
      // The first press may have made the application build the element anew.
      const again = await call.ref.resolve(deadline);
      if (again.handle !== this.#element.handle) {
        this.#element = again;
        hit = await this.#test(again.handle, made, deadline);
      }
    }
    if (hit.result === "occluded") return { occluder: hit.occluder };
    if (hit.result === "gone") return { cause: "not_visible" };
    // Last, because the answers before show that the application has worked off the press.
    const top = await platform.topWindowAt?.(this.#point);
    if (made === 0) this.#topWindow = top;
    return top === this.#topWindow ? undefined : { cause: "other_window" };
  }

  async #test(
    handle: Handle,
    made: number,
    deadline: Deadline,
  ): Promise<HitTest | { result: "gone" }> {
    const { platform, element } = this.#dispatch;
    if (made > 0) {
      const node = await platform.inspect(handle, deadline);
      if (node === undefined || checkVisible(node).status === "fail") return { result: "gone" };
    }
    return await platform.hitTest(handle, this.#point, element.window, deadline);
  }

  #notPressed(made: number, facts: Details): AppError {
    const { call, evaluation } = this.#dispatch;
    const { role } = evaluation.node;
    const wanted = call.action === "triple-click" ? 3 : call.action === "double-click" ? 2 : 1;
    const details = { ...facts, presses_delivered: made, presses_wanted: wanted };
    if (made === 0) {
      return new AppError("ACTION_FAILED", `The ${role} is not what is under the pointer now`, {
        suggestion: "Take a snapshot to see what covers it, then retry.",
        delivery: "not_delivered",
        details,
      });
    }
    return new AppError(
      "ACTION_FAILED",
      `Press ${made + 1} of ${wanted} was not made: after press ${made} it was not certain to ` +
        `reach the ${role}`,
      {
        suggestion:
          "Take a snapshot to see what the first press did; where one is enough use click.",
        delivery: "delivered_unverified",
        details,
      },
    );
  }
}
