/** All the macOS libraries of one process, each opened when it is first needed. */
import { Accessibility } from "./accessibility.ts";
import { AppKit } from "./app_kit.ts";
import { CoreFoundation } from "./core_foundation.ts";
import { CoreGraphics } from "./core_graphics.ts";
import { CoreServices } from "./core_services.ts";
import { LibSystem } from "./lib_system.ts";
import { type LibraryPaths, libraryPaths } from "./library.ts";
import { ObjC } from "./objc.ts";

export class Native {
  readonly #paths: LibraryPaths;
  #cf: CoreFoundation | undefined;
  #ax: Accessibility | undefined;
  #cg: CoreGraphics | undefined;
  #appKit: AppKit | undefined;
  #system: LibSystem | undefined;
  #services: CoreServices | undefined;

  /** @throws {NativeError} off macOS without injected paths */
  constructor(injected?: LibraryPaths) {
    this.#paths = libraryPaths(injected);
  }

  get cf(): CoreFoundation {
    return this.#cf ??= new CoreFoundation(this.#paths.coreFoundation);
  }

  get ax(): Accessibility {
    return this.#ax ??= new Accessibility(this.#paths.applicationServices, this.cf);
  }

  get cg(): CoreGraphics {
    return this.#cg ??= new CoreGraphics(this.#paths.coreGraphics, this.cf);
  }

  // Costs tens of milliseconds on a Mac, so nothing that reads only accessibility touches it.
  get appKit(): AppKit {
    return this.#appKit ??= new AppKit(
      new ObjC(this.#paths.objc, this.#paths.appKit, this.cf),
    );
  }

  get system(): LibSystem {
    return this.#system ??= new LibSystem(this.#paths.libSystem);
  }

  get services(): CoreServices {
    return this.#services ??= new CoreServices(this.#paths.coreServices);
  }

  /** Releases what is kept for the process; it is made again when it is needed again. */
  close(): void {
    this.#cg?.close();
    this.#cf?.close();
  }
}
