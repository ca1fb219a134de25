/**
 * Notification Center. Its layout changes with every release, so entries are told by what has
 * stayed: subroles and an identifier that stacks carry.
 */
import { Arena, type Ref } from "../../../ffi/macos/core_foundation.ts";
import type { Native } from "../../../ffi/macos/native.ts";
import type { Deadline } from "../../deadline.ts";
import { AppError } from "../../errors.ts";
import { isBlank } from "../../tree/node.ts";
import { answered } from "../../../ffi/macos/accessibility.ts";
import { type Elements } from "./accessible.ts";
import { Delivery } from "./delivery.ts";

const BUNDLE_ID = "com.apple.notificationcenterui";
/** The clock in the menu bar opens the list; it belongs to Control Center. */
const CLOCK_OWNER = "com.apple.controlcenter";
const CLOCK_ID = "com.apple.menuextra.clock";
const SUBROLES: ReadonlySet<string> = new Set([
  "AXNotificationCenterAlert",
  "AXNotificationCenterBanner",
  "AXNotificationCenterAlertStack",
  "AXNotificationCenterBannerStack",
]);
const ACTION_BUTTON = "action_button";
/** What the button that dismisses an entry is called, where it has no subrole that says so. */
const CLOSE = /^(close|clear)$/i;
const SEARCH_NODES = 2_048;
const OPEN_WAIT_MS = 1_500;
const POLL_MS = 50;
const BATCH = [
  "AXSubrole",
  "AXStackingIdentifier",
  "AXDescription",
  "AXTitle",
  "AXValue",
  "AXRole",
  "AXIdentifier",
  "AXChildren",
] as const;

/** One notification, as shown. */
export interface Notification {
  /** From 1, top first. */
  index: number;
  app_name: string;
  title: string;
  body?: string;
  actions?: string[];
}

interface Entry {
  notification: Notification;
  element: Ref;
  /** Buttons by their title. */
  buttons: Map<string, Ref>;
  /** The button that dismisses it, while it shows one. */
  close: Ref | undefined;
}

interface Read {
  subrole: string;
  stack: string;
  description: string;
  title: string;
  value: string;
  role: string;
  identifier: string;
  children: Ref[];
}

/** Notification Center of this session. */
export class NotificationCenter {
  constructor(
    private readonly native: Native,
    private readonly elements: Elements,
  ) {}

