/** Where the macOS libraries are, and the one place that opens them. */
import { type Calls, openLibrary, type SymbolTable } from "../library.ts";

/** A library the program calls. */
export type LibraryName =
  | "coreFoundation"
  | "applicationServices"
  | "coreGraphics"
  | "coreServices"
  | "appKit"
  | "objc"
  | "libSystem";

export type LibraryPaths = Readonly<Record<LibraryName, string>>;

// Since macOS 11 these files exist only in the dyld shared cache: dlopen finds them there, a test
// for the file's existence does not.
const FRAMEWORKS = "/System/Library/Frameworks";
const SYSTEM_PATHS: LibraryPaths = {
  coreFoundation: `${FRAMEWORKS}/CoreFoundation.framework/CoreFoundation`,
  applicationServices: `${FRAMEWORKS}/ApplicationServices.framework/ApplicationServices`,
  coreGraphics: `${FRAMEWORKS}/CoreGraphics.framework/CoreGraphics`,
  coreServices: `${FRAMEWORKS}/CoreServices.framework/CoreServices`,
  appKit: `${FRAMEWORKS}/AppKit.framework/AppKit`,
  objc: "/usr/lib/libobjc.A.dylib",
  libSystem: "/usr/lib/libSystem.B.dylib",
};

/** A library or a symbol is missing, or a native constructor returned nothing. */
export class NativeError extends Error {
  override readonly name = "NativeError";
}

/**
 * The libraries' paths: Apple's on macOS, where `injected` is not looked at; the injected ones on
 * any other system. On a Mac the process holds accessibility rights, and a library chosen from
 * outside would inherit them, so there is no way to choose one.
 *
 * @throws {NativeError} off macOS when nothing is injected
 */
export function libraryPaths(injected?: LibraryPaths): LibraryPaths {
  if (Deno.build.os === "darwin") return SYSTEM_PATHS;
  if (!injected) throw new NativeError("the macOS libraries exist only on macOS");
  return injected;
}

/**
 * Opens one library.
 *
 * @throws {NativeError} when the library or a symbol that is not optional is missing
 */
export function open<Table extends SymbolTable>(path: string, table: Table): Calls<Table> {
  try {
    return openLibrary(path, table);
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause);
    throw new NativeError(`cannot load ${path}: ${message}`, { cause });
  }
}

/** CGPoint and CGSize. */
export const POINT = { struct: ["f64", "f64"] } as const;
/** CGRect. */
export const RECT = { struct: ["f64", "f64", "f64", "f64"] } as const;
/** CFRange: location, length. */
export const RANGE = { struct: ["isize", "isize"] } as const;

/** The bytes of a `RANGE` argument. */
export function range(location: number, length: number): Uint8Array<ArrayBuffer> {
  return new Uint8Array(BigInt64Array.of(BigInt(location), BigInt(length)).buffer);
}

/** The bytes of a `POINT` argument. */
export function point(x: number, y: number): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Float64Array.of(x, y).buffer);
}

/** A C string. */
export function cString(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text + "\0") as Uint8Array<ArrayBuffer>;
}
