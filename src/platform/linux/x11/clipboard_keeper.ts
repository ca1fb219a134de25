/**
 * The process that keeps what was put on the clipboard. On X11 the clipboard's content lives in the
 * program that copied it; this one ends when another program copies something, or the X server goes.
 */
import type { X11 } from "../../../../ffi/linux/x11.ts";
import { type SelectionRequest, X11Selection } from "../../../../ffi/linux/x11_selection.ts";
import type { ClipboardContent } from "../../clipboard.ts";
import { CLIPBOARD, FILES_TARGET, IMAGE_TARGET, TEXT_TARGETS, TOKEN_TARGET } from "./clipboard.ts";

/** A target with its bytes. */
interface Offer {
  target: string;
  type: string;
  bytes: Uint8Array<ArrayBuffer>;
}

/** A long content on its way to one requestor, part by part. */
interface Transfer {
  window: bigint;
  property: bigint;
  offer: Offer;
  sent: number;
}

// Longest list of targets in one request (pairs of atoms, four bytes each).
const MAX_MULTIPLE_BYTES = 4_096;
// Requestors that never fetch the next part must not pile up.
const MAX_TRANSFERS = 64;

/**
 * Keeps the content on standard input as the clipboard until somebody else takes it.
 *
 * @param args name of the display, type of the content, token
 */
export async function keepClipboard(args: readonly string[]): Promise<void> {
  const [display = "", type = "", token = ""] = args;
  const bytes = new Uint8Array(await new Response(Deno.stdin.readable).arrayBuffer());
  using selection = new X11Selection(display);
  const keeper = new Keeper(selection, offersOf(type as ClipboardContent["type"], bytes, token));
  keeper.run();
}

function offersOf(
  type: ClipboardContent["type"],
  bytes: Uint8Array<ArrayBuffer>,
  token: string,
): Offer[] {
  const own = {
    target: TOKEN_TARGET,
    type: "UTF8_STRING",
    bytes: new Uint8Array(new TextEncoder().encode(token)),
  };
  if (type === "image") return [{ target: IMAGE_TARGET, type: IMAGE_TARGET, bytes }, own];
  if (type === "text") return [...TEXT_TARGETS.map((target) => textOffer(target, bytes)), own];
  const text = new TextDecoder().decode(bytes);
  // File managers of the GNOME family want to know whether the files are copied or moved.
  const gnome = `copy\n${text.trim().replaceAll("\r\n", "\n")}`;
  return [
    { target: FILES_TARGET, type: FILES_TARGET, bytes },
    {
      target: "x-special/gnome-copied-files",
      type: "x-special/gnome-copied-files",
      bytes: new Uint8Array(new TextEncoder().encode(gnome)),
    },
    own,
  ];
}

function textOffer(target: string, bytes: Uint8Array<ArrayBuffer>): Offer {
  if (target !== "STRING") return { target, type: target, bytes };
  // Latin-1, with a question mark for what it lacks.
  const text = new TextDecoder().decode(bytes);
  const latin = Uint8Array.from(text, (character) => {
    const code = character.codePointAt(0)!;
    return code > 0xff ? 0x3f : code;
  });
  return { target, type: target, bytes: latin };
}

class Keeper {
  readonly #selection: X11Selection;
  readonly #x: X11;
  readonly #transfers: Transfer[] = [];
  readonly #time: bigint;
  #ours: boolean;

  constructor(selection: X11Selection, private readonly offers: readonly Offer[]) {
    this.#selection = selection;
    this.#x = selection.x;
    this.#time = this.#selection.serverTime();
    this.#ours = this.#selection.own(CLIPBOARD, this.#time);
  }

  /** Serves until the clipboard is somebody else's and every transfer is through. */
  run(): void {
    while ((this.#ours || this.#transfers.length > 0) && !this.#x.lost) {
      const event = this.#selection.next();
      if (event.kind === "cleared") this.#ours = false;
      else if (event.kind === "request") this.#serve(event.request);
      else if (event.kind === "property" && event.deleted) this.#go(event.window, event.property);
      else if (event.kind === "gone") this.#drop(event.window);
    }
  }

  #serve(request: SelectionRequest): void {
    const { requestor, target } = request;
    // Clients of old name no property and mean the target's.
    const property = request.property === 0n ? target : request.property;
    const served = this.#selection.isAtom(target, "MULTIPLE")
      ? this.#serveSeveral(requestor, property)
      : this.#put(requestor, property, target);
    this.#selection.answer(request, served ? property : 0n);
  }

  /** ICCCM: a list of pairs of target and property; what cannot be served gets no property. */
  #serveSeveral(requestor: bigint, property: bigint): boolean {
    const list = this.#selection.read(requestor, property, MAX_MULTIPLE_BYTES);
    if (list === undefined) return false;
    const pairs = this.#selection.longs(list);
    for (let at = 0; at + 1 < pairs.length; at += 2) {
      if (!this.#put(requestor, pairs[at + 1]!, pairs[at]!)) pairs[at + 1] = 0n;
    }
    this.#selection.putLongs(requestor, property, "ATOM_PAIR", pairs);
    return true;
  }

  #put(window: bigint, property: bigint, target: bigint): boolean {
    const selection = this.#selection;
    if (selection.isAtom(target, "TARGETS")) {
      const names = ["TARGETS", "TIMESTAMP", "MULTIPLE", ...this.offers.map((one) => one.target)];
      selection.putLongs(window, property, "ATOM", names.map((name) => this.#x.atom(name)));
      return true;
    }
    if (selection.isAtom(target, "TIMESTAMP")) {
      selection.putLongs(window, property, "INTEGER", [this.#time]);
      return true;
    }
    const offer = this.offers.find((one) => selection.isAtom(target, one.target));
    if (offer === undefined) return false;
    if (offer.bytes.length <= selection.partBytes) {
      selection.put(window, property, offer.type, offer.bytes);
      return true;
    }
    if (this.#transfers.length >= MAX_TRANSFERS) return false;
    selection.watch(window);
    selection.putLongs(window, property, "INCR", [BigInt(offer.bytes.length)]);
    this.#transfers.push({ window, property, offer, sent: 0 });
    return true;
  }

  /** The requestor has taken a part: the next one, and an empty one at the end. */
  #go(window: bigint, property: bigint): void {
    const index = this.#transfers.findIndex((one) =>
      one.window === window && one.property === property
    );
    const transfer = this.#transfers[index];
    if (transfer === undefined) return;
    const { offer, sent } = transfer;
    const part = offer.bytes.slice(sent, sent + this.#selection.partBytes);
    this.#selection.put(window, property, offer.type, part);
    transfer.sent += part.length;
    if (part.length > 0) return;
    this.#transfers.splice(index, 1);
    if (!this.#transfers.some((one) => one.window === window)) this.#selection.unwatch(window);
  }

  #drop(window: bigint): void {
    for (let at = this.#transfers.length - 1; at >= 0; at--) {
      if (this.#transfers[at]!.window === window) this.#transfers.splice(at, 1);
    }
  }
}