  #pid(bundleId: string): number | undefined {
    this.native.cf.pumpRunLoop();
    return this.native.appKit.applications().find((app) => app.bundleId === bundleId)?.pid;
  }

  /** Whether its list is open: it has a window only then, or while a banner shows. */
  isOpen(deadline: Deadline): boolean {
    using arena = new Arena();
    return this.#windows(deadline, arena).length > 0;
  }

  #windows(deadline: Deadline, arena: Arena): Ref[] {
    const pid = this.#pid(BUNDLE_ID);
    if (pid === undefined) {
      throw new AppError("PLATFORM_NOT_SUPPORTED", "Notification Center does not run here", {
        suggestion: "Run the program in the session of the person who is logged in.",
      });
    }
    const app = arena.own(this.elements.ax.application(pid));
    return this.elements.elements(app, "AXWindows", deadline, arena);
  }

  /**
   * Opens the list by the clock in the menu bar, which moves the focus.
   *
   * @throws AppError `ACTION_NOT_SUPPORTED` when there is no clock
   */
  async open(deadline: Deadline): Promise<void> {
    if (this.isOpen(deadline)) return;
    using arena = new Arena();
    const delivery = new Delivery(this.elements, arena, deadline);
    const clock = this.#clock(deadline, arena);
    if (!clock || await delivery.perform(clock, "AXPress") !== "delivered") {
      throw delivery.unsupported("open Notification Center");
    }
    if (!await delivery.until(() => this.isOpen(deadline), OPEN_WAIT_MS, POLL_MS)) {
      throw new AppError("ACTION_FAILED", "Notification Center did not open", {
        delivery: "delivered_unverified",
      });
    }
  }

  #clock(deadline: Deadline, arena: Arena): Ref | undefined {
    const pid = this.#pid(CLOCK_OWNER);
    if (pid === undefined) return undefined;
    const app = arena.own(this.elements.ax.application(pid));
    const bar = this.elements.element(app, "AXExtrasMenuBar", deadline, arena);
    const items = bar ? this.elements.elements(bar, "AXChildren", deadline, arena) : [];
    return items.find((item) => this.elements.text(item, "AXIdentifier", deadline) === CLOCK_ID);
  }

  /** The notifications of the open list, top first. */
  list(deadline: Deadline): Notification[] {
    using arena = new Arena();
    return this.#entries(deadline, arena).map((entry) => entry.notification);
  }

  #read(element: Ref, deadline: Deadline, arena: Arena): Read | undefined {
    const answer = this.elements.attributes(element, BATCH, deadline, arena);
    if (!answered(answer)) return undefined;
    const text = (i: number) => {
      const value = answer.value[i];
      return value?.kind === "text" ? value.text : "";
    };
    const children = answer.value[7];
    return {
      subrole: text(0),
      stack: text(1),
      description: text(2),
      title: text(3),
      value: text(4),
      role: text(5),
      identifier: text(6),
      children: children?.kind === "list" ? children.elements : [],
    };
  }

  #entries(deadline: Deadline, arena: Arena): Entry[] {
    const found: Entry[] = [];
    const stack = this.#windows(deadline, arena).reverse();
    for (let read = 0; stack.length > 0 && read < SEARCH_NODES && !deadline.expired; read++) {
      const element = stack.pop()!;
      const seen = this.#read(element, deadline, arena);
      if (!seen) continue;
      if (SUBROLES.has(seen.subrole) || !isBlank(seen.stack)) {
        found.push(this.#entry(element, seen, found.length + 1, deadline, arena));
      } else {
        stack.push(...seen.children.reverse());
      }
    }
    return found;
  }

  // An entry's texts are application, title, body in this order; its description joins them.
  #entry(element: Ref, seen: Read, index: number, deadline: Deadline, arena: Arena): Entry {
    const texts: string[] = [];
    const buttons = new Map<string, Ref>();
    let close: Ref | undefined;
    const queue = [...seen.children];
    for (let read = 0; read < queue.length && read < SEARCH_NODES; read++) {
      const inner = this.#read(queue[read]!, deadline, arena);
      if (!inner) continue;
      if (inner.role === "AXStaticText" && !isBlank(inner.value)) texts.push(inner.value);
      if (inner.role === "AXButton") {
        const name = inner.title || inner.description;
        if (inner.identifier === ACTION_BUTTON && name) buttons.set(name, queue[read]!);
        if (inner.subrole === "AXCloseButton" || CLOSE.test(name)) close ??= queue[read]!;
      }
      queue.push(...inner.children);
    }
    const described = seen.description.split(",").map((part) => part.trim()).filter(Boolean);
    const app = described[0] ?? "";
    const shown = texts.length > 0 ? texts : described.slice(1);
    const [title = "", ...rest] = shown[0] === app ? shown.slice(1) : shown;
    const body = rest.join("\n");
    return {
      element,
      buttons,
      close,
      notification: {
        index,
        app_name: app,
        title,
        ...(body ? { body } : {}),
        ...(buttons.size > 0 ? { actions: [...buttons.keys()] } : {}),
      },
    };
  }

  #find(
    index: number,
    expected: { app?: string; title?: string },
    deadline: Deadline,
    arena: Arena,
  ): Entry {
    const entry = this.#entries(deadline, arena)[index - 1];
    const { app_name, title } = entry?.notification ?? {};
    const isIt = entry !== undefined &&
      (expected.app === undefined || expected.app === app_name) &&
      (expected.title === undefined || expected.title === title);
    if (isIt) return entry;
    throw new AppError("NOTIFICATION_NOT_FOUND", "That notification is not at this place", {
      suggestion: "Run list-notifications again and use its index.",
    });
  }

  /** Dismisses one notification, if it still is the expected one. */
  async dismiss(
    index: number,
    expected: { app?: string; title?: string },
    deadline: Deadline,
  ): Promise<Notification> {
    using arena = new Arena();
    const { element, notification, close: button } = this.#find(index, expected, deadline, arena);
    const delivery = new Delivery(this.elements, arena, deadline);
    const offered = delivery.actions(element);
    // Custom actions are texts of several lines; the first names them.
    const close = offered.find((name) => /^Name:\s*(Close|Clear)/i.test(name));
    for (const action of ["AXDismiss", "AXRemoveFromParent", ...(close ? [close] : [])]) {
      if (!offered.includes(action)) continue;
      if (await delivery.perform(element, action) === "delivered") return notification;
    }
    if (button && await delivery.perform(button, "AXPress") === "delivered") return notification;
    throw delivery.unsupported("be dismissed");
  }

  /** Presses a notification's button by its title. */
  async act(
    index: number,
    action: string,
    expected: { app?: string; title?: string },
    deadline: Deadline,
  ): Promise<Notification> {
    using arena = new Arena();
    const { buttons, notification } = this.#find(index, expected, deadline, arena);
    const delivery = new Delivery(this.elements, arena, deadline);
    const button = buttons.get(action);
    if (!button || await delivery.perform(button, "AXPress") !== "delivered") {
      throw delivery.unsupported("do this action");
    }
    return notification;
  }
}
