/**
 * Keyboard and pointer in a Wayland session of GNOME, through Mutter's remote desktop service on
 * the session bus. Mutter lifts everything by itself when the connection ends.
 */
import { Deadline } from "../../deadline.ts";
import { AppError } from "../../errors.ts";
import type { Input, Modifier, Point, PointerButton } from "../platform.ts";
import type { Bus } from "./bus.ts";
import { connectSessionBus } from "./connection.ts";
import { refuseControls, typedKeysym } from "./input_text.ts";
import { keysymOf, MODIFIER_KEYSYMS } from "./keymap.ts";
import { Dictionary, type MethodCall, Variant, type WireValue } from "./wire.ts";

const REMOTE = "org.gnome.Mutter.RemoteDesktop";
const CAST = "org.gnome.Mutter.ScreenCast";
// linux/input-event-codes.h
const BUTTONS: Readonly<Record<PointerButton, number>> = {
  left: 0x110,
  right: 0x111,
  middle: 0x112,
};
// ClutterOrientation, as NotifyPointerAxisDiscrete counts axes.
const AXIS = { vertical: 0, horizontal: 1 } as const;
const CALL_MS = 2_000;
const KEYS_PER_TURN = 8;
const KEY_PAUSE_MS = 2;

function unavailable(detail: string): AppError {
  return new AppError(
    "PLATFORM_NOT_SUPPORTED",
    "Keyboard and pointer are not available in this Wayland session",
    {
      suggestion: "Use semantic actions without --headed, or log in to GNOME or to an X11 session.",
      platformDetail: detail.slice(0, 512),
    },
  );
}

/**
 * The input devices of Mutter.
 *
 * @throws AppError `PLATFORM_NOT_SUPPORTED` when the service is not there or refuses
 */
export function mutterInput(): Input {
  return MutterInput.open(connectSessionBus(Deadline.after(CALL_MS)));
}

class MutterInput implements Input {
  readonly #bus: Bus;
  readonly #session: string;
  #stream: string | undefined;
  #at: Point = { x: 0, y: 0 };
  readonly #keys = new Set<number>();
  readonly #buttons = new Set<number>();

  private constructor(bus: Bus, session: string) {
    this.#bus = bus;
    this.#session = session;
  }

  static open(bus: Bus): MutterInput {
    const created = ask(bus, REMOTE, "/org/gnome/Mutter/RemoteDesktop", REMOTE, "CreateSession");
    const input = new MutterInput(bus, String(created));
    input.#stream = input.#openStream();
    input.#notify("Start");
    return input;
  }

  /** Absolute positions count from the corner of a recorded monitor: the primary one. */
  #openStream(): string | undefined {
    try {
      const id = ask(
        this.#bus,
        REMOTE,
        this.#session,
        "org.freedesktop.DBus.Properties",
        "Get",
        "ss",
        `${REMOTE}.Session`,
        "SessionId",
      );
      const cast = ask(
        this.#bus,
        CAST,
        "/org/gnome/Mutter/ScreenCast",
        CAST,
        "CreateSession",
        "a{sv}",
        new Dictionary([["remote-desktop-session-id", new Variant("s", String(id))]]),
      );
      return String(ask(
        this.#bus,
        CAST,
        String(cast),
        `${CAST}.Session`,
        "RecordMonitor",
        "sa{sv}",
        "", // the primary monitor
        new Dictionary(),
      ));
    } catch (error) {
      // The keyboard works without; a pointer command says why it does not.
      if (error instanceof AppError) return undefined;
      throw error;
    }
  }

  #notify(member: string, signature?: string, ...args: WireValue[]): void {
    ask(this.#bus, REMOTE, this.#session, `${REMOTE}.Session`, member, signature, ...args);
  }

  /** Where this process moved the pointer to; Mutter does not tell where it is. */
  position(): Point {
    return this.#at;
  }

  move(to: Point): void {
    if (this.#stream === undefined) throw unavailable("no ScreenCast stream to aim with");
    this.#notify("NotifyPointerMotionAbsolute", "sdd", this.#stream, to.x, to.y);
    this.#at = to;
  }

  button(button: PointerButton, down: boolean): void {
    this.#button(BUTTONS[button], down);
  }

  #button(code: number, down: boolean): void {
    if (down) this.#buttons.add(code);
    this.#notify("NotifyPointerButton", "ib", code, down);
    if (!down) this.#buttons.delete(code);
  }

  wheel(dx: number, dy: number): void {
    // Mutter counts steps down and to the right.
    if (dy !== 0) this.#notify("NotifyPointerAxisDiscrete", "ui", AXIS.vertical, -dy);
    if (dx !== 0) this.#notify("NotifyPointerAxisDiscrete", "ui", AXIS.horizontal, -dx);
  }

  modifier(modifier: Modifier, down: boolean): void {
    this.#key(MODIFIER_KEYSYMS[modifier], down);
  }

  #key(keysym: number, down: boolean): void {
    if (down) this.#keys.add(keysym);
    this.#notify("NotifyKeyboardKeysym", "ub", keysym, down);
    if (!down) this.#keys.delete(keysym);
  }

  async key(name: string, deadline: Deadline): Promise<boolean> {
    const keysym = keysymOf(name);
    if (keysym === undefined) return false;
    this.#key(keysym, true);
    this.#key(keysym, false);
    await deadline.sleep(KEY_PAUSE_MS);
    return true;
  }

  async text(text: string, deadline: Deadline): Promise<void> {
    const characters = [...text.replaceAll("\r\n", "\n")];
    refuseControls(characters);
    for (const [index, character] of characters.entries()) {
      if (deadline.expired) {
        throw new AppError("TIMEOUT", "Typing did not finish in time", {
          suggestion: "Read the field before you go on: the first part may be there.",
          delivery: index === 0 ? "not_delivered" : "delivered_unverified",
          details: { characters_sent: index },
        });
      }
      const keysym = typedKeysym(character);
      this.#key(keysym, true);
      this.#key(keysym, false);
      if ((index + 1) % KEYS_PER_TURN === 0) await deadline.sleep(KEY_PAUSE_MS);
    }
  }

  releaseAll(): void {
    for (const code of [...this.#buttons]) this.#button(code, false);
    for (const keysym of [...this.#keys].reverse()) this.#key(keysym, false);
  }
}

/** One call; its first reply value. Throws `PLATFORM_NOT_SUPPORTED` when it fails. */
function ask(
  bus: Bus,
  destination: string,
  path: string,
  iface: string,
  member: string,
  signature?: string,
  ...args: WireValue[]
): unknown {
  const call: MethodCall = { destination, path, interface: iface, member };
  if (signature !== undefined) {
    call.signature = signature;
    call.args = args;
  }
  const reply = bus.call(call, Deadline.after(CALL_MS));
  if (!reply.ok) throw unavailable(`${member}: ${reply.error} ${reply.message}`);
  return reply.values[0];
}
