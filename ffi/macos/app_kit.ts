/** AppKit: running applications, the pasteboard, screens. Every call is one pool, nothing escapes. */
import { Arena, type CoreFoundation, type Pointer } from "./core_foundation.ts";
import type { NativeRect } from "./core_graphics.ts";
import type { ObjC } from "./objc.ts";

/** NSApplicationActivationPolicy. */
export const POLICY = { regular: 0, accessory: 1, prohibited: 2 } as const;

/** NSPasteboardAccessBehavior. */
export const ACCESS_BEHAVIOR = { default: 0, ask: 1, alwaysAllow: 2, alwaysDeny: 3 } as const;

/** Pasteboard types. */
export const PASTEBOARD = {
  text: "public.utf8-plain-text",
  png: "public.png",
  tiff: "public.tiff",
  fileUrl: "public.file-url",
} as const;

/** What NSRunningApplication says about one application. */
export interface RunningApplication {
  pid: number;
  name: string;
  bundleId?: string;
  policy: number;
  /** Unix time, seconds. */
  launchedAt?: number;
  finishedLaunching: boolean;
}

/** NSApplicationActivationOptions. */
export const ACTIVATE = { allWindows: 1n, ignoringOtherApps: 2n } as const;

export class AppKit {
  readonly #objc: ObjC;
  readonly #cf: CoreFoundation;

  constructor(objc: ObjC) {
    this.#objc = objc;
    this.#cf = objc.cf;
  }

