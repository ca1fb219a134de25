/** The stand-in under the name of every library: one file has all their symbols. */
import type { LibraryPaths } from "../../../ffi/macos/library.ts";

/** The same path for each library. */
export function singleLibrary(path: string): LibraryPaths {
  return {
    coreFoundation: path,
    applicationServices: path,
    coreGraphics: path,
    coreServices: path,
    appKit: path,
    objc: path,
    libSystem: path,
  };
}