  #workspace(): Pointer | null {
    return this.#objc.object(this.#objc.class("NSWorkspace"), "sharedWorkspace");
  }

  #text(value: Pointer | null): string | undefined {
    return value ? this.#cf.text(value).text : undefined;
  }

  // ---- applications ----

  /** Every running application; `pumpRunLoop` first when looking again in the same process. */
  applications(): RunningApplication[] {
    return this.#objc.pool(() => {
      const list = this.#objc.object(this.#workspace(), "runningApplications");
      return list ? this.#cf.items(list).map((app) => this.#describe(app)) : [];
    });
  }

  /** The application of a pid. */
  application(pid: number): RunningApplication | undefined {
    return this.#withApplication(pid, (app) => this.#describe(app));
  }

  #withApplication<T>(pid: number, work: (app: Pointer) => T): T | undefined {
    return this.#objc.pool(() => {
      const app = this.#objc.object(
        this.#objc.class("NSRunningApplication"),
        "runningApplicationWithProcessIdentifier:",
        pid,
      );
      return app ? work(app) : undefined;
    });
  }

  #describe(app: Pointer): RunningApplication {
    const objc = this.#objc;
    const bundleId = this.#text(objc.object(app, "bundleIdentifier"));
    const date = objc.object(app, "launchDate");
    return {
      pid: objc.int32(app, "processIdentifier"),
      name: this.#text(objc.object(app, "localizedName")) ?? "",
      policy: objc.integer(app, "activationPolicy"),
      finishedLaunching: objc.bool(app, "isFinishedLaunching"),
      ...(bundleId === undefined ? {} : { bundleId }),
      ...(date ? { launchedAt: this.#cf.dateSeconds(date) } : {}),
    };
  }

  /** Asks an application to quit; with `force` it is ended. Whether the request was sent. */
  terminate(pid: number, force: boolean): boolean {
    const selector = force ? "forceTerminate" : "terminate";
    return this.#withApplication(pid, (app) => this.#objc.bool(app, selector)) ?? false;
  }

  /** Brings an application forward with all its windows. */
  activate(pid: number): boolean {
    return this.#withApplication(
      pid,
      (app) => {
        const options = ACTIVATE.allWindows | ACTIVATE.ignoringOtherApps;
        return this.#objc.bool(app, "activateWithOptions:", options);
      },
    ) ?? false;
  }

  /** Path of the application with this bundle id, or else with this name. */
  locate(bundleIdOrName: string): string | undefined {
    using query = this.#cf.string(bundleIdOrName);
    return this.#objc.pool<{ path?: string }>(
      (() => {
        const url = this.#objc.object(
          this.#workspace(),
          "URLForApplicationWithBundleIdentifier:",
          query.pointer,
        );
        const path = url ? this.#cf.urlPath(url) : this.#text(
          this.#objc.object(this.#workspace(), "fullPathForApplication:", query.pointer),
        );
        return path === undefined ? {} : { path };
      }) as () => never,
    ).path;
  }

  /** Lets the system open an address with the application for it; whether it took it. */
  openUrl(address: string): boolean {
    using url = this.#cf.url(address);
    if (!url) return false;
    return this.#objc.pool(() => this.#objc.bool(this.#workspace(), "openURL:", url.pointer));
  }

  // ---- pasteboard ----

  #pasteboard(): Pointer | null {
    return this.#objc.object(this.#objc.class("NSPasteboard"), "generalPasteboard");
  }

  /** Grows with every change of the clipboard, by anybody. */
  clipboardChanges(): number {
    return this.#objc.pool(() => this.#objc.integer(this.#pasteboard(), "changeCount"));
  }

  /** Whether the person at the screen lets this program read the clipboard. */
  clipboardAccess(): "allowed" | "asked" | "denied" {
    return this.#objc.pool(() => {
      const pasteboard = this.#pasteboard();
      // macOS 15.4 and later.
      if (!this.#objc.responds(pasteboard, "accessBehavior")) return "allowed";
      const behavior = this.#objc.integer(pasteboard, "accessBehavior");
      if (behavior === ACCESS_BEHAVIOR.alwaysDeny) return "denied";
      return behavior === ACCESS_BEHAVIOR.ask ? "asked" : "allowed";
    });
  }

  clipboardText(): string | undefined {
    return this.#clipboard(
      "stringForType:",
      PASTEBOARD.text,
      (found) => this.#cf.text(found).text,
    );
  }

  /** Bytes of a clipboard type; `"too large"` above `limit`. */
  clipboardData(type: string, limit: number): Uint8Array<ArrayBuffer> | "too large" | undefined {
    return this.#clipboard(
      "dataForType:",
      type,
      (found) => this.#cf.dataLength(found) > limit ? "too large" : this.#cf.bytes(found),
    );
  }

  #clipboard<T>(selector: string, type: string, read: (found: Pointer) => T): T | undefined {
    const name = this.#cf.name(type);
    return this.#objc.pool<{ value?: T }>(
      (() => {
        const found = this.#objc.object(this.#pasteboard(), selector, name);
        return found ? { value: read(found) } : {};
      }) as () => never,
    ).value;
  }

  /** Paths of the files on the clipboard. */
  clipboardFiles(): string[] {
    const type = this.#cf.name(PASTEBOARD.fileUrl);
    return this.#objc.pool(() => {
      const items = this.#objc.object(this.#pasteboard(), "pasteboardItems");
      if (!items) return [];
      const urls: string[] = [];
      for (const item of this.#cf.items(items)) {
        const url = this.#text(this.#objc.object(item, "stringForType:", type));
        const path = url === undefined ? undefined : this.#pathOf(url);
        if (path !== undefined) urls.push(path);
      }
      return urls;
    });
  }

  // Texts on the clipboard come from any program. Only Core Foundation can resolve the Finder's own
  // addresses, which name a file by its number on the disk (`file:///.file/id=…`).
  #pathOf(address: string): string | undefined {
    if (!/^file:/i.test(address)) return undefined;
    using url = this.#cf.url(address);
    return url && this.#cf.urlPath(url.pointer);
  }

  /** Empties the clipboard and takes it over; the new change count. */
  clearClipboard(): number {
    return this.#objc.pool(() => this.#objc.integer(this.#pasteboard(), "clearContents"));
  }

  putText(text: string): boolean {
    using value = this.#cf.string(text);
    const type = this.#cf.name(PASTEBOARD.text);
    return this.#objc.pool(() =>
      this.#objc.bool(this.#pasteboard(), "setString:forType:", value.pointer, type)
    );
  }

  putData(type: string, bytes: Uint8Array<ArrayBuffer>): boolean {
    using value = this.#cf.data(bytes);
    const name = this.#cf.name(type);
    return this.#objc.pool(() =>
      this.#objc.bool(this.#pasteboard(), "setData:forType:", value.pointer, name)
    );
  }

  putFiles(paths: readonly string[]): boolean {
    using arena = new Arena();
    const urls = paths.map((path) => arena.own(this.#cf.fileUrl(path, false)).pointer);
    using list = this.#cf.array(urls);
    return this.#objc.pool(() =>
      this.#objc.bool(this.#pasteboard(), "writeObjects:", list.pointer)
    );
  }

  // ---- screens ----

  /**
   * Usable frames (without menu bar and Dock) by display id, in global coordinates.
   *
   * @param mainHeight height of the main display: AppKit counts from its bottom edge
   */
  visibleFrames(mainHeight: number): Map<number, NativeRect> {
    return this.#objc.pool(() => {
      const frames = new Map<number, NativeRect>();
      const screens = this.#objc.object(this.#objc.class("NSScreen"), "screens");
      for (const screen of screens ? this.#cf.items(screens) : []) {
        const description = this.#objc.object(screen, "deviceDescription");
        const id = description && this.#cf.entry(description, "NSScreenNumber");
        if (!id) continue;
        const frame = this.#objc.rect(screen, "visibleFrame");
        frames.set(this.#cf.numberValue(id).value, {
          ...frame,
          y: mainHeight - frame.y - frame.height,
        });
      }
      return frames;
    });
  }
}
